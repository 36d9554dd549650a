import CUnistring
import System

/// Folds code points for searching, whatever form they are written in: without accents, in one
/// width, kana as hiragana, in lower case unless case counts.
///
/// Each is folded by itself, by libunistring, and the result is cached. Rules:
/// 1. Compatibility equivalents are the same: ﬁ and fi, Ａ and A, ｶﾞ and が.
/// 2. Marks above, below and through letters are removed; voicing marks of kana, vowel signs and
///    tones stay, since they make other words.
/// 3. Code points that are no part of words are removed: soft hyphens, joiners, selectors. White
///    space becomes a space, quotation marks and hyphens those of a keyboard.
package struct ScalarFolding: Sendable {
  /// The result of folding one code point.
  package enum Folded {
    case one(UInt32)
    case nothing
    case several([UInt32])
  }

  private let matchesCase: Bool
  /// By the upper bits of code points; a page is empty until one of its code points is looked up,
  /// and there are no pages before the first look: most foldings see ASCII alone.
  private var pages: [[UInt32]] = []
  private var sequences: [[UInt32]] = []

  private static let unknown = UInt32.max
  private static let nothing = UInt32.max - 1
  /// The flag of an index into `sequences`.
  private static let sequence: UInt32 = 1 << 31
  private static let pageBits: UInt32 = 8

  /// - Parameter matchesCase: whether capitals are kept.
  package init(matchesCase: Bool) {
    self.matchesCase = matchesCase
  }

  /// The folded form of code point `value`. - Complexity: O(1) once it was looked up.
  @inline(__always)
  package mutating func fold(_ value: UInt32) -> Folded {
    if value < 0x80 { return .one(ascii(value)) }
    // Most Han characters, which fold to themselves.
    if value >= 0x4E00, value < 0xA000 { return .one(value) }
    return lookUp(value)
  }

  @inline(__always) private func ascii(_ value: UInt32) -> UInt32 {
    if value < 0x21 { return value == 0x20 || (0x09...0x0D).contains(value) ? 0x20 : value }
    return !matchesCase && value &- 0x41 < 26 ? value | 0x20 : value
  }

  private mutating func lookUp(_ value: UInt32) -> Folded {
    let (page, place) = (Int(value >> Self.pageBits), Int(value & (1 << Self.pageBits - 1)))
    if pages.isEmpty { pages = Array(repeating: [], count: 0x110000 >> Self.pageBits) }
    guard page < pages.count else { return .one(value) }
    if pages[page].isEmpty {
      pages[page] = Array(repeating: Self.unknown, count: 1 << Self.pageBits)
    }
    var entry = pages[page][place]
    if entry == Self.unknown {
      entry = makeEntry(value)
      pages[page][place] = entry
    }
    if entry == Self.nothing { return .nothing }
    if entry & Self.sequence != 0 { return .several(sequences[Int(entry & ~Self.sequence)]) }
    return .one(entry)
  }

  private mutating func makeEntry(_ value: UInt32) -> UInt32 {
    let folded = decomposed(value).flatMap { Self.kept($0, matchesCase: matchesCase) }
    if folded.isEmpty { return Self.nothing }
    if folded.count == 1 { return folded[0] }
    sequences.append(folded)
    return Self.sequence | UInt32(sequences.count - 1)
  }

  /// A code point's decomposition, in lower case unless case counts; itself if that fails.
  private func decomposed(_ value: UInt32) -> [UInt32] {
    // No code point has more parts.
    let room = 32
    var source = [value]
    let parts = [UInt32](unsafeUninitializedCapacity: room) { buffer, used in
      var count = room
      let form = uninorm_compatibility_decomposition()
      let result =
        matchesCase
        ? u32_normalize(form, &source, 1, buffer.baseAddress, &count)
        : u32_casefold(&source, 1, nil, form, buffer.baseAddress, &count)
      let isInPlace = result == buffer.baseAddress
      if let result, !isInPlace { free(result) }
      used = isInPlace ? count : 0
    }
    return parts.isEmpty ? [value] : parts
  }

  /// The code points that are kept of a part.
  private static func kept(_ value: UInt32, matchesCase: Bool) -> [UInt32] {
    guard let scalar = Unicode.Scalar(value) else { return [value] }
    switch value {
    // Katakana to hiragana, including the iteration marks.
    case 0x30A1...0x30F6, 0x30FD...0x30FE: return [value - 0x60]
    case 0x2018...0x201B, 0x2032: return [0x27]
    case 0x201C...0x201F, 0x2033: return [0x22]
    case 0x2010...0x2011: return [0x2D]
    // Arabic tatweel, which only lengthens a word.
    case 0x640: return []
    default: break
    }
    if let letters = stroked[value] { return letters.unicodeScalars.map(\.value) }
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint || Sanitizer.isForbidden(value), value != 0x0A,
      !properties.isWhitespace
    {
      return []
    }
    if properties.isWhitespace { return [0x20] }
    let position = properties.canonicalCombiningClass.rawValue
    if position == 1 || (10...36).contains(position) || position >= 200 { return [] }
    if !matchesCase, value == 0x3C2 { return [0x3C3] }
    return [value]
  }

  /// Letters with a stroke, and ligatures, which have no decomposition.
  private static let stroked: [UInt32: String] = [
    0xD8: "O", 0xF8: "o", 0x141: "L", 0x142: "l", 0x110: "D", 0x111: "d", 0x131: "i", 0xC6: "AE",
    0xE6: "ae", 0x152: "OE", 0x153: "oe",
  ]

  /// Whether a folded code point changes the letter before it: voicing marks of kana, and vowels
  /// and finals of a Hangul syllable.
  @inline(__always) package static func joins(_ folded: UInt32) -> Bool {
    folded >= 0x1160
      && (folded <= 0x11FF || folded == 0x3099 || folded == 0x309A)
  }
}
