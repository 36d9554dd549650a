extension HeightTree {
  /// A node's summary in the present epoch. - Complexity: O(1)
  func summary(_ node: Int32) -> HeightNode {
    var copy = nodes[Int(node)]
    copy.age(to: epoch, width: Int32(width))
    return copy
  }

  /// The part of a height that adds up exactly: what is measured, and the means.
  func linearHeight(_ node: HeightNode) -> FixedLines {
    var sum = node.measuredSum << HeightEstimates.fractionBits
    guard node.count > node.measuredCount else { return sum }
    HeightNode.forEachKind(in: node.kindMask) { sum += guess(node, $0) }
    return sum
  }

  /// What a node's unmeasured rows of one kind are taken for, all together.
  @inline(__always)
  func guess(_ node: HeightNode, _ kind: Int) -> FixedLines {
    Int64(node.kinds[kind]) * estimates.bases[kind]
      + Int64(node.lengths[kind]) * estimates.slopes[kind]
  }

  /// What the first `rows` of a leaf's unmeasured rows of one kind are taken for.
  func guess(_ leaf: HeightNode, _ kind: Int, rows: Int) -> FixedLines {
    let mean = Int64(rows) * estimates.bases[kind]
    guard leaf.lengths[kind] != 0 else { return mean }
    let text = Int128(leaf.lengths[kind]) * Int128(estimates.slopes[kind])
    return mean + Int64(text * Int128(rows) / Int128(max(1, leaf.kinds[kind])))
  }

  /// The guessed height of stale rows of `area` cells at the present width.
  func staleHeight(area: Int64) -> FixedLines {
    guard area != 0 else { return 0 }
    // In 128 bits: ten million rows of a thousand lines at 200 columns leave 64 behind.
    return Int64(Int128(area) * Int128(estimates.staleRatio) / Int128(width))
  }

  func fixedHeight(_ node: HeightNode) -> FixedLines {
    linearHeight(node) + staleHeight(area: node.staleArea)
  }
}
