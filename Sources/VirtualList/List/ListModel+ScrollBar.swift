extension ListModel {
  /// What a scroll bar shows of the list. - Complexity: O(log n); measures nothing
  public var scrollBarContent: ScrollBarContent {
    var content = ScrollBarContent()
    content.viewport = viewportHeight
    content.rowCount = count
    content.visibleRowCount = visible.count
    content.measuredCount = tree.measuredCount
    content.isAtTop = isAtTop
    content.isAtEnd = isAtEnd
    content.total = tree.totalFixed
    content.top = top
    if count > 0 {
      content.offset = offset(of: top)
      content.topRowHeight = tree.estimatedHeight(ofRow: top.row)
    }
    return content
  }

  /// Fixed-point lines above a position, as far as known.
  func offset(of position: ScrollPosition) -> Int64 {
    tree.offset(ofRow: position.row) + HeightTree.fixed(position.line)
  }

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
    tree.estimates.isFrozen = true
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
    tree.estimates.isFrozen = false
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
    content.topRowHeight = tree.estimatedHeight(ofRow: former.row)
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
    guard let (row, remainder) = tree.row(atOffset: offset) else { return .top }
    let line = Int(remainder >> HeightEstimates.fractionBits)
    let height = measuredHeight(ofRow: row, in: environment)
    return ScrollPosition(row: row, line: min(line, max(0, height - 1)))
  }
}
