import TerminalApp
import TerminalViews
import TextLayout
import TimelineStore
import VirtualList

/// The content of a list screen: its rows, and the texts of its status line and help page.
@MainActor package protocol ListContent: ListViewDataSource, ListViewDelegate {
  /// The name in the status line.
  var title: String { get }
  /// The name of one row: "post".
  var rowName: String { get }
  /// Whether all rows are known.
  var isComplete: Bool { get }
  /// A description of a row for the status line: "the post · 4 answers"; `nil`, the default, shows
  /// the row's number.
  func position(ofRow row: Int) -> String?
  /// The operation in progress, for the status line; empty if there is none.
  var activity: String { get }
  /// A message to the reader: an error, a limit reached.
  var message: (text: String, isError: Bool)? { get }
  /// The first paragraphs of the help page.
  var notes: [String] { get }
  /// The hint for a key that matters to this row in particular; empty if there is none.
  func hint(forRow row: Int) -> String

  /// What to look at on this screen and which key to press, for a line above the status; `nil`, the
  /// default, on a screen without that line.
  ///
  /// - Parameter isPanelOpen: whether a panel is open beside the rows.
  func caption(isPanelOpen: Bool) -> StyledText?

  /// Called once with the list, before its first frame. Register cells here.
  ///
  /// - Parameter onEffect: call this to have the screen perform an effect.
  func attach(to list: ListView, onEffect: @escaping (ListEffect) -> Void)

  /// Called after each frame with the rows on the screen.
  func didShow(rows: Range<Int>)

  /// Requests failed pictures of a cell again.
  ///
  /// - Returns: `false` if none has failed.
  func retryPictures(in cell: ListViewCell) -> Bool

  /// The address of a cell's only picture; `nil`, the default, if it has none or several.
  func pictureAddress(in cell: ListViewCell) -> String?

  /// The actions on the rows if these are posts, else `nil`.
  var posts: (any PostActions)? { get }
}

extension ListContent {
  package func position(ofRow row: Int) -> String? { nil }
  package func caption(isPanelOpen: Bool) -> StyledText? { nil }
  package func pictureAddress(in cell: ListViewCell) -> String? { nil }
}

/// A request of the content to its screen.
package enum ListEffect: Equatable {
  /// The rows or the status have changed; shown in a frame that no one waits for.
  case changed
  /// Rows were inserted, deleted or reloaded in the list.
  case rowsChanged
  /// Shows a text in the status line until the next key.
  case tell(String)
  /// Goes to the row that the reader has sought, or to the nearest one that exists.
  case found(SeekTarget)
  /// Goes to a row.
  case show(row: Int)
  /// Scrolls just far enough to show the selected row, if inserted rows have pushed it off the
  /// screen.
  case showSelection
  /// Restores the reader's place from another run.
  case restore(RestoredPlace)
}

/// The reader's place from another run, given by rows of this run.
package struct RestoredPlace: Equatable {
  /// The part of the row at the top edge, and the text there.
  var place: Place
  var words: String
  var row: Int
  /// The number of rows above it that are new.
  var newRows: Int
  var selectedRow: Int?
  /// Whether the list scrolls just far enough to show the selected row.
  var bringsIntoView: Bool
}
