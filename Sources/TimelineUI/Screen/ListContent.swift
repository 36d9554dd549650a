import Feeds
import TerminalApp
import TerminalViews
import TimelineStore

/// What a list screen shows: the rows, and what its status line and help page say.
@MainActor public protocol ListContent: ListViewDataSource {
  /// The name in the status line.
  var title: String { get }
  /// What one row is called: "post".
  var rowName: String { get }
  /// Whether there may be more rows than are known now.
  var isComplete: Bool { get }
  /// What is under way, for the status line; empty where nothing is.
  var activity: String { get }
  /// Something the reader should know: an error, a limit reached.
  var message: (text: String, isError: Bool)? { get }
  /// Paragraphs for the help page: what there is to look at.
  var notes: [String] { get }

  /// The clock by which its rows tell how long ago something was; nil, the default, where none does.
  var clock: PostClock? { get }

  /// How wide its text may be; nil, the default, where rows take all columns.
  var reading: ReadingWidth? { get }

  /// Whether `row + 1` is the row's true number, or one guessed while rows are being counted.
  func isNumberExact(ofRow row: Int) -> Bool

  /// Looks for a row that is not known yet; the content goes there when it is.
  ///
  /// - Returns: false where there is nothing to wait for.
  func seek(_ target: SeekTarget) -> Bool
  func cancelSeek()
  var isSeeking: Bool { get }

  /// Reloads its source in the background; rows that are still there keep their places.
  ///
  /// - Returns: false where it cannot.
  func reload() -> Bool

  /// Called once, before the first frame, with the screen that shows the content. Register cells
  /// here.
  func attach(to screen: ListScreen)

  /// Called after each frame with the rows on the screen.
  func didShow(rows: Range<Int>)

  /// Called when nothing has happened for a while.
  func didComeToRest()

  /// Shows what a row hides behind a warning, or hides it again.
  ///
  /// - Returns: false where the row hides nothing.
  func toggleCover(ofRow row: Int) -> Bool

  /// Asks again for the pictures of a cell that have failed; by default those of a post.
  ///
  /// - Returns: false where none has.
  func retryPictures(in cell: ListViewCell) -> Bool

  /// The pictures of a row, to be looked at in full size; none by default.
  func pictures(ofRow row: Int) -> RowPictures

  /// Whether its rows are posts, which can be opened; false by default.
  var showsPosts: Bool { get }

  /// What a row leads to, as far as it is shown; nothing by default.
  func links(ofRow row: Int) -> [Link]

  /// The post of a row, whose text can be asked for; nil, the default, where it has none.
  func post(ofRow row: Int) -> Post?

  /// What a row shows when it is opened, on a screen of its own; nil, the default, where it is
  /// shown whole.
  func detail(ofRow row: Int) -> (any ListContent)?

  /// The row to begin at, on a screen of its own. 0 by default.
  var ownRow: Int { get }

  /// The screen is left for good: what is under way is cancelled.
  func close()

  /// The key that matters to a row beyond the usual ones, for the hint; empty where none does.
  func hint(forRow row: Int) -> String

  /// What searches and filters the rows; nil, the default, where they cannot be.
  var finding: TimelineFinding? { get }

  /// A row's height in lines where the content measures rows itself; nil, the default, asks their
  /// cells.
  func listView(_ listView: ListView, heightForRowAt indexPath: IndexPath) -> Int?

  /// Called when cells come onto the screen, or leave it for the rows kept ready beside it. By
  /// default the pictures of a post are told.
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
  public var ownRow: Int { 0 }
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
