import TerminalApp
import TimelineStore

/// The search and the filter of a screen of posts.
@MainActor package final class TimelineFinding {
  let search: ListSearch
  let filter: TimelineFilter

  init(in store: TimelineStore, on pane: ListPane, marks: SearchMarks, errors: ErrorRows) {
    search = ListSearch(on: pane, in: TimelineMatches(in: store, on: pane, marks: marks))
    filter = TimelineFilter(store, on: pane, marks: marks, errors: errors)
  }

  /// The state of the search and the filter, for the status line; empty if neither is active.
  var status: String {
    [search.progress, filter.status].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// The screen's commands for the search and the filter.
  static let commands =
    ListSearch.commands(
      help:
        "search: small letters find capitals, too; accents, widths and kana make no difference",
      of: { (screen: ListScreen) in screen.finding?.search }, leave: { $0.goBack() })
    + filterCommands

  private static let filterCommands: [Command<ListScreen>] = [
    Command(
      "filter", "F", argument: "QUERY",
      help:
        "show what fits: words \"a phrase\" author: tag: has:picture has:link is:unread is:read "
        + "is:saved is:new feed: before: after: since: -not or"
    ) { screen, call in
      guard let filter = screen.finding?.filter else { return ListSearch.nothingToSearch }
      guard !call.argument.isEmpty else {
        filter.openPrompt()
        return .done
      }
      do throws(PostQueryError) {
        try filter.filter(call.argument)
        return .done
      } catch {
        return .refused(error.description)
      }
    },
    Command("clear-filter", "ctrl-f", help: "show all again") { screen, _ in
      guard let filter = screen.finding?.filter else { return ListSearch.nothingToSearch }
      return filter.clear() ? .done : .refused("all are shown")
    },
  ]
}
