import CXML2
import TextLayout

/// Builds elements from libxml2's events: the head of a feed as a tree, and every item as a tree of
/// its own, which is passed on and released as soon as it ends.
///
/// 1. Nothing outside the bytes is ever read. External and parameter entities are not even
///    declared; internal ones only if they are short and contain no other, so that nothing
///    multiplies; HTML's names (`&eacute;`) are known.
/// 2. The parser recovers. An error inside an item marks the item, one outside marks the feed.
/// 3. An item that was never closed ends before the next one. The parser still counts its elements
///    as open, so their places on the stack become `nil` and their late ends have no effect.
/// 4. Text and elements of an item are bounded; the rest is left out and the item says so.
struct XMLFeedParser {
  /// The part of the bytes that is read.
  enum Extent {
    case rootTag
    /// One item, up to its end if nothing follows: missing ends of the tags around it are no error.
    case item
    case document
  }

  struct Fault {
    var line: Int
    var message: String
    var byte: Int = 0
  }

  /// The root element with everything except the items.
  private(set) var root: FeedElement?
  /// The first error outside any item.
  private(set) var fault: Fault?
  /// Whether an error occurred, anywhere, that a bare `&` or `<` can cause.
  private(set) var hasBareMarkup = false
  /// Whether elements or text outside of items were left out because of a limit.
  private(set) var isHeadCut = false
  /// Whether an end tag did not match the innermost element, or elements have none.
  private(set) var hasMismatchedTag = false

  private let onItem: (FeedElement, FeedElement?, Fault?) -> Void
  private var open: [FeedElement?] = []
  private var itemDepth: Int?
  private var itemFault: Fault?
  private var textBytes = 0
  private var elementCount = 0
  /// Text collected so far; the parser splits long text into pieces.
  private var pendingText: [UInt8] = []
  private var rootAddress: UnsafePointer<xmlChar>?
  private var namespaces = KnownNamespaces()
  private let extent: Extent
  private let repair: TagRepair?
  /// Offset of the repaired bytes in the parsed ones.
  private let repairStart: Int
  /// The error of a tag with too many attributes, at which parsing stops.
  private(set) var overfullTagFault: Fault?
  /// Number of changes already reported.
  private var reportedChanges = 0
  private var context: xmlParserCtxtPtr?

  /// `onItem` receives each item, its parent element, and its first error; a repair of the bytes is
  /// an error, too.
  init(
    _ extent: Extent = .document, repair: TagRepair? = nil, repairStart: Int = 0,
    onItem: @escaping (FeedElement, FeedElement?, Fault?) -> Void
  ) {
    self.extent = extent
    self.repair = repair
    self.repairStart = repairStart
    self.onItem = onItem
  }

  /// Parses a document of valid UTF-8 without a byte order mark.
  ///
  /// - Parameter firstLine: the number of the first line, for error messages.
  /// - Complexity: O(n) in the bytes; memory of one item and the head besides.
  mutating func parse(_ bytes: [UInt8], firstLine: Int = 1) {
    guard let xml = LibXML.functions else {
      fault = Fault(line: firstLine, message: "libxml2 is not installed")
      return
    }
    let crowded = XMLMarkup(bytes).overfullTag
    bytes.withUnsafeBufferPointer { buffer in
      let count = crowded ?? buffer.count
      buffer.withMemoryRebound(to: CChar.self) { characters in
        guard let base = characters.baseAddress, let size = Int32(exactly: count), size > 0,
          let context = xml.xmlCreateMemoryParserCtxt(base, size)
        else { return }
        context.pointee.input?.pointee.line = Int32(clamping: firstLine)
        if crowded != nil {
          // Recorded before the parser reports that the document ends too early.
          overfullTagFault = Fault(
            line: firstLine + buffer[..<count].count { $0 == 0x0A },
            message: "an element with more than \(FeedLimits.tagAttributes) attributes")
          fault = overfullTagFault
        }
        run(context, xml)
      }
    }
  }

  private mutating func run(_ context: xmlParserCtxtPtr, _ xml: LibXMLFunctions) {
    defer {
      if let document = context.pointee.myDoc { xml.xmlFreeDoc(document) }
      context.pointee.myDoc = nil
      xml.xmlFreeParserCtxt(context)
    }
    // NOENT delivers attribute values with `&amp;` resolved; OLDSAX makes the parser request the
    // predefined entities, too (see `getEntity` below). NOERROR would also silence `serror` since
    // libxml2 2.13; nothing is printed without it because the other error handlers are empty.
    let options =
      XML_PARSE_RECOVER.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue
      | XML_PARSE_OLDSAX.rawValue | XML_PARSE_IGNORE_ENC.rawValue
    _ = xml.xmlCtxtUseOptions(context, Int32(options))
    context.pointee.sax.pointee = Self.handlers
    libxml_assume_utf8(xml, context)
    self.context = context
    defer { self.context = nil }
    withUnsafeMutablePointer(to: &self) { parser in
      context.pointee._private = UnsafeMutableRawPointer(parser)
      _ = xml.xmlParseDocument(context)
    }
    finishItem()
    reportChanges()
  }

  private static func parser(
    _ data: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<XMLFeedParser>? {
    LibXML.owner(of: data)
  }

  private static var handlers: xmlSAXHandler {
    var sax = xmlSAXHandler()
    sax.initialized = UInt32(XML_SAX2_MAGIC)
    sax.startDocument = { LibXML.functions?.xmlSAX2StartDocument($0) }
    sax.internalSubset = { LibXML.functions?.xmlSAX2InternalSubset($0, $1, $2, $3) }
    sax.entityDecl = { data, name, type, publicID, systemID, content in
      guard type == Int32(XML_INTERNAL_GENERAL_ENTITY.rawValue), let content,
        XMLEntities.isPlain(content)
      else { return }
      LibXML.functions?.xmlSAX2EntityDecl(data, name, type, publicID, systemID, content)
    }
    sax.getEntity = { data, name in
      guard let data, let name else { return nil }
      let context = data.assumingMemoryBound(to: xmlParserCtxt.self)
      if let entity = XMLEntities.entity(name, in: context) { return entity }
      // libxml2 itself does not report these if the document has a document type.
      let line = context.pointee.input.map { Int($0.pointee.line) } ?? 0
      let unknown = Sanitizer.line(LibXML.string(name) ?? "")
      XMLFeedParser.parser(data)?.pointee.note(
        code: 0, line: line, message: "entity “\(unknown)” is not defined")
      return nil
    }
    sax.startElementNs = { data, name, prefix, address, _, _, count, _, attributes in
      guard let parser = XMLFeedParser.parser(data) else { return }
      parser.pointee.start(
        name: LibXML.string(name) ?? "", prefix: prefix, address: address, attributes: attributes,
        count: Int(count))
      if parser.pointee.extent == .rootTag { parser.pointee.stop() }
    }
    sax.endElementNs = { data, _, _, _ in XMLFeedParser.parser(data)?.pointee.end() }
    sax.characters = { data, text, count in
      guard let text else { return }
      XMLFeedParser.parser(data)?.pointee.add(UnsafeBufferPointer(start: text, count: Int(count)))
    }
    sax.cdataBlock = sax.characters
    sax.ignorableWhitespace = sax.characters
    sax.serror = { data, error in
      guard let data, let error else { return }
      libxml_continue_reporting(data.assumingMemoryBound(to: xmlParserCtxt.self))
      let value = error.pointee
      guard value.domain != Int32(XML_FROM_NAMESPACE.rawValue), value.level != XML_ERR_WARNING
      else { return }
      let text = value.message.map { String(cString: $0) } ?? ""
      XMLFeedParser.parser(data)?.pointee.note(
        code: value.code, line: Int(value.line), message: Sanitizer.line(text))
    }
    return sax
  }

  private mutating func note(code: Int32, line: Int, message: String) {
    switch xmlParserErrors(rawValue: UInt32(bitPattern: code)) {
    case XML_ERR_NAME_REQUIRED, XML_ERR_ENTITYREF_SEMICOL_MISSING, XML_ERR_GT_REQUIRED,
      XML_ERR_SPACE_REQUIRED, XML_ERR_LT_IN_ATTRIBUTE, XML_ERR_ATTRIBUTE_WITHOUT_VALUE:
      hasBareMarkup = true
    case XML_ERR_TAG_NAME_MISMATCH, XML_ERR_TAG_NOT_FINISHED: hasMismatchedTag = true
    default: break
    }
    note(Fault(line: line, message: Self.ownWords(message)))
  }

  private mutating func note(_ new: Fault) {
    if itemDepth != nil {
      if itemFault == nil { itemFault = new }
    } else if fault == nil {
      fault = new
    }
  }

  /// Reports the repairs in the bytes passed since the last call.
  private mutating func reportChanges() {
    guard let repair, reportedChanges < repair.changes.count,
      let input = context?.pointee.input?.pointee,
      let current = input.cur, let base = input.base
    else { return }
    let byte = current - base + Int(clamping: input.consumed) - repairStart
    while reportedChanges < repair.changes.count, repair.changes[reportedChanges].byte <= byte {
      let change = repair.changes[reportedChanges]
      note(Fault(line: change.line, message: repair.message(change)))
      reportedChanges += 1
    }
  }

  /// Replaces libxml2's messages about its limits, which name an option of its own, and about
  /// missing ends.
  private static func ownWords(_ message: String) -> String {
    let unclosed = "Premature end of data in tag "
    if message.hasPrefix(unclosed) {
      let name = message.dropFirst(unclosed.count).prefix { $0 != " " }
      return "“\(name)” has no end"
    }
    guard message.contains("XML_PARSE_HUGE") else { return message }
    let isDepth = message.lowercased().contains("depth")
    return isDepth
      ? "elements nested deeper than is read" : "a name, value or text longer than is read"
  }

  private func stop() {
    LibXML.functions?.xmlStopParser(context)
  }

  private mutating func start(
    name: String, prefix: UnsafePointer<xmlChar>?, address: UnsafePointer<xmlChar>?,
    attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
  ) {
    flushText()
    let found = namespaces[prefix: prefix, address: address]
    if open.isEmpty, root == nil { rootAddress = address }
    let isRoots = prefix == nil && address == rootAddress
    let lowered = name.lowercased()
    let space =
      found == .other && isRoots
      ? .plain : prefix == nil ? itemNamespace(of: lowered, found) ?? found : found
    if isItem(lowered, space) {
      reportChanges()
      if itemDepth != nil {
        finishItem()
      }
      itemDepth = open.count
      textBytes = 0
      elementCount = 0
    }
    elementCount += 1
    guard elementCount <= FeedLimits.itemElements else {
      noteOverflow("more than \(FeedLimits.itemElements) elements: the rest is left out")
      open.append(nil)
      return
    }
    let element = FeedElement(space: space, name: lowered)
    for index in 0..<count {
      // Five pointers per attribute: local name, prefix, address, and the start and end of the
      // value.
      guard let attributes else { break }
      let value = LibXML.string(from: attributes[index * 5 + 3], to: attributes[index * 5 + 4])
      textBytes += value.utf8.count
      element.add(
        FeedElement.Attribute(
          space: namespaces[
            prefix: attributes[index * 5 + 1], address: attributes[index * 5 + 2]],
          name: (LibXML.string(attributes[index * 5]) ?? "").lowercased(), value: value))
    }
    if root == nil {
      root = element
    } else if itemDepth != open.count, let parent = open.last ?? nil {
      parent.add(.element(element))
    }
    open.append(element)
  }

  /// The vocabulary of the item for one of its parts that names another vocabulary for its content:
  /// `<description xmlns="http://www.w3.org/1999/xhtml">`. `nil` for all other elements.
  private func itemNamespace(of name: String, _ found: FeedNamespace) -> FeedNamespace? {
    guard found == .xhtml || found == .other, itemDepth == open.count - 1,
      Self.itemPartNames.contains(name)
    else { return nil }
    return open.last.flatMap { $0?.space }
  }

  private static let itemPartNames: Set<String> = [
    "author", "category", "content", "date", "description", "enclosure", "guid", "id", "link",
    "pubdate", "published", "summary", "title", "updated",
  ]

  /// `item` and `entry` are items at any depth, unless they belong to another vocabulary or to the
  /// text of a post.
  private func isItem(_ name: String, _ space: FeedNamespace) -> Bool {
    guard
      name == "item" && space == .plain || name == "entry" && (space == .atom || space == .plain)
    else { return false }
    return !open.contains { $0?.space == .xhtml }
  }

  private mutating func end() {
    flushText()
    if itemDepth == open.count - 1 {
      finishItem()
      // Changes are reported by the parser's progress, so with a repair it must go on.
      if extent == .item, repair == nil, isAtEnd { stop() }
    }
    if !open.isEmpty { open.removeLast() }
  }

  private var isAtEnd: Bool {
    guard let input = context?.pointee.input else { return false }
    return input.pointee.cur == input.pointee.end
  }

  /// Passes the open item on. Its elements that the parser still counts as open become `nil`.
  private mutating func finishItem() {
    flushText()
    reportChanges()
    guard let depth = itemDepth, depth < open.count, let item = open[depth] else {
      itemDepth = nil
      return
    }
    let parent = depth > 0 ? open[..<depth].last { $0 != nil } ?? nil : nil
    onItem(item, parent, itemFault)
    for index in depth..<open.count { open[index] = nil }
    itemDepth = nil
    itemFault = nil
    textBytes = 0
    elementCount = 0
  }

  private mutating func add(_ bytes: UnsafeBufferPointer<xmlChar>) {
    guard open.last ?? nil != nil else { return }
    textBytes += bytes.count
    guard textBytes <= FeedLimits.itemBytes else {
      noteOverflow("longer than \(FeedLimits.itemBytes) bytes: only its beginning is shown")
      return
    }
    pendingText.append(contentsOf: bytes)
  }

  /// Adds the characters collected so far to the innermost element.
  private mutating func flushText() {
    guard !pendingText.isEmpty else { return }
    if let element = open.last ?? nil {
      element.add(.text(String(decoding: pendingText, as: UTF8.self)))
    }
    pendingText.removeAll(keepingCapacity: true)
  }

  private mutating func noteOverflow(_ message: String) {
    isHeadCut = isHeadCut || itemDepth == nil
    if itemDepth != nil, itemFault == nil { itemFault = Fault(line: 0, message: message) }
  }
}

/// The vocabularies of a document, found by the pointers to their addresses and prefixes: the
/// parser keeps each of these texts once while it reads.
private struct KnownNamespaces {
  private var known:
    [(prefix: UnsafePointer<xmlChar>?, address: UnsafePointer<xmlChar>?, space: FeedNamespace)] = []

  /// - Complexity: O(n) in the vocabularies met so far, at most 16.
  subscript(
    prefix prefix: UnsafePointer<xmlChar>?, address address: UnsafePointer<xmlChar>?
  ) -> FeedNamespace {
    mutating get {
      if prefix == nil, address == nil { return .plain }
      for entry in known where entry.prefix == prefix && entry.address == address {
        return entry.space
      }
      let space = FeedNamespace(address: LibXML.string(address), prefix: LibXML.string(prefix))
      if known.count < 16 { known.append((prefix, address, space)) }
      return space
    }
  }
}
