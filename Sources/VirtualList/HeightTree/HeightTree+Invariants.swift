extension HeightTree {
  /// Everything that must hold of the structure at all times, in words; empty when it does. Tests
  /// call it after every change.
  /// - Complexity: O(rows in packed leaves + nodes)
  public func brokenInvariants() -> [String] {
    var broken: [String] = []
    var seen = Set<Int32>()
    var previous: Int32 = -1
    if root >= 0 { check(root, isRoot: true, &broken, &seen, &previous) }
    var free = 0
    var next = freeNode
    while next >= 0, free <= nodes.count {
      free += 1
      next = nodes[Int(next)].payload
    }
    if free + seen.count != nodes.count {
      broken.append("\(nodes.count) nodes, but \(seen.count) in use and \(free) free")
    }
    for leaf in overflow.keys where !seen.contains(leaf) {
      broken.append("overflow list of node \(leaf), which is not in use")
    }
    return broken
  }

  private func check(
    _ index: Int32, isRoot: Bool, _ broken: inout [String], _ seen: inout Set<Int32>,
    _ previous: inout Int32
  ) {
    let node = nodes[Int(index)]
    if !seen.insert(index).inserted { broken.append("node \(index) is reached twice") }
    if node.count <= 0 { broken.append("node \(index) has \(node.count) rows") }
    switch node.form {
    case .free: broken.append("node \(index) is in use and free")
    case .gap:
      if node.level != 0 { broken.append("gap \(index) at level \(node.level)") }
      if node.kinds[gapKind(index)] != node.count { broken.append("gap \(index) of many kinds") }
      if previous >= 0, nodes[Int(previous)].form == .gap, gapKind(previous) == gapKind(index),
        min(nodes[Int(previous)].count, node.count) <= Self.smallGap
      {
        broken.append("gaps \(previous) and \(index) of one kind are neighbours")
      }
      previous = index
    case .packed:
      checkPacked(index, &broken)
      previous = index
    case .inner:
      let children = children(index)
      let minimum = isRoot ? 2 : Self.minimumFanout
      if children.count < minimum || children.count > Self.maximumFanout {
        broken.append("node \(index) has \(children.count) children")
      }
      var sum = summary(index)
      sum.clearSummary()
      checkFanout(index, children, &broken)
      for child in children {
        if nodes[Int(child)].level + 1 != node.level {
          broken.append("node \(child) is not one level below node \(index)")
        }
        check(child, isRoot: false, &broken, &seen, &previous)
        sum.add(summary(child))
      }
      if !Self.sameSums(sum, summary(index)) {
        broken.append("node \(index) does not sum up its children")
      }
    }
  }

  /// The running sums of an inner node, its lines where they are of this epoch.
  private func checkFanout(_ index: Int32, _ children: [Int32], _ broken: inout [String]) {
    let node = nodes[Int(index)]
    let fanout = fanouts[Int(node.payload)]
    var (rows, lines): (Int32, Int32) = (0, 0)
    for lane in 0..<Fanout.capacity {
      if lane < children.count {
        rows += nodes[Int(children[lane])].count
        let sum = summary(children[lane]).measuredSum
        lines &+= Int32(truncatingIfNeeded: sum)
      }
      if fanout.rows[lane] != rows || node.epoch == epoch && fanout.lines[lane] != lines {
        broken.append("node \(index) has wrong running sums")
        return
      }
    }
    if node.epoch != epoch, children.contains(where: { nodes[Int($0)].epoch == epoch }) {
      broken.append("node \(index) is of an earlier epoch than what is below it")
    }
  }

  private func checkPacked(_ index: Int32, _ broken: inout [String]) {
    let node = nodes[Int(index)]
    if node.level != 0 { broken.append("leaf \(index) at level \(node.level)") }
    if node.count > Self.leafCapacity { broken.append("leaf \(index) has \(node.count) rows") }
    if EntrySlabs.units(Int(node.count)) != Int(node.used) {
      broken.append("leaf \(index) of \(node.count) rows has \(node.used) units")
    }
    // As written, before any ageing.
    var raw = LeafContent(staleWidth: node.staleWidth)
    raw.entries = slabs.entries(node.payload, count: Int(node.count))
    raw.overflow = overflow[index] ?? []
    raw.lengths = node.lengths
    if blockSums[Int(node.blocks)].lines != BlockSums(raw.entries).lines {
      broken.append("leaf \(index) has wrong block sums")
    }
    if (0..<HeightEstimates.kindCount).contains(where: {
      node.lengths[$0] > 0 && node.kinds[$0] == 0
        || node.lengths[$0] < estimates.lowestLength(ofKind: $0) * node.kinds[$0]
    }) {
      broken.append("leaf \(index) has text without rows, or less than the least")
    }
    if raw.overflowIndex(before: raw.entries.count) != raw.overflow.count {
      broken.append("leaf \(index) has \(raw.overflow.count) overflowing heights")
      return
    }
    var sum = node
    raw.summarize(into: &sum)
    if !Self.sameSums(sum, node) { broken.append("leaf \(index) does not sum up its rows") }
  }

  private static func sameSums(_ a: HeightNode, _ b: HeightNode) -> Bool {
    a.kinds == b.kinds && a.lengths == b.lengths && a.measuredSum == b.measuredSum
      && a.staleArea == b.staleArea
      && a.count == b.count && a.measuredCount == b.measuredCount
  }
}
