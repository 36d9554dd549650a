@testable import VirtualList

/// The rows of a height tree as a plain array, and what the tree must say about them.
struct HeightTreeModel {
  enum Row: Equatable {
    case unmeasured(Int)
    /// A height that was measured earlier, zero or not.
    case stale(isZero: Bool)
    case measured(Int)
  }

  var rows: [Row]

  init(count: Int, kind: Int = 0) { rows = Array(repeating: .unmeasured(kind), count: count) }

  mutating func setWidth() {
    for index in rows.indices {
      if case .measured(let height) = rows[index] { rows[index] = .stale(isZero: height == 0) }
    }
  }

  mutating func invalidate(_ row: Int) {
    if case .measured(let height) = rows[row] { rows[row] = .stale(isZero: height == 0) }
  }

  /// What is wrong with `tree`, in words. Seeks from every `stride`th row on.
  func differences(from tree: borrowing HeightTree, stride: Int = 23) -> [String] {
    var found = tree.brokenInvariants()
    if tree.count != rows.count { return found + ["\(tree.count) rows, not \(rows.count)"] }
    // Offsets must agree with the heights the tree itself gives row by row.
    var linear: Int64 = 0
    var area: Int64 = 0
    var offset: Int64 = 0
    for (index, row) in rows.enumerated() {
      let isProbed = index % stride == 0
      if isProbed, tree.offset(ofRow: index) != offset { found.append("offset of row \(index)") }
      let height = tree.height(ofRow: index)
      switch (row, height) {
      case (.unmeasured(let kind), .unmeasured(let found)) where kind == found:
        linear += tree.estimates.base(ofKind: kind)
      case (.measured(let expected), .measured(let found)) where expected == found:
        linear += Int64(expected) << HeightEstimates.fractionBits
      case (.stale(let isZero), .stale(let height, let width)) where (height == 0) == isZero:
        area += Int64(height) * Int64(width)
      default: found.append("row \(index) is \(height), not \(row)")
      }
      let next = linear + tree.estimates.staleHeight(area: area, width: tree.width)
      // A row is found by the offsets it covers.
      let probes = isProbed && next > offset ? [offset, (offset + next) / 2, next - 1] : []
      for probe in probes {
        if tree.row(atOffset: probe)?.row != index {
          found.append("row at offset \(probe) is not \(index)")
        }
      }
      offset = next
    }
    // Measured rows are counted in any range.
    var measured = [0]
    for row in rows {
      if case .measured = row {
        measured.append((measured.last ?? 0) + 1)
      } else {
        measured.append(measured.last ?? 0)
      }
    }
    for first in Swift.stride(from: 0, through: rows.count, by: stride) {
      for range in [0..<first, first..<rows.count, first / 2..<first]
      where tree.measuredCount(ofRows: range)
        != measured[range.upperBound] - measured[range.lowerBound]
      {
        found.append("measured rows in \(range)")
      }
    }
    if tree.totalFixed != offset { found.append("total is \(tree.totalFixed), not \(offset)") }
    return found
  }
}
