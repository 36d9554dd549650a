/// A drag of the thumb. What it maps by is frozen when it begins: the total, the estimates' means
/// and the thumb's length. A pointer position seen before leads where it led, and one between two
/// seen before leads between their positions, so the mapping is monotone though rows get measured
/// meanwhile.
final class ScrollBarDrag {
  /// Eighths of the track; of the thumb; from the thumb's start to the pointer.
  let track: Int
  let length: Int
  let grab: Int
  /// What the bar knew when the drag began.
  let content: ScrollBarContent
  private(set) var start: Int
  private var landings = ScrollLandings()

  /// A drag that begins at `pointer`, in eighths from the track's top. Off the thumb, the thumb's
  /// middle comes to the pointer.
  init(pointer: Int, thumb: ScrollThumb, track: Int, content: ScrollBarContent) {
    self.track = track
    self.content = content
    length = thumb.length
    let isOnThumb = pointer >= thumb.start && pointer < thumb.end
    grab = isOnThumb ? pointer - thumb.start : thumb.length / 2
    start = thumb.start
    move(to: pointer)
  }

  /// Eighths the thumb can move over.
  var range: Int { max(0, track - length) }

  var thumb: ScrollThumb { ScrollThumb(start: start, length: length) }

  func move(to pointer: Int) { start = min(max(0, pointer - grab), range) }

  /// Rows have come or gone: where the pointer led is no longer there.
  func forgetLandings() { landings.removeAll() }

  /// Where the present pointer leads, given where the tree would have it.
  func land(_ proposed: ScrollPosition) -> ScrollPosition {
    if let position = landings[start] { return position }
    let position = landings.clamped(proposed, at: start)
    landings.note(position, at: start)
    return position
  }
}
