/// A list without views: which rows show where, and how that changes. Its rules:
///
/// 1. What stands at the top edge is the scroll state (`ReadingPlace`), but for `isFollowing`.
/// 2. `layout` fills the screen downward from there (`VisibleRows`) and measures what it meets,
///    nothing else. While following, it fills upward from the end instead.
/// 3. A row is measured once per width and content (`RowHeights`).
/// 4. While the user drags the thumb it leads (`ListScrollBar`); every other move ends the drag.
/// 5. The environment may look at the model while it is asked, but not change it.
public final class ListModel {
  /// Rows whose identities and kinds are looked at when they come, at most.
  static let checkedRows = 4096

  /// True from `scrollToEnd(following: true)` until the user moves up or elsewhere: the last line
  /// stays at the bottom edge.
  public private(set) var isFollowing = false
  private let heights: RowHeights
  private let place: ReadingPlace
  private let screen: VisibleRows
  private let scrollBar: ListScrollBar
  private var idle = IdleRows()

  /// A list without rows, of so many columns and lines.
  public init(width: Int, viewportHeight: Int, estimatedRowHeight: Int = 4) {
    heights = RowHeights(width: width, estimatedRowHeight: estimatedRowHeight)
    place = ReadingPlace(heights: heights)
    screen = VisibleRows(heights: heights, viewportHeight: viewportHeight)
    scrollBar = ListScrollBar(heights: heights, place: place, screen: screen)
  }

  /// What is known of heights, lent: there is one tree. - Complexity: O(1)
  public var tree: HeightTree { _read { yield heights.tree } }
  /// Rows there are.
  public var count: Int { heights.count }
  /// Columns of a row.
  public var width: Int { heights.tree.width }
  /// Lines of the viewport, at least 0.
  public var viewportHeight: Int { screen.viewportHeight }
  /// Rows measured so far.
  public var measurementCount: Int { heights.measurementCount }
  /// What the user put at the top edge; nil while there are no rows.
  public var anchor: ScrollAnchor? { place.anchor }
  /// What stands at the top edge.
  public var displayed: ScrollAnchor? { place.displayed }
  /// The line at the top edge.
  public var top: ScrollPosition { place.top }
  /// Rows with lines on the screen, from the top.
  public var visible: [VisibleRow] { screen.rows }
  /// Whether the first line shows.
  public var isAtTop: Bool { screen.isAtTop }
  /// Whether the last line shows.
  public var isAtEnd: Bool { screen.isAtEnd }
  /// Rows inserted at the beginning that the user has not come to yet, for a pill "N new".
  public var newRowsAbove: Int { place.newRowsAbove }

  /// What must hold at all times, in words; empty where it does. Tests call it after every change.
  /// - Complexity: O(rows in packed leaves + nodes)
  func brokenInvariants() -> [String] {
    heights.tree.brokenInvariants() + place.brokenInvariants() + screen.brokenInvariants()
      + scrollBar.brokenInvariants()
  }

  // MARK: - Heights

  /// Lines a row is taken for while nothing is known.
  public var estimatedRowHeight: Int {
    get { heights.estimatedRowHeight }
    set { heights.estimatedRowHeight = newValue }
  }

  /// The height of a row where it was measured at the present width. - Complexity: O(log n)
  public func knownHeight(ofRow row: Int) -> Int? { heights.known(row) }

  /// The height of a row, measured if need be. - Complexity: O(log n) and a measurement
  @discardableResult
  public func measuredHeight(ofRow row: Int, in environment: some ListEnvironment) -> Int {
    heights.measured(row, in: environment)
  }

  /// Once a frame: estimates take over part of what was learned.
  /// - Complexity: O(kinds); now and then, more rarely the more is known, O(log n)
  public func commitEstimates() { heights.commitEstimates() }

  /// Measures at most `budget` rows that do not show. No line on the screen moves, and nothing
  /// happens during a drag.
  /// - Returns: whether there is more to do.
  /// - Complexity: O(budget · log n) and the measurements
  @discardableResult
  public func measureIdleRows(budget: Int, in environment: some ListEnvironment) -> Bool {
    guard !isDragging, count > 0, viewportHeight > 0 else { return false }
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

  /// Finds what shows, from the anchor or, while following, from the end.
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

  /// Looks again whether the ends show: rows beside the screen may have turned out to be empty.
  public func updateEnds() { screen.updateEnds(top: top) }

  // MARK: - The rows around the screen, for which cells are kept ready

  /// Rows within `lines` beyond either edge, up to the first that is not measured.
  /// - Complexity: O(rows · log n)
  public func surroundings(overscan lines: Int) -> Surroundings {
    screen.surroundings(overscan: lines)
  }

  /// Rows to have cells for: the visible ones and those within `lines` beyond either edge,
  /// measured.
  /// - Complexity: O(rows · log n) and measurements
  public func preparedRows(overscan lines: Int, in environment: some ListEnvironment) -> Range<Int>
  {
    defer { updateEnds() }
    return screen.prepared(overscan: lines, in: environment)
  }

  /// Rows that came above count as seen.
  public func forgetNewRows() { place.forgetNewRows() }

  // MARK: - Scrolling

  /// Moves by lines, down if positive, and says by how many it was: fewer only at the ends.
  /// - Complexity: O(rows passed · log n) and their measurements
  @discardableResult
  public func scroll(byLines lines: Int, in environment: some ListEnvironment) -> Int {
    guard count > 0, lines != 0, viewportHeight > 0 else { return 0 }
    endDrag()
    if lines > 0, isAtEnd { return 0 }
    let before = top
    let target: ScrollPosition
    if lines < 0 {
      target = heights.position(-lines, linesAbove: before, in: environment)
      // Past rows without height it is no movement.
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

  /// Moves there at the user's wish, whatever was followed or dragged.
  private func jump(to target: ScrollPosition, in environment: some ListEnvironment) {
    endDrag()
    isFollowing = false
    move(to: target, in: environment)
  }

  /// Brings what stands at a place of a row to the top edge, as it did in another run.
  ///
  /// - Parameter newRows: rows at the beginning that the user has not come to, for `newRowsAbove`.
  /// - Throws: `ListUpdateError.rowOutOfRange`.
  /// - Complexity: O(visible rows · log n) and their measurements, however far it goes
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

  /// Brings a row to where `alignment` says.
  /// - Throws: `ListUpdateError.rowOutOfRange`.
  /// - Complexity: O(visible rows · log n) and their measurements, however far it goes
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

  /// The least move that shows the whole of a row that shows in part, if it has any height.
  private func scrollToShow(_ row: Int, in environment: some ListEnvironment) {
    guard let shown = visible.first(where: { $0.row == row }), shown.height <= viewportHeight
    else { return }
    if shown.y < 0 {
      scroll(byLines: shown.y, in: environment)
    } else if shown.maxY > viewportHeight {
      scroll(byLines: shown.maxY - viewportHeight, in: environment)
    }
  }

  /// To the first line. - Complexity: O(visible rows · log n) and their measurements
  public func scrollToTop(in environment: some ListEnvironment) {
    if count > 0 { jump(to: .top, in: environment) }
  }

  /// To the last line; `following` keeps it at the bottom edge from then on.
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

  /// To the row at a share of the rows: 0 the first, 0.5 the middle one, 1 the end.
  /// - Complexity: O(visible rows · log n) and their measurements
  public func scroll(toFraction fraction: Double, in environment: some ListEnvironment) {
    guard count > 0 else { return }
    guard fraction < 1 else { return scrollToEnd(following: false, in: environment) }
    let row = fraction > 0 ? Int(Double(count) * fraction) : 0
    jump(to: ScrollPosition(row: min(row, count - 1), line: 0), in: environment)
  }

  /// The viewport has another size. A change of width makes every height an estimate and keeps what
  /// stands at the top edge.
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

  /// What a scroll bar shows of the list. - Complexity: O(log n); measures nothing
  public var scrollBarContent: ScrollBarContent { scrollBar.content }

  /// The thumb on a track of `track` cells. - Complexity: O(log n); measures nothing
  public func thumb(track: Int) -> ScrollThumb { scrollBar.thumb(track: track) }

  /// True between `beginDrag` and `endDrag`.
  public var isDragging: Bool { scrollBar.drag != nil }

  /// The drag there is, for tests.
  var drag: ScrollBarDrag? { scrollBar.drag }

  /// The pointer takes the scroll bar at `pointer`, in eighths of a cell from the track's top.
  /// - Complexity: as `drag(to:)`
  public func beginDrag(pointer: Int, track: Int, in environment: some ListEnvironment) {
    guard count > 0, track > 0 else { return }
    // What was followed to is what the user holds on to, not what was wanted before.
    if isFollowing { place.settle() }
    isFollowing = false
    go(to: scrollBar.begin(pointer: pointer, track: track, in: environment), in: environment)
  }

  /// The pointer is at `pointer`, in eighths of a cell from the track's top; beyond the track
  /// counts as its end. Nothing where no drag has begun.
  /// - Complexity: O(visible rows · log n) and their measurements
  public func drag(to pointer: Int, in environment: some ListEnvironment) {
    go(to: scrollBar.move(to: pointer, in: environment), in: environment)
  }

  /// The pointer lets go.
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

  /// Reloads the rows: `count` of them, or runs of kinds. What is known of heights goes, the
  /// estimates and the reader's place stay; the row at the top edge is found again by its identity,
  /// else its index counts.
  /// - Parameter laysOut: whether what shows then is found; not where `restore` comes next.
  /// - Complexity: O(runs + rows searched for the identity + visible rows · log n)
  public func reload(
    runs: [(kind: Int, count: Int)], laysOut: Bool = true, in environment: some ListEnvironment
  ) {
    endDrag()
    place.settle()
    heights.reload(runs: runs, in: environment)
    // Rows measured from here on may bring somebody to ask what shows: none of these rows does yet.
    screen.clear()
    place.find(in: environment)
    idle = IdleRows()
    scrollBar.forget()
    if laysOut { layout(in: environment) }
  }

  /// Applies a batch and says where the rows went. `newCount` is what the data source has now.
  ///
  /// The reader's place is kept, at the very top too, where rows that come before it are counted in
  /// `newRowsAbove`. If its row is deleted the next survivor takes its line; if it is moved the
  /// view goes with it.
  /// - Throws: `ListUpdateError`; the list is then unchanged.
  /// - Complexity: O(k log n) for k ranges and rows named, and measurements of what shows
  @discardableResult
  public func apply(
    _ updates: BatchUpdates, newCount: Int, in environment: some ListEnvironment
  ) throws(ListUpdateError) -> RowMapping {
    let mapping = try updates.mapping(from: count, to: newCount)
    try environment.checkIdentities(of: updates.insertions)
    apply(updates, by: mapping, in: environment)
    return mapping
  }

  /// Applies updates of which `mapping` was made, and whose insertions were checked.
  package func apply(
    _ updates: BatchUpdates, by mapping: RowMapping, in environment: some ListEnvironment
  ) {
    let isAppending = updates.onlyAppends(to: count)
    place.settle()
    heights.apply(updates, mapping, in: environment)
    screen.clear()
    place.follow(mapping, reloaded: updates.reloads, in: environment)
    // A drag goes on: rows may come while the reader looks for a place.
    scrollBar.noteUpdate(isAppending: isAppending)
    layout(in: environment)
  }

  /// The heights of rows have changed without any other change, as when a picture's size is known.
  /// Rows outside the list are ignored: they are late.
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

  /// A row's content has changed: it is measured again when it shows, and keeps its place till
  /// then. Rows outside the list are ignored.
  public func invalidate(row: Int, in environment: some ListEnvironment) {
    guard row >= 0, row < count else { return }
    place.settle()
    heights.invalidate(row)
    place.noteContentChange(ofRow: row)
    layout(in: environment)
  }
}
