import TerminalApp

/// The keys that matter on a screen: those of the selected row, for new rows, search and filter,
/// then the others, the most useful first, since a narrow screen drops the last ones. The texts are
/// kept while their inputs are the same, as the inputs seldom change, while the position changes
/// with every key.
@MainActor final class ScreenHints {
  /// The keys that matter now, and those that stand after them on every screen.
  typealias Texts = (hint: String, lasting: String)

  /// Commands with their default keys.
  private struct Part {
    var commands: [(name: String, keys: KeySequence)]
    /// Their effect in a word, for the status line.
    var text: String
    /// Their effect in a line of the help page; empty if the part does not stand there.
    var help = ""

    init(_ commands: [(name: String, keys: KeySequence)], _ text: String, help: String = "") {
      (self.commands, self.text, self.help) = (commands, text, help)
    }
  }

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
    let inputs = inputs(on: screen)
    if let shown, shown.inputs == inputs { return shown.texts }
    let parts =
      Self.findingParts(inputs) + (inputs.showsNothing ? [] : Self.parts(on: screen, inputs))
    let hint = screen.application?.keyHint(parts.map { ($0.commands, $0.text) }) ?? ""
    let texts = (
      hint: [inputs.rowHint, hint].filter { !$0.isEmpty }.joined(separator: "   "),
      lasting: screen.pane.persistentHint(isBack: screen.isPushed)
    )
    shown = (inputs, texts)
    return texts
  }

  /// The keys to learn first, for the top of the help page.
  func firstKeys(on screen: ListScreen) -> [CommandTable.HelpLine] {
    guard let application = screen.application else { return [] }
    let leaving = Part([("back", "q")], "", help: screen.isPushed ? "back" : "quit")
    return (Self.parts(on: screen, inputs(on: screen)) + [leaving]).compactMap { part in
      guard !part.help.isEmpty else { return nil }
      let keys = part.commands.map { application.keyLabel(of: $0.name, $0.keys) }
      let shown = keys.filter { !$0.isEmpty }.joined(separator: " ")
      return shown.isEmpty ? nil : CommandTable.HelpLine(keys: shown, text: part.help)
    }
  }

  private func inputs(on screen: ListScreen) -> Inputs {
    let (pane, finding) = (screen.pane, screen.finding)
    let isFiltered = finding?.filter.isOn ?? false
    return Inputs(
      bindings: screen.application?.keyHintRevision ?? -1,
      rowHint: screen.content.hint(forRow: pane.currentRow),
      hasNewRows: pane.newRowsAbove > 0,
      isSearching: finding?.search.isActive ?? false, isFiltered: isFiltered,
      view: screen.content.posts?.timeline?.view, hasUnread: screen.library?.hasUnread ?? false,
      hasFeeds: screen.library?.hasFeeds ?? false,
      readsArticles: screen.isPushed && screen.article?.isSet == true,
      showsNothing: isFiltered && pane.rowCount == 0)
  }

  private static func findingParts(_ inputs: Inputs) -> [Part] {
    var parts: [Part] = []
    if inputs.hasNewRows { parts.append(Part([("show-new", ".")], "shows the new")) }
    if inputs.isSearching {
      parts.append(Part([("next-match", "n"), ("previous-match", "N")], "matches"))
      parts.append(Part([("end-search", "escape")], "ends the search"))
    }
    if inputs.isFiltered { parts.append(Part([("clear-filter", "ctrl-f")], "shows all")) }
    if inputs.showsNothing { parts.append(Part([("filter", "F")], "changes the filter")) }
    return parts
  }

  private static func parts(on screen: ListScreen, _ inputs: Inputs) -> [Part] {
    let name = screen.content.rowName
    let moving = Part(
      [("next", "j"), ("previous", "k")], name + "s", help: "the next \(name), the previous one")
    let paging = Part(
      [("page-down", "space"), ("page-up", "b")], "pages", help: "a page down, a page up")
    let ends = Part([("top", "g"), ("end", "G")], "ends", help: "the top, the end")
    guard screen.content.posts != nil else { return [moving, paging, ends] }
    let view = inputs.view.map { view in
      Part([("headlines", "v")], view.other.rawValue, help: "headlines, or whole posts")
    }
    let (isHeadlines, isPosts) = (inputs.view == .headlines, inputs.view == .posts)
    let canFind = screen.finding != nil
    let parts: [Part?] = [
      moving,
      // An opened post is not opened again.
      screen.isPushed
        ? nil : Part([("open-post", "enter")], "opens", help: "open the post, with its answers"),
      inputs.hasUnread ? Part([("next-unread", "]")], "unread", help: "the next unread post") : nil,
      isHeadlines ? view : nil,
      Part([("open-link", "o")], "link", help: "open its link in the browser"),
      inputs.readsArticles ? Part([("article", "e")], "article", help: "read its article") : nil,
      canFind ? Part([("search", "/")], "finds", help: "find words") : nil,
      paging,
      inputs.hasFeeds ? Part([("feeds", "L")], "feeds", help: "the feeds that you follow") : nil,
      canFind ? Part([("filter", "F")], "filters", help: "show only the posts that fit") : nil,
      Part([("pictures", "m")], "pictures", help: "its pictures in full size"),
      Part([("copy-link", "y")], "copies", help: "copy its link"),
      isPosts ? view : nil,
      ends,
    ]
    return parts.compactMap { $0 }
  }
}
