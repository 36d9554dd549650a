/// Simultaneous changes, with UIKit's meaning of indices: deletions, reloads and the sources of
/// moves are indices before the updates, insertions and the destinations of moves are indices after
/// them.
public struct BatchUpdates: Sendable {
  /// Row indices before the updates.
  public private(set) var deletions: [Range<Int>] = []
  /// Row indices after the updates.
  public private(set) var insertions: [Range<Int>] = []
  /// Row indices before and after the updates.
  public private(set) var moves: [(from: Int, to: Int)] = []
  /// Row indices before the updates.
  public private(set) var reloads: [Int] = []

  /// Creates an empty batch.
  public init() {}

  /// Deletes rows, by their indices before the updates.
  public mutating func delete(_ rows: Range<Int>) { Self.add(rows, to: &deletions) }
  /// Inserts rows, by their indices after the updates.
  public mutating func insert(_ rows: Range<Int>) { Self.add(rows, to: &insertions) }
  /// Moves a row from its index before the updates to its index after them.
  public mutating func move(from source: Int, to destination: Int) {
    moves.append((source, destination))
  }
  /// Marks the content of `row` as changed: the row stays, its height becomes an estimate.
  public mutating func reload(_ row: Int) { reloads.append(row) }

  /// Appends a range, or extends the last one if they touch: a batch may add very many.
  private static func add(_ rows: Range<Int>, to ranges: inout [Range<Int>]) {
    if let last = ranges.last, last.upperBound == rows.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<rows.upperBound
    } else {
      ranges.append(rows)
    }
  }

  /// Whether the batch changes nothing.
  public var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && moves.isEmpty && reloads.isEmpty
  }

  /// Whether the first `count` rows keep their content and their indices. - Complexity: O(ranges)
  func onlyAppends(to count: Int) -> Bool {
    deletions.allSatisfy(\.isEmpty) && moves.isEmpty && reloads.isEmpty
      && insertions.allSatisfy { $0.isEmpty || $0.lowerBound >= count }
  }

  /// The row count after the updates, from the one before. - Complexity: O(ranges)
  public func count(after oldCount: Int) -> Int {
    oldCount - deletions.reduce(0) { $0 + $1.count } + insertions.reduce(0) { $0 + $1.count }
  }

  /// Checks the updates against the counts and returns the mapping from old rows to new ones.
  /// - Throws: `ListUpdateError.wrongCount`, `.rowOutOfRange` or `.conflictingUpdates`.
  /// - Complexity: O(k log k) for k ranges and rows named, and O(ranges) for each reload
  public func mapping(from oldCount: Int, to newCount: Int) throws(ListUpdateError) -> RowMapping {
    let sources = moves.map { $0.from..<$0.from + 1 }
    let destinations = moves.map { $0.to..<$0.to + 1 }
    let removed = try Self.merged(deletions + sources, count: oldCount)
    let expected = count(after: oldCount)
    guard expected == newCount else {
      throw .wrongCount(expected: expected, actual: newCount)
    }
    let added = try Self.merged(insertions + destinations, count: newCount)
    var targets: [Int: Int] = [:]
    for move in moves { targets[move.from] = move.to }
    let mapping = RowMapping(
      oldCount: oldCount, newCount: newCount, removed: removed, added: added, moves: targets)
    for row in reloads {
      guard row >= 0, row < oldCount else { throw .rowOutOfRange(row: row, count: oldCount) }
      guard mapping.newRow(forOld: row) != nil else { throw .conflictingUpdates(row: row) }
    }
    return mapping
  }

  /// Sorts ranges and merges those that touch; throws if one overlaps another or is out of range.
  private static func merged(
    _ ranges: [Range<Int>], count: Int
  ) throws(ListUpdateError) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      guard range.lowerBound >= 0 else {
        throw .rowOutOfRange(row: range.lowerBound, count: count)
      }
      guard range.upperBound <= count else {
        throw .rowOutOfRange(row: range.upperBound - 1, count: count)
      }
      guard let last = result.last, last.upperBound >= range.lowerBound else {
        result.append(range)
        continue
      }
      guard last.upperBound == range.lowerBound else {
        throw .conflictingUpdates(row: range.lowerBound)
      }
      result[result.count - 1] = last.lowerBound..<range.upperBound
    }
    return result
  }
}
