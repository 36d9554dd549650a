/// A list without views: which rows show where, and how that changes. Its rules:
///
/// 1. The scroll state is `anchor`: a row's identity and what of it stands at the top edge. Only a
///    move of the user's sets it; its line is derived anew when the width or the row's content
///    changes.
/// 2. `displayed` is the same for what really stands at the top edge: the anchor, unless the list
///    would leave lines blank at its end, in which case it is pulled down as far as it goes. A
///    change of the viewport's size starts from the anchor, so that changing back restores the
///    view; everything else starts from what is displayed, so that nothing on the screen jumps.
/// 3. `layout` fills downward from there and measures what it meets, nothing else. While following,
///    it fills upward from the end instead.
/// 4. A row is measured once per width and content (`RowHeights`).
/// 5. The environment may look at the model while it is asked, but not change it.
public final class ListModel {
  /// A row on the screen.
  public struct VisibleRow: Hashable, Sendable {
    public var row: Int
    /// Lines from the top edge to its first one, negative above it.
    public var y: Int
    /// Its lines, shown or not.
    public var height: Int

    public init(row: Int, y: Int, height: Int) {
      self.row = row
      self.y = y
      self.height = height
    }

    /// The line after its last one, from the top edge.
    public var maxY: Int { y + height }
  }

  /// What lies around the screen, as far as heights are known.
  public struct Surroundings: Hashable, Sendable {
    /// The visible rows and those within reach of either edge that are measured.
    public var rows: Range<Int>
    /// The first row within reach that is not; nil where there is none.
    public var unmeasuredBelow: Int?
    /// The same above.
    public var unmeasuredAbove: Int?
  }

  /// Rows on either side of the viewport that idle measuring covers.
  public static let idleReach = 512
  /// Samples of the whole list that idle measuring takes.
  public static let idleSamples = 1024
  /// Rows looked at for one row measured while idle: most may be measured already.
  private static let looksPerRow = 32
  /// Rows whose identities and kinds are looked at when they come, at most.
  public static let checkedRows = 4096

  /// Lines of the viewport, at least 0.
  public private(set) var viewportHeight: Int
  /// What the user put at the top edge; nil while there are no rows.
  public private(set) var anchor: ScrollAnchor?
  /// What stands at the top edge.
  public private(set) var displayed: ScrollAnchor?
  /// Rows with lines on the screen, from the top.
  public private(set) var visible: [VisibleRow] = []
  /// True from `scrollToEnd(following: true)` until the user moves up or elsewhere: the last line
  /// stays at the bottom edge.
  public private(set) var isFollowing = false
  /// Whether the first line shows.
  public private(set) var isAtTop = true
  /// Whether the last line shows.
  public private(set) var isAtEnd = true
  /// Rows inserted at the beginning that the user has not come to yet, for a pill "N new".
  public private(set) var newRowsAbove = 0

  private(set) var drag: ScrollBarDrag?
  private let heights: RowHeights
  private var anchorNeedsLine = false
  private var scrollBar = ScrollBarModel()
  private var idle = IdleRows()

  /// A list without rows, of so many columns and lines.
  public init(width: Int, viewportHeight: Int, estimatedRowHeight: Int = 4) {
    heights = RowHeights(width: width, estimatedRowHeight: estimatedRowHeight)
    self.viewportHeight = max(0, viewportHeight)
  }

  /// What is known of heights. - Complexity: O(1), but not for nothing: for a row, ask `knownHeight(ofRow:)`
  public var tree: HeightTree { heights.tree }
  /// Rows there are.
  public var count: Int { heights.tree.count }
  /// Columns of a row.
  public var width: Int { heights.tree.width }
  /// Rows measured so far.
  public var measurementCount: Int { heights.measurementCount }

  /// The line at the top edge.
  public var top: ScrollPosition {
    ScrollPosition(row: displayed?.row ?? 0, line: displayed?.line ?? 0)
  }

  // MARK: - Heights

  /// Lines a row is taken for while nothing is known.
  public var estimatedRowHeight: Int {
    get { heights.estimatedRowHeight }
    set { heights.estimatedRowHeight = newValue }
  }

  /// The height of a row where it was measured at the present width. - Complexity: O(log n)
  public func knownHeight(ofRow row: Int) -> Int? { heights.tree.measuredHeight(ofRow: row) }

  /// The height of a row, measured if need be. - Complexity: O(log n) and a measurement
  @discardableResult
  public func measuredHeight(ofRow row: Int, in environment: some ListEnvironment) -> Int {
    heights.measured(row, in: environment)
  }

  /// Once a frame: estimates take over part of what was learned.
  /// - Complexity: O(kinds); now and then, more rarely the more is known, O(log n)
  public func commitEstimates() { heights.commitEstimates() }

  /// Measures at most `budget` rows that do not show. No line on the screen moves, and nothing happens
  /// during a drag.
  /// - Returns: whether there is more to do.
  /// - Complexity: O(budget · log n) and the measurements
  @discardableResult
  public func measureIdleRows(budget: Int, in environment: some ListEnvironment) -> Bool {
    guard !isDragging, count > 0, viewportHeight > 0 else { return false }
    idle.begin(atTopRow: top.row)
    let low = visible.first?.row ?? top.row
    let shown = low...max(low, visible.last?.row ?? top.row)
    var measured = 0
    var looks = max(1, budget) * Self.looksPerRow
    while measured < budget, looks > 0, let row = idle.next(around: shown, of: count) {
      looks -= 1
      guard knownHeight(ofRow: row) == nil else { continue }
      measuredHeight(ofRow: row, in: environment)
      measured += 1
    }
    if measured > 0 { updateEnds() }
    heights.renewEstimates()
    return idle.hasMore(of: count) || heights.hasNews
  }

  // MARK: - Layout

  /// Finds what shows, from the anchor or, while following, from the end.
  /// - Complexity: O(visible rows · log n) and their measurements
  public func layout(in environment: some ListEnvironment) {
    guard count > 0 else {
      (anchor, displayed) = (nil, nil)
      (visible, isFollowing, isAtTop, isAtEnd, newRowsAbove) = ([], false, true, true, 0)
      return
    }
    var start: ScrollPosition
    if isFollowing {
      start = position(
        linesAbove: ScrollPosition(row: count, line: 0), viewportHeight, in: environment)
    } else {
      start = anchorPosition(in: environment)
    }
    let bottom = fill(from: start, in: environment)
    if start > ScrollPosition.top, bottom < viewportHeight {
      start = position(linesAbove: start, viewportHeight - bottom, in: environment)
      _ = fill(from: start, in: environment)
    }
    finish(start, in: environment)
  }

  /// The anchor's row and line, with the line inside the row.
  private func anchorPosition(in environment: some ListEnvironment) -> ScrollPosition {
    var anchor = anchor ?? start(ofRow: 0, in: environment)
    let height = measuredHeight(ofRow: anchor.row, in: environment)
    if anchorNeedsLine {
      anchor.line = environment.line(of: anchor.place, inRow: anchor.row)
      anchorNeedsLine = false
    }
    anchor.line = min(max(0, anchor.line), max(0, height - 1))
    self.anchor = anchor
    return ScrollPosition(row: anchor.row, line: anchor.line)
  }

  /// An anchor at a row's first line.
  private func start(ofRow row: Int, in environment: some ListEnvironment) -> ScrollAnchor {
    measuredHeight(ofRow: row, in: environment)
    return ScrollAnchor(
      rowID: environment.rowID(at: row), row: row,
      place: environment.place(atLine: 0, inRow: row), line: 0)
  }

  /// Lists the rows from `start` down to the bottom edge; the line after the last one of them.
  private func fill(from start: ScrollPosition, in environment: some ListEnvironment) -> Int {
    visible.removeAll(keepingCapacity: true)
    var y = -start.line
    var row = start.row
    while row < count, y < viewportHeight {
      let height = measuredHeight(ofRow: row, in: environment)
      if height > 0, y + height > 0 {
        visible.append(VisibleRow(row: row, y: y, height: height))
      }
      y += height
      row += 1
    }
    return y
  }

  /// The position so many lines above another one, or the first.
  private func position(
    linesAbove start: ScrollPosition, _ lines: Int, in environment: some ListEnvironment
  ) -> ScrollPosition {
    var (row, line) = (start.row, start.line - lines)
    while line < 0, row > 0 {
      row -= 1
      line += measuredHeight(ofRow: row, in: environment)
    }
    return ScrollPosition(row: row, line: max(0, line))
  }

  private func finish(
    _ start: ScrollPosition, in environment: some ListEnvironment
  ) {
    // Rows without height never stand at the top edge, unless there is nothing else.
    let first = visible.first.map { ScrollPosition(row: $0.row, line: -$0.y) } ?? start
    if let anchor, anchor.row == first.row, anchor.line == first.line {
      displayed = anchor
    } else {
      displayed = ScrollAnchor(
        rowID: environment.rowID(at: first.row), row: first.row,
        place: environment.place(atLine: first.line, inRow: first.row), line: first.line)
    }
    updateEnds()
    newRowsAbove = min(newRowsAbove, first.row)
  }

  /// Looks anew whether the ends show: rows beside the screen may have turned out to be empty.
  public func updateEnds() {
    isAtEnd = showsLastLine()
    isAtTop = showsFirstLine(top)
  }

  private func showsLastLine() -> Bool {
    guard let last = visible.last else { return true }
    guard last.maxY <= viewportHeight else { return false }
    return followedByNothing(last.row + 1)
  }

  /// True where every row from `row` on is known to have no height.
  private func followedByNothing(_ row: Int) -> Bool {
    (row..<count).allSatisfy { knownHeight(ofRow: $0) == 0 }
  }

  private func showsFirstLine(_ first: ScrollPosition) -> Bool {
    guard first.line == 0 else { return false }
    guard first.row > 0 else { return true }
    // Rows above that are known to be empty are no content; unknown ones are taken for some.
    return (0..<first.row).reversed().allSatisfy { knownHeight(ofRow: $0) == 0 }
  }

  /// What is displayed is what the user wants from now on.
  private func settle() {
    if let displayed { anchor = displayed }
    anchorNeedsLine = false
  }

  // MARK: - The rows around the screen, for which cells are kept ready

  /// Rows within `lines` beyond either edge, up to the first that is not measured.
  /// - Complexity: O(rows · log n)
  public func surroundings(overscan lines: Int) -> Surroundings {
    guard let first = visible.first, let last = visible.last else {
      return Surroundings(rows: 0..<0)
    }
    var (low, high) = (first.row, last.row + 1)
    var result = Surroundings(rows: low..<high)
    var room = lines - (last.maxY - viewportHeight)
    while room > 0, high < count, high - last.row <= lines {
      guard let height = knownHeight(ofRow: high) else {
        result.unmeasuredBelow = high
        break
      }
      room -= height
      high += 1
    }
    room = lines + first.y
    while room > 0, low > 0, first.row - low < lines {
      guard let height = knownHeight(ofRow: low - 1) else {
        result.unmeasuredAbove = low - 1
        break
      }
      low -= 1
      room -= height
    }
    result.rows = low..<high
    return result
  }

  /// Rows to have cells for: the visible ones and those within `lines` beyond either edge,
  /// measured.
  /// - Complexity: O(rows · log n) and measurements
  public func preparedRows(overscan lines: Int, in environment: some ListEnvironment) -> Range<Int>
  {
    var result = surroundings(overscan: lines)
    while let row = result.unmeasuredBelow ?? result.unmeasuredAbove {
      measuredHeight(ofRow: row, in: environment)
      result = surroundings(overscan: lines)
    }
    updateEnds()
    return result.rows
  }

  // MARK: - Scrolling

  /// Moves by lines, down if positive, and says by how many it was: fewer only at the ends.
  /// - Complexity: O(rows passed · log n) and their measurements
  @discardableResult
  public func scroll(byLines lines: Int, in environment: some ListEnvironment) -> Int {
    guard count > 0, lines != 0, viewportHeight > 0 else { return 0 }
    endDrag()
    if lines > 0, isAtEnd { return 0 }
    let before = top
    let wasFollowing = isFollowing
    var target = ScrollPosition(row: before.row, line: before.line + lines)
    if lines < 0 {
      target = position(linesAbove: before, -lines, in: environment)
      // Past rows without height it is no movement.
      if distance(from: target, to: before, in: environment) > 0 { isFollowing = false }
    } else {
      while target.row < count - 1 {
        let height = measuredHeight(ofRow: target.row, in: environment)
        guard target.line >= height else { break }
        target.line -= height
        target.row += 1
      }
    }
    isFollowing = isFollowing && wasFollowing
    move(to: target, in: environment)
    return distance(from: before, to: top, in: environment)
  }

  /// Brings a line to the top edge, or as near to it as the list's end allows; a line past its row
  /// counts as the row's last.
  /// - Precondition: there are rows.
  private func move(to target: ScrollPosition, in environment: some ListEnvironment) {
    let height = measuredHeight(ofRow: target.row, in: environment)
    let line = min(target.line, max(0, height - 1))
    anchorNeedsLine = false
    anchor = ScrollAnchor(
      rowID: environment.rowID(at: target.row), row: target.row,
      place: environment.place(atLine: line, inRow: target.row), line: line)
    layout(in: environment)
    settle()
  }

  /// Lines from one position to another, negative upward. - Complexity: O(rows between · log n)
  private func distance(
    from start: ScrollPosition, to end: ScrollPosition, in environment: some ListEnvironment
  ) -> Int {
    guard end >= start else { return -distance(from: end, to: start, in: environment) }
    var lines = end.line - start.line
    for row in start.row..<end.row { lines += measuredHeight(ofRow: row, in: environment) }
    return lines
  }

  /// Brings a row to where `alignment` says.
  /// - Throws: `ListUpdateError.rowOutOfRange`.
  /// - Complexity: O(visible rows · log n) and their measurements, however far it goes
  public func scroll(
    toRow row: Int, at alignment: ScrollAlignment = .top, in environment: some ListEnvironment
  ) throws(ListUpdateError) {
    guard row >= 0, row < count else { throw .rowOutOfRange(row: row, count: count) }
    let height = measuredHeight(ofRow: row, in: environment)
    var above = 0
    switch alignment {
    case .top: break
    case .middle: above = max(0, (viewportHeight - height) / 2)
    case .bottom: above = viewportHeight - height
    case .nearest:
      if let first = visible.first, let last = visible.last {
        guard row < first.row || row > last.row else {
          // Of a row without height there is nothing to show.
          if let shown = visible.first(where: { $0.row == row }) {
            scrollToShow(shown, in: environment)
          }
          return
        }
        let room = viewportHeight - height
        above = row > last.row ? max(0, room) : min(0, room)
      }
    }
    endDrag()
    isFollowing = false
    let start = ScrollPosition(row: row, line: 0)
    let target =
      above >= 0
      ? position(linesAbove: start, above, in: environment)
      : ScrollPosition(row: row, line: -above)
    move(to: target, in: environment)
  }

  /// The least move that shows the whole of a row that shows in part.
  private func scrollToShow(_ shown: VisibleRow, in environment: some ListEnvironment) {
    guard shown.height <= viewportHeight else { return }
    if shown.y < 0 {
      scroll(byLines: shown.y, in: environment)
    } else if shown.maxY > viewportHeight {
      scroll(byLines: shown.maxY - viewportHeight, in: environment)
    }
  }

  /// To the first line. - Complexity: O(visible rows · log n) and their measurements
  public func scrollToTop(in environment: some ListEnvironment) {
    guard count > 0 else { return }
    endDrag()
    isFollowing = false
    move(to: .top, in: environment)
  }

  /// To the rows that came at the beginning since the user was there, which is to the first line.
  /// - Returns: whether there were any.
  /// - Complexity: O(visible rows · log n) and their measurements
  @discardableResult
  public func scrollToNewRows(in environment: some ListEnvironment) -> Bool {
    guard newRowsAbove > 0 else { return false }
    scrollToTop(in: environment)
    return true
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
    settle()
    isFollowing = false
  }

  /// To the row at a share of the rows: 0 the first, 0.5 the middle one, 1 the end.
  /// - Complexity: O(visible rows · log n) and their measurements
  public func scroll(toFraction fraction: Double, in environment: some ListEnvironment) {
    guard count > 0 else { return }
    guard fraction < 1 else { return scrollToEnd(following: false, in: environment) }
    endDrag()
    isFollowing = false
    let row = fraction > 0 ? Int(Double(count) * fraction) : 0
    move(to: ScrollPosition(row: min(row, count - 1), line: 0), in: environment)
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
      anchorNeedsLine = true
      scrollBar.forget()
    }
    self.viewportHeight = height
    layout(in: environment)
  }

  // MARK: - The scroll bar

  /// What a scroll bar shows of the list. - Complexity: O(log n); measures nothing
  public var scrollBarContent: ScrollBarContent {
    var content = ScrollBarContent()
    content.viewport = viewportHeight
    content.rowCount = count
    content.visibleRowCount = visible.count
    content.measuredCount = heights.tree.measuredCount
    content.isAtTop = isAtTop
    content.isAtEnd = isAtEnd
    content.top = top
    content.total = heights.tree.totalFixed
    if count > 0 {
      content.offset = offset(of: top)
      content.topRowHeight = heights.tree.estimatedHeight(ofRow: top.row)
    }
    return content
  }

  /// Fixed-point lines above a position, as far as known. - Complexity: O(log n)
  func offset(of position: ScrollPosition) -> Int64 { heights.offset(of: position) }

  /// The thumb on a track of `track` cells. - Complexity: O(log n); measures nothing
  public func thumb(track: Int) -> ScrollThumb {
    if let drag, drag.track == track * ScrollBarModel.unit { return drag.thumb }
    return scrollBar.thumb(track: track, for: scrollBarContent)
  }

  /// True between `beginDrag` and `endDrag`.
  public var isDragging: Bool { drag != nil }

  /// The pointer takes the scroll bar at `pointer`, in eighths of a cell from the track's top.
  /// - Complexity: as `drag(to:)`
  public func beginDrag(pointer: Int, track: Int, in environment: some ListEnvironment) {
    guard count > 0, track > 0 else { return }
    // What was followed to is what the user holds on to, not what was wanted before.
    if isFollowing { settle() }
    isFollowing = false
    let thumb = thumb(track: track)
    heights.isFrozen = true
    drag = ScrollBarDrag(
      pointer: pointer, thumb: thumb, track: track * ScrollBarModel.unit,
      content: scrollBarContent)
    if drag?.start != thumb.start { land(in: environment) }
  }

  /// The pointer is at `pointer`, in eighths of a cell from the track's top; beyond the track
  /// counts as its end. Nothing where no drag has begun.
  /// - Complexity: O(visible rows · log n) and their measurements
  public func drag(to pointer: Int, in environment: some ListEnvironment) {
    guard let old = drag?.start else { return }
    drag?.move(to: pointer)
    if drag?.start != old { land(in: environment) }
  }

  /// The pointer lets go.
  public func endDrag() {
    guard let drag else { return }
    heights.isFrozen = false
    scrollBar.place(
      drag.thumb, track: drag.track / ScrollBarModel.unit, for: scrollBarContent)
    self.drag = nil
  }

  private func land(in environment: some ListEnvironment) {
    guard var drag, count > 0 else { return }
    let position = drag.land(
      formerLanding(of: drag, in: environment) ?? proposal(drag, in: environment))
    self.drag = drag
    scrollBar.noteLanding(of: drag, at: position)
    if drag.start == drag.range {
      goToEnd(in: environment)
    } else if drag.start == 0 {
      move(to: .top, in: environment)
    } else {
      move(to: position, in: environment)
    }
  }

  /// Where another drag to the same place led, if the thumb would stand there for it now.
  private func formerLanding(
    of drag: ScrollBarDrag, in environment: some ListEnvironment
  ) -> ScrollPosition? {
    guard let former = scrollBar.landing(of: drag), former.row < count else { return nil }
    var content = drag.content
    content.top = former
    content.offset = offset(of: former)
    content.topRowHeight = heights.tree.estimatedHeight(ofRow: former.row)
    let start = ScrollBarModel.position(content) * Double(drag.range)
    guard ScrollBarModel.nearest(start) == drag.start else { return nil }
    let height = measuredHeight(ofRow: former.row, in: environment)
    return ScrollPosition(row: former.row, line: min(former.line, max(0, height - 1)))
  }

  /// The line at the thumb's share of the frozen total, or of the rows while few are measured.
  private func proposal(
    _ drag: ScrollBarDrag, in environment: some ListEnvironment
  ) -> ScrollPosition {
    let share = Double(drag.start) / Double(max(1, drag.range))
    if ScrollBarModel.goesByIndex(drag.content) {
      let rows = Double(max(0, count - drag.content.visibleRowCount))
      return ScrollPosition(row: min(count - 1, Int(rows * share)), line: 0)
    }
    let viewport = HeightTree.fixed(viewportHeight)
    let offset = Int64(Double(max(0, drag.content.total - viewport)) * share)
    guard let position = heights.position(atOffset: offset) else { return .top }
    let height = measuredHeight(ofRow: position.row, in: environment)
    return ScrollPosition(row: position.row, line: min(position.line, max(0, height - 1)))
  }

  // MARK: - Updates

  /// Takes the rows anew: `count` of them, or runs of kinds. What is known of heights goes, the
  /// estimates and the reader's place stay; the row at the top edge is found again by its identity,
  /// else its index counts.
  /// - Complexity: O(runs + rows searched for the identity + visible rows · log n)
  public func reload(runs: [(kind: Int, count: Int)], in environment: some ListEnvironment) {
    let newCount = runs.reduce(0) { $0 + max(0, $1.count) }
    endDrag()
    settle()
    heights.reload(runs: runs, in: environment)
    // Rows measured from here on may bring somebody to ask what shows: none of these rows does yet.
    visible = []
    if var anchor, newCount > 0 {
      if let row = environment.row(of: anchor.rowID, near: anchor.row, count: newCount) {
        anchor.row = row
      } else {
        anchor = start(ofRow: min(anchor.row, newCount - 1), in: environment)
      }
      self.anchor = anchor
    } else {
      anchor = nil
    }
    anchorNeedsLine = anchor != nil
    newRowsAbove = 0
    idle = IdleRows()
    scrollBar.forget()
    layout(in: environment)
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
    let isAppending = updates.onlyAppends(to: count)
    try checkIdentities(of: updates.insertions, in: environment)
    // A drag goes on: rows may come while the reader looks for a place.
    drag?.forgetLandings()
    settle()
    heights.apply(updates, mapping, in: environment)
    visible = []
    if let old = anchor, newCount > 0 {
      if let row = mapping.newRow(forOld: old.row) {
        anchor?.row = row
        anchor?.rowID = environment.rowID(at: row)
        anchorNeedsLine = updates.reloads.contains(old.row)
        if row >= mapping.prependedCount { newRowsAbove += mapping.prependedCount }
      } else {
        anchor = start(ofRow: mapping.survivor(ofOld: old.row) ?? 0, in: environment)
      }
    } else {
      anchor = nil
    }
    // Rows that come behind the last are no reason for the thumb to go back.
    if !isAppending { scrollBar.forget() }
    layout(in: environment)
    return mapping
  }

  /// The heights of rows have changed without any other change, as when a picture's size is known.
  /// Rows outside the list are ignored: they are late.
  /// - Complexity: O((k + visible rows) · log n)
  public func setHeights(
    _ heights: [(row: Int, height: Int)], in environment: some ListEnvironment
  ) {
    settle()
    for (row, height) in heights where row >= 0 && row < count {
      self.heights.set(height, ofRow: row, in: environment)
      if row == anchor?.row { anchorNeedsLine = true }
    }
    layout(in: environment)
  }

  /// A row's content has changed: it is measured again when it shows, and keeps its place till
  /// then. Rows outside the list are ignored.
  public func invalidate(row: Int, in environment: some ListEnvironment) {
    guard row >= 0, row < count else { return }
    settle()
    heights.invalidate(row)
    if row == anchor?.row { anchorNeedsLine = true }
    layout(in: environment)
  }

  /// Looks for two rows of one identity among new rows, where they are at most `checkedRows`.
  /// - Throws: `ListUpdateError.duplicateID`.
  /// - Complexity: O(rows)
  public func checkIdentities(
    of ranges: [Range<Int>], in environment: some ListEnvironment
  ) throws(ListUpdateError) {
    guard ranges.reduce(0, { $0 + $1.count }) <= Self.checkedRows else { return }
    var rows: [RowID: Int] = [:]
    for range in ranges {
      for row in range {
        let id = environment.rowID(at: row)
        if let first = rows.updateValue(row, forKey: id) {
          throw .duplicateID(id, first: first, second: row)
        }
      }
    }
  }
}
