import Library
import TerminalApp
import TextLayout
import TimelineStore

/// The commands that mark posts and go to unread ones, and the command that shows the feeds.
@MainActor enum MarkCommands {
  /// The refusal of these commands in a source that is not followed.
  static let noMarks = CommandOutcome.refused(
    "nothing is marked here · tideline add follows a source")

  static let all: [Command<ListScreen>] = [
    Command("next-unread", "]", help: "next unread post") { screen, call in
      screen.goToUnread(.down, call)
    },
    Command("previous-unread", "[", help: "previous unread post") { screen, call in
      screen.goToUnread(.up, call)
    },
    Command("toggle-read", "a", help: "mark the post read, or unread if it is read") {
      screen, _ in
      screen.withMarkTarget { target in
        switch target.marker.toggleRead(row: target.row) {
        case .read?: "read"
        case .unread?: "unread, until you open it"
        default: nil
        }
      }
    },
    Command(
      "mark-all-read", "A", help: "mark every post of the list read; with a filter, those that fit"
    ) { screen, _ in screen.markAllRead() },
    Command(
      "undo-marking", "U", help: "take the last marking back, also one of an earlier run"
    ) { screen, _ in
      let target = screen.content.posts?.markTarget(ofRow: screen.pane.currentRow)
      guard let marker = target?.marker ?? screen.library?.marker, marker.keepsMarks else {
        return noMarks
      }
      marker.undoMarking()
      return .done
    },
    Command("toggle-saved", "s", help: "save the post, or no longer; saved posts are kept") {
      screen, _ in
      screen.withMarkTarget { target in
        switch target.marker.toggleSaved(row: target.row) {
        case .saved?: "saved"
        case .unsaved?: "not saved any more"
        default: nil
        }
      }
    },
    Command("feeds", "L", help: "the feeds that you follow, and what went wrong") { screen, _ in
      screen.showFeeds()
    },
  ]
}

extension ListScreen {
  fileprivate func goToUnread(_ direction: MarkedRows.Direction, _ call: CommandCall)
    -> CommandOutcome
  {
    guard let markedRows else { return .passed }
    return markedRows.goToUnread(direction, steps: call.times)
  }

  /// - Parameter action: marks the post and returns the message to show when the mark is written.
  fileprivate func withMarkTarget(_ action: (MarkTarget) -> String?) -> CommandOutcome {
    guard let posts = content.posts else { return .passed }
    guard let target = posts.markTarget(ofRow: pane.currentRow) else {
      return library?.marker.keepsMarks == true
        ? .refused("no post is selected") : MarkCommands.noMarks
    }
    if let message = action(target) {
      target.marker.whenWritten { [weak self] in self?.application?.tell(message + $0) }
    }
    return .done
  }

  fileprivate func markAllRead() -> CommandOutcome {
    guard let marker = library?.marker, marker.keepsMarks else { return MarkCommands.noMarks }
    let count = marker.markAllRead()
    guard count > 0 else { return .refused("all posts of the list are read") }
    let key = application?.keyLabel(of: "undo-marking", "U") ?? ""
    let undo = key.isEmpty ? "" : " · \(key) takes it back"
    // Posts that are not known yet, or not yet compared with the filter, are not marked.
    let extent = marker.store.isComplete ? "" : " so far"
    marker.whenWritten { [weak self] suffix in
      self?.application?.tell("\(count.counted("post")) marked read\(extent)\(undo)\(suffix)")
    }
    return .done
  }

  fileprivate func showFeeds() -> CommandOutcome {
    guard let library, let clock = content.posts?.clock, let application else { return .passed }
    switch library.feeds {
    case .none: return .refused("no feeds here · tideline add follows a source")
    // The list of feeds is the screen below this one.
    case .one: return goBack()
    case .all(let directory, let monitor):
      if directory.feeds.isEmpty {
        switch directory.reading {
        case .failed(let problem):
          directory.reload()
          return .refused("the feeds cannot be read: \(problem)")
        case .done: return .refused("no feed is followed · tideline add follows one")
        case .active: break
        }
      }
      monitor.forgetFailures()
      directory.reload()
      application.window.present(
        FeedListScreen(of: library, directory, monitor, clock: clock) { [weak self] feed in
          guard let self, let opened = library.open(feed) else { return }
          present(opened) { directory.reload() }
        })
      return .done
    }
  }
}
