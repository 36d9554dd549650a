/// A hash of text that is the same in every run, for names of files and for posts without an id:
/// two of FNV-1a (Fowler, Noll and Vo) of 64 bits with different beginnings. It keeps apart what is
/// different by chance, not what somebody wants to be taken for something else.
struct StableHash {
  private var low: UInt64 = 0xCBF2_9CE4_8422_2325
  private var high: UInt64 = 0x8422_2325_CBF2_9CE4

  /// Takes a text in, told apart from what comes before and after it.
  mutating func combine(_ text: some StringProtocol) {
    for byte in text.utf8 { combine(byte) }
    // No byte of UTF-8.
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
