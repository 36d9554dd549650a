import System

/// Character references (`&eacute;`, `&#233;`) in bytes, for ``RowPrefilter`` and
/// ``CharacterReferenceRepair``.
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
    guard end < bytes.count, bytes[end] == UInt8(ascii: ";") else {
      let word = String(decoding: name, as: UTF8.self)
      return NamedReferences.unterminatedPrefix(word) == nil ? .none : .uncertain
    }
    guard let value = character(named: name) else { return .uncertain }
    return .character(value, end: end + 1)
  }

  /// The numeric reference whose `&#` precedes `start`. Digits that follow a number beyond U+10FFFF
  /// do not change it.
  static func number(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Reference {
    let isHexadecimal = start < bytes.count && bytes[start] | 0x20 == UInt8(ascii: "x")
    var end = start + (isHexadecimal ? 1 : 0)
    let first = end
    var value: UInt32 = 0
    while end < bytes.count, let digit = bytes[end].hexadecimalValue, isHexadecimal || digit < 10 {
      if value <= 0x10FFFF { value = value * (isHexadecimal ? 16 : 10) + UInt32(digit) }
      end += 1
    }
    guard end > first else { return .none }
    if end < bytes.count, bytes[end] == UInt8(ascii: ";") { end += 1 }
    return .character(value, end: end)
  }

  /// Characters that are no letters, and `&` itself. The case of their names makes no difference: a
  /// search reads a reference as its own letters, too.
  private static let signs = [ElementName: UInt32](names: [
    (0x26, "amp"), (0x3C, "lt"), (0x3E, "gt"), (0x22, "quot"), (0x27, "apos"), (0xA0, "nbsp"),
    (0x2019, "rsquo"), (0x2018, "lsquo"), (0x201D, "rdquo"), (0x201C, "ldquo"), (0x2013, "ndash"),
    (0x2014, "mdash"), (0x2026, "hellip"), (0xAB, "laquo"), (0xBB, "raquo"), (0x2022, "bull"),
    (0xB7, "middot"), (0xA9, "copy"), (0xAE, "reg"), (0x20AC, "euro"), (0xA3, "pound"),
    (0xB0, "deg"), (0xD7, "times"), (0xAD, "shy"),
  ])
  /// Endings of the names of accented letters, behind the letter.
  private static let accents: Set<ElementName> = [
    "acute", "grave", "circ", "tilde", "uml", "ring", "cedil", "slash", "caron",
  ]

  /// The character that a complete name stands for in a search; the plain letter for an accented
  /// one.
  private static func character(named name: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32? {
    if let sign = signs[ElementName(name)] { return sign }
    guard let letter = name.first, accents.contains(ElementName(name.dropFirst())) else {
      return nil
    }
    return UInt32(letter | 0x20)
  }
}
