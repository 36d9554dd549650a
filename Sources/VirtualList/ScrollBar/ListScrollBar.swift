/// A list's scroll bar: its thumb, and the destinations of drags. Its rules:
///
/// 1. While the user drags, the thumb follows the pointer, and no estimate changes.
/// 2. A drag leads to the line at the thumb's fraction of the total that was frozen when it began,
///    or of the rows while few are measured (`ScrollBarModel`); at the ends of the track, to the
///    ends of the list.
/// 3. A thumb position may stand for thousands of list positions. Drags to the same thumb position
///    lead to the same list position, as long as the thumb for that would still be there;
///    `forget()` ends this.
///
/// A class, since the environment may read the bar while it is called.
final class ListScrollBar {
  /// The list position that a drag leads to.
  enum Destination {
    case top, end
    case position(ScrollPosition)
  }

  private(set) var drag: ScrollBarDrag?
  private var model = ScrollBarModel()
  /// The destinations of drags by the thumb's start, on a track of `landingTrack` eighths.
  private var landings = DragDestinations()
  private var landingTrack = 0
  private let heights: RowHeights
  private let place: ReadingPlace
  private let screen: VisibleRows

  init(heights: RowHeights, place: ReadingPlace, screen: VisibleRows) {
    (self.heights, self.place, self.screen) = (heights, place, screen)
  }

  /// The input of the scroll bar. - Complexity: O(log n); measures nothing
  var content: ScrollBarContent {
    var content = ScrollBarContent()
    content.viewport = screen.viewportHeight
    content.rowCount = heights.count
    content.visibleRowCount = screen.rows.count
    content.measuredCount = heights.tree.measuredCount
    content.isAtTop = screen.isAtTop
    content.isAtEnd = screen.isAtEnd
    content.top = place.top
    content.total = heights.tree.totalFixed
    if content.rowCount > 0 {
      content.offset = heights.offset(of: content.top)
      content.topRowHeight = heights.tree.estimatedHeight(ofRow: content.top.row)
    }
    return content
  }

  /// The thumb on a track of `track` cells.
  func thumb(track: Int) -> ScrollThumb {
    if let drag, drag.track == track * ScrollBarModel.unit { return drag.thumb }
    return model.thumb(track: track, for: content)
  }

  /// Forgets the last thumb and all destinations, after rows have changed.
  func forget() {
    model.forget()
    landings.removeAll()
  }

  /// Notes inserted and deleted rows, also during a drag. Appended rows alone do not let the thumb
  /// move back.
  func noteUpdate(isAppending: Bool) {
    drag?.forgetLandings()
    if !isAppending { forget() }
  }

  // MARK: - Dragging

  /// Starts a drag at `pointer`, in eighths of a cell from the track's top.
  /// - Returns: the destination, if the thumb moves.
  func begin(
    pointer: Int, track: Int, in environment: some ListEnvironment
  ) -> Destination? {
    let thumb = thumb(track: track)
    heights.isFrozen = true
    let drag = ScrollBarDrag(
      pointer: pointer, thumb: thumb, track: track * ScrollBarModel.unit, content: content)
    self.drag = drag
    return drag.start == thumb.start ? nil : land(in: environment)
  }

  /// - Returns: the destination, if the thumb moves.
  func move(to pointer: Int, in environment: some ListEnvironment) -> Destination? {
    guard let old = drag?.start else { return nil }
    drag?.move(to: pointer)
    return drag?.start == old ? nil : land(in: environment)
  }

  /// Ends the drag.
  func end() {
    guard let drag else { return }
    heights.isFrozen = false
    model.place(drag.thumb, track: drag.track / ScrollBarModel.unit, for: content)
    self.drag = nil
  }

  private func land(in environment: some ListEnvironment) -> Destination? {
    guard let drag, heights.count > 0 else { return nil }
    let position = drag.land(
      formerLanding(of: drag, in: environment) ?? proposal(drag, in: environment))
    if landingTrack != drag.track {
      landings.removeAll()
      landingTrack = drag.track
    }
    landings.note(position, at: drag.start)
    if drag.start == drag.range { return .end }
    return drag.start == 0 ? .top : .position(position)
  }

  /// The destination of an earlier drag to this thumb position, if its thumb would still be there.
  private func formerLanding(
    of drag: ScrollBarDrag, in environment: some ListEnvironment
  ) -> ScrollPosition? {
    guard landingTrack == drag.track, let former = landings[drag.start],
      former.row < heights.count
    else { return nil }
    var content = drag.content
    content.top = former
    content.offset = heights.offset(of: former)
    content.topRowHeight = heights.tree.estimatedHeight(ofRow: former.row)
    let start = ScrollBarModel.position(content) * Double(drag.range)
    guard ScrollBarModel.nearest(start) == drag.start else { return nil }
    return heights.clamped(former, in: environment)
  }

  /// The destination by rule 2.
  private func proposal(
    _ drag: ScrollBarDrag, in environment: some ListEnvironment
  ) -> ScrollPosition {
    let share = Double(drag.start) / Double(max(1, drag.range))
    if ScrollBarModel.goesByIndex(drag.content) {
      let rows = Double(max(0, heights.count - drag.content.visibleRowCount))
      return ScrollPosition(row: min(heights.count - 1, Int(rows * share)), line: 0)
    }
    let viewport = HeightTree.fixed(drag.content.viewport)
    let offset = Int64(Double(max(0, drag.content.total - viewport)) * share)
    return heights.position(atOffset: offset).map { heights.clamped($0, in: environment) } ?? .top
  }

  /// Descriptions of violated invariants; empty if all hold. - Complexity: O(1)
  func brokenInvariants() -> [String] {
    var broken: [String] = []
    if heights.isFrozen != (drag != nil) {
      broken.append("estimates are frozen without a drag, or not frozen during one")
    }
    if let drag, drag.start < 0 || drag.start > drag.range {
      broken.append("the thumb is at \(drag.start) of \(drag.range)")
    }
    return broken
  }
}
