import Geometry
import Terminal
import TerminalViews

/// The mark at the left edge of the selected row.
@MainActor public enum SelectionBar {
  /// Columns at the left edge.
  public static let width = 1

  /// Draws the bar where `cell` is selected, along all its rows but the empty last one.
  public static func draw(for cell: ListViewCell, in canvas: inout Canvas, at origin: Point) {
    guard cell.isSelected else { return }
    canvas.fill(
      Rect(x: origin.x, y: origin.y, width: width, height: max(0, cell.frame.height - 1)),
      with: CanvasCell("▌", style: cell.theme.markStyle))
  }
}
