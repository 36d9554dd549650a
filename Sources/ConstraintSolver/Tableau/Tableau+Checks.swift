/// Checks whether the weighted cells still balance (rule 6 of `Basis`) and the rules hold.
extension Tableau {
  /// Whether the weighted cells of every column add up to 0 within `tolerance`.
  ///
  /// - Complexity: O(rows · columns).
  func hasBalancedColumns(tolerance: Double) -> Bool {
    withUnsafeTemporaryAllocation(
      byteCount: vectors * MemoryLayout<SIMD8<Double>>.stride, alignment: 64
    ) { buffer in
      guard let start = buffer.baseAddress, vectors > 0 else { return true }
      let sums = start.bindMemory(to: Double.self, capacity: vectors * 8)
      for column in 0..<(vectors * 8) { sums[column] = weights.column(column) }
      let sum = UnsafeMutableRawPointer(sums).assumingMemoryBound(to: SIMD8<Double>.self)
      // Four rows at a time: the sums are read and written a quarter as often.
      let fours = rowCount & ~3
      for first in Swift.stride(from: 0, to: fours, by: 4) { addFourRows(from: first, to: sum) }
      for row in fours..<rowCount {
        let (factors, cells) = (factors(of: row), vector(of: row))
        for index in 0..<vectors { sum[index] += factors * cells[index] }
      }
      for column in 0..<columnCount where !(abs(sums[column]) <= tolerance) { return false }
      return true
    }
  }

  /// sums += weight · row for the four rows from `first` on.
  @inline(__always)
  private func addFourRows(from first: Int, to sums: UnsafeMutablePointer<SIMD8<Double>>) {
    let rows = (
      vector(of: first), vector(of: first + 1), vector(of: first + 2), vector(of: first + 3)
    )
    let factors = (
      factors(of: first), factors(of: first + 1), factors(of: first + 2), factors(of: first + 3)
    )
    for index in 0..<vectors {
      let former = factors.0 * rows.0[index] + factors.1 * rows.1[index]
      let latter = factors.2 * rows.2[index] + factors.3 * rows.3[index]
      sums[index] += former + latter
    }
  }

  @inline(__always) private func factors(of row: Int) -> SIMD8<Double> {
    SIMD8(repeating: weights.row(row))
  }

  #if DEBUG
    /// The first violation of rule 2 or of the rule of `RowValues`, or `nil`.
    func brokenRule() -> String? {
      for row in 0..<rowCount {
        for column in columnCount..<stride where self.row(row)[column] != 0 {
          return "padding at \(row), \(column) is not zero"
        }
      }
      for row in 0..<rowCount where !values.mayBeViolated && values.isViolated(row) {
        return "row \(row) is out of its bounds unnoticed"
      }
      return nil
    }
  #endif
}
