import System

/// The encoding of a document, in which ASCII is unchanged.
///
/// 1. Bytes that are UTF-8 and not ASCII are UTF-8, whatever the document declares.
/// 2. Otherwise the declaration decides; ISO 8859-1 and ASCII mean Windows-1252, as in browsers.
/// 3. Without a declaration, bytes that are mostly UTF-8 are UTF-8, all others Windows-1252.
enum TextEncoding: Hashable, Sendable {
  case utf8
  /// Nothing is declared, and all bytes seen are ASCII.
  case undeclared
  case windows1252
  /// The encoding that iconv knows by this name. If `isSingleByte`, an item that is valid UTF-8 is
  /// read as UTF-8.
  case named(String, isSingleByte: Bool)

  /// Detects the encoding from the first bytes of a document.
  ///
  /// - Parameter isCut: whether more bytes follow.
  /// - Complexity: O(n) in the bytes.
  init(of sample: [UInt8], isCut: Bool) {
    let invalid = UnicodeText.firstInvalidByte(of: sample)
    // The sample may end inside a character.
    let isValid = invalid.map { isCut && $0 + 3 >= sample.count } ?? true
    let isASCII = sample.allSatisfy { $0 < 128 }
    let declared = UnicodeText.declaredEncoding(sample.prefix(4_096)).flatMap(Self.declared)
    if sample.starts(with: [0xEF, 0xBB, 0xBF]) || isValid && !isASCII {
      self = .utf8
    } else if let declared {
      self = declared
    } else if isASCII {
      self = .undeclared
    } else {
      self = Self.isMostlyUTF8(sample) ? .utf8 : .windows1252
    }
  }

  /// The encoding for a name; `nil` if it is unknown, or impossible because the name could not have
  /// been read in it.
  static func declared(_ name: String) -> TextEncoding? {
    let name = name.uppercased()
    switch name {
    case "UTF-8", "UTF8": return .utf8
    case "ISO-8859-1", "ISO8859-1", "ISO_8859-1", "LATIN1", "LATIN-1", "WINDOWS-1252", "CP1252",
      "US-ASCII", "ASCII":
      return .windows1252
    default:
      guard !redefinesASCII(name), CharacterConverter(from: name) != nil else { return nil }
      let single = ["ISO-8859", "ISO8859", "ISO_8859", "WINDOWS-12", "CP12", "KOI8", "MAC", "CP8"]
      return .named(name, isSingleByte: single.contains { name.hasPrefix($0) })
    }
  }

  /// Whether bytes of ASCII may have another meaning in that encoding.
  static func redefinesASCII(_ name: String) -> Bool {
    [
      "UTF-16", "UTF-32", "UCS", "ISO-2022", "ISO2022", "UTF-7", "UTF7", "HZ", "CSUNICODE",
      "ISO-10646",
    ]
    .contains { name.uppercased().hasPrefix($0) }
  }

  /// Whether the bytes hold at least as many characters of UTF-8 beyond ASCII as invalid bytes.
  static func isMostlyUTF8(_ bytes: [UInt8]) -> Bool {
    var (good, bad) = (0, 0)
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars where scalar.value >= 128 {
      if scalar == "\u{FFFD}" { bad += 1 } else { good += 1 }
    }
    return good > 0 && good >= bad
  }

  /// Converts `bytes` to UTF-8; `isRepaired` if invalid bytes became U+FFFD.
  ///
  /// - Complexity: O(n) in the bytes.
  func utf8(_ bytes: [UInt8]) -> (text: [UInt8], isRepaired: Bool) {
    let isValid = UnicodeText.firstInvalidByte(of: bytes) == nil
    switch self {
    case .utf8:
      return isValid ? (bytes, false) : (Array(String(decoding: bytes, as: UTF8.self).utf8), true)
    case .undeclared, .windows1252:
      return (isValid ? bytes : UnicodeText.fromWindows1252(bytes), false)
    case .named(let name, let isSingleByte):
      if isValid, isSingleByte || bytes.allSatisfy({ $0 < 128 }) { return (bytes, false) }
      guard let converter = CharacterConverter(from: name) else { return (bytes, false) }
      var repair: Int?
      let text = converter.utf8(bytes[...], firstRepair: &repair)
      return (text, repair != nil)
    }
  }
}
