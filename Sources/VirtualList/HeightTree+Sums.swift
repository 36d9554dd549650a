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
    guard Int(node.count) > Int(node.measuredCount) else { return sum }
    HeightNode.forEachKind(in: node.kindMask) {
      sum += Int64(node.kinds[$0]) * estimates.means[$0]
    }
    return sum
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

  /// Recomputes an inner node's summary from its children. - Complexity: O(fanout)
  mutating func recompute(_ node: Int32) {
    var sum = nodes[Int(node)]
    sum.clearSummary()
    sum.epoch = epoch
    sum.width = Int32(width)
    let children = fanouts[Int(sum.payload)]
    for index in 0..<Int(sum.used) { sum.add(summary(children[index])) }
    nodes[Int(node)] = sum
  }
}
