extension HeightTree {
  /// What stands before a row, for regions: fixed-point lines that are measured or remembered, and
  /// guessed ones; the unmeasured rows, and their text in length units.
  struct Parts {
    var known = 0.0
    var guessed = 0.0
    var rows = 0.0
    var text = 0.0
  }

  /// The parts of all rows before `row`. Inside a leaf they count as evenly spread.
  /// - Complexity: O(log n)
  func parts(before row: Int) -> Parts {
    var parts = Parts()
    guard row > 0, root >= 0 else { return parts }
    var (node, rest) = (root, Int32(min(row, count)))
    while nodes[Int(node)].form == .inner, rest < nodes[Int(node)].count {
      let fanout = fanouts[Int(nodes[Int(node)].payload)]
      let slot = fanout.slot(ofRow: rest)
      for child in 0..<slot { add(summary(fanout.children[child]), to: &parts) }
      if slot > 0 { rest -= fanout.rows[slot - 1] }
      node = fanout.children[slot]
    }
    let leaf = summary(node)
    add(leaf, to: &parts, share: Double(rest) / Double(max(1, leaf.count)))
    return parts
  }

  private func add(_ node: HeightNode, to parts: inout Parts, share: Double = 1) {
    let guessed = linearHeight(node) - node.measuredSum << HeightEstimates.fractionBits
    parts.known += Double(fixedHeight(node) - guessed) * share
    parts.guessed += Double(guessed) * share
    HeightNode.forEachKind(in: node.kindMask) {
      parts.rows += Double(node.kinds[$0]) * share
      parts.text += Double(node.lengths[$0]) * share
    }
  }

  /// What a unit of text adds to an unmeasured row, on average over kinds, in fixed-point lines.
  var meanSlope: Double {
    guard root >= 0 else { return 0 }
    let node = nodes[Int(root)]
    var (sum, rows) = (0.0, 0.0)
    HeightNode.forEachKind(in: node.kindMask) {
      sum += Double(node.kinds[$0]) * Double(estimates.slopes[$0])
      rows += Double(node.kinds[$0])
    }
    return rows > 0 ? sum / rows : 0
  }
}
