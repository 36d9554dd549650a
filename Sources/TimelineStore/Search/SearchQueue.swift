import System

/// The rows that a search has still to examine, in pieces near a row first.
///
/// 1. `ranges` are in order, and no two of them touch.
/// 2. A piece is the part of a range next to `origin` in the direction of `order`.
/// 3. Pieces grow from a small one on, so that near matches are found at once.
struct SearchQueue: Sendable {
  private(set) var ranges: [Range<Int>] = []
  private var origin = 0
  private var order = BackgroundSearch.Order.forward
  /// The size of the next piece, as a part of the largest one.
  private var share = smallestShare

  private static let smallestShare = 1.0 / 32

  /// Whether any of `rows` is in the queue. - Complexity: O(ranges)
  func overlaps(_ rows: Range<Int>) -> Bool { ranges.contains { $0.overlaps(rows) } }

  /// Adds rows that are not in the queue. - Complexity: O(ranges after them + log ranges)
  mutating func add(_ rows: Range<Int>) {
    let index = ranges.partitionPoint { $0.lowerBound <= rows.lowerBound }
    ranges.insert(rows, at: index)
    for after in [index + 1, index] where after > 0 && after < ranges.count {
      guard ranges[after - 1].upperBound == ranges[after].lowerBound else { continue }
      ranges[after - 1] = ranges[after - 1].lowerBound..<ranges[after].upperBound
      ranges.remove(at: after)
    }
  }

  /// Removes the rows that are in the queue.
  ///
  /// - Returns: the ranges of these rows.
  /// - Complexity: O(ranges) for each of them
  mutating func remove(_ rows: Range<Int>) -> [Range<Int>] {
    let parts = ranges.map { $0.clamped(to: rows) }.filter { !$0.isEmpty }
    for part in parts {
      if let index = ranges.firstIndex(where: { $0.contains(part.lowerBound) }) {
        take(part, at: index)
      }
    }
    return parts
  }

  mutating func removeAll() { ranges = [] }

  /// Takes pieces near `origin` first from now on.
  mutating func look(from origin: Int, _ order: BackgroundSearch.Order) {
    (self.origin, self.order, share) = (origin, order, Self.smallestShare)
  }

  /// Removes the next piece. - Complexity: O(ranges)
  mutating func next(of rows: any SearchableRows) -> Range<Int>? {
    guard !ranges.isEmpty else { return nil }
    let below = ranges.firstIndex { $0.upperBound > origin }
    let above = ranges.lastIndex { $0.lowerBound < origin }
    let index: Int
    let fromEnd: Bool
    switch order {
    case .forward: (index, fromEnd) = (below ?? 0, false)
    case .backward: (index, fromEnd) = (above ?? ranges.count - 1, true)
    case .outward:
      let down = below.map { max(0, ranges[$0].lowerBound - origin) } ?? .max
      let up = above.map { max(0, origin - ranges[$0].upperBound) } ?? .max
      fromEnd = up < down
      index = (fromEnd ? above : below) ?? 0
    }
    var range = ranges[index]
    // A range around the origin is examined from the origin on.
    if range.lowerBound < origin, range.upperBound > origin {
      range = fromEnd ? range.lowerBound..<origin : origin..<range.upperBound
    }
    let piece = rows.piece(of: range, fromEnd: fromEnd, share: share).clamped(to: range)
    share = min(1, share * 1.5)
    take(piece, at: index)
    return piece
  }

  private mutating func take(_ piece: Range<Int>, at index: Int) {
    let whole = ranges[index]
    let rest = [whole.lowerBound..<piece.lowerBound, piece.upperBound..<whole.upperBound]
    ranges.replaceSubrange(index...index, with: rest.filter { !$0.isEmpty })
  }
}
