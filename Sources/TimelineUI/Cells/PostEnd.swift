import Geometry
import Terminal
import TerminalViews

/// The end of a post: a short line, as blank lines part its paragraphs, too.
///
/// It takes the blank line that ends each post, so that no post is higher for it, and is short: few
/// bytes are sent when it scrolls into view.
@MainActor enum PostEnd {
  static let columns = 6

  /// Draws the line on the last row of `cell`, from a column on.
  static func draw(
    in canvas: inout Canvas, at origin: Point, of cell: ListViewCell, below column: Int
  ) {
    let (width, row) = (cell.frame.width, cell.frame.height - SelectionBar.spacing)
    guard row > 0, column + 1 < width else { return }
    canvas.draw(
      String(repeating: "─", count: min(columns, width - column - 1)),
      at: origin.offset(dx: column, dy: row), style: cell.theme.lineStyle)
  }
}
