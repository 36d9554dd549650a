import System

/// Character references (`&eacute;`, `&#233;`) in bytes, for ``RowPrefilter``,
/// ``CharacterReferenceRepair`` and ``BareMarkupRepair``.
enum CharacterReferenceReader {
  enum Reference {
    case none
    /// The character, and the offset behind the reference.
    case character(UInt32, end: Int)
    /// The character is unknown here.
    case uncertain
  }

  /// Longest name of a reference, in bytes.
  private static let longestName = 32

  /// The reference whose `&` precedes `start`.
  static func reference(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Reference {
    guard start < bytes.count else { return .none }
    if bytes[start] == UInt8(ascii: "#") { return number(in: bytes, at: start + 1) }
    var end = start
    while end < bytes.count, end - start < longestName, bytes[end].isAlphanumeric { end += 1 }
    guard end > start else { return .none }
    let name = bytes[start..<end]
    let isEnded = end < bytes.count && bytes[end] == UInt8(ascii: ";")
    if let value = character(named: name, isEnded: isEnded) {
      return isEnded ? .character(value, end: end + 1) : .uncertain
    }
    return isEnded ? .uncertain : .none
  }

  /// The numeric reference whose `&#` precedes `start`.
  static func number(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Reference {
    let isHexadecimal = start < bytes.count && bytes[start] | 0x20 == UInt8(ascii: "x")
    var end = start + (isHexadecimal ? 1 : 0)
    let first = end
    var value: UInt32 = 0
    while end < bytes.count, end - first < 8, let digit = bytes[end].hexadecimalValue,
      isHexadecimal || digit < 10
    {
      value = value * (isHexadecimal ? 16 : 10) + UInt32(digit)
      end += 1
    }
    guard end > first else { return .none }
    if end < bytes.count, bytes[end] == UInt8(ascii: ";") {
      end += 1
    } else if end - first == 8 {
      return .uncertain
    }
    return .character(value, end: end)
  }

  /// Whether a name, which is case-sensitive, is one of the five that XML predefines.
  static func isPredefined(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard name.allSatisfy({ $0 & 0x20 != 0 }) else { return false }
    switch ElementName(name) {
    case "amp", "lt", "gt", "quot", "apos": return true
    default: return false
    }
  }

  /// The value of the four digits of an escape.
  static func hexadecimal(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt32? {
    guard start + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for index in start..<start + 4 {
      guard let digit = bytes[index].hexadecimalValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Characters that are no letters, and `&` itself.
  private static let signs: [(name: StaticString, value: UInt32)] = [
    ("amp", 0x26), ("lt", 0x3C), ("gt", 0x3E), ("quot", 0x22), ("apos", 0x27), ("nbsp", 0xA0),
    ("rsquo", 0x2019), ("lsquo", 0x2018), ("rdquo", 0x201D), ("ldquo", 0x201C),
    ("ndash", 0x2013), ("mdash", 0x2014), ("hellip", 0x2026), ("laquo", 0xAB), ("raquo", 0xBB),
    ("bull", 0x2022), ("middot", 0xB7), ("copy", 0xA9), ("reg", 0xAE), ("euro", 0x20AC),
    ("pound", 0xA3), ("deg", 0xB0), ("times", 0xD7), ("shy", 0xAD),
  ]
  /// Endings of the names of accented letters, behind the letter.
  private static let accents: [StaticString] = [
    "acute", "grave", "circ", "tilde", "uml", "ring", "cedil", "slash", "caron",
  ]
  /// Names of other letters and signs, with which a reference without a semicolon may begin.
  private static let letters: [StaticString] = [
    "aelig", "szlig", "eth", "thorn", "ordf", "ordm", "micro", "sup", "frac", "shy", "not", "acute",
    "brvbar", "cedil", "cent", "curren", "divide", "iexcl", "iquest", "macr", "para", "plusmn",
    "sect",
    "uml", "yen",
  ]

  /// The character that a name stands for in a search; the plain letter for an accented one.
  ///
  /// - Parameter isEnded: whether the name is complete; otherwise a known name at its beginning
  ///   counts.
  private static func character(
    named name: Slice<UnsafeBufferPointer<UInt8>>, isEnded: Bool
  ) -> UInt32? {
    for (sign, value) in signs where matches(name, sign, isWhole: isEnded) { return value }
    if let first = name.first {
      for accent in accents where matches(name.dropFirst(), accent, isWhole: isEnded) {
        return UInt32(first | 0x20)
      }
    }
    guard !isEnded else { return nil }
    for letter in letters where matches(name, letter, isWhole: false) { return 0 }
    return nil
  }

  private static func matches(
    _ name: Slice<UnsafeBufferPointer<UInt8>>, _ other: StaticString, isWhole: Bool
  ) -> Bool {
    let count = other.utf8CodeUnitCount
    guard isWhole ? name.count == count : name.count >= count else { return false }
    // References without a semicolon may be in capitals, too.
    let letterCase: UInt8 = isWhole ? 0 : 0x20
    let letters = UnsafeBufferPointer(start: other.utf8Start, count: count)
    return zip(name, letters).allSatisfy { letter, expected in letter | letterCase == expected }
  }
}
