import CXML2
import TextLayout

/// Detects the format of a source from its first bytes.
enum FeedDetector {
  /// - Parameter source: its first bytes.
  /// - Throws: `FeedError` if the source is no timeline.
  /// - Complexity: O(n) in the bytes.
  static func detect(_ source: [UInt8]) throws(FeedError) -> FeedFormat {
    let text = UnicodeText(source)
    let bytes = text.bytes
    guard let start = bytes.firstIndex(where: { $0 > 32 || $0 == 0 }) else {
      throw FeedError(.empty)
    }
    let rest = bytes[start...]
    let isJSON = bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[")
    if !isJSON, let format = feedAfterText(bytes, from: start) { return format }
    switch bytes[start] {
    case UInt8(ascii: "<"):
      let firstLine = 1 + bytes[..<start].count { $0 == 0x0A }
      if let format = try markup(Array(rest), firstLine: firstLine) { return format }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let found = rest.withUnsafeBufferPointer { bytes in
        var other: [String]?
        return (json(bytes, other: &other), other)
      }
      if let format = found.0 { return format }
      if let members = found.1 { throw FeedError(.unknownJSON(members: members)) }
    default: break
    }
    if let byte = binaryByte(text.isTranscoded ? rest.prefix(8_192) : source.prefix(8_192), text) {
      throw FeedError(.binary(byte: byte))
    }
    return hasJSONLines(rest) ? .jsonl : .text
  }

  /// Whether the first bytes of a source, whose first line has not ended yet, can only be text.
  static func beginsText(_ source: [UInt8]) -> Bool {
    var bytes = Array(source.dropFirst(FeedReader.byteOrderMark(of: source)))
    UnicodeText.removeIncompleteCharacter(from: &bytes)
    guard !bytes.contains(0), UnicodeText.firstInvalidByte(of: bytes) == nil else { return false }
    let visible = bytes.lazy.filter { $0 > 32 }.prefix(2)
    let next = visible.dropFirst().first
    switch visible.first {
    case nil, UInt8(ascii: "<"): return false
    case UInt8(ascii: "{"): return next != nil && next != 0x22 && next != UInt8(ascii: "}")
    case UInt8(ascii: "["):
      return next != nil && next != UInt8(ascii: "{") && next != UInt8(ascii: "]")
    default: return true
    }
  }

  /// Detects a feed behind foreign text, such as a warning of the program that wrote it: its XML
  /// declaration or the tag of its root is at the beginning of a line or behind a tag.
  private static func feedAfterText(_ bytes: [UInt8], from first: Int) -> FeedFormat? {
    let markup = XMLMarkup(bytes)
    var position = first
    var isDeclared = false
    var hasRoot: Bool?
    while let start = markup.opening(from: position), start - first <= longestPreamble {
      position = start + 1
      let isFirst =
        start == first || bytes[start - 1] == 0x0A || bytes[start - 1] == UInt8(ascii: ">")
      if bytes[start...].starts(with: "<?xml".utf8) {
        isDeclared = isDeclared || isFirst
      } else if let end = markup.sectionEnd(at: start) {
        position = end
      } else {
        let range = markup.name(at: start + 1)
        guard !range.isEmpty else { continue }
        if HTMLElement(ElementName(bytes[range]))?.has(.page) == true { return nil }
        let name = String(decoding: bytes[range], as: UTF8.self).lowercased()
        let local = String(name.split(separator: ":").last ?? "")
        // The root is missing if its first children appear without it.
        if hasRoot == nil { hasRoot = !headNames.contains(local) }
        guard isFirst || isDeclared || hasRoot == false, markup.tag(at: start).isClosed else {
          continue
        }
        switch local {
        case "rss" where name == "rss", "rdf": return .rss
        case "feed" where isDeclared || markup.tag(at: start).attributes > 0: return .atom
        case "item" where hasRoot == false, "channel" where isDeclared: return .rss
        case "entry" where hasRoot == false: return .atom
        default: break
        }
      }
    }
    return nil
  }

  /// Elements with which the content of a feed's root begins.
  private static let headNames: Set<String> = [
    "title", "link", "id", "updated", "subtitle", "description", "language", "author", "generator",
    "rights", "copyright", "icon", "logo", "category", "pubdate", "lastbuilddate", "image",
  ]

  /// Bytes that may precede a feed's first tag.
  private static let longestPreamble = 16 << 10

  /// Detects feeds by their root element; `nil` if the `<` begins a text after all.
  private static func markup(
    _ bytes: [UInt8], firstLine: Int
  ) throws(FeedError) -> FeedFormat? {
    var parser = XMLFeedParser(.rootTag)
    parser.parse(bytes, firstLine: firstLine)
    let root = parser.root?.name
    let second = bytes.dropFirst().first ?? 0
    let isMarkup = (65...90).contains(second) || (97...122).contains(second) || second == 0x21
    guard root != nil || isMarkup || second == UInt8(ascii: "?") else { return nil }
    if let root, let format = FeedFormat.allCases.first(where: { $0.hasRoot(root) }) {
      return format
    }
    if let name = root ?? XMLMarkup(bytes).firstElement,
      LibXML.functions?.htmlTagLookup(name) != nil
    {
      throw FeedError(.html)
    }
    guard let root else {
      // Only a declaration, comments or an incomplete tag.
      guard bytes.starts(with: Array("<?xml".utf8)) else { return nil }
      throw FeedError(
        .nothingReadable(
          reason: parser.fault?.message ?? "no element",
          place: .line(parser.fault?.line ?? 1)))
    }
    let isDeclared = bytes.starts(with: Array("<?".utf8)) || bytes.starts(with: Array("<!".utf8))
    let end = Array("</".utf8)
    let isClosed = bytes.indices.contains { bytes[$0] == end[0] && bytes[$0...].starts(with: end) }
    guard isDeclared || isClosed else { return nil }
    throw FeedError(.unknownXML(root: Sanitizer.line(String(root.prefix(60)))))
  }

  /// Detects a document or lines of JSON; `nil` if the bracket begins a text.
  ///
  /// - Parameter other: receives the names of the first members of an object of another kind.
  private static func json(
    _ bytes: UnsafeBufferPointer<UInt8>, other: inout [String]?
  ) -> FeedFormat? {
    var scanner = JSONScanner(bytes)
    if scanner.accept("[") {
      let next = scanner.peek()
      guard next == UInt8(ascii: "{") || next == UInt8(ascii: "]") else { return nil }
      return JSONFormatEvidence.format(ofItems: &scanner) ?? .jsonfeed
    }
    _ = scanner.accept("{")
    var names: Set<String> = []
    var signs = JSONFormatEvidence()
    var first: [String] = []
    var isCut = true
    while let name = scanner.key() {
      let next = scanner.peek()
      if first.count < 4 { first.append(Sanitizer.line(String(name.prefix(40)))) }
      let start = scanner
      let value = scanner.value()
      let text = scanner.beginning(ofStringAt: value.range)
      // After signs of a network, lists tell nothing new.
      let isClear = signs.format != nil && signs.format != .jsonfeed
      if next != UInt8(ascii: "[") || !isClear,
        let format = JSONDocumentMember(name: name, text: text, names: names, value: start)
          .documentFormat
      {
        return format
      }
      signs.add(name, text: text, isObject: next == UInt8(ascii: "{"))
      if value.range.isEmpty || value.fault != nil {
        isCut = value.fault.map { $0.byte >= bytes.count } ?? scanner.isAtEnd
        break
      }
      names.insert(name)
    }
    if scanner.accept("}") {
      // A closed object on one line is an item if a line break or the end follows it. An object
      // that spans several lines is a whole document of another kind.
      let end = scanner.position
      let isOneLine = !bytes[..<end].contains(0x0A)
      let rest = bytes[end...].drop { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }
      let isWhole = rest.allSatisfy(JSONScanner.isSpace)
      let isItem = signs.format != nil || !names.isDisjoint(with: JSONFeedReader.names)
      // A log line may be followed by others; an object that reports an error is the answer of a
      // server.
      let isAnswer = !names.isDisjoint(with: ["error", "errors", "error_description"])
      if isOneLine, isItem || !isWhole || !isAnswer, rest.isEmpty || rest.first == 0x0A {
        return .jsonl
      }
      if isWhole, signs.format == nil { other = first }
      return isWhole ? signs.format : nil
    }
    guard !names.isEmpty || scanner.isAtEnd else { return nil }
    if bytes.contains(0x0A) {
      // Damaged, or longer than the prefix.
      if hasJSONLines(bytes[...]) { return .jsonl }
      if let format = signs.format { return format }
      guard names.isDisjoint(with: ["title", "home_page_url", "feed_url", "version"]) else {
        return .jsonfeed
      }
      // An object as long as that, and sound so far, is no text.
      if bytes.count >= FeedLimits.detectionBytes - 3, isCut { other = first }
      return nil
    }
    return names.contains("version") ? .jsonfeed : .jsonl
  }

  /// Whether at least half of the first lines are JSON objects.
  private static func hasJSONLines(_ bytes: some Collection<UInt8>) -> Bool {
    let lines = bytes.split(separator: 0x0A, maxSplits: 20).prefix(20)
      .filter { $0.contains { $0 > 32 } }
    let objects = lines.count { line in
      Array(line).withUnsafeBufferPointer { buffer in
        var scanner = JSONScanner(buffer)
        guard scanner.accept("{"), scanner.key() != nil else { return false }
        scanner.position = 0
        return scanner.value().fault == nil && scanner.peek() == nil
      }
    }
    return objects > 0 && objects * 2 >= lines.count
  }

  /// The first byte that proves that the source is not text: a zero, the signature of a known file
  /// type, or the first of too many control characters or invalid UTF-8 bytes.
  private static func binaryByte(_ bytes: ArraySlice<UInt8>, _ text: UnicodeText) -> Int? {
    let marks: [[UInt8]] = [
      Array("%PDF-".utf8), [0x1F, 0x8B], [0x50, 0x4B, 3, 4], [0x28, 0xB5, 0x2F, 0xFD],
    ]
    if marks.contains(where: { bytes.starts(with: $0) }) { return bytes.startIndex }
    if let zero = bytes.firstIndex(of: 0) { return isText(withZeros: bytes) ? nil : zero }
    let controls = bytes.count(where: isControl)
    if controls * 10 > bytes.count { return bytes.firstIndex(where: isControl) }
    guard text.firstRepair != nil else { return nil }
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
    let broken = scalars.count { $0 == "\u{FFFD}" }
    return broken * 4 > scalars.count ? text.firstRepair : nil
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 32 && !(9...13).contains(byte) && byte != 0x1B
  }

  /// Whether bytes with zeros among them are text: the other bytes are almost all readable, and few
  /// zeros are outside of holes. UTF-16 has as many zeros as letters.
  private static func isText(withZeros bytes: ArraySlice<UInt8>) -> Bool {
    let rest = bytes.filter { $0 != 0 }
    guard !rest.isEmpty else { return false }
    var zeros = 0
    for run in bytes.split(omittingEmptySubsequences: true, whereSeparator: { $0 != 0 })
    where run.count < LineScanner.holeBytes {
      zeros += run.count
    }
    let scalars = String(decoding: rest, as: UTF8.self).unicodeScalars
    let broken = scalars.count { $0 == "\u{FFFD}" }
    let controls = rest.count(where: isControl)
    return zeros <= max(1, rest.count / 4) && controls * 100 <= rest.count
      && broken * 20 <= scalars.count
  }
}
