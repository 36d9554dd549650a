import TerminalApp

/// The keys that matter here: those of the selected row, of what is new, searched for and filtered,
/// then those that move, then what can be done with a post.
extension ListScreen {
  private typealias Part = (commands: [(name: String, keys: KeySequence)], text: String)

  /// What a hint is made of. It seldom changes, while the position does with every key.
  struct HintState: Equatable {
    var bindings: Int
    var rowHint: String
    var hasNewRows: Bool
    var isSearching: Bool
    var isFiltered: Bool
    /// Nothing fits: no key moves or opens anything.
    var showsNothing: Bool
  }

  /// The keys that matter here, and those that stand behind them whatever is shown.
  var hints: (hint: String, lasting: String) {
    let finding = content.finding
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
      lasting: pane.lastingHint(isBack: isAboveAnother)
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
    guard content.showsPosts else { return [] }
    var parts: [Part] = []
    // A post that is open is not opened again.
    if !isAboveAnother { parts.append(([("open-post", "enter")], "opens")) }
    parts.append(([("open-link", "o")], "link"))
    if content.finding != nil {
      parts.append(([("search", "/")], "finds"))
      parts.append(([("filter", "F")], "filters"))
    }
    parts.append(([("copy-link", "y")], "copies"))
    return parts
  }
}
