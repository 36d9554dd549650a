import Feeds
import TerminalApp
import TerminalViews
import TimelineStore

/// The content of a list screen: its rows, and the texts of its status line and help page.
@MainActor public protocol ListContent: ListViewDataSource {
  /// The name in the status line.
  var title: String { get }
  /// The name of one row: "post".
  var rowName: String { get }
  /// Whether all rows are known.
  var isComplete: Bool { get }
  /// The operation in progress, for the status line; empty if there is none.
  var activity: String { get }
  /// A message to the reader: an error, a limit reached.
  var message: (text: String, isError: Bool)? { get }
  /// The first paragraphs of the help page.
  var notes: [String] { get }

  /// The clock for the ages in the rows; `nil`, the default, if they show none.
  var clock: PostClock? { get }

  /// The largest width of text; `nil`, the default, if rows take all columns.
  var reading: ReadingWidth? { get }

  /// Whether `row + 1` is the row's exact number, and not an estimate while rows are being counted.
  func isNumberExact(ofRow row: Int) -> Bool

  /// Looks for a row that is not known yet; the content goes there when it is found.
  ///
  /// - Returns: `false` if there is nothing to wait for.
  func seek(_ target: SeekTarget) -> Bool
  func cancelSeek()
  var isSeeking: Bool { get }

  /// Reloads the source in the background; rows that remain keep their places.
  ///
  /// - Returns: `false` if it cannot be reloaded.
  func reload() -> Bool

  /// Called once with the screen, before its first frame. Register cells here.
  func attach(to screen: ListScreen)

  /// Called after each frame with the rows on the screen.
  func didShow(rows: Range<Int>)

  /// Called when nothing has happened for a while.
  func didComeToRest()

  /// Reveals content that a row hides behind a warning, or hides it again.
  ///
  /// - Returns: `false` if the row hides nothing.
  func toggleCover(ofRow row: Int) -> Bool

  /// Requests failed pictures of a cell again; by default those of a post.
  ///
  /// - Returns: `false` if none has failed.
  func retryPictures(in cell: ListViewCell) -> Bool

  /// The pictures of a row to view in full size; none by default.
  func pictures(ofRow row: Int) -> RowPictures

  /// Whether rows are posts, which can be opened; `false` by default.
  var showsPosts: Bool { get }

  /// The links of a row, without hidden ones; none by default.
  func links(ofRow row: Int) -> [Link]

  /// The post of a row, whose text can be copied; `nil`, the default, if it has none.
  func post(ofRow row: Int) -> Post?

  /// The content of a screen that shows a row in detail; `nil`, the default, if there is nothing
  /// more to show.
  func detail(ofRow row: Int) -> (any ListContent)?

  /// The row to begin with on a screen of its own. 0 by default.
  var openedPostRow: Int { get }

  /// Called when the screen is closed, to cancel pending work.
  func close()

  /// The hint for a key that matters to this row in particular; empty if there is none.
  func hint(forRow row: Int) -> String

  /// The search and filter of the rows; `nil`, the default, if they cannot be searched.
  var finding: TimelineFinding? { get }

  /// A row's height in lines, if the content measures rows itself; `nil`, the default, to measure
  /// cells.
  func listView(_ listView: ListView, heightForRowAt indexPath: IndexPath) -> Int?

  /// Called when a cell enters the screen, or leaves it for the rows prepared beside it. By
  /// default, sets the priority of a post's pictures.
  func visibilityChanged(of cell: ListViewCell, isVisible: Bool)
}

extension ListContent {
  public func isNumberExact(ofRow row: Int) -> Bool { true }
  public func seek(_ target: SeekTarget) -> Bool { false }
  public func cancelSeek() {}
  public var isSeeking: Bool { false }
  public var reading: ReadingWidth? { nil }
  public var clock: PostClock? { nil }
  public func reload() -> Bool { false }
  public var finding: TimelineFinding? { nil }
  public func toggleCover(ofRow row: Int) -> Bool { false }
  public func pictures(ofRow row: Int) -> RowPictures { .none }
  public var showsPosts: Bool { false }
  public func links(ofRow row: Int) -> [Link] { [] }
  public func post(ofRow row: Int) -> Post? { nil }
  public func detail(ofRow row: Int) -> (any ListContent)? { nil }
  public var openedPostRow: Int { 0 }
  public func close() {}
  public func hint(forRow row: Int) -> String { "" }
  public func didComeToRest() {}

  public func retryPictures(in cell: ListViewCell) -> Bool {
    (cell as? PostCell)?.retryPictures() ?? false
  }

  public func visibilityChanged(of cell: ListViewCell, isVisible: Bool) {
    (cell as? PostCell)?.picturePriority = isVisible ? .visible : .near
  }

  public func listView(_ listView: ListView, heightForRowAt indexPath: IndexPath) -> Int? {
    ListView.automaticDimension
  }
}
