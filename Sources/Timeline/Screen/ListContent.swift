import TerminalViews

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
  /// What fetches and keeps the content's pictures, for the inspector.
  var pictures: PictureStore { get }
  /// Paragraphs for the help page: what there is to look at.
  var notes: [String] { get }

  /// Called once, before the first frame, with the screen that shows the content. Register cells
  /// here.
  func attach(to screen: ListScreen)

  /// Called after each frame with the rows on the screen.
  func didShow(rows: Range<Int>)

  /// A row's height in lines where the content measures rows itself; nil, the default, asks their
  /// cells.
  func listView(_ listView: ListView, heightForRowAt indexPath: IndexPath) -> Int?

  /// Called when cells come onto the screen, or leave it for the rows kept ready beside it.
  func visibilityChanged(of cell: ListViewCell, isVisible: Bool)
}

extension ListContent {
  public func listView(_ listView: ListView, heightForRowAt indexPath: IndexPath) -> Int? {
    ListView.automaticDimension
  }
}
