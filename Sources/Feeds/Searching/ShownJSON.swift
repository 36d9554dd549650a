/// Copies what a row of JSON may show of its strings.
struct ShownJSON {
  private(set) var shown: ShownBytes
  private var scanner: JSONScanner
  private let bytes: UnsafeBufferPointer<UInt8>
  /// Members of the row itself that tell how it is read.
  private var signs: Set<Sign> = []

  /// Deeper rows are not told from their bytes.
  private static let deepest = 12

  private enum Sign { case html, text, content, account, type, context, created, other }

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
    /// Whose address is told as a name and a host, not as it is written.
    case account
    /// A text in several languages.
    case translations
    /// With all that stands in it, read by nobody, or for a number.
    case unread
  }

  private static let contents = ElementNames<Content>([
    (.html, "content_html content"), (.address, "url uri id"), (.name, "name author"),
    (
      .unshown,
      "external_url image banner_image avatar avatar_static header header_static preview_url"
        + " remote_url date_published date_modified created_at edited_at note html blurhash"
    ),
  ])

  /// The same of a `Create` of ActivityPub.
  private static let contentsOfActivities = ElementNames<Content>([
    (.html, "content"), (.translations, "contentMap"), (.address, "id"),
    (.account, "actor attributedTo"),
    (
      .unread,
      "url href atomUri inReplyTo inReplyToAtomUri conversation context published updated to cc bto"
        + " bcc audience @context replies likes shares blurhash mediaType"
    ),
  ])

  private let format: FeedFormat

  init(_ bytes: UnsafeBufferPointer<UInt8>, format: FeedFormat, keepsOrder: Bool) {
    self.bytes = bytes
    self.format = format
    scanner = JSONScanner(bytes)
    shown = ShownBytes(room: bytes.count, keepsOrder: keepsOrder)
  }

  /// - Returns: whether it is sure how the row is read: as an item of JSON Feed, as a status, or as
  ///   an object that was created.
  mutating func read() -> Bool {
    guard scanner.peek() == UInt8(ascii: "{"), (try? value(of: nil, depth: 0)) != nil else {
      return false
    }
    if format == .activitypub { return signs.contains(.created) && !signs.contains(.other) }
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
        if format == .activitypub {
          addSign(ofActivity: bytes[name], depth)
        } else {
          if Self.ownWords[ElementName(bytes[name])] != nil { try addOwnWords() }
          if depth == 0, let first = scanner.peek() { addSign(bytes[name], first) }
        }
        try value(of: self.content(of: name, in: content), depth: depth + 1)
      }
    case UInt8(ascii: "["):
      var list = try scanner.openArray()
      let each = content == .unread || content == .account ? content : nil
      while try scanner.hasNext(in: &list) { try value(of: each, depth: depth + 1) }
    case UInt8(ascii: "\""): append(try string(), content, depth: depth)
    // Taken for text where text is meant, as numbers are.
    case UInt8(ascii: "t"):
      try scanner.word("true")
      if content != .unread { append(scanner.position - 4..<scanner.position) }
    case UInt8(ascii: "f"):
      try scanner.word("false")
      if content != .unread { append(scanner.position - 5..<scanner.position) }
    case UInt8(ascii: "n"): try scanner.word("null")
    default:
      let start = scanner.position
      _ = try scanner.number()
      if content != .unread { append(start..<scanner.position) }
    }
  }

  /// What a member holds.
  ///
  /// - Parameter outer: what the object holds that it is of.
  private func content(of name: Range<Int>, in outer: Content?) -> Content? {
    switch outer {
    case .unread: return .unread
    case .translations: return .html
    default:
      guard name.count <= 16 else { return nil }
      let known = format == .activitypub ? Self.contentsOfActivities : Self.contents
      return known[ElementName(bytes[name])]
    }
  }

  /// Other activities are told in a line, with the address of what was done to.
  private mutating func addSign(
    ofActivity name: Slice<UnsafeBufferPointer<UInt8>>, _ depth: Int
  ) {
    let isObject = name.elementsEqual("object".utf8)
    if depth > 0 {
      if isObject { signs.insert(.other) }
    } else if isObject {
      if scanner.peek() != UInt8(ascii: "{") { signs.insert(.other) }
    } else if name.elementsEqual("type".utf8) {
      var ahead = scanner
      let isCreate =
        (try? ahead.expect("\"")) != nil
        && bytes[ahead.position...].starts(with: "Create\"".utf8)
      signs.insert(isCreate ? .created : .other)
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
    case .account: append(withoutScheme(text))
    case .unshown, .unread: break
    case .name:
      shown.takeIn(name: text, of: bytes)
      append(text)
    case .address, .translations, nil: append(text)
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
