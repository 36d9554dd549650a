extension TextFrame {
  /// Whether a search has marked anything on a line.
  ///
  /// - Complexity: O(runs of its paragraph)
  package func isMarked(line index: Int) -> Bool {
    let line = lines[index]
    let ranges = line.cells.isEmpty ? [line.range] : line.cells.map(\.range)
    return text.paragraphs[line.paragraph].runs.contains { run in
      run.style.traits.contains(.marked)
        && ranges.contains { !run.range.clamped(to: $0).isEmpty }
    }
  }
}
