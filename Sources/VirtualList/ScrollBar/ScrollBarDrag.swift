/// A drag of the thumb. Its mapping is frozen when it begins: the total, the estimates' means and
/// the thumb's length. A repeated pointer position leads to the same list position, and one between
/// two earlier ones leads between theirs, so the mapping is monotone even if rows are measured
/// meanwhile.
final class ScrollBarDrag {
  /// Lengths in eighths: of the track; of the thumb; from the thumb's start to the pointer.
  let track: Int
  let length: Int
  let grab: Int
  /// The scroll bar's input when the drag began.
  let content: ScrollBarContent
  private(set) var start: Int
  private var landings = DragDestinations()

  /// Starts a drag at `pointer`, in eighths from the track's top. Outside the thumb, the thumb's
  /// middle moves to the pointer.
  init(pointer: Int, thumb: ScrollThumb, track: Int, content: ScrollBarContent) {
    self.track = track
    self.content = content
    length = thumb.length
    let isOnThumb = pointer >= thumb.start && pointer < thumb.end
    grab = isOnThumb ? pointer - thumb.start : thumb.length / 2
    start = thumb.start
    move(to: pointer)
  }

  /// The eighths over which the thumb can move.
  var range: Int { max(0, track - length) }

  var thumb: ScrollThumb { ScrollThumb(start: start, length: length) }

  func move(to pointer: Int) { start = min(max(0, pointer - grab), range) }

  /// Forgets earlier destinations, after rows were inserted or deleted.
  func forgetLandings() { landings.removeAll() }

  /// The destination of the present pointer, given the one that the tree proposes.
  func land(_ proposed: ScrollPosition) -> ScrollPosition {
    if let position = landings[start] { return position }
    let position = landings.clamped(proposed, at: start)
    landings.note(position, at: start)
    return position
  }
}
