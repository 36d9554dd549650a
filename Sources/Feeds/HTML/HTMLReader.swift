import CXML2
import System
import TextLayout

/// HTML to styled text, through libxml2's HTML parser and its events: no tree, so no depth to crash
/// on.
enum HTMLReader {
  /// `html` as text with its pictures and attachments; addresses are made absolute against `base`.
  ///
  /// Text without any tag keeps its blank lines as paragraphs: feeds put plain text there, too.
  ///
  /// - Complexity: O(n · d) in the bytes and the depth, which is at most
  ///   ``FeedLimits/openElements``; what is nested deeper is left out and reported.
  static func read(
    _ html: String, base: String?, as form: ContentForm = .styled
  ) -> HTMLContent {
    if form == .source { return source(html, base: base) }
    let isPlain = !html.hasByte(UInt8(ascii: "<"))
    if isPlain, let end = PlainText.end(ofLines: FeedLimits.textLines, in: html) {
      var content = read(String(html[..<end]), base: base, as: form)
      content.damage = "more than \(FeedLimits.textLines) lines: the rest is left out"
      return content
    }
    var builder = HTMLTextBuilder(base: base, flow: isPlain ? .plainParagraphs : .html)
    if isPlain, !html.hasByte(UInt8(ascii: "&")) {
      builder.characters(html)
    } else {
      parse(html, within: "div", into: &builder)
    }
    return builder.finish()
  }

  /// The HTML itself; text without markup is text.
  private static func source(_ html: String, base: String?) -> HTMLContent {
    let isText = !hasMarkup(html)
    if isText { return .plain(html, as: .source) }
    let source = HTMLSource(html, base: base)
    var content = HTMLContent()
    if !source.isBlank { content.source = .html(source.html) }
    content.pictures = source.pictures
    return content
  }

  /// A title that may hold HTML: one paragraph with its emphasis. Tags that are no markup are part
  /// of its words (`Using <div>`, `if a<b`).
  ///
  /// - Parameter isDeclared: the source says that it is HTML; else only whole elements are taken
  ///   for it.
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
    html.hasByte(UInt8(ascii: "<")) || html.hasByte(UInt8(ascii: "&"))
  }

  /// `text` with HTML's entities resolved and nothing else changed, for names and plain titles.
  static func decodingEntities(_ text: String) -> String {
    guard text.hasByte(UInt8(ascii: "&")) else { return text }
    var builder = HTMLTextBuilder(base: nil, flow: .title)
    let escaped = text.split(separator: "<", omittingEmptySubsequences: false)
      .joined(separator: "&lt;")
    parse(escaped, within: "font", into: &builder)
    let decoded = builder.finish().text
    return decoded.isEmpty ? Sanitizing.collapsed(text) : decoded.plainText
  }

  /// Without an element around it, the parser makes a paragraph of the text behind an inline
  /// element.
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
    var html = "<\(element)>\(CharacterReferences.repaired(html: html))"
    if let closed = html.withUTF8(UnclosedElements.closed) {
      html = String(decoding: closed, as: UTF8.self)
    }
    if let thinned = html.withUTF8(CrowdedTags.thinned) {
      html = String(decoding: thinned, as: UTF8.self)
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
    // Not SAX2's mark: the HTML parser has the older events only. Errors go nowhere, as the fields
    // for them stay empty; HTML is always recovered from.
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
