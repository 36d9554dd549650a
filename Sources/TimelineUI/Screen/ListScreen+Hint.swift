import TerminalApp

/// The keys that matter here: those of the selected row, of what is searched for and filtered, then those
/// that move, then what can be done with a post.
extension ListScreen {
  private typealias Part = (commands: [(name: String, keys: KeySequence)], text: String)

  var hint: String {
    let parts = [
      content.hint(forRow: pane.currentRow), keyHint(findingParts),
      pane.keyHint(rowName: content.rowName), keyHint(postParts),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "   ")
  }

  private func keyHint(_ parts: [Part]) -> String {
    parts.isEmpty ? "" : application?.keyHint(parts) ?? ""
  }

  private var findingParts: [Part] {
    guard let finding = content.finding else { return [] }
    var parts: [Part] = []
    if finding.search.isActive {
      parts.append(([("next-match", "n"), ("previous-match", "N")], "matches"))
      parts.append(([("end-search", "escape")], "ends the search"))
    }
    if finding.filter.isOn { parts.append(([("clear-filter", "ctrl-f")], "shows all")) }
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
