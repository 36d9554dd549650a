/// Inserting and removing rows within one leaf, without splitting or joining trees.
extension HeightArena {
  /// Inserts rows before `row` into the leaf that holds it, or at the end into the last leaf.
  /// - Returns: whether they fit into that leaf.
  mutating func grow(
    by count: Int, _ kind: Int, _ length: Int32, at row: Int, below root: Int32
  ) -> Bool {
    let inside = min(row, Int(self[root].count) - 1)
    let location = locate(inside, below: root)
    let (leaf, index) = (location.leaf, location.index + row - inside)
    let node = self[leaf]
    let rows = Int32(clamping: count)
    switch node.form {
    case .gap
    where Self.melts(gap: node, HeightNode(gapOf: rows, kind: kind, length: length)):
      change(leaf, row: inside, below: root) { $0.resizeGap(leaf, by: rows, length: length) }
    case .packed
    where count <= Self.smallGap && Int(node.count) + count <= PackedLeaves.capacity:
      change(leaf, row: inside, below: root) {
        $0.insert(kind: kind, count: count, length: length, at: index, of: leaf)
      }
    default: return false
    }
    return true
  }

  /// Removes rows from one leaf if it holds all of them and enough rows remain in it.
  /// - Returns: whether it has.
  mutating func shrink(by rows: Range<Int>, below root: Int32) -> Bool {
    let location = locate(rows.lowerBound, below: root)
    let leaf = location.leaf
    let node = self[leaf]
    let left = Int(node.count) - rows.count
    guard location.index <= left else { return false }
    if node.form == .gap, left > Self.smallGap {
      let gone = Int32(rows.count)
      let length = node.share(ofKind: node.gapKind, rows: gone)
      change(leaf, row: rows.lowerBound, below: root) {
        $0.resizeGap(leaf, by: -gone, length: -length)
      }
    } else if node.form == .packed, left >= PackedLeaves.capacity / 4 {
      var rest = content(leaf)
      rest.remove(location.index..<location.index + rows.count)
      change(leaf, row: rows.lowerBound, below: root) { $0.setContent(rest, of: leaf) }
    } else {
      return false
    }
    return true
  }
}
