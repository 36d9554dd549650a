/// Packing rows of a gap before one of them is measured: the gap becomes a packed leaf with up to
/// two gaps around it. The sums above stay the same, so it is done in place, without splitting the
/// tree.
extension HeightArena {
  /// Rows packed together on either side of a measured row, because its neighbours are usually
  /// measured next.
  private static let packedReach = 16

  /// Packs part of the gap that starts at row `start` and holds `row`: some rows around `row`, and
  /// any remainder that would be a small gap. - Complexity: O(log n)
  mutating func pack(
    around row: Int, from start: Int, below root: inout Int32, _ estimates: inout HeightEstimates,
    _ textLength: (Range<Int>) -> Int?
  ) {
    let gap = self[locate(row, below: root).leaf]
    let kind = gap.gapKind
    let end = start + Int(gap.count)
    var low = max(start, row - Self.packedReach + 1)
    var high = min(end, row + Self.packedReach + 1)
    if low - start <= Self.smallGap { low = start }
    if end - high <= Self.smallGap { high = end }
    // The text of each part, known or in proportion to its rows; the total stays the same.
    var rest = gap.lengths[kind]
    func part(_ rows: Range<Int>) -> Int32 {
      guard !rows.isEmpty else { return 0 }
      var length = rest
      if rest > 0, rows.upperBound < end {
        let shared = gap.share(ofKind: kind, rows: Int32(rows.count))
        let units = textLength(rows).map { HeightEstimates.units(ofCells: $0) } ?? Int(shared)
        length = Int32(min(max(0, units), Int(rest)))
      }
      rest -= length
      estimates.admit(length: length, rows: rows.count, kind: kind)
      return length
    }
    let lengths = (part(start..<low), part(low..<high), part(high..<end))
    let content = LeafContent(
      kind: kind, count: high - low, length: lengths.1, staleWidth: Int32(width))
    var pieces = [makePacked(content)]
    if low > start {
      pieces.insert(makeGap(kind: kind, count: low - start, length: lengths.0), at: 0)
    }
    if high < end {
      pieces.append(makeGap(kind: kind, count: end - high, length: lengths.2))
    }
    guard self[root].form == .inner else {
      release(root)
      root = pieces.count == 1 ? pieces[0] : makeInner(pieces)
      return
    }
    let second = replaceLeaf(ofRow: Int32(row), by: pieces, below: root, isRoot: true)
    if second >= 0 { root = makeInner([root, second]) }
  }

  /// Replaces a leaf by leaves with the same sums, and splits nodes that become too large.
  /// - Returns: a new right neighbour of `node`, or −1.
  private mutating func replaceLeaf(
    ofRow row: Int32, by pieces: [Int32], below node: Int32, isRoot: Bool = false
  ) -> Int32 {
    let slot = self[fanoutOf: node].slot(ofRow: row)
    var all = children(node)
    if self[node].level == 1 {
      release(all[slot])
      all.replaceSubrange(slot...slot, with: pieces)
      let minimum = isRoot ? 2 : Self.minimumFanout
      melt(&all, at: slot + pieces.count - 1, keeping: minimum)
      if slot > 0 { melt(&all, at: slot - 1, keeping: minimum) }
    } else {
      let rest = slot > 0 ? row - self[fanoutOf: node].rows[slot - 1] : row
      let second = replaceLeaf(ofRow: rest, by: pieces, below: all[slot])
      guard second >= 0 else { return -1 }
      all.insert(second, at: slot + 1)
    }
    return distribute(all, over: node).1
  }

  /// Merges a leaf with the next one if rule 5 of ``HeightTree`` allows it and enough children
  /// remain.
  private mutating func melt(_ all: inout [Int32], at index: Int, keeping minimum: Int) {
    guard index + 1 < all.count, all.count > minimum else { return }
    let (first, second) = joinLeaves(all[index], all[index + 1])
    guard second < 0 else { return }
    all[index] = first
    all.remove(at: index + 1)
  }
}
