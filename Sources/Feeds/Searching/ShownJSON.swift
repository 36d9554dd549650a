/// Copies what a row of JSON may show of its strings.
struct ShownJSON {
  private(set) var shown: ShownBytes
  private var scanner: JSONScanner
  private let bytes: UnsafeBufferPointer<UInt8>
  /// Members of the row itself that tell how it is read.
  private var signs: Set<Sign> = []

  /// Deeper rows are not told from their bytes.
  private static let deepest = 12

  private enum Sign { case html, text, content, account, type, context }

  /// Members whose objects may have readers say something of their own.
  private static let ownWords = ElementNames<Bool>([(true, "quote quotes filtered")])

  private static let names: [(name: StaticString, sign: Sign)] = [
    ("content_html", .html), ("content_text", .text), ("content", .content), ("account", .account),
    ("type", .type), ("@context", .context),
  ]

  private enum Content {
    case html
    /// An address or a time, or what no reader reads.
    case unshown
    /// Of which readers may show a part: whose it is, never how it begins.
    case address
    case name
  }

  private static let contents = ElementNames<Content>([
    (.html, "content_html content"), (.address, "url uri id"), (.name, "name author"),
    (
      .unshown,
      "external_url image banner_image avatar avatar_static header header_static preview_url"
        + " remote_url date_published date_modified created_at edited_at note html blurhash"
    ),
  ])

  private let format: FeedFormat

  init(_ bytes: UnsafeBufferPointer<UInt8>, format: FeedFormat, keepsOrder: Bool) {
    self.bytes = bytes
    self.format = format
    scanner = JSONScanner(bytes)
    shown = ShownBytes(room: bytes.count, keepsOrder: keepsOrder)
  }

  /// - Returns: whether it is sure how the row is read: as an item of JSON Feed, or as a status.
  mutating func read() -> Bool {
    guard scanner.peek() == UInt8(ascii: "{"), (try? value(of: nil, depth: 0)) != nil else {
      return false
    }
    if format != .mastodon {
      if signs.contains(.html) || signs.contains(.text) { return true }
      if format == .jsonfeed { return false }
    }
    return signs.isSuperset(of: [.account, .content])
      && signs.isDisjoint(with: [.type, .context])
  }

  private mutating func value(of content: Content?, depth: Int) throws(JSONScanner.Failure) {
    guard depth < Self.deepest else { throw .tooDeep }
    switch scanner.peek() {
    case UInt8(ascii: "{"):
      var list = try scanner.openObject()
      while try scanner.hasNext(in: &list) {
        let name = try string()
        // Names in other words are read all the same.
        guard !bytes[name].contains(UInt8(ascii: "\\")) else { throw .malformed }
        try scanner.expect(":")
        if Self.ownWords[ElementName(bytes[name])] != nil { try addOwnWords() }
        if depth == 0, let first = scanner.peek() { addSign(bytes[name], first) }
        let content = name.count <= 16 ? Self.contents[ElementName(bytes[name])] : nil
        try value(of: content, depth: depth + 1)
      }
    case UInt8(ascii: "["):
      var list = try scanner.openArray()
      while try scanner.hasNext(in: &list) { try value(of: nil, depth: depth + 1) }
    case UInt8(ascii: "\""): append(try string(), content, depth: depth)
    // Taken for text where text is meant, as numbers are.
    case UInt8(ascii: "t"):
      try scanner.word("true")
      append(scanner.position - 4..<scanner.position)
    case UInt8(ascii: "f"):
      try scanner.word("false")
      append(scanner.position - 5..<scanner.position)
    case UInt8(ascii: "n"): try scanner.word("null")
    default:
      let start = scanner.position
      _ = try scanner.number()
      append(start..<scanner.position)
    }
  }

  /// Nothing, and no list without anything, has a reader say nothing.
  private mutating func addOwnWords() throws(JSONScanner.Failure) {
    switch scanner.peek() {
    case UInt8(ascii: "n"), UInt8(ascii: "f"): break
    case UInt8(ascii: "["):
      var ahead = scanner
      var list = try ahead.openArray()
      if try ahead.hasNext(in: &list) { shown.mayHoldOwnWords = true }
    default: shown.mayHoldOwnWords = true
    }
  }

  /// The place of what a string holds.
  private mutating func string() throws(JSONScanner.Failure) -> Range<Int> {
    try scanner.expect("\"")
    let start = scanner.position
    while try scanner.piece() != nil {}
    return start..<scanner.position - 1
  }

  private mutating func addSign(_ name: Slice<UnsafeBufferPointer<UInt8>>, _ first: UInt8) {
    guard first != UInt8(ascii: "n") else { return }
    for (own, sign) in Self.names where own.utf8CodeUnitCount == name.count {
      if name.elementsEqual(UnsafeBufferPointer(start: own.utf8Start, count: name.count)) {
        // Others are no sign of a status.
        if sign == .account, first != UInt8(ascii: "{") { return }
        if sign == .content, first != UInt8(ascii: "\"") { return }
        signs.insert(sign)
      }
    }
  }

  private mutating func append(_ text: Range<Int>, _ content: Content?, depth: Int) {
    switch content {
    case .html:
      shown.append("\"")
      _ = ShownHTML.append(text, of: bytes, .json, to: &shown)
      shown.append("\"")
    case .address where depth <= 3:
      // Of the row itself they are not shown, of accounts where these are.
      if depth > 1 { append(withoutScheme(text)) }
    case .unshown: break
    case .name:
      shown.takeIn(name: text, of: bytes)
      append(text)
    case .address, nil: append(text)
    }
  }

  private func withoutScheme(_ text: Range<Int>) -> Range<Int> {
    for scheme in ["https:", "http:"] where bytes[text].starts(with: scheme.utf8) {
      return text.dropFirst(scheme.utf8.count)
    }
    return text
  }

  /// Between quotation marks, over which no word goes on.
  private mutating func append(_ text: Range<Int>) {
    shown.append("\"")
    shown.append(text, of: bytes)
    shown.append("\"")
  }
}
