import System

/// The bytes of a source, converted to UTF-8 from any encoding.
///
/// 1. A byte order mark decides. Without one, zero bytes beside a `<`, `{` or `[` mean UTF-16 or
///    UTF-32, and an XML declaration names an encoding. The encoding of XML is detected by
///    ``TextEncoding``; everything else is UTF-8.
/// 2. Bytes that are invalid in their encoding become U+FFFD, and the text records that it was
///    repaired.
struct UnicodeText {
  /// Valid UTF-8 without a byte order mark.
  var bytes: [UInt8]
  /// Offset in `bytes` of the first byte that was invalid in the encoding, `nil` if none was. For
  /// XML in another encoding it is the offset in the source of the first byte that is not UTF-8.
  var firstRepair: Int?
  /// Offset of `bytes` in the source: the length of its byte order mark.
  var offset = 0
  /// Whether the source was converted from another encoding.
  private(set) var isTranscoded = false

  /// - Complexity: O(n) in the bytes.
  init(_ source: [UInt8]) {
    if let (name, mark) = Self.conversion(of: source) {
      self.init(source, encoding: name, skip: mark)
      offset = mark
    } else if source.starts(with: [0xEF, 0xBB, 0xBF]) {
      self.init(utf8: Array(source.dropFirst(3)))
      offset = 3
    } else if source.first(where: { $0 > 32 }) == UInt8(ascii: "<") {
      let sample = Array(source.prefix(FeedLimits.detectionBytes))
      let encoding = TextEncoding(of: sample, isCut: true)
      let (text, isRepaired) = encoding.utf8(source)
      let isChanged = encoding != .utf8 && encoding != .undeclared
      self.init(
        bytes: text, firstRepair: isRepaired ? Self.firstInvalidByte(of: source) ?? 0 : nil,
        isTranscoded: isChanged)
    } else {
      self.init(utf8: source)
    }
  }

  /// The encoding from which all bytes must be converted because it does not contain ASCII
  /// unchanged, and the length of its byte order mark; `nil` if ASCII is unchanged.
  ///
  /// - Complexity: O(1).
  static func conversion(of source: [UInt8]) -> (name: String, mark: Int)? {
    let head = Array(source.prefix(4))
    if head == [0xFF, 0xFE, 0, 0] { return ("UTF-32LE", 4) }
    if head == [0, 0, 0xFE, 0xFF] { return ("UTF-32BE", 4) }
    if head.starts(with: [0xFE, 0xFF]) { return ("UTF-16BE", 2) }
    if head.starts(with: [0xFF, 0xFE]) { return ("UTF-16LE", 2) }
    if head.count == 4 {
      if head[0] == 0, head[1] == 0, head[2] == 0, opens(head[3]) { return ("UTF-32BE", 0) }
      if head[1] == 0, head[2] == 0, head[3] == 0, opens(head[0]) { return ("UTF-32LE", 0) }
      if head[0] == 0, opens(head[1]), head[2] == 0 { return ("UTF-16BE", 0) }
      if head[1] == 0, opens(head[0]), head[3] == 0 { return ("UTF-16LE", 0) }
    }
    guard let name = declaredEncoding(source.prefix(1_024)),
      ["ISO-2022", "ISO2022", "UTF-7", "UTF7", "HZ"].contains(where: {
        name.uppercased().hasPrefix($0)
      }), CharacterConverter(from: name) != nil
    else { return nil }
    return (name, 0)
  }

  private static func opens(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  }

  /// Bytes of UTF-8, of which those that are invalid are replaced.
  ///
  /// - Complexity: O(n) in the bytes.
  init(utf8 source: [UInt8]) {
    firstRepair = Self.firstInvalidByte(of: source)
    bytes = firstRepair == nil ? source : Array(String(decoding: source, as: UTF8.self).utf8)
  }

  /// Offset of the first byte that is not UTF-8.
  static func firstInvalidByte(of bytes: [UInt8]) -> Int? {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }

  /// Removes an incomplete character from the end.
  static func removeIncompleteCharacter(from bytes: inout [UInt8]) {
    let following = bytes.reversed().prefix(3).prefix { $0 & 0xC0 == 0x80 }.count
    guard following < bytes.count else { return }
    let first = bytes[bytes.count - 1 - following]
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
    if first < 0xF5, following + 1 < length { bytes.removeLast(following + 1) }
  }

  private init(bytes: [UInt8], firstRepair: Int?, isTranscoded: Bool = true) {
    self.bytes = bytes
    self.firstRepair = firstRepair
    self.isTranscoded = isTranscoded
  }

  private init(_ source: [UInt8], encoding: String, skip: Int) {
    guard let converter = CharacterConverter(from: encoding.uppercased()) else {
      self.init(utf8: Array(source.dropFirst(skip)))
      return
    }
    var repair: Int?
    let converted = converter.utf8(source.dropFirst(skip), firstRepair: &repair)
    self.init(bytes: converted, firstRepair: repair)
  }

  /// The encoding that the first XML declaration names, if it names one.
  static func declaredEncoding(_ prefix: ArraySlice<UInt8>) -> String? {
    let mark = Array("<?xml".utf8)
    let first = prefix.indices.first {
      prefix[$0] == UInt8(ascii: "<") && prefix[$0...].starts(with: mark)
    }
    guard let first else { return nil }
    let start = prefix[first...]
    let declaration = start.prefix { $0 != UInt8(ascii: ">") }
    let words = declaration.split { $0 <= 32 || $0 == UInt8(ascii: "=") || $0 == 34 || $0 == 39 }
    guard let key = words.firstIndex(where: { $0.elementsEqual("encoding".utf8) }),
      key + 1 < words.count
    else { return nil }
    let name = words[key + 1].prefix(40)
    guard name.allSatisfy({ (48...57).contains($0) || $0 >= 65 && $0 < 127 || $0 == 45 }) else {
      return nil
    }
    return String(decoding: name, as: UTF8.self)
  }

  static func fromWindows1252(_ source: [UInt8]) -> [UInt8] {
    let high = CharacterReferenceRepair.windows1252
    let units = source.map { byte in
      (0x80..<0xA0).contains(byte) ? high[Int(byte) - 0x80] : UInt16(byte)
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
