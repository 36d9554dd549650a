import TerminalApp

/// The keys that matter on a screen: those of the selected row, for new rows, search and filter,
/// then those that move, then those for a post. The texts are kept while their inputs are the same,
/// as the inputs seldom change, while the position changes with every key.
@MainActor final class ScreenHints {
  /// The keys that matter now, and those that stand after them on every screen.
  typealias Texts = (hint: String, lasting: String)
  private typealias Part = (commands: [(name: String, keys: KeySequence)], text: String)

  private struct Inputs: Equatable {
    var bindings: Int
    var rowHint: String
    var hasNewRows: Bool
    var isSearching: Bool
    var isFiltered: Bool
    /// `nil` if the posts have one view only.
    var view: PostView?
    var hasUnread: Bool
    var hasFeeds: Bool
    var readsArticles: Bool
    /// No post fits the filter, so that no key moves or opens anything.
    var showsNothing: Bool
  }

  private var shown: (inputs: Inputs, texts: Texts)?

  func texts(on screen: ListScreen) -> Texts {
    let (pane, finding) = (screen.pane, screen.finding)
    let isFiltered = finding?.filter.isOn ?? false
    let inputs = Inputs(
      bindings: screen.application?.keyHintRevision ?? -1,
      rowHint: screen.content.hint(forRow: pane.currentRow),
      hasNewRows: pane.newRowsAbove > 0,
      isSearching: finding?.search.isActive ?? false, isFiltered: isFiltered,
      view: screen.content.posts?.timeline?.view, hasUnread: screen.library?.hasUnread ?? false,
      hasFeeds: screen.library?.hasFeeds ?? false,
      readsArticles: screen.isPushed && screen.article?.isSet == true,
      showsNothing: isFiltered && pane.rowCount == 0)
    if let shown, shown.inputs == inputs { return shown.texts }
    func hint(_ parts: [Part]) -> String {
      parts.isEmpty ? "" : screen.application?.keyHint(parts) ?? ""
    }
    var hints = [inputs.rowHint, hint(Self.findingParts(inputs))]
    if !inputs.showsNothing {
      hints += [
        pane.keyHint(rowName: screen.content.rowName), hint(Self.postParts(on: screen, inputs)),
      ]
    }
    let texts = (
      hint: hints.filter { !$0.isEmpty }.joined(separator: "   "),
      lasting: pane.persistentHint(isBack: screen.isPushed)
    )
    shown = (inputs, texts)
    return texts
  }

  private static func findingParts(_ inputs: Inputs) -> [Part] {
    var parts: [Part] = []
    if inputs.hasNewRows { parts.append(([("show-new", ".")], "shows the new")) }
    if inputs.isSearching {
      parts.append(([("next-match", "n"), ("previous-match", "N")], "matches"))
      parts.append(([("end-search", "escape")], "ends the search"))
    }
    if inputs.isFiltered { parts.append(([("clear-filter", "ctrl-f")], "shows all")) }
    if inputs.showsNothing { parts.append(([("filter", "F")], "changes the filter")) }
    return parts
  }

  private static func postParts(on screen: ListScreen, _ inputs: Inputs) -> [Part] {
    guard screen.content.posts != nil else { return [] }
    var parts: [Part] = []
    // An opened post is not opened again.
    if !screen.isPushed { parts.append(([("open-post", "enter")], "opens")) }
    if inputs.hasUnread { parts.append(([("next-unread", "]")], "unread")) }
    let view = inputs.view.map { view in
      Part([("headlines", "v")], view.other.rawValue)
    }
    if let view, inputs.view == .headlines { parts.append(view) }
    if inputs.hasFeeds { parts.append(([("feeds", "L")], "feeds")) }
    parts.append(([("open-link", "o")], "link"))
    if screen.finding != nil {
      parts.append(([("search", "/")], "finds"))
      parts.append(([("filter", "F")], "filters"))
    }
    if inputs.readsArticles { parts.append(([("article", "e")], "article")) }
    parts.append(([("copy-link", "y")], "copies"))
    if let view, inputs.view == .posts { parts.append(view) }
    return parts
  }
}
