extension HeightTree {
  /// Fixed-point lines of all rows before `row`.
  /// - Precondition: `row` is in `0...count`.
  /// - Complexity: O(log n)
  public func offset(ofRow row: Int) -> FixedLines {
    precondition(row >= 0 && row <= count, "row outside the tree")
    guard row > 0 else { return 0 }
    guard row < count else { return totalFixed }
    var (linear, area): (FixedLines, Int64) = (0, 0)
    var node = root
    var rest = row
    while nodes[Int(node)].form == .inner {
      let fanout = fanouts[Int(nodes[Int(node)].payload)]
      var child = 0
      while rest >= Int(nodes[Int(fanout[child])].count) {
        let sum = summary(fanout[child])
        linear += linearHeight(sum)
        area += sum.staleArea
        rest -= Int(sum.count)
        child += 1
      }
      node = fanout[child]
    }
    walk(node, upTo: rest) {
      linear += $0
      area += $1
      return true
    }
    return linear + staleHeight(area: area)
  }

  /// The row that covers an offset, and how far into it the offset lies; the last row past the end.
  /// Rows without height cover nothing. Nil where there are no rows.
  /// - Complexity: O(log n)
  public func row(atOffset offset: FixedLines) -> (row: Int, remainder: FixedLines)? {
    guard count > 0 else { return nil }
    var (linear, area): (FixedLines, Int64) = (0, 0)
    var (node, row) = (root, 0)
    while nodes[Int(node)].form == .inner {
      let used = Int(nodes[Int(node)].used)
      let fanout = fanouts[Int(nodes[Int(node)].payload)]
      var child = 0
      while child < used - 1 {
        let sum = summary(fanout[child])
        let (nextLinear, nextArea) = (linear + linearHeight(sum), area + sum.staleArea)
        guard nextLinear + staleHeight(area: nextArea) <= offset else { break }
        (linear, area) = (nextLinear, nextArea)
        row += Int(sum.count)
        child += 1
      }
      node = fanout[child]
    }
    let leaf = nodes[Int(node)]
    var index = 0
    if leaf.form == .gap {
      let mean = max(1, estimates.means[gapKind(node)])
      let before = linear + staleHeight(area: area)
      index = min(max(0, Int((offset - before) / mean)), Int(leaf.count) - 1)
      linear += Int64(index) * estimates.means[gapKind(node)]
    } else if isAllMeasured(leaf) {
      // The usual case by itself: no guesses, so lines are added as they are.
      let room = offset - linear - staleHeight(area: area)
      let lines = max(0, room >> HeightEstimates.fractionBits)
      var passed: Int64 = 0
      slabs.withEntries(leaf.payload, count: Int(leaf.count) - 1) { entries in
        for bits in entries {
          let next = passed + Int64(bits & ~HeightEntry.measuredBit)
          guard next <= lines else { return }
          passed = next
          index += 1
        }
      }
      linear += passed << HeightEstimates.fractionBits
    } else {
      walk(node, upTo: Int(leaf.count) - 1) {
        guard linear + $0 + staleHeight(area: area + $1) <= offset else { return false }
        linear += $0
        area += $1
        index += 1
        return true
      }
    }
    return (row + index, max(0, offset - linear - staleHeight(area: area)))
  }

  /// True for a packed leaf of rows that are all measured at this width, none of them oversized.
  private func isAllMeasured(_ leaf: HeightNode) -> Bool {
    leaf.epoch == epoch && leaf.measuredCount == leaf.count && overflow.isEmpty
  }

  /// Passes the (linear height, stale area) of a leaf's first rows, until `body` says stop; a gap's
  /// all at once.
  private func walk(_ leaf: Int32, upTo end: Int, _ body: (FixedLines, Int64) -> Bool) {
    let node = nodes[Int(leaf)]
    guard node.form == .packed else {
      _ = body(Int64(end) * estimates.means[gapKind(leaf)], 0)
      return
    }
    let isCurrent = node.epoch == epoch
    let heights = overflow.isEmpty ? nil : overflow[leaf]
    var next = 0
    slabs.withEntries(node.payload, count: end) { entries in
      for bits in entries {
        let entry = HeightEntry(bits: bits)
        let goesOn: Bool
        if let kind = entry.kind {
          goesOn = body(estimates.means[kind], 0)
        } else {
          var height = Int64(entry.low)
          if entry.isOverflow, let heights {
            height = Int64(heights[next])
            next += 1
          }
          if entry.isMeasured && isCurrent {
            goesOn = body(height << HeightEstimates.fractionBits, 0)
          } else {
            goesOn = body(0, height * Int64(entry.isMeasured ? node.width : node.staleWidth))
          }
        }
        guard goesOn else { return }
      }
    }
  }
}
