import TerminalApp
import TimelineStore

/// Searching and filtering, if the content can be searched.
extension ListScreen {
  static let findingCommands: [Command<ListScreen>] = [
    Command(
      "search", "/", argument: "TEXT",
      help: "search: small letters find capitals, too; accents, widths and kana make no difference"
    ) { screen, call in
      screen.finding { finding in
        if call.argument.isEmpty {
          finding.search.openPrompt()
        } else if !finding.search.search(for: call.argument) {
          return .refused("there is nothing to look for")
        }
        return .done
      }
    },
    Command("next-match", "n", help: "next match; a search wraps at the end") { screen, call in
      screen.go(toMatch: .forward, call)
    },
    Command("previous-match", "N", help: "previous match") { screen, call in
      screen.go(toMatch: .backward, call)
    },
    Command("end-search", "escape", help: "end the search") { screen, _ in
      guard let search = screen.finding?.search, search.isActive else {
        return screen.goBack()
      }
      search.end()
      return .done
    },
    Command(
      "filter", "F", argument: "QUERY",
      help:
        "show what fits: words \"a phrase\" author: tag: has:picture has:link before: after: "
        + "-not or"
    ) { screen, call in
      screen.finding { finding in
        guard !call.argument.isEmpty else {
          finding.filter.openPrompt()
          return .done
        }
        do throws(PostQueryError) {
          try finding.filter.filter(call.argument)
          return .done
        } catch {
          return .refused(error.description)
        }
      }
    },
    Command("clear-filter", "ctrl-f", help: "show all again") { screen, _ in
      screen.finding { $0.filter.clear() ? .done : .refused("all are shown") }
    },
  ]

  private func finding(_ action: (TimelineFinding) -> CommandOutcome) -> CommandOutcome {
    finding.map(action) ?? .refused("there is nothing to search here")
  }

  private func go(
    toMatch direction: PostSearch.Direction, _ call: CommandCall
  ) -> CommandOutcome {
    finding { finding in
      finding.search.next(direction, steps: call.times)
        ? .done : .refused("nothing was searched for yet")
    }
  }
}

/// The search and the filter of a screen of posts.
@MainActor public final class TimelineFinding {
  let search: TimelineSearch
  let filter: TimelineFilter

  init(in store: TimelineStore, on pane: ListPane, marks: SearchMarks) {
    search = TimelineSearch(store, on: pane, marks: marks)
    filter = TimelineFilter(store, on: pane, marks: marks)
  }

  /// The state of the search and the filter, for the status line; empty if neither is active.
  var status: String {
    [search.progress, filter.status].filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
