/// The measured lines of a packed leaf up to and with each of its sixteen blocks of 64 entries, so
/// that a row is found by one comparison and a walk through one block. Entries that are not
/// measured, or too large for an entry, are left out: the sums are used only where there are none.
struct BlockSums: Sendable {
  /// Entries of a block, a power of two.
  static let blockBits = 6

  var lines: SIMD16<Int32> = .zero

  init() {}

  init(_ entries: [UInt16]) { self = entries.withUnsafeBufferPointer { BlockSums($0) } }

  init(_ entries: UnsafeBufferPointer<UInt16>) {
    var sum: Int32 = 0
    for block in 0..<Fanout.capacity {
      let start = min(entries.count, block << Self.blockBits)
      // Without branches, for vector instructions: bit 15 as a mask over the other fifteen.
      for index in start..<min(entries.count, start + (1 << Self.blockBits)) {
        let entry = Int32(Int16(bitPattern: entries[index]))
        sum &+= entry & 0x7FFF & (entry &>> 31)
      }
      lines[block] = sum
    }
  }
}
