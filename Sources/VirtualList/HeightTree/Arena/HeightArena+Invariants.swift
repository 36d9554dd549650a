extension HeightArena {
  /// Descriptions of violated invariants of the free nodes and of those below `root`; empty if all
  /// hold.
  /// - Complexity: O(rows in packed leaves + nodes)
  func brokenInvariants(below root: Int32, _ estimates: HeightEstimates) -> [String] {
    var check = Check(arena: self, estimates: estimates)
    if root >= 0 { check.visit(root, isRoot: true) }
    let (used, free) = (check.seen.count, freeCount)
    if free + used != nodeCount {
      check.broken.append("\(nodeCount) nodes, but \(used) in use and \(free) free")
    }
    for leaf in leaves.overflowing where !check.seen.contains(leaf) {
      check.broken.append("overflow list of node \(leaf), which is not in use")
    }
    return check.broken
  }

  /// One pass over all nodes, from left to right.
  private struct Check {
    let arena: HeightArena
    let estimates: HeightEstimates
    var broken: [String] = []
    var seen = Set<Int32>()
    /// The previous leaf.
    private var previous: HeightNode?

    init(arena: HeightArena, estimates: HeightEstimates) {
      self.arena = arena
      self.estimates = estimates
    }

    mutating func visit(_ index: Int32, isRoot: Bool) {
      let node = arena[index]
      if !seen.insert(index).inserted { broken.append("node \(index) is reached twice") }
      if node.count <= 0 { broken.append("node \(index) has \(node.count) rows") }
      switch node.form {
      case .free: broken.append("node \(index) is in use and free")
      case .gap, .packed:
        if node.level != 0 { broken.append("leaf \(index) at level \(node.level)") }
        if node.form == .gap { visitGap(index, node) } else { visitPacked(index, node) }
        previous = node
      case .inner: visitInner(index, node, isRoot)
      }
    }

    private mutating func visitGap(_ index: Int32, _ node: HeightNode) {
      if node.kinds[node.gapKind] != node.count { broken.append("gap \(index) of many kinds") }
      if let previous, previous.form == .gap, previous.gapKind == node.gapKind,
        min(previous.count, node.count) <= HeightArena.smallGap
      {
        broken.append("gap \(index) and the one before it are of one kind and not merged")
      }
    }

    private mutating func visitInner(_ index: Int32, _ node: HeightNode, _ isRoot: Bool) {
      let children = arena.children(index)
      let minimum = isRoot ? 2 : HeightArena.minimumFanout
      if children.count < minimum || children.count > HeightArena.maximumFanout {
        broken.append("node \(index) has \(children.count) children")
      }
      var sum = arena.summary(index)
      sum.clearSummary()
      checkFanout(index, node, children)
      for child in children {
        if arena[child].level + 1 != node.level {
          broken.append("node \(child) is not one level below node \(index)")
        }
        visit(child, isRoot: false)
        sum.add(arena.summary(child))
      }
      if !sum.hasSums(of: arena.summary(index)) {
        broken.append("node \(index) does not sum up its children")
      }
    }

    /// Checks the running sums of an inner node; those of lines only if it is of the present epoch.
    private mutating func checkFanout(_ index: Int32, _ node: HeightNode, _ children: [Int32]) {
      let fanout = arena[fanoutOf: index]
      var (rows, lines): (Int32, Int32) = (0, 0)
      for lane in 0..<Fanout.capacity {
        if lane < children.count {
          rows += arena[children[lane]].count
          lines &+= Int32(truncatingIfNeeded: arena.summary(children[lane]).measuredSum)
        }
        if fanout.rows[lane] != rows || node.epoch == arena.epoch && fanout.lines[lane] != lines {
          broken.append("node \(index) has wrong running sums")
          return
        }
      }
      if node.epoch != arena.epoch, children.contains(where: { arena[$0].epoch == arena.epoch }) {
        broken.append("node \(index) is of an earlier epoch than a child")
      }
    }

    private mutating func visitPacked(_ index: Int32, _ node: HeightNode) {
      if node.count > PackedLeaves.capacity {
        broken.append("leaf \(index) has \(node.count) rows")
      }
      if EntrySlabs.units(Int(node.count)) != Int(node.used) {
        broken.append("leaf \(index) of \(node.count) rows has \(node.used) units")
      }
      // As stored, before ageing.
      let raw = arena.leaves.content(of: index, node)
      if arena.leaves.lines(ofBlocks: node.blocks) != BlockSums(raw.entries).lines {
        broken.append("leaf \(index) has wrong block sums")
      }
      if (0..<HeightEstimates.kindCount).contains(where: {
        node.lengths[$0] > 0 && node.kinds[$0] == 0
          || node.lengths[$0] < estimates.lowestLength(ofKind: $0) * node.kinds[$0]
      }) {
        broken.append("leaf \(index) has text without rows, or less than its minimum")
      }
      if raw.overflowIndex(before: raw.entries.count) != raw.overflow.count {
        broken.append("leaf \(index) has \(raw.overflow.count) overflowing heights")
        return
      }
      var sum = node
      raw.summarize(into: &sum)
      if !sum.hasSums(of: node) { broken.append("leaf \(index) does not sum up its rows") }
    }
  }
}

extension HeightNode {
  fileprivate func hasSums(of other: HeightNode) -> Bool {
    kinds == other.kinds && lengths == other.lengths && measuredSum == other.measuredSum
      && staleArea == other.staleArea && count == other.count
      && measuredCount == other.measuredCount
  }
}
