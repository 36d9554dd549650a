/// The content of a packed leaf outside the arena, for splitting, merging and ageing leaves.
struct LeafContent: Sendable {
  var entries: [UInt16] = []
  /// Heights too large for an entry, in the order of their entries.
  var overflow: [Int32] = []
  /// The text of the unmeasured rows by kind, in length units, shared equally among them.
  var lengths: SIMD16<Int32> = .zero
  /// The width of the stale entries.
  var staleWidth: Int32

  init(staleWidth: Int32) { self.staleWidth = staleWidth }

  /// Creates `count` rows of which only the kind is known, with `length` units of text.
  init(kind: Int, count: Int, length: Int32, staleWidth: Int32) {
    entries = Array(repeating: HeightEntry(kind: kind).bits, count: count)
    lengths[kind] = length
    self.staleWidth = staleWidth
  }

  /// The number of overflowing entries before `index`.
  func overflowIndex(before index: Int) -> Int {
    overflow.isEmpty
      ? 0 : entries[..<index].reduce(0) { $0 + (HeightEntry(bits: $1).isOverflow ? 1 : 0) }
  }

  func height(at index: Int) -> Int {
    let entry = HeightEntry(bits: entries[index])
    guard entry.isOverflow else { return Int(entry.low) }
    return Int(overflow[overflowIndex(before: index)])
  }

  /// Replaces an entry by a height, measured or stale.
  mutating func set(_ height: Int, isMeasured: Bool, at index: Int) {
    let old = HeightEntry(bits: entries[index])
    let new = HeightEntry(height: height, isMeasured: isMeasured)
    if old.isOverflow || new.isOverflow {
      let position = overflowIndex(before: index)
      if old.isOverflow { overflow.remove(at: position) }
      if new.isOverflow { overflow.insert(Int32(clamping: height), at: position) }
    }
    if old.kind != nil { lengths &-= share(of: index..<index + 1) }
    entries[index] = new.bits
  }

  /// Inserts rows of which only the kind is known, with `length` units of text.
  mutating func insert(kind: Int, count: Int, length: Int32, at index: Int) {
    entries.insert(
      contentsOf: repeatElement(HeightEntry(kind: kind).bits, count: count), at: index)
    lengths[kind] += length
  }

  mutating func remove(_ range: Range<Int>) {
    let first = overflowIndex(before: range.lowerBound)
    overflow.removeSubrange(first..<overflowIndex(before: range.upperBound))
    lengths &-= share(of: range)
    entries.removeSubrange(range)
  }

  /// Removes the rows from `index` on and returns them.
  mutating func split(at index: Int) -> LeafContent {
    var tail = LeafContent(staleWidth: staleWidth)
    let position = overflowIndex(before: index)
    tail.overflow = Array(overflow[position...])
    overflow.removeSubrange(position...)
    tail.lengths = share(of: index..<entries.count)
    lengths &-= tail.lengths
    tail.entries = Array(entries[index...])
    entries.removeSubrange(index...)
    return tail
  }

  mutating func append(_ other: LeafContent) {
    var other = other
    if other.staleWidth != staleWidth {
      if hasStale { other.expressStale(at: staleWidth) } else { staleWidth = other.staleWidth }
    }
    entries += other.entries
    overflow += other.overflow
    lengths &+= other.lengths
  }

  /// The text of the unmeasured rows in `range`, by kind. - Complexity: O(rows)
  private func share(of range: Range<Int>) -> SIMD16<Int32> {
    guard lengths != .zero else { return .zero }
    let (all, some) = (kinds(in: entries.indices), kinds(in: range))
    var share = SIMD16<Int32>.zero
    for kind in 0..<HeightEstimates.kindCount where some[kind] > 0 {
      share[kind] = Int32(Int64(lengths[kind]) * Int64(some[kind]) / Int64(all[kind]))
    }
    return share
  }

  private func kinds(in range: Range<Int>) -> SIMD16<Int32> {
    var kinds = SIMD16<Int32>.zero
    for bits in entries[range] {
      if let kind = HeightEntry(bits: bits).kind { kinds[kind] += 1 }
    }
    return kinds
  }

  var hasStale: Bool {
    entries.contains { HeightEntry(bits: $0).isStale }
  }

  /// Scales the stale heights to another width; a height above 0 stays at least 1.
  mutating func expressStale(at newWidth: Int32) {
    guard newWidth != staleWidth else { return }
    for index in entries.indices where HeightEntry(bits: entries[index]).isStale {
      let height = height(at: index)
      let scaled =
        (Int64(height) * Int64(staleWidth) + Int64(newWidth) / 2) / Int64(newWidth)
      set(height > 0 ? max(1, Int(scaled)) : 0, isMeasured: false, at: index)
    }
    staleWidth = newWidth
  }

  /// Makes the heights measured at `measuredWidth` stale.
  mutating func age(measuredWidth: Int32) {
    if hasStale { expressStale(at: measuredWidth) }
    staleWidth = measuredWidth
    for index in entries.indices where entries[index] & HeightEntry.measuredBit != 0 {
      entries[index] &= ~HeightEntry.measuredBit
    }
  }

  /// Writes the summary of this content into `node`.
  func summarize(into node: inout HeightNode) {
    node.clearSummary()
    node.count = Int32(entries.count)
    node.staleWidth = staleWidth
    var stale: Int64 = 0
    var next = 0
    for bits in entries {
      let entry = HeightEntry(bits: bits)
      if let kind = entry.kind {
        node.add(rows: 1, ofKind: kind)
        continue
      }
      var height = Int64(entry.low)
      if entry.isOverflow {
        height = Int64(overflow[next])
        next += 1
      }
      if entry.isMeasured {
        node.measuredSum += height
        node.measuredCount += 1
      } else {
        stale += height
      }
    }
    node.staleArea = stale * Int64(staleWidth)
    node.lengths = lengths
  }
}

extension HeightEntry {
  /// Whether the height is known but not measured at the present width.
  var isStale: Bool { !isMeasured && bits < Self.kindCode }
}
