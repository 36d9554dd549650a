/// Splitting and joining trees, after Blelloch, Ferizovic and Sun, *Just Join for Parallel Ordered
/// Sets* (2016), here by position in B+ trees.
extension HeightArena {
  /// Splits a tree before its row `row`; −1 stands for an empty tree. At each level it joins the
  /// parts that it cut off.
  /// - Complexity: O(log² n)
  mutating func split(_ node: Int32, at row: Int) -> (Int32, Int32) {
    guard node >= 0, row > 0 else { return (-1, node) }
    guard row < Int(self[node].count) else { return (node, -1) }
    switch self[node].form {
    case .gap:
      let kind = self[node].gapKind
      let rest = self[node].count - Int32(row)
      let length = self[node].share(ofKind: kind, rows: rest)
      resizeGap(node, by: -rest, length: -length)
      return (node, makeGap(kind: kind, count: Int(rest), length: length))
    case .packed:
      var head = content(node)
      let tail = head.split(at: row)
      setContent(head, of: node)
      return (node, makePacked(tail))
    case .inner, .free:
      let all = children(node)
      release(node)
      var index = 0
      var rest = row
      while rest >= Int(self[all[index]].count) {
        rest -= Int(self[all[index]].count)
        index += 1
      }
      guard rest > 0 else { return (group(all[..<index]), group(all[index...])) }
      let (head, tail) = split(all[index], at: rest)
      return (join(group(all[..<index]), head), join(tail, group(all[(index + 1)...])))
    }
  }

  private mutating func group(_ children: ArraySlice<Int32>) -> Int32 {
    guard let first = children.first else { return -1 }
    return children.count == 1 ? first : makeInner(Array(children))
  }

  /// Joins two trees into one; leaves that meet merge if possible.
  /// - Complexity: O(greater depth)
  mutating func join(_ left: Int32, _ right: Int32) -> Int32 {
    guard left >= 0 else { return right }
    guard right >= 0 else { return left }
    let (a, b) = concatenate(left, right)
    return b < 0 ? a : makeInner([a, b])
  }

  /// Returns one or two nodes, at the higher level of the two, that hold the rows of both.
  private mutating func concatenate(_ left: Int32, _ right: Int32) -> (Int32, Int32) {
    let (a, b) = (self[left].level, self[right].level)
    if a == b { return a == 0 ? joinLeaves(left, right) : joinInner(left, right) }
    if a > b {
      var all = children(left)
      let (first, second) = concatenate(all[all.count - 1], right)
      all[all.count - 1] = first
      if second >= 0 { all.append(second) }
      return distribute(all, over: left)
    }
    var all = children(right)
    let (first, second) = concatenate(left, all[0])
    all[0] = first
    if second >= 0 { all.insert(second, at: 1) }
    return distribute(all, over: right)
  }

  /// Joins two nodes of one level; their edges meet at every level, and leaves may merge.
  private mutating func joinInner(_ left: Int32, _ right: Int32) -> (Int32, Int32) {
    var all = children(left)
    let others = children(right)
    let (first, second) = concatenate(all[all.count - 1], others[0])
    all[all.count - 1] = first
    if second >= 0 { all.append(second) }
    all += others.dropFirst()
    release(right)
    return distribute(all, over: left)
  }

  /// Puts 1...32 children into `node` and, if they are too many, into a new right neighbour.
  mutating func distribute(_ all: [Int32], over node: Int32) -> (Int32, Int32) {
    guard all.count > Self.maximumFanout else {
      setChildren(all, of: node)
      return (node, -1)
    }
    let half = all.count / 2
    setChildren(Array(all[..<half]), of: node)
    return (node, makeInner(Array(all[half...])))
  }

  // MARK: Leaves

  /// Merges two neighbouring leaves if rule 5 of ``HeightTree`` allows it.
  /// - Returns: the merged leaf and −1, or both leaves unchanged.
  mutating func joinLeaves(_ left: Int32, _ right: Int32) -> (Int32, Int32) {
    let (a, b) = (self[left], self[right])
    if a.form == .gap, b.form == .gap {
      guard Self.melts(gap: a, b) else { return (left, right) }
      resizeGap(left, by: b.count, length: b.lengths[b.gapKind])
      release(right)
      return (left, -1)
    }
    guard Self.melts(packed: a, b) else { return (left, right) }
    var melted = packedContent(left)
    melted.append(packedContent(right))
    let (kept, gone) = a.form == .packed ? (left, right) : (right, left)
    setContent(melted, of: kept)
    release(gone)
    return (kept, -1)
  }

  /// The rows of a leaf of either form as packed content.
  private func packedContent(_ leaf: Int32) -> LeafContent {
    let node = self[leaf]
    guard node.form == .gap else { return content(leaf) }
    return LeafContent(
      kind: node.gapKind, count: Int(node.count), length: node.lengths[node.gapKind],
      staleWidth: Int32(width))
  }

  /// Whether two neighbouring gaps merge.
  static func melts(gap a: HeightNode, _ b: HeightNode) -> Bool {
    a.gapKind == b.gapKind && (min(a.count, b.count) <= smallGap || a.hasTextLike(b))
  }

  /// Whether two neighbouring leaves, not both of them gaps, merge into one packed leaf.
  private static func melts(packed a: HeightNode, _ b: HeightNode) -> Bool {
    guard !a.isLargeGap, !b.isLargeGap else { return false }
    let count = Int(a.count) + Int(b.count)
    return count <= PackedLeaves.capacity / 2
      || count <= PackedLeaves.capacity && a.hasTextLike(b)
  }
}

extension HeightNode {
  fileprivate var isLargeGap: Bool { form == .gap && count > HeightArena.smallGap }
}
