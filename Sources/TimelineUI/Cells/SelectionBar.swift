import Geometry
import Terminal
import TerminalViews

/// The mark at the left edge of the selected row.
@MainActor package enum SelectionBar {
  /// The width of the mark in columns.
  package static let width = 1

  /// The number of blank lines at the end of each row, which the bar does not cover.
  package static let spacing = 1

  /// Draws the bar if `cell` is selected, along all its lines except the first `rowsAbove` and the
  /// last `spacing` ones.
  package static func draw(
    for cell: ListViewCell, below rowsAbove: Int = 0, spacing: Int = SelectionBar.spacing,
    in canvas: inout Canvas, at origin: Point
  ) {
    guard cell.isSelected else { return }
    canvas.fill(
      Rect(
        x: origin.x, y: origin.y + rowsAbove, width: width,
        height: max(0, cell.frame.height - spacing - rowsAbove)),
      with: CanvasCell("▌", style: cell.theme.markStyle))
  }
}
