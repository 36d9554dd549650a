/// The reader's moves in a list: their number, the listeners, and the places before jumps.
@MainActor final class ReaderMoves {
  /// The number of moves so far.
  private(set) var count = 0
  /// The places before jumps, the earliest first.
  private var places: [ReaderPlace] = []
  /// Called after each move.
  var onMove: (() -> Void)?
  /// Called with the rows that the selection has left downwards, one after the other.
  var onStepDown: ((Range<Int>) -> Void)?

  /// The places that are remembered at most. `100`
  static let maximumPlaces = 100

  func note() {
    count &+= 1
    onMove?()
  }

  /// Remembers the place before a jump.
  func noteJump(from place: ReaderPlace) {
    if let last = places.last, last.isSame(as: place) { return }
    places.append(place)
    if places.count > Self.maximumPlaces { places.removeFirst() }
  }

  /// Removes and returns the latest place that differs from the present one; `nil` if none is left.
  func takePlace(otherThan present: ReaderPlace) -> ReaderPlace? {
    while let place = places.popLast() {
      if !place.isSame(as: present) { return place }
    }
    return nil
  }
}
