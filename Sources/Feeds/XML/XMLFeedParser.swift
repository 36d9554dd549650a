import CXML2
import TextLayout

/// Reads the head of a feed, or one item, by libxml2's events.
///
/// 1. Nothing outside the bytes is ever read. External and parameter entities are not even
///    declared; internal ones only if they are short and contain no other, so that nothing
///    multiplies; HTML's names (`&eacute;`) are known.
/// 2. The parser recovers. An error inside an item marks the item, one outside marks the feed.
/// 3. An item that was never closed ends before the next one.
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
  }

  /// Repairs of the bytes before they are parsed.
  struct Repairs: OptionSet {
    let rawValue: UInt8

    /// References for a bare `&` or `<`.
    static let bareMarkup = Repairs(rawValue: 1)
    /// End tags where elements have none or several.
    static let tags = Repairs(rawValue: 2)
  }

  /// The repairs that errors, anywhere in the bytes, call for.
  private(set) var neededRepairs: Repairs = []
  /// The error of a tag with too many attributes, at which parsing stops.
  private(set) var overfullTagFault: Fault?
  /// The first error behind which elements may be missing: the bytes end before the root does, or
  /// exceed a limit of the parser.
  private(set) var truncationFault: Fault?

  private let extent: Extent
  /// The first item; a repair of the bytes is an error of it, too.
  private(set) var item: FeedTreeBuilder.Item?
  private var tree = FeedTreeBuilder()
  private var namespaces = KnownNamespaces()
  /// The error that a repair of tags has found.
  private var repairFault: Fault?
  private var context: xmlParserCtxtPtr?

  /// The root element with everything except the items.
  var root: FeedElement? { tree.root }
  /// The first error outside any item.
  var fault: Fault? { tree.fault }
  /// Whether elements or text outside of items were left out because of a limit.
  var isHeadCut: Bool { tree.isHeadCut }

  init(_ extent: Extent = .document) { self.extent = extent }

  /// Parses a document of valid UTF-8 without a byte order mark.
  ///
  /// - Parameters:
  ///   - prefix: what stands before `source`, on one line and not to be repaired.
  ///   - firstLine: the number of the first line, for error messages.
  /// - Complexity: O(n) in the bytes; memory of one item and the head besides.
  mutating func parse(
    _ source: [UInt8], after prefix: [UInt8] = [], firstLine: Int = 1,
    repairing repairs: Repairs = []
  ) {
    guard let xml = LibXML.functions else {
      tree.note(Fault(line: firstLine, message: "libxml2 is not installed"))
      return
    }
    var whole = repairs.contains(.bareMarkup) ? BareMarkupRepair.repaired(source) : source
    if repairs.contains(.tags) {
      let repair = TagRepair(whole, firstLine: firstLine)
      (whole, repairFault) = (repair.bytes, repair.fault)
    }
    let bytes = prefix + whole
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
          let fault = Fault(
            line: firstLine + buffer[..<count].count { $0 == 0x0A },
            message: "an element with more than \(FeedLimits.tagAttributes) attributes")
          (overfullTagFault, truncationFault) = (fault, fault)
          tree.note(fault)
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
        LibXML.string(name) ?? "", prefix: prefix, address: address, attributes: attributes,
        count: Int(count))
      if parser.pointee.extent == .rootTag { parser.pointee.stop() }
    }
    sax.endElementNs = { data, _, _, _ in XMLFeedParser.parser(data)?.pointee.end() }
    sax.characters = { data, text, count in
      guard let text else { return }
      XMLFeedParser.parser(data)?.pointee.tree.add(
        UnsafeBufferPointer(start: text, count: Int(count)))
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
    let error = xmlParserErrors(rawValue: UInt32(bitPattern: code))
    switch error {
    case XML_ERR_NAME_REQUIRED, XML_ERR_ENTITYREF_SEMICOL_MISSING, XML_ERR_GT_REQUIRED,
      XML_ERR_SPACE_REQUIRED, XML_ERR_LT_IN_ATTRIBUTE, XML_ERR_ATTRIBUTE_WITHOUT_VALUE:
      neededRepairs.insert(.bareMarkup)
    case XML_ERR_TAG_NAME_MISMATCH, XML_ERR_TAG_NOT_FINISHED: neededRepairs.insert(.tags)
    default: break
    }
    let fault = Fault(line: line, message: Self.ownWords(message))
    if error == XML_ERR_TAG_NOT_FINISHED || Self.isAboutLimit(message) {
      truncationFault = truncationFault ?? fault
    }
    tree.note(fault)
  }

  private static func isAboutLimit(_ message: String) -> Bool {
    message.contains("XML_PARSE_HUGE")
  }

  /// Replaces libxml2's messages about its limits, which name an option of its own, and about
  /// missing ends.
  private static func ownWords(_ message: String) -> String {
    let unclosed = "Premature end of data in tag "
    if message.hasPrefix(unclosed) {
      let name = message.dropFirst(unclosed.count).prefix { $0 != " " }
      return "“\(name)” has no end"
    }
    guard isAboutLimit(message) else { return message }
    let isDepth = message.lowercased().contains("depth")
    return isDepth
      ? "elements nested deeper than is read" : "a name, value or text longer than is read"
  }

  private func stop() {
    LibXML.functions?.xmlStopParser(context)
  }

  private mutating func start(
    _ written: String, prefix: UnsafePointer<xmlChar>?, address: UnsafePointer<xmlChar>?,
    attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
  ) {
    if tree.root == nil { namespaces.addRoot(address) }
    let name = written.lowercased()
    let found = namespaces[prefix: prefix, address: address]
    let space = prefix == nil ? tree.itemNamespace(of: name, in: found) ?? found : found
    let isItem = tree.isItem(name, in: space)
    if isItem { finishItem() }
    var read: [FeedElement.Attribute] = []
    if let attributes {
      read.reserveCapacity(count)
      // Five pointers per attribute: local name, prefix, address, and the start and end of the
      // value.
      for place in stride(from: 0, to: count * 5, by: 5) {
        read.append(
          FeedElement.Attribute(
            space: namespaces[prefix: attributes[place + 1], address: attributes[place + 2]],
            name: (LibXML.string(attributes[place]) ?? "").lowercased(),
            value: LibXML.string(from: attributes[place + 3], to: attributes[place + 4])))
      }
    }
    tree.begin(name, in: space, isItem: isItem, read)
  }

  private mutating func end() {
    if tree.isAtItem {
      finishItem()
      if extent == .item, isAtEnd { stop() }
    }
    tree.end()
  }

  private var isAtEnd: Bool {
    guard let input = context?.pointee.input else { return false }
    return input.pointee.cur == input.pointee.end
  }

  /// Takes the open item, if there is one; further ones are left out.
  private mutating func finishItem() {
    if let repairFault { tree.note(repairFault) }
    if let taken = tree.takeItem(), item == nil { item = taken }
  }
}

/// The vocabularies of a document, found by the pointers to their addresses and prefixes: the
/// parser keeps each of these texts once while it reads.
private struct KnownNamespaces {
  private var known:
    [(prefix: UnsafePointer<xmlChar>?, address: UnsafePointer<xmlChar>?, space: FeedNamespace)] = []

  /// Adds the vocabulary of the root: its elements without a prefix are those of RSS if it is an
  /// unknown one.
  mutating func addRoot(_ address: UnsafePointer<xmlChar>?) {
    let space = FeedNamespace(address: LibXML.string(address), prefix: nil)
    known.append((nil, address, space == .other ? .plain : space))
  }

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
