/// Passing whole values a word at a time.
///
/// A byte of a word is found by subtracting 1 from every byte of its difference: only that of an equal
/// byte, and of bytes above one, borrows into its highest bit, so the lowest mark is always right.
extension JSONScanner {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080
  private static let quotes = ones &* 0x22
  private static let backslashes = ones &* 0x5C
  private static let lineFeeds = ones &* 0x0A
  private static let openings = ones &* 0x7B
  private static let closings = ones &* 0x7D
  /// `[` and `]` with it are `{` and `}`.
  private static let braceBits = ones &* 0x20

  /// Marks of the bytes of `word` that are those of `pattern`.
  @inline(__always) private static func marks(_ word: UInt64, _ pattern: UInt64) -> UInt64 {
    let difference = word ^ pattern
    return (difference &- ones) & ~difference & highs
  }

  @inline(__always) private static func word(_ raw: UnsafeRawPointer, _ place: Int) -> UInt64 {
    UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  /// The byte after the object or array that begins at `start`; nil where none does, or where it is
  /// broken, nested deeper than 64, or within a word of the end of the bytes.
  ///
  /// - Complexity: O(n) in the value's bytes.
  func wholeEnd(from start: Int) -> Int? {
    guard let base = bytes.baseAddress, start < bytes.count, bytes[start] | 0x20 == 0x7B else {
      return nil
    }
    let raw = UnsafeRawPointer(base)
    let last = bytes.count - 8
    var place = start
    var depth = 0
    // A bit for each open bracket: set for a brace.
    var braces: UInt64 = 0
    while place <= last {
      let word = Self.word(raw, place)
      let folded = word | Self.braceBits
      let marks =
        Self.marks(word, Self.quotes) | Self.marks(folded, Self.openings)
        | Self.marks(folded, Self.closings)
      guard marks != 0 else {
        place &+= 8
        continue
      }
      place &+= marks.trailingZeroBitCount &>> 3
      let byte = raw.load(fromByteOffset: place, as: UInt8.self)
      place &+= 1
      if byte == UInt8(ascii: "\"") {
        guard let end = wholeStringEnd(raw, place) else { return nil }
        place = end
      } else if byte | 0x20 == 0x7B {
        depth &+= 1
        guard depth <= 64 else { return nil }
        braces = braces &<< 1 | UInt64(byte &>> 5 & 1)
      } else {
        guard braces & 1 == UInt64(byte &>> 5 & 1) else { return nil }
        braces &>>= 1
        depth &-= 1
        if depth == 0 { return place }
      }
    }
    return nil
  }

  /// The byte after the closing quote of a string whose first byte is at `start`; nil where a line break
  /// comes before it, or the end of the bytes within a word.
  func wholeStringEnd(_ raw: UnsafeRawPointer, _ start: Int) -> Int? {
    let last = bytes.count - 8
    var place = start
    while place <= last {
      let word = Self.word(raw, place)
      let marks =
        Self.marks(word, Self.quotes) | Self.marks(word, Self.backslashes)
        | Self.marks(word, Self.lineFeeds)
      guard marks != 0 else {
        place &+= 8
        continue
      }
      place &+= marks.trailingZeroBitCount &>> 3
      switch raw.load(fromByteOffset: place, as: UInt8.self) {
      case UInt8(ascii: "\""): return place &+ 1
      case UInt8(ascii: "\\"): place &+= 2
      default: return nil
      }
    }
    return nil
  }
}
