/// A hash of text that is the same in every run, for names of files and for posts without an id:
/// two 64-bit FNV-1a hashes (Fowler, Noll and Vo) with different initial values. It prevents
/// accidental collisions, not deliberate ones.
struct StableHash {
  private var low: UInt64 = 0xCBF2_9CE4_8422_2325
  private var high: UInt64 = 0x8422_2325_CBF2_9CE4

  /// Adds a text, distinguished from those before and after it.
  mutating func combine(_ text: some StringProtocol) {
    for byte in text.utf8 { combine(byte) }
    // Not a byte of UTF-8.
    combine(0xFF as UInt8)
  }

  private mutating func combine(_ byte: UInt8) {
    low = (low ^ UInt64(byte)) &* 0x100_0000_01B3
    high = (high ^ UInt64(byte ^ 0x5A)) &* 0x100_0000_01B3
  }

  /// 32 hexadecimal digits.
  var text: String { Self.digits(high) + Self.digits(low) }

  private static func digits(_ number: UInt64) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
