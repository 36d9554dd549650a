/// A list without views: which rows are visible, and how scrolling and updates change that. Rules:
///
/// 1. The content at the top edge is the only scroll state (`ReadingPlace`), besides `isFollowing`.
/// 2. `layout` fills the screen downward from there (`VisibleRows`) and measures only the rows it
///    meets. While following, it fills upward from the end instead.
/// 3. A row is measured once per width and content (`RowHeights`).
/// 4. While the user drags the thumb it leads (`ListScrollBar`); any other move ends the drag.
/// 5. The environment may read the model while it is called, but not change it.
public final class ListModel {
  /// The most new rows whose identities and kinds are checked on insertion.
  static let checkedRows = 4096

  /// True from `scrollToEnd(following: true)` until the user moves up or elsewhere: the last line
  /// stays at the bottom edge.
  public private(set) var isFollowing = false
  private let heights: RowHeights
  private let place: ReadingPlace
  private let screen: VisibleRows
  private let scrollBar: ListScrollBar
  private var idle = IdleRows()

  /// Creates a list without rows.
  ///
  /// - Parameters:
  ///   - width: columns of a row; less than 1 counts as 1.
  ///   - viewportHeight: lines of the viewport; less than 0 counts as 0.
  ///   - estimatedRowHeight: the estimate of a row before anything is learned, in lines; at least 1.
  public init(width: Int, viewportHeight: Int, estimatedRowHeight: Int = 4) {
    heights = RowHeights(width: width, estimatedRowHeight: estimatedRowHeight)
    place = ReadingPlace(heights: heights)
    screen = VisibleRows(heights: heights, viewportHeight: viewportHeight)
    scrollBar = ListScrollBar(heights: heights, place: place, screen: screen)
  }

  /// The row heights, borrowed: there is only one tree. - Complexity: O(1)
  public var tree: HeightTree { _read { yield heights.tree } }
  /// The number of rows.
  public var count: Int { heights.count }
  /// Columns of a row, at least 1.
  public var width: Int { heights.tree.width }
  /// Lines of the viewport, at least 0.
  public var viewportHeight: Int { screen.viewportHeight }
  /// The number of measurements so far.
  public var measurementCount: Int { heights.measurementCount }
  /// The content that the user placed at the top edge; `nil` if there are no rows.
  public var anchor: ScrollAnchor? { place.anchor }
  /// The content that is at the top edge.
  public var displayed: ScrollAnchor? { place.displayed }
  /// The line at the top edge.
  public var top: ScrollPosition { place.top }
  /// Rows with lines on the screen, from the top.
  public var visible: [VisibleRow] { screen.rows }
  /// Whether the first line is visible.
  public var isAtTop: Bool { screen.isAtTop }
  /// Whether the last line is visible.
  public var isAtEnd: Bool { screen.isAtEnd }
  /// The number of rows inserted at the top that the user has not reached yet, for a pill "N new".
  public var newRowsAbove: Int { place.newRowsAbove }

  /// Descriptions of violated invariants; empty if all hold. Tests call it after every change.
  /// - Complexity: O(rows in packed leaves + nodes)
  func brokenInvariants() -> [String] {
    heights.tree.brokenInvariants() + place.brokenInvariants() + screen.brokenInvariants()
      + scrollBar.brokenInvariants()
  }

  // MARK: - Heights

  /// The estimate of a row before anything is learned, in lines.
  public var estimatedRowHeight: Int {
    get { heights.estimatedRowHeight }
    set { heights.estimatedRowHeight = newValue }
  }

  /// The height of all rows in lines, if they have the same; `nil`, at first, if each has its own.
  package var uniformRowHeight: Int? { heights.uniformHeight }

  /// Drops all heights, because the rows show something else from now on; rows and the reader's
  /// place stay.
  ///
  /// - Parameters:
  ///   - uniform: the height of all rows in lines, at least 1, which is then known without
  ///     measuring; `nil` if each has its own. A row that is measured all the same may have none.
  ///   - runs: the rows in runs of kinds; `nil` if `reload` comes next: nothing is laid out then.
  /// - Complexity: O(runs + visible rows · log n)
  package func resetHeights(
    uniform: Int?, runs: [(kind: Int, count: Int)]?, in environment: some ListEnvironment
  ) {
    endDrag()
    place.settle()
    heights.reset(uniform: uniform.map { max(1, $0) }, runs: runs, in: environment)
    screen.clear()
    place.noteWidthChange()
    idle = IdleRows()
    scrollBar.forget()
    if runs != nil { layout(in: environment) }
  }

  /// The height of a row if it is measured at the present width; `nil` otherwise.
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log n)
  public func knownHeight(ofRow row: Int) -> Int? { heights.known(row) }

  /// The height of a row, measured if needed.
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log n) and a measurement
  @discardableResult
  public func measuredHeight(ofRow row: Int, in environment: some ListEnvironment) -> Int {
    heights.measured(row, in: environment)
  }

  /// Moves the estimates in use towards those learned. Call it once a frame.
  /// - Complexity: O(kinds)
  public func commitEstimates() { heights.commitEstimates() }

  /// Measures at most `budget` rows that are not visible. No line on the screen moves. Does nothing
  /// during a drag, or if all rows have one height.
  /// - Returns: whether more work remains.
  /// - Complexity: O(budget · log n) and the measurements
  @discardableResult
  public func measureIdleRows(budget: Int, in environment: some ListEnvironment) -> Bool {
    guard !isDragging, count > 0, viewportHeight > 0, uniformRowHeight == nil else {
      return false
    }
    idle.begin(atTopRow: top.row)
    let low = visible.first?.row ?? top.row
    let shown = low...max(low, visible.last?.row ?? top.row)
    let rows = idle.next(budget, around: shown, of: count) { knownHeight(ofRow: $0) == nil }
    for row in rows { measuredHeight(ofRow: row, in: environment) }
    if !rows.isEmpty { updateEnds() }
    heights.refreshEstimates()
    return idle.hasMore(of: count) || heights.hasNews
  }

  // MARK: - Layout

  /// Finds the visible rows, from the anchor or, while following, from the end.
  /// - Complexity: O(visible rows · log n) and their measurements
  public func layout(in environment: some ListEnvironment) {
    guard count > 0 else {
      place.clear()
      screen.clear()
      isFollowing = false
      return updateEnds()
    }
    let start =
      isFollowing
      ? heights.position(
        viewportHeight, linesAbove: ScrollPosition(row: count, line: 0), in: environment)
      : place.start(in: environment)
    let filled = screen.fill(from: start, in: environment)
    place.show(screen.top ?? filled, in: environment)
    updateEnds()
  }

  /// Updates `isAtTop` and `isAtEnd`: rows beyond the edges may have turned out to be empty.
  /// - Complexity: O(empty rows beyond the edges · log n)
  public func updateEnds() { screen.updateEnds(top: top) }

  // MARK: - The rows around the screen, for which cells are kept ready

  /// The visible rows and those within `lines` beyond either edge, up to the first that is not
  /// measured, at most `lines` rows at each.
  /// - Complexity: O(rows · log n)
  public func surroundings(overscan lines: Int) -> Surroundings {
    screen.surroundings(overscan: lines)
  }

  /// Measures and returns the rows to have cells for: the visible ones and those within `lines`
  /// beyond either edge.
  /// - Complexity: O(rows · log n) for each row to measure, and the measurements
  public func preparedRows(overscan lines: Int, in environment: some ListEnvironment) -> Range<Int>
  {
    defer { updateEnds() }
    return screen.prepared(overscan: lines, in: environment)
  }

  /// Counts all rows inserted above as seen.
  public func forgetNewRows() { place.forgetNewRows() }

  // MARK: - Scrolling

  /// Scrolls by lines, down if positive, and returns the lines moved: fewer only at the ends.
  /// - Complexity: O(rows passed · log n) and their measurements
  @discardableResult
  public func scroll(byLines lines: Int, in environment: some ListEnvironment) -> Int {
    guard count > 0, lines != 0, viewportHeight > 0 else { return 0 }
    // No list has as many lines.
    let lines = max(-(1 << 40), min(lines, 1 << 40))
    endDrag()
    if lines > 0, isAtEnd { return 0 }
    let before = top
    let target: ScrollPosition
    if lines < 0 {
      target = heights.position(-lines, linesAbove: before, in: environment)
      // Passing rows without height is no movement.
      if heights.distance(from: target, to: before, in: environment) > 0 { isFollowing = false }
    } else {
      target = heights.position(lines, linesBelow: before, in: environment)
    }
    move(to: target, in: environment)
    return heights.distance(from: before, to: top, in: environment)
  }

  /// Brings a line to the top edge, or as near to it as the list's end allows; a line past its row
  /// counts as the row's last.
  /// - Precondition: there are rows.
  private func move(to target: ScrollPosition, in environment: some ListEnvironment) {
    place.move(to: heights.clamped(target, in: environment), in: environment)
    layout(in: environment)
    place.settle()
  }

  /// Moves there at the user's request, which ends following and dragging.
  private func jump(to target: ScrollPosition, in environment: some ListEnvironment) {
    endDrag()
    isFollowing = false
    move(to: target, in: environment)
  }

  /// Restores a place that was at the top edge in an earlier run.
  ///
  /// - Parameter newRows: rows at the top that the user has not reached yet, for `newRowsAbove`.
  /// - Throws: `ListUpdateError.rowOutOfRange`.
  /// - Complexity: O(visible rows · log n) and their measurements, whatever the distance
  public func restore(
    _ place: Place, ofRow row: Int, newRows: Int = 0, in environment: some ListEnvironment
  ) throws(ListUpdateError) {
    guard row >= 0, row < count else { throw .rowOutOfRange(row: row, count: count) }
    endDrag()
    isFollowing = false
    self.place.restore(place, ofRow: row, newRows: newRows, in: environment)
    layout(in: environment)
    self.place.settle()
  }

  /// Scrolls a row to the position that `alignment` names.
  /// - Throws: `ListUpdateError.rowOutOfRange`.
  /// - Complexity: O(visible rows · log n) and their measurements, whatever the distance
  public func scroll(
    toRow row: Int, at alignment: ScrollAlignment = .top, in environment: some ListEnvironment
  ) throws(ListUpdateError) {
    guard row >= 0, row < count else { throw .rowOutOfRange(row: row, count: count) }
    let height = measuredHeight(ofRow: row, in: environment)
    if alignment == .nearest, let first = visible.first, let last = visible.last,
      first.row...last.row ~= row
    {
      return scrollToShow(row, in: environment)
    }
    let above = alignment.linesAbove(
      height: height, of: viewportHeight, comesFromBelow: visible.last.map { row > $0.row })
    let start = ScrollPosition(row: row, line: 0)
    let target =
      above >= 0
      ? heights.position(above, linesAbove: start, in: environment)
      : ScrollPosition(row: row, line: -above)
    jump(to: target, in: environment)
  }

  /// The least move that shows all of a partly visible row, if it fits the viewport.
  private func scrollToShow(_ row: Int, in environment: some ListEnvironment) {
    guard let shown = visible.first(where: { $0.row == row }), shown.height <= viewportHeight
    else { return }
    if shown.y < 0 {
      scroll(byLines: shown.y, in: environment)
    } else if shown.maxY > viewportHeight {
      scroll(byLines: shown.maxY - viewportHeight, in: environment)
    }
  }

  /// Scrolls to the first line. - Complexity: O(visible rows · log n) and their measurements
  public func scrollToTop(in environment: some ListEnvironment) {
    if count > 0 { jump(to: .top, in: environment) }
  }

  /// Scrolls to the last line; `following` keeps it at the bottom edge from then on.
  /// - Complexity: O(visible rows · log n) and their measurements
  public func scrollToEnd(following: Bool, in environment: some ListEnvironment) {
    guard count > 0 else { return }
    endDrag()
    goToEnd(in: environment)
    isFollowing = following
  }

  /// Brings the last line to the bottom edge.
  private func goToEnd(in environment: some ListEnvironment) {
    isFollowing = true
    layout(in: environment)
    place.settle()
    isFollowing = false
  }

  /// Scrolls to the row at a fraction of the row count: 0 the first, 0.5 the middle one, 1 the end.
  /// - Complexity: O(visible rows · log n) and their measurements
  public func scroll(toFraction fraction: Double, in environment: some ListEnvironment) {
    guard count > 0 else { return }
    guard fraction < 1 else { return scrollToEnd(following: false, in: environment) }
    let row = fraction > 0 ? Int(Double(count) * fraction) : 0
    jump(to: ScrollPosition(row: min(row, count - 1), line: 0), in: environment)
  }

  /// Sets the size of the viewport. A change of width makes every height an estimate and keeps the
  /// content at the top edge.
  /// - Complexity: O(visible rows · log n) and their measurements
  public func resize(width: Int, viewportHeight: Int, in environment: some ListEnvironment) {
    let height = max(0, viewportHeight)
    guard width != self.width || height != self.viewportHeight else { return }
    endDrag()
    if width != self.width {
      heights.setWidth(width)
      place.noteWidthChange()
      scrollBar.forget()
    }
    screen.resize(height)
    layout(in: environment)
  }

  // MARK: - The scroll bar

  /// The input of a scroll bar. - Complexity: O(log n); measures nothing
  public var scrollBarContent: ScrollBarContent { scrollBar.content }

  /// The thumb on a track of `track` cells. - Complexity: O(log n); measures nothing
  public func thumb(track: Int) -> ScrollThumb { scrollBar.thumb(track: track) }

  /// True between `beginDrag` and `endDrag`.
  public var isDragging: Bool { scrollBar.drag != nil }

  /// The drag in progress, for tests.
  var drag: ScrollBarDrag? { scrollBar.drag }

  /// Starts a drag at `pointer`, in eighths of a cell from the top of a track of `track` cells.
  /// - Complexity: as `drag(to:)`
  public func beginDrag(pointer: Int, track: Int, in environment: some ListEnvironment) {
    guard count > 0, track > 0 else { return }
    // The user takes hold of the displayed end, not of the anchor from before following.
    if isFollowing { place.settle() }
    isFollowing = false
    go(to: scrollBar.begin(pointer: pointer, track: track, in: environment), in: environment)
  }

  /// Moves the pointer to `pointer`, in eighths of a cell from the track's top; beyond the track
  /// counts as its end. Does nothing without a drag.
  /// - Complexity: O(visible rows · log n) and their measurements
  public func drag(to pointer: Int, in environment: some ListEnvironment) {
    go(to: scrollBar.move(to: pointer, in: environment), in: environment)
  }

  /// Ends the drag, if there is one.
  public func endDrag() { scrollBar.end() }

  private func go(
    to destination: ListScrollBar.Destination?, in environment: some ListEnvironment
  ) {
    switch destination {
    case .top: move(to: .top, in: environment)
    case .end: goToEnd(in: environment)
    case .position(let position): move(to: position, in: environment)
    case nil: break
    }
  }

  // MARK: - Updates

  /// Replaces all rows by runs of kinds. Heights are dropped, the estimates and the reader's place
  /// stay; the row at the top edge is found again by its identity, else by its index.
  /// - Parameter laysOut: whether to find the visible rows; pass false if `restore` comes next.
  /// - Complexity: O(runs + rows searched for the identity + visible rows · log n)
  public func reload(
    runs: [(kind: Int, count: Int)], laysOut: Bool = true, in environment: some ListEnvironment
  ) {
    endDrag()
    place.settle()
    heights.reload(runs: runs, in: environment)
    // A measurement may make the caller ask for the visible rows: no new row is visible yet.
    screen.clear()
    place.find(in: environment)
    idle = IdleRows()
    scrollBar.forget()
    if laysOut { layout(in: environment) }
  }

  /// Applies a batch and returns where the rows went. `newCount` is the data source's count now.
  ///
  /// The reader's place is kept, even at the very top, and rows inserted before it are counted in
  /// `newRowsAbove`. If its row is deleted, the next survivor takes its line; if it is moved, the
  /// view moves with it.
  /// - Throws: `ListUpdateError`; the list is then unchanged.
  /// - Complexity: O(k² + k log² n) for k ranges and rows named, and measurements of the visible
  ///   rows
  @discardableResult
  public func apply(
    _ updates: BatchUpdates, newCount: Int, in environment: some ListEnvironment
  ) throws(ListUpdateError) -> RowMapping {
    let mapping = try updates.mapping(from: count, to: newCount)
    try environment.checkIdentities(of: updates.insertions)
    apply(updates, by: mapping, in: environment)
    return mapping
  }

  /// Applies updates that `mapping` was made from and whose insertions were checked.
  package func apply(
    _ updates: BatchUpdates, by mapping: RowMapping, in environment: some ListEnvironment
  ) {
    let isAppending = updates.onlyAppends(to: count)
    place.settle()
    heights.apply(updates, mapping, in: environment)
    screen.clear()
    place.follow(mapping, reloaded: updates.reloads, in: environment)
    // A drag continues: rows may arrive while the reader looks for a place.
    scrollBar.noteUpdate(isAppending: isAppending)
    layout(in: environment)
  }

  /// Sets heights that changed without any other change, as when a picture's size is known. Late
  /// heights, of rows outside the list, are ignored.
  /// - Complexity: O((k + visible rows) · log n)
  public func setHeights(
    _ heights: [(row: Int, height: Int)], in environment: some ListEnvironment
  ) {
    place.settle()
    for (row, height) in heights where row >= 0 && row < count {
      self.heights.set(height, ofRow: row, in: environment)
      place.noteContentChange(ofRow: row)
    }
    layout(in: environment)
  }

  /// Marks a row's content as changed: it is measured again when it becomes visible, and keeps its
  /// place until then. Rows outside the list are ignored.
  /// - Complexity: O(visible rows · log n) and their measurements
  public func invalidate(row: Int, in environment: some ListEnvironment) {
    guard row >= 0, row < count else { return }
    place.settle()
    heights.invalidate(row)
    place.noteContentChange(ofRow: row)
    layout(in: environment)
  }
}
