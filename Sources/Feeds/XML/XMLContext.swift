import TextLayout

/// Reads the items of a feed one by one, each in its context: namespaces, `xml:base`, `xml:lang`,
/// declared entities, the feed's own author and icon.
struct XMLContext: Sendable {
  /// The feed's metadata.
  let head: FeedHead
  /// The first error outside of items; `nil` until everything is read.
  let fault: RowScanner.Fault?
  /// Whether there is a root element.
  let hasRoot: Bool
  private let encoding: TextEncoding
  private let form: ContentForm
  private let names: XMLItemNames
  /// The document type with its entities, for items with references; on one line, like `opening`.
  private let documentType: [UInt8]
  /// The start tags that enclose items.
  private let opening: [UInt8]

  /// - Complexity: O(n) in the bytes of the head.
  init(_ source: XMLHead, baseURL: String?, as form: ContentForm = .styled) {
    let encoding = source.encoding
    self.form = form
    self.encoding = encoding
    names = source.names
    let (bytes, _) = encoding.utf8(source.bytes)
    documentType = Self.onOneLine(XMLDocumentType.entities(in: bytes))
    // If the conversion moved the bytes, the offset of the root is computed again.
    let start = source.rootStart.map { rootStart in
      bytes.count == source.bytes.count
        ? rootStart : encoding.utf8(Array(source.bytes[..<rootStart])).text.count
    }
    let body = start.map { Array(bytes[min($0, bytes.count)...]) } ?? []
    opening = Self.opening(of: body, names)
    let parser = Self.parse(documentType, body)
    hasRoot = parser.root != nil && start != nil
    let root = parser.root ?? FeedElement(name: "")
    let channel = root.first("channel", in: .plain) ?? root
    let outer = root.base(within: baseURL)
    let base = channel === root ? outer : channel.base(within: outer)
    let said = XMLFeedReader.head(of: channel, in: root, base: baseURL)
    head = FeedHead(
      info: said.info, author: XMLFeedReader.author(of: channel),
      base: base == baseURL ? said.info.homePage ?? baseURL : base)
    guard source.isWhole else {
      fault = nil
      return
    }
    let before = start.map { Array(bytes[..<min($0, bytes.count)]) } ?? bytes
    if let stray = Self.strayText(in: before) {
      let place = before[..<stray].count { $0 == 0x0A } + 1
      fault = RowScanner.Fault(
        place: .line(source.sourceLine(place, from: 0)), reason: "text before the feed")
    } else if source.endsInItem, parser.fault?.message.hasSuffix("has no end") == true {
      // The item's post reports it.
      fault = nil
    } else if let found = parser.fault {
      let line = source.sourceLine(found.line, from: source.rootStart ?? 0)
      fault = RowScanner.Fault(place: .line(line), reason: found.message)
    } else {
      fault = nil
    }
  }

  /// Parses the head; a damaged one is repaired first.
  private static func parse(_ documentType: [UInt8], _ body: [UInt8]) -> XMLFeedParser {
    let bytes = CharacterReferenceRepair.repaired(body)
    var parser = XMLFeedParser()
    parser.parse(bytes, after: documentType)
    guard !parser.neededRepairs.isEmpty else { return parser }
    var again = XMLFeedParser()
    again.parse(bytes, after: documentType, repairing: parser.neededRepairs)
    return again
  }

  private static func onOneLine(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
  }

  /// The root's start tag, and the channel's if items are in it; default tags if those of the
  /// source are damaged.
  private static func opening(of body: [UInt8], _ names: XMLItemNames) -> [UInt8] {
    let markup = XMLMarkup(body)
    var result: [UInt8] = []
    if !body.isEmpty, case let tag = markup.tag(at: 0), tag.isClosed,
      tag.attributes <= FeedLimits.tagAttributes, body[tag.end - 2] != UInt8(ascii: "/"),
      names.root != "item", names.root != "entry"
    {
      result = onOneLine(body[..<tag.end])
      if names.root == "rss", let channel = channelTag(markup, from: tag.end) {
        result += onOneLine(body[channel])
      }
    }
    guard !result.isEmpty, isSound(result) else {
      let isAtom = names.root == "feed" || names.root == "entry"
      return Array(
        (isAtom ? "<feed xmlns=\"http://www.w3.org/2005/Atom\">" : "<rss><channel>").utf8)
    }
    return result
  }

  private static func channelTag(_ markup: XMLMarkup, from start: Int) -> Range<Int>? {
    var position = start
    while let found = markup.opening(from: position) {
      if let end = markup.sectionEnd(at: found) {
        position = end
        continue
      }
      let name = markup.name(at: found + 1)
      if markup.bytes[name].map({ $0 | 0x20 }).elementsEqual("channel".utf8) {
        let tag = markup.tag(at: found)
        let isFit = tag.isClosed && tag.attributes <= FeedLimits.tagAttributes
        return isFit && markup.bytes[tag.end - 2] != UInt8(ascii: "/") ? found..<tag.end : nil
      }
      guard name.isEmpty else { return nil }
      position = found + 1
    }
    return nil
  }

  /// Whether an item within those tags is one to the parser.
  private static func isSound(_ opening: [UInt8]) -> Bool {
    ["<item/>", "<entry/>"].contains { item in
      var parser = XMLFeedParser()
      parser.parse(Array(item.utf8), after: opening)
      return parser.item.map { $0.fault == nil } ?? false
    }
  }

  /// Offset of the first byte that is in no declaration, instruction or comment.
  private static func strayText(in bytes: [UInt8]) -> Int? {
    let markup = XMLMarkup(bytes)
    var position = 0
    while position < bytes.count {
      if bytes[position] <= 32 || [0xEF, 0xBB, 0xBF].contains(bytes[position]) {
        position += 1
      } else if let end = markup.sectionEnd(at: position) {
        position = end
      } else if bytes[position] == UInt8(ascii: "<"), position + 1 < bytes.count,
        bytes[position + 1] == UInt8(ascii: "!"),
        let end = bytes.withUnsafeBytes({ XMLDocumentType.end(in: $0, at: position) })
      {
        position = end
      } else {
        return position
      }
    }
    return nil
  }

  // MARK: Items

  /// The post of an item with these first bytes.
  ///
  /// - Parameters:
  ///   - length: bytes of the whole item.
  ///   - line: the line in which it begins, `nil` if lines are not counted so far; called only if
  ///     the item is damaged.
  /// - Complexity: O(n) in the bytes.
  func post(
    _ source: [UInt8], offset: Int, length: Int, hasEnded: Bool = true, line: () -> Int?
  ) -> Post {
    let (text, isRepaired) = encoding.utf8(source)
    var bytes = CharacterReferenceRepair.repaired(text)
    let hasStart = bytes.withUnsafeBytes { buffer in
      XMLMarkup(bytes).name(at: 1).isEmpty || bytes.first != UInt8(ascii: "<")
        ? false : names.isItem(buffer[XMLMarkup(bytes).name(at: 1)])
    }
    if !hasStart { bytes = Array("<\(names.root == "feed" ? "entry" : "item")>".utf8) + bytes }
    let hasReference = !documentType.isEmpty && bytes.contains(UInt8(ascii: "&"))
    let prefix = (hasReference ? documentType : []) + opening
    var found = Item(bytes, after: prefix, firstLine: 1)
    let isDamaged = found.isDamaged
    let firstLine = isDamaged || !hasStart ? line() : nil
    if isDamaged {
      found = Item(bytes, after: prefix, firstLine: firstLine ?? 1, repairs: found.neededRepairs)
    }
    let reason = { (fault: XMLFeedParser.Fault) in
      XMLFeedReader.reason(fault, isInItem: firstLine == nil)
    }
    guard let item = found.element else {
      var post = Post(id: "byte \(offset)")
      post.damage = found.fault.map(reason) ?? "not a readable item (byte \(offset))"
      return post
    }
    let reader = ItemReader(item: item, base: head.base, as: form)
    var post = reader.post(damage: found.fault.map(reason))
    if !hasStart {
      let fault = XMLFeedParser.Fault(line: firstLine ?? 1, message: "an item without a start")
      post.addDamage(reason(fault))
    }
    if length > source.count || !hasEnded {
      post.addDamage(
        "an item of \(RowReader.size(length, hasEnded)): only its beginning is shown")
    }
    if isRepaired, post.containsReplacementCharacter {
      post.addDamage("bytes that are not text were replaced")
    }
    return post
  }

  /// The error of an item that cannot be read.
  func fault(ofItem source: [UInt8], line: Int) -> RowScanner.Fault? {
    Item(encoding.utf8(source).text, after: opening, firstLine: line).fault.map { fault in
      RowScanner.Fault(place: .line(max(1, fault.line)), reason: fault.message)
    }
  }

  /// An item as the parser reads it.
  private struct Item {
    let element: FeedElement?
    let fault: XMLFeedParser.Fault?
    let neededRepairs: XMLFeedParser.Repairs

    init(
      _ bytes: [UInt8], after prefix: [UInt8], firstLine: Int,
      repairs: XMLFeedParser.Repairs = []
    ) {
      var parser = XMLFeedParser(.item)
      parser.parse(bytes, after: prefix, firstLine: firstLine, repairing: repairs)
      element = parser.item?.element
      fault = parser.overfullTagFault ?? (parser.item == nil ? parser.fault : parser.item?.fault)
      neededRepairs = parser.neededRepairs
    }

    var isDamaged: Bool { fault != nil || !neededRepairs.isEmpty || element == nil }
  }
}
