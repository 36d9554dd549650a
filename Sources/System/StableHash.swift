/// A hash that is the same in every run, for names of files, posts without an id and the keys of
/// items: two 64-bit FNV-1a hashes (Fowler, Noll and Vo) with different initial values, the second
/// over bytes XOR 0x5A. It prevents accidental collisions, not deliberate ones.
package struct StableHash: Sendable {
  package private(set) var low: UInt64 = 0xCBF2_9CE4_8422_2325
  package private(set) var high: UInt64 = 0x8422_2325_CBF2_9CE4

  package init() {}

  /// Adds a text and a separator: `ab`, `c` and `a`, `bc` have different hashes.
  package mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte) }
    // No byte of UTF-8 has this value.
    combine(0xFF as UInt8)
  }

  package mutating func combine(_ byte: UInt8) {
    low = (low ^ UInt64(byte)) &* 0x100_0000_01B3
    high = (high ^ UInt64(byte ^ 0x5A)) &* 0x100_0000_01B3
  }

  /// 32 hexadecimal digits.
  package var text: String { high.hexadecimal + low.hexadecimal }

  /// 16 bytes.
  package var bytes: [UInt8] {
    [high, low].flatMap { number in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
  }
}

extension UnsignedInteger where Self: FixedWidthInteger {
  /// All its hexadecimal digits, leading zeros included.
  package var hexadecimal: String {
    let text = String(self, radix: 16)
    return String(repeating: "0", count: Self.bitWidth / 4 - text.count) + text
  }
}
