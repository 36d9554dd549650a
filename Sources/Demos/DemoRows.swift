import TimelineUI

/// The rows of a demo, independent of their cell type.
@MainActor protocol DemoRows: ListContent {
  var rowCount: Int { get }

  /// Creates a cell like the list's, with no content yet.
  func makeCell() -> BaseCell

  /// Configures a cell of ``makeCell()`` with a row.
  func show(row: Int, in cell: BaseCell)

  /// The height of a row at `width` columns if the demo measures it; `nil` if the cell does.
  func height(ofRow row: Int, width: Int) -> Int?
}
