import CXML2
import System
import TextLayout

/// Converts HTML to styled text through the events of libxml2's HTML parser: without a tree, deep
/// nesting cannot exhaust the stack.
enum HTMLReader {
  /// Reads `html` as text with its pictures and attachments; addresses are made absolute against
  /// `base`.
  ///
  /// Blank lines of text without any tag separate paragraphs, because feeds put plain text there,
  /// too.
  ///
  /// - Complexity: O(n · d) in the bytes and the depth, which is at most
  ///   ``FeedLimits/openElements``; content nested deeper is left out and reported.
  static func read(
    _ html: String, base: String?, as form: ContentForm = .styled
  ) -> HTMLContent {
    if form == .source { return source(html, base: base) }
    let isPlain = !html.containsByte(UInt8(ascii: "<"))
    let (shown, damage): (String, String?) = isPlain ? PlainText.bounded(html) : (html, nil)
    var builder = HTMLTextBuilder(base: base, flow: isPlain ? .plainParagraphs : .html)
    if isPlain, !shown.containsByte(UInt8(ascii: "&")) {
      builder.characters(shown)
    } else {
      parse(shown, within: "div", into: &builder)
    }
    var content = builder.finish()
    content.damage = damage ?? content.damage
    return content
  }

  /// The HTML in its source's form; text without markup stays text.
  private static func source(_ html: String, base: String?) -> HTMLContent {
    guard hasMarkup(html) else { return .plain(html, as: .source) }
    let source = HTMLAddressRewriter(html, base: base)
    var content = HTMLContent()
    if !source.isBlank { content.source = .html(source.html) }
    content.pictures = source.pictures
    return content
  }

  /// Reads a title that may contain HTML: one paragraph with its emphasis. Tags that are no markup
  /// are part of its words (`Using <div>`, `if a<b`).
  ///
  /// - Parameter isDeclared: whether the source declares the title as HTML; if not, only complete
  ///   elements count as markup.
  static func readTitle(_ html: String, isDeclared: Bool = false) -> StyledText {
    guard hasMarkup(html) else {
      return StyledText(Sanitizing.collapsed(html))
    }
    var builder = HTMLTextBuilder(base: nil, flow: .title)
    let markup = TitleMarkup(html, isDeclared: isDeclared)
    parse(markup.html, within: "font", into: &builder)
    let text = builder.finish().text
    guard text.isEmpty else { return text }
    return markup.isCut ? StyledText() : StyledText(Sanitizing.collapsed(html))
  }

  private static func hasMarkup(_ html: String) -> Bool {
    html.containsByte(UInt8(ascii: "<")) || html.containsByte(UInt8(ascii: "&"))
  }

  /// `text` with HTML's character references resolved, for names and plain titles; tags stay. If
  /// there is a reference, white space is collapsed.
  static func decodingEntities(_ text: String) -> String {
    guard text.containsByte(UInt8(ascii: "&")) else { return text }
    var builder = HTMLTextBuilder(base: nil, flow: .title)
    let escaped = text.split(separator: "<", omittingEmptySubsequences: false)
      .joined(separator: "&lt;")
    parse(escaped, within: "font", into: &builder)
    let decoded = builder.finish().text
    return decoded.isEmpty ? Sanitizing.collapsed(text) : decoded.plainText
  }

  /// Parses `html` inside an element, without which the parser would put text after an inline
  /// element into a paragraph.
  private static func parse(
    _ html: String, within element: String, into builder: inout HTMLTextBuilder
  ) {
    guard let xml = LibXML.functions else { return builder.characters(html) }
    guard let context = xml.htmlNewParserCtxt() else { return }
    defer { xml.htmlFreeParserCtxt(context) }
    context.pointee.sax.pointee = handlers
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue | HTML_PARSE_NOIMPLIED.rawValue
      | HTML_PARSE_IGNORE_ENC.rawValue
    var html = "<\(element)>\(CharacterReferenceRepair.repaired(html: html))"
    if let closed = html.withUTF8(HTMLEndTagRepair.closed) {
      html = String(decoding: closed, as: UTF8.self)
    }
    if let withFewerAttributes = html.withUTF8(HTMLAttributeLimiter.withFewerAttributes) {
      html = String(decoding: withFewerAttributes, as: UTF8.self)
    }
    html.withUTF8 { buffer in
      guard let start = buffer.baseAddress, buffer.count < Int(Int32.max) else { return }
      let document = withUnsafeMutablePointer(to: &builder) { builder in
        context.pointee._private = UnsafeMutableRawPointer(builder)
        return start.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
          xml.htmlCtxtReadMemory(context, $0, Int32(buffer.count), nil, "UTF-8", Int32(options))
        }
      }
      if let document { xml.xmlFreeDoc(document) }
    }
  }

  private static func builder(
    _ data: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<HTMLTextBuilder>? {
    LibXML.owner(of: data)
  }

  private static var handlers: xmlSAXHandler {
    var sax = xmlSAXHandler()
    // Not `XML_SAX2_MAGIC`: the HTML parser has the older events only. Without handlers for them
    // errors are ignored; the parser recovers from all.
    sax.initialized = 1
    sax.startElement = { data, name, attributes in
      guard let builder = HTMLReader.builder(data) else { return }
      builder.pointee.start(
        HTMLReader.name(name), HTMLAttributes(attributes), called: LibXML.string(name) ?? "")
      if builder.pointee.isCut {
        LibXML.functions?.xmlStopParser(data?.assumingMemoryBound(to: xmlParserCtxt.self))
      }
    }
    sax.endElement = { data, name in
      HTMLReader.builder(data)?.pointee.end(HTMLReader.name(name))
    }
    sax.characters = { data, text, count in
      guard let text else { return }
      HTMLReader.builder(data)?.pointee.characters(
        UnsafeBufferPointer(start: text, count: Int(count)))
    }
    sax.cdataBlock = sax.characters
    sax.ignorableWhitespace = sax.characters
    return sax
  }

  private static func name(_ name: UnsafePointer<xmlChar>?) -> ElementName {
    guard let name else { return ElementName("") }
    let count = name.withMemoryRebound(to: CChar.self, capacity: 1) { strlen($0) }
    return ElementName(UnsafeBufferPointer(start: name, count: count))
  }
}
