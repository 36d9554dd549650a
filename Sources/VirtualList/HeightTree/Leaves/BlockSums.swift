/// Running sums of the measured lines of a packed leaf's sixteen blocks of 64 entries, so that one
/// comparison and a walk through one block find a row. Unmeasured entries are left out, and
/// oversized ones count as `HeightEntry.overflowCode`: the sums are used only if there are neither.
struct BlockSums: Sendable {
  /// The binary logarithm of the entries in a block.
  static let blockBits = 6

  var lines: SIMD16<Int32> = .zero

  init() {}

  init(_ entries: [UInt16]) { self = entries.withUnsafeBufferPointer { BlockSums($0) } }

  init(_ entries: UnsafeBufferPointer<UInt16>) {
    var sum: Int32 = 0
    for block in 0..<Fanout.capacity {
      let start = min(entries.count, block << Self.blockBits)
      // Branchless, for vector instructions: bit 15 becomes a mask over the other fifteen.
      for index in start..<min(entries.count, start + (1 << Self.blockBits)) {
        let entry = Int32(Int16(bitPattern: entries[index]))
        sum &+= entry & 0x7FFF & (entry &>> 31)
      }
      lines[block] = sum
    }
  }
}
