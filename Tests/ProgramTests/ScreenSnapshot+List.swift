import TestSupport

extension ScreenSnapshot {
  /// The rows of the list as text, without the scroll bar at their ends and the status lines below:
  /// what must not move while only the bar may.
  func list(rows: Int) -> [String] {
    (0..<rows).map(lineWithoutEdge)
  }

  /// Whether the list's bar stands in the last column: what is shown was drawn for this width, not
  /// for the one before.
  var isDrawnToTheEdge: Bool {
    guard let edge = cells.first?.last?.text else { return false }
    return "▕█▁▂▃▄▅▆▇".contains(edge)
  }

  /// Whether any cell has a 24-bit background: a picture is on the screen.
  var hasPicture: Bool {
    cells.contains { $0.contains { if case .rgb = $0.background { true } else { false } } }
  }
}
