import Pictures
import TerminalViews
import TextLayout
import TimelineUI
import VirtualList

/// The common part of all demos: cells of one kind under one identifier, a fixed set of
/// rows, and picture loading as the only activity.
@MainActor class DemoListContent<Cell: BaseCell>: DemoRows {
  let title: String
  private let identifier: String
  let rowName: String
  let pictures: PictureStore
  private(set) weak var list: ListView?
  private var onEffect: (ListEffect) -> Void = { _ in }
  private let make: @MainActor (PictureStore) -> Cell

  init(
    _ demo: Demo, rowName: String, pictures: PictureStore,
    makeCell make: @escaping @MainActor (PictureStore) -> Cell
  ) {
    identifier = demo.rawValue
    title = "demo \(demo.rawValue)"
    self.rowName = rowName
    self.pictures = pictures
    self.make = make
  }

  // MARK: Overridden by demos

  var rowCount: Int { 0 }
  /// Paragraphs of the page that `?` opens.
  var notes: [String] { [] }
  /// What to look at and which key to press, with keys in backquotes. At most 76 columns, so that
  /// it fits on one line of most screens.
  func captionText(isPanelOpen: Bool) -> String { "" }
  /// The estimated height of an unmeasured row in lines; 0 to measure all rows before the first
  /// frame.
  var estimatedRowHeight: Int { 4 }

  func configure(_ cell: Cell, row: Int) {}

  /// The height of a row if the demo measures it itself; `nil` to ask the cell.
  func height(ofRow row: Int, width: Int) -> Int? { nil }

  // MARK: ListContent

  var isComplete: Bool { true }
  var activity: String { PictureActivity.text(of: pictures.loader.activity) }
  var message: (text: String, isError: Bool)? { nil }

  var posts: (any PostActions)? { nil }

  func attach(to list: ListView, onEffect: @escaping (ListEffect) -> Void) {
    (self.list, self.onEffect) = (list, onEffect)
    pictures.loader.onActivityChange = { _ in onEffect(.changed) }
    list.estimatedRowHeight = estimatedRowHeight
    list.register(
      { [make, pictures] in make(pictures) }, forCellReuseIdentifier: identifier)
  }

  func hint(forRow row: Int) -> String {
    pictures.loader.gate.isPaused
      ? "F12 why it looks so   i lets a picture in (\(pictures.loader.gate.heldCount) wait)"
      : "F12 why it looks so"
  }

  final func caption(isPanelOpen: Bool) -> StyledText? {
    DemoCaption.text(captionText(isPanelOpen: isPanelOpen))
  }

  func pictureAddress(in cell: ListViewCell) -> String? { (cell as? BaseCell)?.slot.url }

  /// The cell of the selected row or, if no row is selected, of the first one on the screen.
  final var currentCell: Cell? {
    guard let list, let row = list.indexPathForSelectedRow?.row ?? list.visibleRows?.lowerBound
    else { return nil }
    return list.cellForRow(at: IndexPath(row: row)) as? Cell
  }

  /// The cells of the rows on the screen.
  final var visibleCells: [Cell] {
    guard let list, let rows = list.visibleRows else { return [] }
    return rows.compactMap { list.cellForRow(at: IndexPath(row: $0)) as? Cell }
  }

  /// Shows a text in the status line until the next key.
  final func tell(_ text: String) { onEffect(.tell(text)) }

  /// Requests a frame that shows a changed caption.
  final func captionChanged() { onEffect(.changed) }

  func didShow(rows: Range<Int>) {}

  func retryPictures(in cell: ListViewCell) -> Bool {
    (cell as? BaseCell)?.slot.tryAgain() ?? false
  }

  // MARK: Rows

  final func makeCell() -> BaseCell { make(pictures) }

  final func show(row: Int, in cell: BaseCell) {
    guard let cell = cell as? Cell else { return }
    configure(cell, row: row)
  }

  func numberOfRows(in listView: ListView) -> Int { rowCount }

  func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    let cell = listView.dequeueReusableCell(
      Cell.self, withIdentifier: identifier, for: indexPath)
    configure(cell, row: indexPath.row)
    return cell
  }

  func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
    RowID(UInt64(indexPath.row))
  }

  func listView(
    _ listView: ListView, willDisplay cell: ListViewCell, forRowAt indexPath: IndexPath
  ) {
    (cell as? BaseCell)?.slot.priority = .visible
  }

  func listView(
    _ listView: ListView, didEndDisplaying cell: ListViewCell, forRowAt indexPath: IndexPath
  ) {
    (cell as? BaseCell)?.slot.priority = .near
  }

  func listView(_ listView: ListView, heightForRowAt indexPath: IndexPath) -> Int? {
    height(ofRow: indexPath.row, width: listView.rowWidth)
  }
}
