/// Estimated heights of a node's rows, computed from its sums alone.
extension HeightEstimates {
  /// The height of a node's rows at `width`, in fixed-point lines.
  func height(of node: HeightNode, width: Int) -> Int64 {
    linearHeight(of: node) + staleHeight(area: node.staleArea, width: width)
  }

  /// The part of a height that adds up exactly: measured heights and estimates, without stale rows.
  func linearHeight(of node: HeightNode) -> Int64 {
    var sum = node.measuredSum << Self.fractionBits
    guard node.count > node.measuredCount else { return sum }
    HeightNode.forEachKind(in: node.kindMask) { sum += unmeasuredHeight(of: node, kind: $0) }
    return sum
  }

  /// The estimated height of all of a node's unmeasured rows of one kind.
  @inline(__always)
  func unmeasuredHeight(of node: HeightNode, kind: Int) -> Int64 {
    Int64(node.kinds[kind]) * base(ofKind: kind)
      + Int64(node.lengths[kind]) * slope(ofKind: kind)
  }

  /// The estimated height of the first `rows` of a leaf's unmeasured rows of one kind.
  func unmeasuredHeight(of leaf: HeightNode, kind: Int, rows: Int) -> Int64 {
    let mean = Int64(rows) * base(ofKind: kind)
    guard leaf.lengths[kind] != 0 else { return mean }
    let text = Int128(leaf.lengths[kind]) * Int128(slope(ofKind: kind))
    return mean + Int64(text * Int128(rows) / Int128(max(1, leaf.kinds[kind])))
  }

  /// The estimated height at `width` of stale rows with an area of `area` cells.
  @inline(__always)
  func staleHeight(area: Int64, width: Int) -> Int64 {
    guard area != 0 else { return 0 }
    // 128 bits, since ten million rows of a million lines at 200 columns exceed 64.
    return Int64(Int128(area) * Int128(staleRatio) / Int128(width))
  }
}
