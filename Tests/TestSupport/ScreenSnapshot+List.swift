extension ScreenSnapshot {
  /// The rows of the list as text, without the scroll bar and the status lines: the part that must
  /// not move.
  public func list(rows: Int) -> [String] {
    (0..<rows).map(lineWithoutEdge)
  }

  /// Whether the list's scroll bar is in the last column: the screen was drawn for this width and
  /// not for the previous one.
  public var isDrawnToTheEdge: Bool {
    guard let edge = cells.first?.last?.text else { return false }
    return "▕█▁▂▃▄▅▆▇".contains(edge)
  }

  /// Whether any cell has a 24-bit background: a picture is on the screen.
  public var hasPicture: Bool {
    cells.contains { $0.contains { if case .rgb = $0.background { true } else { false } } }
  }
}
