import System

/// The bytes of a source as UTF-8, whatever they were written in.
///
/// 1. A byte order mark decides. Without one, zero bytes beside a `<`, `{` or `[` mean UTF-16, and an
///    XML declaration names its encoding; everything else is UTF-8.
/// 2. What is not valid in its encoding becomes U+FFFD, and the text knows that it was repaired.
/// 3. ISO 8859-1 is read as Windows-1252, as browsers do: it differs in control characters alone.
struct UnicodeText {
  /// Valid UTF-8 without a byte order mark.
  var bytes: [UInt8]
  /// The first byte that is not valid in the encoding, counted in `bytes`.
  var firstRepair: Int?
  /// Bytes before `bytes` begins in the source.
  var offset = 0
  /// Whether the source was not UTF-8.
  private(set) var isTranscoded = false

  /// - Complexity: O(n) in the bytes.
  init(_ source: [UInt8]) {
    let head = Array(source.prefix(4))
    if head.starts(with: [0xEF, 0xBB, 0xBF]) {
      self.init(utf8: Array(source.dropFirst(3)))
      offset = 3
    } else if head == [0xFF, 0xFE, 0, 0] || head == [0, 0, 0xFE, 0xFF] {
      self.init(source, encoding: head[0] == 0 ? "UTF-32BE" : "UTF-32LE", skip: 4)
    } else if head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0xFF, 0xFE]) {
      self.init(source, encoding: head[0] == 0xFE ? "UTF-16BE" : "UTF-16LE", skip: 2)
      offset = 2
    } else if head.count == 4, head[0] == 0, Self.opens(head[1]), head[2] == 0 {
      self.init(source, encoding: "UTF-16BE", skip: 0)
    } else if head.count == 4, head[1] == 0, Self.opens(head[0]), head[3] == 0 {
      self.init(source, encoding: "UTF-16LE", skip: 0)
    } else if let name = Self.declaredEncoding(source.prefix(1_024)) {
      self.init(source, encoding: name, skip: 0)
    } else {
      self.init(utf8: source)
    }
  }

  private static func opens(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  }

  private init(utf8 source: [UInt8]) {
    firstRepair = Self.firstInvalidByte(of: source)
    bytes = firstRepair == nil ? source : Array(String(decoding: source, as: UTF8.self).utf8)
  }

  /// The place of the first byte that is not UTF-8.
  static func firstInvalidByte(of bytes: [UInt8]) -> Int? {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }

  private init(bytes: [UInt8], firstRepair: Int?) {
    self.bytes = bytes
    self.firstRepair = firstRepair
    isTranscoded = true
  }

  private init(_ source: [UInt8], encoding: String, skip: Int) {
    let name = encoding.uppercased()
    let latin = ["ISO-8859-1", "ISO8859-1", "LATIN1", "LATIN-1", "WINDOWS-1252", "CP1252"]
    if latin.contains(name) {
      self.init(bytes: Self.fromWindows1252(source), firstRepair: nil)
    } else if !["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name),
      let converter = CharacterConverter(from: name)
    {
      var repair: Int?
      let converted = converter.utf8(source.dropFirst(skip), firstRepair: &repair)
      self.init(bytes: converted, firstRepair: repair)
    } else {
      self.init(utf8: skip == 0 ? source : Array(source.dropFirst(skip)))
    }
  }

  /// The encoding an XML declaration at the start names, if it names one.
  static func declaredEncoding(_ prefix: ArraySlice<UInt8>) -> String? {
    let start = prefix.drop { $0 <= 32 }
    guard start.starts(with: Array("<?xml".utf8)) else { return nil }
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

  private static func fromWindows1252(_ source: [UInt8]) -> [UInt8] {
    let high = CharacterReferences.windows1252
    let units = source.map { byte in
      (0x80..<0xA0).contains(byte) ? high[Int(byte) - 0x80] : UInt16(byte)
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
