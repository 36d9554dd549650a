import Library
import System

/// The items of a timeline as rows: 16 bytes each, newest first.
///
/// 1. Rows are in the order of `ItemPlace`, without repetition.
/// 2. Until `isComplete`, older items follow; items that belong behind the last row come with them.
/// 3. Rows are kept in blocks, and a copy shares them: an insertion copies the blocks that it
///    touches, also while a search reads the rows as they were.
struct LibraryRows: Sendable {
  /// None is empty or has more than `blockLimit` places.
  private var blocks: [[ItemPlace]] = []
  /// The row of each block's first place.
  private var starts: [Int] = []
  private(set) var count = 0
  private(set) var isComplete = false

  /// The maximum number of places in a block.
  private let blockLimit: Int

  /// - Parameter blockLimit: the maximum number of places in a block.
  init(_ places: [ItemPlace], isComplete: Bool, blockLimit: Int = 8_192) {
    self.blockLimit = blockLimit
    self.isComplete = isComplete
    blocks = blocks(of: places)
    renumber(from: 0)
  }

  /// Divides places into blocks of about the same size.
  private func blocks(of places: [ItemPlace]) -> [[ItemPlace]] {
    let blockCount = (places.count + blockLimit - 1) / blockLimit
    return (0..<blockCount).map { index in
      let start = places.count * index / blockCount
      return Array(places[start..<places.count * (index + 1) / blockCount])
    }
  }

  /// Computes the numbers of the rows from a block on.
  private mutating func renumber(from block: Int) {
    starts.removeLast(starts.count - block)
    var row = starts.last.map { $0 + blocks[starts.count - 1].count } ?? 0
    for block in blocks[starts.count...] {
      starts.append(row)
      row += block.count
    }
    count = row
  }

  // MARK: Changing

  /// Appends the next older items.
  ///
  /// - Returns: the new rows.
  /// - Complexity: O(k) in the items, and O(n / `blockLimit`)
  mutating func append(_ more: [ItemPlace], isLast: Bool) -> Range<Int> {
    let start = count
    var rest = last.map { last in more.drop { $0 <= last } } ?? more[...]
    isComplete = isLast
    guard !rest.isEmpty else { return start..<start }
    let changed = blocks.isEmpty ? 0 : blocks.count - 1
    if let size = blocks.last?.count {
      let part = rest.prefix(blockLimit - size)
      blocks[changed] += part
      rest = rest.dropFirst(part.count)
    }
    blocks += blocks(of: Array(rest))
    renumber(from: changed)
    return start..<count
  }

  /// Older items may follow again.
  mutating func leaveOpen() { if count > 0 { isComplete = false } }

  /// Inserts items in their places, except those that are there or come later.
  ///
  /// - Returns: their rows by the new numbers.
  /// - Complexity: O(k log n + b (`blockLimit` + n / `blockLimit`)) for k items that belong to b
  ///   blocks
  mutating func insert(_ new: [ItemPlace]) -> [Range<Int>] {
    let last = isComplete ? nil : self.last
    var rest = new.filter { place in
      !position(of: place).isThere && last.map { place < $0 } ?? isComplete
    }.sorted()[...]
    guard !blocks.isEmpty else { return insertFirst(rest) }
    var rows: [Range<Int>] = []
    while let place = rest.first {
      let block = self.block(of: place)
      let end = block + 1 < blocks.count ? blocks[block + 1].first : nil
      let part = rest.prefix { place in end.map { place < $0 } ?? true }
      rest = rest.dropFirst(part.count)
      merge(part, intoBlock: block, &rows)
    }
    return rows
  }

  /// Inserts ascending items into an empty timeline.
  private mutating func insertFirst(_ new: ArraySlice<ItemPlace>) -> [Range<Int>] {
    var places: [ItemPlace] = []
    for place in new where places.last != place { places.append(place) }
    self = LibraryRows(places, isComplete: isComplete, blockLimit: blockLimit)
    return places.isEmpty ? [] : [0..<count]
  }

  /// Merges ascending items, none of which is there, into the block to which they belong.
  private mutating func merge(
    _ new: ArraySlice<ItemPlace>, intoBlock block: Int, _ rows: inout [Range<Int>]
  ) {
    let (start, places) = (starts[block], blocks[block])
    var merged: [ItemPlace] = []
    merged.reserveCapacity(places.count + new.count)
    var old = 0
    for place in new {
      let position = places.partitionPoint { $0 < place }
      merged += places[old..<position]
      old = position
      // Two feeds of one address may name an item twice.
      if merged.last == place { continue }
      Self.add(start + merged.count, to: &rows)
      merged.append(place)
    }
    merged += places[old...]
    blocks.replaceSubrange(block...block, with: blocks(of: merged))
    renumber(from: block)
  }

  /// Replaces all rows by those of the library now.
  ///
  /// - Returns: the rows that were deleted, by their old numbers, and inserted, by the new ones.
  /// - Complexity: O(n) in both.
  mutating func replace(
    with all: [ItemPlace]
  ) -> (deletions: [Range<Int>], insertions: [Range<Int>]) {
    var deletions: [Range<Int>] = []
    var insertions: [Range<Int>] = []
    var (old, new) = (0, 0)
    var places = makeIterator()
    var next = places.next()
    while next != nil || new < all.count {
      if let place = next, new == all.count || place < all[new] {
        Self.add(old, to: &deletions)
      } else if next != all[new] {
        Self.add(new, to: &insertions)
        new += 1
        continue
      } else {
        new += 1
      }
      old += 1
      next = places.next()
    }
    self = LibraryRows(all, isComplete: true, blockLimit: blockLimit)
    return (deletions, insertions)
  }

  private static func add(_ row: Int, to ranges: inout [Range<Int>]) {
    if let last = ranges.last, last.upperBound == row {
      ranges[ranges.count - 1] = last.lowerBound..<row + 1
    } else {
      ranges.append(row..<row + 1)
    }
  }

  // MARK: Finding

  /// The row of a place; if it has none, the row before which it is inserted.
  ///
  /// - Complexity: O(log n) in the rows
  func position(of place: ItemPlace) -> (row: Int, isThere: Bool) {
    guard !blocks.isEmpty else { return (0, false) }
    let block = self.block(of: place)
    let places = blocks[block]
    let position = places.partitionPoint { $0 < place }
    return (starts[block] + position, position < places.count && places[position] == place)
  }

  /// The block to which a place belongs: the last one that does not begin behind it.
  ///
  /// - Precondition: there are rows.
  private func block(of place: ItemPlace) -> Int {
    Swift.max(1, blocks.partitionPoint { $0[0] <= place }) - 1
  }

  /// The block of a row.
  private func block(ofRow row: Int) -> Int {
    Swift.max(1, starts.partitionPoint { $0 <= row }) - 1
  }

  // A condition is `@Sendable` so that it belongs to no actor: else each call would check that it
  // runs on the main one.

  /// The first row from another one on whose item fits.
  ///
  /// - Complexity: O(n) in the rows between them
  func first(from row: Int, where fits: @Sendable (ItemID) -> Bool) -> Int? {
    guard row < count else { return nil }
    let row = Swift.max(0, row)
    let first = block(ofRow: row)
    for block in first..<blocks.count {
      let places = blocks[block]
      for index in (block == first ? row - starts[block] : 0)..<places.count
      where fits(places[index].item) {
        return starts[block] + index
      }
    }
    return nil
  }

  /// The last row before another one whose item fits.
  ///
  /// - Complexity: O(n) in the rows between them
  func last(before row: Int, where fits: @Sendable (ItemID) -> Bool) -> Int? {
    guard row > 0, count > 0 else { return nil }
    let row = Swift.min(row, count)
    let last = block(ofRow: row - 1)
    for block in (0...last).reversed() {
      let places = blocks[block]
      for index in (0..<(block == last ? row - starts[block] : places.count)).reversed()
      where fits(places[index].item) {
        return starts[block] + index
      }
    }
    return nil
  }

  /// The number of some rows whose items fit.
  ///
  /// - Parameter limit: it stops there.
  /// - Complexity: O(k) in those rows
  func count(
    in rows: Range<Int>, atMost limit: Int = .max, where fits: @Sendable (ItemID) -> Bool
  ) -> Int {
    let rows = rows.clamped(to: 0..<count)
    guard !rows.isEmpty else { return 0 }
    var found = 0
    for block in block(ofRow: rows.lowerBound)...block(ofRow: rows.upperBound - 1) {
      let places = blocks[block]
      let start = starts[block]
      let part = (rows.lowerBound - start..<rows.upperBound - start).clamped(to: 0..<places.count)
      for index in part where fits(places[index].item) {
        found += 1
        if found == limit { return found }
      }
    }
    return found
  }

  // MARK: Invariants

  /// The invariants that are broken. - Complexity: O(n)
  func brokenInvariants() -> [String] {
    var broken: [String] = []
    for (row, pair) in zip(self, dropFirst()).enumerated() where pair.0 >= pair.1 {
      broken.append("row \(row + 1) does not follow row \(row)")
    }
    var row = 0
    for (index, block) in blocks.enumerated() {
      if block.isEmpty || block.count > blockLimit {
        broken.append("block \(index) has \(block.count) places")
      }
      if starts.indices.contains(index) ? starts[index] != row : true {
        broken.append("block \(index) does not start at row \(row)")
      }
      row += block.count
    }
    if row != count || starts.count != blocks.count {
      broken.append("\(count) rows in \(starts.count) blocks, not \(row) in \(blocks.count)")
    }
    return broken
  }
}

extension LibraryRows: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  /// - Complexity: O(log n) in the blocks
  subscript(row: Int) -> ItemPlace {
    let block = block(ofRow: row)
    return blocks[block][row - starts[block]]
  }

  func makeIterator() -> FlattenSequence<[[ItemPlace]]>.Iterator {
    blocks.joined().makeIterator()
  }
}
