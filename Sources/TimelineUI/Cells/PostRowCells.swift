import Feeds
import ImageLoading
import TerminalViews
import TimelineStore
import VirtualList

/// The cells of a timeline's rows: those of the present view, with the content that the reader has
/// revealed, and with the priorities of their pictures.
@MainActor final class PostRowCells {
  let context: PostCell.Context
  private let store: TimelineStore
  /// How the posts are shown.
  private(set) var view = PostView.posts
  /// The view before the first frame, which the next start shows.
  private var firstView = PostView.posts
  private let marker: PostMarker
  /// The rows that are no posts, known from the posts that cells show.
  let errors: ErrorRows
  /// The rows whose hidden content is revealed.
  private var revealed: Set<RowID> = []
  /// The reader's direction when the picture priorities were last updated.
  private var movesUp = false

  init(of store: TimelineStore, context: PostCell.Context, marker: PostMarker) {
    (self.store, self.context, self.marker) = (store, context, marker)
    errors = ErrorRows(of: store)
  }

  /// Registers the cells of all views, and arranges the list for the present one.
  func register(in list: ListView) {
    PostCell.register(PostCell.Shape.all, context, in: list)
    HeadlineCell.register(context, in: list)
    list.register(
      { MissingRowCell(name: "phantom") }, forCellReuseIdentifier: MissingRowCell.identifier)
    list.estimatedRowHeight = 6
    arrange(list)
  }

  /// Shows another view, in the list if there is one yet.
  func show(_ view: PostView, in list: ListView?) {
    self.view = view
    if list?.frame.size.isEmpty ?? true { firstView = view }
    if let list { arrange(list) }
  }

  /// Whether the next start shows taller rows, and so fewer of them.
  var areShorterThanAtStart: Bool { view == .headlines && firstView == .posts }

  private func arrange(_ list: ListView) {
    list.rowSpacing = view == .posts ? SelectionBar.spacing : 0
    list.maximumTrailingRoom = view == .posts ? SidePictures.widest : 0
    list.uniformRowHeight = view == .posts ? nil : HeadlineCell.lines
  }

  // MARK: Revealed content

  func isRevealed(row: Int) -> Bool {
    !revealed.isEmpty && revealed.contains(store.rowID(at: row))
  }

  /// Reveals a row's hidden content, or hides it again.
  func toggleRevealed(row: Int) {
    let id = store.rowID(at: row)
    if revealed.remove(id) == nil { revealed.insert(id) }
  }

  /// Hides all content again: the identities belong to other rows.
  func forgetRevealed() { revealed = [] }

  // MARK: Cells

  func cell(forRow row: Int, in list: ListView) -> ListViewCell {
    let path = IndexPath(row: row)
    guard !store.isStaleGuess(row) else {
      return list.dequeueReusableCell(withIdentifier: MissingRowCell.identifier, for: path)
    }
    let post = store.post(at: row)
    errors.note(post, ofRow: row)
    switch view {
    case .posts:
      let shape = PostCell.Shape(of: post, showsPictures: context.pictures.showsPictures)
      let cell = list.dequeueReusableCell(
        PostCell.self, withIdentifier: shape.reuseIdentifier, for: path)
      cell.picturePriority = priority(ofRow: row, in: list)
      cell.configure(
        with: post, info: store.info, screenHeight: list.frame.height,
        isRevealed: isRevealed(row: row), marks: marker.shownMarks(ofRow: row))
      return cell
    case .headlines:
      let cell = list.dequeueReusableCell(
        HeadlineCell.self, withIdentifier: HeadlineCell.identifier, for: path)
      cell.configure(
        with: post, info: store.info, isRevealed: isRevealed(row: row),
        marks: marker.shownMarks(ofRow: row))
      return cell
    }
  }

  /// The class by which the list estimates the row's height.
  func kind(ofRow row: Int) -> Int? { view == .posts ? store.kind(of: row) : nil }

  /// The amount of text by which the list estimates the rows' heights.
  func textLength(ofRows rows: Range<Int>) -> Int? {
    view == .posts ? store.textLength(ofRows: rows) : nil
  }

  /// The height of a row if it is not what its view says: a headline that does not exist has none,
  /// and one below the line between new and older posts has the line as well.
  func height(ofRow row: Int) -> Int? {
    guard view == .headlines else { return ListView.automaticDimension }
    if store.isStaleGuess(row) { return 0 }
    return marker.isBelowLine(row: row)
      ? HeadlineCell.lines + HeadlineCell.linesAbove : ListView.automaticDimension
  }

  /// An upper bound of the row's height; `nil` if none is certain.
  func heightBound(ofRow row: Int, in list: ListView) -> Int? {
    guard view == .posts else {
      return store.isStaleGuess(row) ? nil : height(ofRow: row) ?? HeadlineCell.lines
    }
    guard let extent = store.extent(ofRow: row) else { return nil }
    return PostCell.heightBound(
      of: extent, width: list.rowWidth, screenHeight: list.frame.height,
      pictures: context.pictures, maximumTextWidth: context.reading.columns,
      rowsAbove: marker.shownMarks(ofRow: row)?.lineRows ?? 0)
  }

  // MARK: Pictures

  /// Updates priorities when the reader turns round: rows that were behind are then ahead.
  func updatePicturePriorities(in list: ListView, beside rows: Range<Int>) {
    guard list.movesUp != movesUp else { return }
    movesUp = list.movesUp
    for index in list.indexPathsForPreparedRows where !rows.contains(index.row) {
      let cell = list.cellForRow(at: index) as? PostCell
      cell?.picturePriority = priority(ofRow: index.row, in: list)
    }
  }

  /// The priority of a row's pictures.
  private func priority(ofRow row: Int, in list: ListView) -> ImagePriority {
    guard let shown = list.visibleRows else { return .near }
    guard !shown.contains(row) else { return .visible }
    let isAhead = list.movesUp ? row < shown.lowerBound : row >= shown.upperBound
    return isAhead ? .ahead : .near
  }
}
