import TimelineUI

/// The rows of a demo, without saying of which kind their cells are.
@MainActor protocol DemoRows: ListContent {
  var rowCount: Int { get }

  /// A cell as the list's are, with nothing to show yet.
  func makeCell() -> BaseCell

  /// Has a cell of ``makeCell()`` show a row.
  func show(row: Int, in cell: BaseCell)

  /// The height of a row at `width` columns where the list asks the demo for it; nil where the cell
  /// says.
  func height(ofRow row: Int, width: Int) -> Int?
}
