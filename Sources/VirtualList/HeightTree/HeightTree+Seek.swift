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
    var rest = Int32(row)
    while nodes[Int(node)].form == .inner {
      let payload = Int(nodes[Int(node)].payload)
      let slot = fanouts[payload].slot(ofRow: rest)
      if slot > 0 {
        if hasLines(nodes[Int(node)]) {
          linear += Int64(fanouts[payload].lines[slot - 1]) << HeightEstimates.fractionBits
        } else {
          for child in 0..<slot {
            let sum = summary(fanouts[payload].children[child])
            linear += linearHeight(sum)
            area += sum.staleArea
          }
        }
        rest -= fanouts[payload].rows[slot - 1]
      }
      node = fanouts[payload].children[slot]
    }
    walk(node, upTo: Int(rest)) {
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
      // The usual case by itself: no guesses, so lines are compared as they are.
      if hasLines(nodes[Int(node)]) { break }
      let used = Int(nodes[Int(node)].used)
      let fanout = fanouts[Int(nodes[Int(node)].payload)]
      var child = 0
      while child < used - 1 {
        let sum = summary(fanout.children[child])
        let (nextLinear, nextArea) = (linear + linearHeight(sum), area + sum.staleArea)
        guard nextLinear + staleHeight(area: nextArea) <= offset else { break }
        (linear, area) = (nextLinear, nextArea)
        row += Int(sum.count)
        child += 1
      }
      node = fanout.children[child]
    }
    let leaf = nodes[Int(node)]
    var index = 0
    if hasLines(leaf) {
      let room = max(0, offset - linear - staleHeight(area: area)) >> HeightEstimates.fractionBits
      let found = measuredRow(atLine: Int32(clamping: room), below: node)
      index = found.row
      linear += Int64(found.start) << HeightEstimates.fractionBits
    } else if leaf.form == .gap {
      let kind = gapKind(node)
      let room = max(0, offset - linear - staleHeight(area: area))
      let all = max(1, guess(leaf, kind))
      let last = Int(leaf.count) - 1
      index = min(Int(clamping: Int128(room) * Int128(leaf.count) / Int128(all)), last)
      // Shares are rounded down, so the division may be off by a row.
      while index > 0, guess(leaf, kind, rows: index) > room { index -= 1 }
      while index < last, guess(leaf, kind, rows: index + 1) <= room { index += 1 }
      linear += guess(leaf, kind, rows: index)
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

  /// True for a node whose rows are all measured at this width, none of them oversized, and few
  /// enough for running sums.
  @inline(__always)
  private func hasLines(_ node: HeightNode) -> Bool {
    node.epoch == epoch && node.measuredCount == node.count && overflow.isEmpty
      && node.measuredSum <= Int64(Int32.max)
  }

  /// The row that covers a line of a node that `hasLines`, counted from its first row, and the line
  /// at which it starts; the last row past the end.
  private func measuredRow(
    atLine line: Int32, below node: Int32
  ) -> (row: Int, start: Int32) {
    var (node, row, rest) = (node, Int32(0), line)
    for _ in 0..<nodes[Int(node)].level {
      let payload = Int(nodes[Int(node)].payload)
      let last = Int(nodes[Int(node)].used) - 1
      let slot = min(last, Fanout.lanes(of: fanouts[payload].lines, upTo: rest))
      if slot > 0 {
        rest -= fanouts[payload].lines[slot - 1]
        row += fanouts[payload].rows[slot - 1]
      }
      node = fanouts[payload].children[slot]
    }
    let last = Int(nodes[Int(node)].count) - 1
    let sums = blockSums[Int(nodes[Int(node)].blocks)].lines
    let block = min(last >> BlockSums.blockBits, Fanout.lanes(of: sums, upTo: rest))
    if block > 0 { rest -= sums[block - 1] }
    var index = block << BlockSums.blockBits
    slabs.withEntries(nodes[Int(node)].payload, count: last + 1) { entries in
      let end = min(last, index + (1 << BlockSums.blockBits) - 1)
      while index < end {
        let height = Int32(entries[index] & ~HeightEntry.measuredBit)
        guard height <= rest else { return }
        rest -= height
        index += 1
      }
    }
    return (Int(row) + index, line - rest)
  }

  /// Passes the (linear height, stale area) of a leaf's first rows, until `body` says stop; a gap's
  /// all at once.
  private func walk(_ leaf: Int32, upTo end: Int, _ body: (FixedLines, Int64) -> Bool) {
    let node = nodes[Int(leaf)]
    guard node.form == .packed else {
      _ = body(guess(node, gapKind(leaf), rows: end), 0)
      return
    }
    let isCurrent = node.epoch == epoch
    let heights = overflow.isEmpty ? nil : overflow[leaf]
    var next = 0
    // Rows of each kind passed so far: their shares of the text add up to it exactly.
    var passed = SIMD16<Int32>.zero
    slabs.withEntries(node.payload, count: end) { entries in
      for bits in entries {
        let entry = HeightEntry(bits: bits)
        let goesOn: Bool
        if let kind = entry.kind {
          let rows = Int(passed[kind])
          passed[kind] += 1
          goesOn = body(
            node.lengths[kind] == 0
              ? estimates.bases[kind]
              : guess(node, kind, rows: rows + 1) - guess(node, kind, rows: rows), 0)
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
