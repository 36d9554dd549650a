import TerminalApp

/// The keys that matter: those of the selected row, for new rows, search and filter, then those
/// that move, then those for a post.
extension ListScreen {
  private typealias Part = (commands: [(name: String, keys: KeySequence)], text: String)

  /// The inputs of a hint. They seldom change, while the position changes with every key.
  struct HintState: Equatable {
    var bindings: Int
    var rowHint: String
    var hasNewRows: Bool
    var isSearching: Bool
    var isFiltered: Bool
    /// No post fits the filter, so that no key moves or opens anything.
    var showsNothing: Bool
  }

  /// The keys that matter now, and those that stand after them on every screen.
  var hints: (hint: String, lasting: String) {
    let state = HintState(
      bindings: application?.keyHintRevision ?? -1,
      rowHint: content.hint(forRow: pane.currentRow),
      hasNewRows: pane.listView.newRowsAbove > 0,
      isSearching: finding?.search.isActive ?? false, isFiltered: finding?.filter.isOn ?? false,
      showsNothing: finding?.filter.isOn == true && pane.rowCount == 0)
    if let shownHints, shownHints.state == state { return shownHints.texts }
    var parts = [state.rowHint, keyHint(findingParts(in: state))]
    if !state.showsNothing {
      parts += [pane.keyHint(rowName: content.rowName), keyHint(postParts)]
    }
    let texts = (
      hint: parts.filter { !$0.isEmpty }.joined(separator: "   "),
      lasting: pane.persistentHint(isBack: isPushed)
    )
    shownHints = (state, texts)
    return texts
  }

  private func keyHint(_ parts: [Part]) -> String {
    parts.isEmpty ? "" : application?.keyHint(parts) ?? ""
  }

  private func findingParts(in state: HintState) -> [Part] {
    var parts: [Part] = []
    if state.hasNewRows { parts.append(([("show-new", ".")], "shows the new")) }
    if state.isSearching {
      parts.append(([("next-match", "n"), ("previous-match", "N")], "matches"))
      parts.append(([("end-search", "escape")], "ends the search"))
    }
    if state.isFiltered { parts.append(([("clear-filter", "ctrl-f")], "shows all")) }
    if state.showsNothing { parts.append(([("filter", "F")], "changes the filter")) }
    return parts
  }

  private var postParts: [Part] {
    guard content.posts != nil else { return [] }
    var parts: [Part] = []
    // An opened post is not opened again.
    if !isPushed { parts.append(([("open-post", "enter")], "opens")) }
    parts.append(([("open-link", "o")], "link"))
    if finding != nil {
      parts.append(([("search", "/")], "finds"))
      parts.append(([("filter", "F")], "filters"))
    }
    parts.append(([("copy-link", "y")], "copies"))
    return parts
  }
}
