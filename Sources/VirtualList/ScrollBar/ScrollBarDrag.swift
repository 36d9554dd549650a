/// A drag of the thumb. What it maps by is frozen when it begins: the total, the estimates' means
/// and the thumb's length. A pointer position seen before leads where it led, and one between two
/// seen before leads between their positions, so the mapping is monotone though rows get measured
/// meanwhile.
struct ScrollBarDrag: Sendable {
  /// Eighths of the track; of the thumb; from the thumb's start to the pointer.
  let track: Int
  let length: Int
  let grab: Int
  /// What the bar knew when the drag began.
  let content: ScrollBarContent
  private(set) var start: Int
  private var landings: [(start: Int, position: ScrollPosition)] = []

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

  mutating func move(to pointer: Int) { start = min(max(0, pointer - grab), range) }

  /// Rows have come or gone: where the pointer led is no longer there.
  mutating func forgetLandings() { landings = [] }

  /// Where the present pointer leads, given where the tree would have it.
  mutating func land(_ proposed: ScrollPosition) -> ScrollPosition {
    let index = landings.firstIndex { $0.start >= start } ?? landings.count
    if index < landings.count, landings[index].start == start { return landings[index].position }
    var position = proposed
    if index > 0 { position = max(position, landings[index - 1].position) }
    if index < landings.count { position = min(position, landings[index].position) }
    landings.insert((start, position), at: index)
    return position
  }
}
