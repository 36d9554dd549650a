/// From rows to offsets and back, in fixed-point lines.
///
/// Sums have two parts, as in the nodes: the linear height, and the area of stale rows, which is
/// divided by the width only at the end, so that rounding errors do not add up.
extension HeightArena {
  /// The lines before `row`, which is a row of the tree. - Complexity: O(log n)
  func offset(ofRow row: Int, below root: Int32, _ estimates: HeightEstimates) -> Int64 {
    var (linear, area): (Int64, Int64) = (0, 0)
    var node = root
    var rest = Int32(row)
    while self[node].form == .inner {
      let slot = self[fanoutOf: node].slot(ofRow: rest)
      if slot > 0 {
        if hasLines(self[node]) {
          linear += Int64(self[fanoutOf: node].lines[slot - 1]) << HeightEstimates.fractionBits
        } else {
          for child in 0..<slot {
            let sum = summary(self[fanoutOf: node].children[child])
            linear += estimates.linearHeight(of: sum)
            area += sum.staleArea
          }
        }
        rest -= self[fanoutOf: node].rows[slot - 1]
      }
      node = self[fanoutOf: node].children[slot]
    }
    walk(node, upTo: Int(rest), estimates) {
      linear += $0
      area += $1
      return true
    }
    return linear + estimates.staleHeight(area: area, width: width)
  }

  /// The number of rows before `row`, a row of the tree, that are measured at the present width.
  /// - Complexity: O(log n)
  func measuredCount(beforeRow row: Int, below root: Int32) -> Int {
    var (node, rest, count) = (root, Int32(row), 0)
    while self[node].form == .inner {
      let slot = self[fanoutOf: node].slot(ofRow: rest)
      for child in 0..<slot {
        count += Int(summary(self[fanoutOf: node].children[child]).measuredCount)
      }
      if slot > 0 { rest -= self[fanoutOf: node].rows[slot - 1] }
      node = self[fanoutOf: node].children[slot]
    }
    guard self[node].form == .packed, self[node].epoch == epoch else { return count }
    leaves.withEntries(of: self[node], count: Int(rest)) { entries in
      for bits in entries where HeightEntry(bits: bits).isMeasured { count += 1 }
    }
    return count
  }

  /// The row of a tree that covers an offset, and the offset within that row; past the end, the
  /// last row. Rows without height cover nothing. - Complexity: O(log n)
  func row(
    atOffset offset: Int64, below root: Int32, _ estimates: HeightEstimates
  ) -> (row: Int, remainder: Int64) {
    var (linear, area): (Int64, Int64) = (0, 0)
    var (node, row) = (root, 0)
    while self[node].form == .inner {
      // The usual case: all rows are measured, so lines are compared without estimates.
      if hasLines(self[node]) { break }
      let used = Int(self[node].used)
      let fanout = self[fanoutOf: node]
      var child = 0
      while child < used - 1 {
        let sum = summary(fanout.children[child])
        let nextLinear = linear + estimates.linearHeight(of: sum)
        let nextArea = area + sum.staleArea
        guard nextLinear + estimates.staleHeight(area: nextArea, width: width) <= offset else {
          break
        }
        (linear, area) = (nextLinear, nextArea)
        row += Int(sum.count)
        child += 1
      }
      node = fanout.children[child]
    }
    let room = max(0, offset - linear - estimates.staleHeight(area: area, width: width))
    var index = 0
    if hasLines(self[node]) {
      let line = Int32(clamping: room >> HeightEstimates.fractionBits)
      let found = measuredRow(atLine: line, below: node)
      index = found.row
      linear += Int64(found.start) << HeightEstimates.fractionBits
    } else if self[node].form == .gap {
      let found = Self.row(at: room, ofGap: self[node], estimates)
      index = found.row
      linear += found.start
    } else {
      walk(node, upTo: Int(self[node].count) - 1, estimates) {
        let stale = estimates.staleHeight(area: area + $1, width: width)
        guard linear + $0 + stale <= offset else { return false }
        linear += $0
        area += $1
        index += 1
        return true
      }
    }
    let start = linear + estimates.staleHeight(area: area, width: width)
    return (row + index, max(0, offset - start))
  }

  /// Whether all rows of a node are measured at this width, no leaf has an oversized height, and
  /// the node's lines fit into running sums.
  @inline(__always)
  private func hasLines(_ node: HeightNode) -> Bool {
    node.epoch == epoch && node.measuredCount == node.count && !leaves.hasOverflow
      && node.measuredSum <= Int64(Int32.max)
  }

  /// The row of a gap that covers `offset`, or the last row, and the height of the rows before it.
  @inline(__always)
  private static func row(
    at offset: Int64, ofGap gap: HeightNode, _ estimates: HeightEstimates
  ) -> (row: Int, start: Int64) {
    let kind = gap.gapKind
    let base = estimates.base(ofKind: kind)
    if gap.lengths[kind] == 0, base > 0 {
      let row = min(offset / base, Int64(gap.count) - 1)
      return (Int(row), row * base)
    }
    let all = max(1, estimates.unmeasuredHeight(of: gap, kind: kind))
    let last = Int(gap.count) - 1
    var row = min(Int(clamping: Int128(offset) * Int128(gap.count) / Int128(all)), last)
    // Shares are rounded down, so the division may be off by one row.
    while row > 0, estimates.unmeasuredHeight(of: gap, kind: kind, rows: row) > offset { row -= 1 }
    while row < last, estimates.unmeasuredHeight(of: gap, kind: kind, rows: row + 1) <= offset {
      row += 1
    }
    return (row, estimates.unmeasuredHeight(of: gap, kind: kind, rows: row))
  }

  /// The row that covers a line of a node for which `hasLines` holds, counted from its first row,
  /// and the line at which it starts; past the end, the last row.
  private func measuredRow(
    atLine line: Int32, below node: Int32
  ) -> (row: Int, start: Int32) {
    var (node, row, rest) = (node, Int32(0), line)
    for _ in 0..<self[node].level {
      let last = Int(self[node].used) - 1
      let slot = min(last, Fanout.lanes(of: self[fanoutOf: node].lines, upTo: rest))
      if slot > 0 {
        rest -= self[fanoutOf: node].lines[slot - 1]
        row += self[fanoutOf: node].rows[slot - 1]
      }
      node = self[fanoutOf: node].children[slot]
    }
    let last = Int(self[node].count) - 1
    let sums = leaves.lines(ofBlocks: self[node].blocks)
    let block = min(last >> BlockSums.blockBits, Fanout.lanes(of: sums, upTo: rest))
    if block > 0 { rest -= sums[block - 1] }
    var index = block << BlockSums.blockBits
    leaves.withEntries(of: self[node], count: last + 1) { entries in
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

  /// Passes the (linear height, stale area) of each of the leaf's first `end` rows to `body`, until
  /// it returns false; those of a gap in one call.
  private func walk(
    _ leaf: Int32, upTo end: Int, _ estimates: HeightEstimates,
    _ body: (Int64, Int64) -> Bool
  ) {
    let node = self[leaf]
    guard node.form == .packed else {
      _ = body(estimates.unmeasuredHeight(of: node, kind: node.gapKind, rows: end), 0)
      return
    }
    let isCurrent = node.epoch == epoch
    let heights = leaves.overflow(of: leaf)
    var next = 0
    // Rows of each kind so far: with these, the rows' shares of the text add up exactly.
    var passed = SIMD16<Int32>.zero
    leaves.withEntries(of: node, count: end) { entries in
      for bits in entries {
        let entry = HeightEntry(bits: bits)
        let goesOn: Bool
        if let kind = entry.kind {
          let rows = Int(passed[kind])
          passed[kind] += 1
          goesOn = body(
            node.lengths[kind] == 0
              ? estimates.base(ofKind: kind)
              : estimates.unmeasuredHeight(of: node, kind: kind, rows: rows + 1)
                - estimates.unmeasuredHeight(of: node, kind: kind, rows: rows), 0)
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
