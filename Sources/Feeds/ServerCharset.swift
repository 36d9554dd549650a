/// The encoding that a server names for a document that does not declare one itself.
enum ServerCharset {
  /// Bytes that are examined before and after the first that is invalid in UTF-8.
  private static let sampleBytes = 16 << 10

  /// The encoding of `bytes` that were sent as `charset`; `nil` if the charset does not count: the
  /// bytes declare an encoding, are UTF-8, or contradict it.
  ///
  /// - Parameter isWhole: whether `bytes` are the whole document.
  /// - Complexity: O(n) in the bytes.
  static func encoding(
    of bytes: [UInt8], sentAs charset: String, isWhole: Bool
  ) -> TextEncoding? {
    guard UnicodeText.conversion(of: bytes) == nil, !bytes.starts(with: [0xEF, 0xBB, 0xBF]),
      !namesEncoding(bytes), let name = name(of: charset)
    else { return nil }
    if TextEncoding.redefinesASCII(name) { return encodingWithoutASCII(name, bytes) }
    // Many servers label everything ISO 8859-1.
    guard let invalid = UnicodeText.firstInvalidByte(of: bytes),
      isWhole || invalid + 3 < bytes.count
    else { return nil }
    let around = max(0, invalid - sampleBytes)..<min(bytes.count, invalid + sampleBytes)
    guard !TextEncoding.isMostlyUTF8(Array(bytes[around])) else { return nil }
    switch TextEncoding.declared(name) {
    case .windows1252: return .windows1252
    case .named(let name, let isSingleByte) where preservesASCII(name):
      return .named(name, isSingleByte: isSingleByte)
    case .named, .utf8, .undeclared, nil: return nil
    }
  }

  private static func namesEncoding(_ bytes: [UInt8]) -> Bool {
    bytes.first { $0 > 32 } == UInt8(ascii: "<")
      && UnicodeText.declaredEncoding(bytes.prefix(4_096)) != nil
  }

  /// UTF-16 and UTF-32 contain zero bytes, other text does not; seven-bit encodings contain no byte
  /// above 0x7F. `nil` if the bytes contradict the name.
  private static func encodingWithoutASCII(_ name: String, _ bytes: [UInt8]) -> TextEncoding? {
    let unit =
      ["32", "UCS-4"].contains { name.contains($0) }
      ? 4 : ["16", "UCS-2", "UNICODE"].contains { name.contains($0) } ? 2 : 1
    guard unit > 1 else {
      let isKnown = bytes.allSatisfy { $0 < 0x80 } && CharacterConverter(from: name) != nil
      return isKnown ? .named(name, isSingleByte: false) : nil
    }
    let sample = bytes.prefix(4_096)
    let zeros = sample.indices.filter { sample[$0] == 0 }
    guard !zeros.isEmpty else { return nil }
    // The position of the zeros in markup characters shows the byte order.
    let isBigEndian =
      name.hasSuffix("BE")
      || !name.hasSuffix("LE")
        && zeros.count { $0 % unit == 0 } > zeros.count { $0 % unit == unit - 1 }
    return .named("UTF-\(unit * 8)\(isBigEndian ? "BE" : "LE")", isSingleByte: false)
  }

  /// Whether the encoding contains ASCII's characters of markup unchanged.
  private static func preservesASCII(_ name: String) -> Bool {
    let markup = Array("<tag a=\"1\">&amp;{[Z9z]},:/\n".utf8)
    var repair: Int?
    return CharacterConverter(from: name)?.utf8(markup[...], firstRepair: &repair) == markup
  }

  /// The name that iconv knows, in upper case; `nil` if `charset` is no name of an encoding.
  private static func name(of charset: String) -> String? {
    let name = charset.uppercased()
    let isName = name.utf8.allSatisfy {
      (0x30...0x3A).contains($0) || (0x41...0x5A).contains($0) || "-_.+()".utf8.contains($0)
    }
    // iconv takes these for the encodings that the C library uses internally.
    guard isName, (1...40).contains(name.utf8.count),
      !["CHAR", "WCHAR_T", "INTERNAL"].contains(name)
    else { return nil }
    return otherNames[name] ?? name
  }

  /// Labels that browsers map to an encoding that iconv knows by another name
  /// (encoding.spec.whatwg.org).
  private static let otherNames = [
    "SHIFT_JIS": "CP932", "SHIFT-JIS": "CP932", "SJIS": "CP932", "X-SJIS": "CP932",
    "MS_KANJI": "CP932", "WINDOWS-31J": "CP932", "X-EUC-JP": "EUC-JP",
    "GB2312": "GB18030", "GBK": "GB18030", "X-GBK": "GB18030",
    "EUC-KR": "CP949", "KS_C_5601-1987": "CP949", "WINDOWS-949": "CP949",
    "BIG5": "BIG5-HKSCS", "X-X-BIG5": "BIG5-HKSCS", "X-CP1251": "CP1251", "KOI": "KOI8-R",
    "X-MAC-CYRILLIC": "MAC-CYRILLIC", "X-MAC-ROMAN": "MACINTOSH", "DOS-866": "CP866",
    "DOS-874": "CP874", "LOGICAL": "ISO-8859-8", "ISO-8859-8-I": "ISO-8859-8",
    "X-CP1252": "WINDOWS-1252", "L1": "ISO-8859-1", "ISO88591": "ISO-8859-1",
    "UNICODE-1-1-UTF-8": "UTF-8",
  ]
}
