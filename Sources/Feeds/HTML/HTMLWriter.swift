import TextLayout

/// Writes styled text as HTML that `HTMLTextBuilder` reads back to the same text.
struct HTMLWriter {
  private struct List {
    var indent: Int
    var isNumbered: Bool
  }

  private var html = ""
  private var quoteDepth = 0
  private var lists: [List] = []
  /// The pictures that are not written yet.
  private var pictures: ArraySlice<Post.Picture> = []

  /// - Parameter pictures: the pictures with a place in `text`, in order.
  /// - Complexity: O(n) in the bytes of `text`.
  static func html(_ text: StyledText, pictures: [Post.Picture] = []) -> String {
    var writer = HTMLWriter()
    writer.pictures = pictures[...]
    for (index, paragraph) in text.paragraphs.enumerated() {
      writer.write(paragraph, at: index, links: text.links)
    }
    writer.closeLists(above: -1)
    writer.setQuoteDepth(0)
    writer.writePictures(upTo: .max)
    return writer.html
  }

  private mutating func writePictures(upTo place: Int) {
    while let picture = pictures.first, (picture.place ?? 0) <= place {
      pictures.removeFirst()
      html += "<img src=\"\(Self.escaped(picture.url))\""
      if !picture.alternativeText.isEmpty {
        html += " alt=\"\(Self.escaped(picture.alternativeText))\""
      }
      for (name, side) in [("width", picture.width), ("height", picture.height)] {
        // A smaller picture would be read as an emoji.
        if let side, side > 32 { html += " \(name)=\"\(side)\"" }
      }
      html += ">"
    }
  }

  private mutating func write(
    _ paragraph: StyledText.Paragraph, at place: Int, links: [String]
  ) {
    let style = paragraph.style
    if style.quoteDepth != quoteDepth {
      closeLists(above: -1)
      setQuoteDepth(style.quoteDepth)
    }
    closeLists(above: style.indent)
    let isItem = !style.marker.isEmpty
    if isItem { beginItem(style) }
    let isInList = lists.last?.indent == style.indent
    let isDefinition = style.indent > 0 && !isInList
    if isDefinition { html += "<dl><dd>" }
    writePictures(upTo: place)
    writeBlock(paragraph, links: links, isItem: isItem)
    if isDefinition { html += "</dd></dl>" }
  }

  private mutating func writeBlock(
    _ paragraph: StyledText.Paragraph, links: [String], isItem: Bool
  ) {
    let roles = Set(paragraph.runs.map(\.style.role))
    let isRule = paragraph.string == "───"
    let isCaption = roles == [.secondary] && paragraph.style.spacingBefore == 0
    if isRule {
      html += "<hr>"
    } else if paragraph.style.isPreformatted {
      html += "<pre>"
      writeRuns(paragraph, links: links, hiding: .code, breaks: "\n")
      html += "</pre>"
    } else if roles == [.heading] {
      html += "<h3>"
      writeRuns(paragraph, links: links, hiding: .heading)
      html += "</h3>"
    } else {
      let tag = isCaption ? "figcaption" : isItem ? nil : "p"
      if let tag { html += "<\(tag)>" }
      writeRuns(paragraph, links: links, hiding: isCaption ? .secondary : .body)
      if let tag { html += "</\(tag)>" }
    }
  }

  private mutating func beginItem(_ style: StyledText.ParagraphStyle) {
    // Letters and Roman numerals become numbers.
    let isNumbered = style.marker.hasSuffix(". ")
    let number = Int(style.marker.dropLast(2))
    if let last = lists.last, last.indent == style.indent, last.isNumbered != isNumbered {
      closeLists(above: style.indent - 1)
    }
    if lists.last?.indent == style.indent {
      html += "</li>"
    } else {
      html += isNumbered ? "<ol>" : "<ul>"
      lists.append(List(indent: style.indent, isNumbered: isNumbered))
    }
    html += number.map { "<li value=\"\($0)\">" } ?? "<li>"
  }

  private mutating func closeLists(above indent: Int) {
    while let last = lists.last, last.indent > indent {
      html += last.isNumbered ? "</li></ol>" : "</li></ul>"
      lists.removeLast()
    }
  }

  private mutating func setQuoteDepth(_ depth: Int) {
    while quoteDepth > depth {
      html += "</blockquote>"
      quoteDepth -= 1
    }
    while quoteDepth < depth {
      html += "<blockquote>"
      quoteDepth += 1
    }
  }

  /// Writes runs with the tags of their style, except for `role`, which the block implies.
  private mutating func writeRuns(
    _ paragraph: StyledText.Paragraph, links: [String], hiding role: TextStyle.Role,
    breaks: String = "<br>"
  ) {
    let bytes = Array(paragraph.string.utf8)
    var openLink: Int?
    for run in paragraph.runs {
      let style = run.style
      let link = style.link.flatMap { links.indices.contains($0) ? $0 : nil }
      if link != openLink {
        if openLink != nil { html += "</a>" }
        if let link {
          let rel = style.role == .tag ? " rel=\"tag\"" : ""
          html += "<a\(rel) href=\"\(Self.escaped(links[link]))\">"
        }
        openLink = link
      }
      var tags: [String] = []
      if style.traits.contains(.bold), style.role != .heading { tags.append("strong") }
      if style.traits.contains(.italic) { tags.append("em") }
      if style.traits.contains(.underline) { tags.append("u") }
      if style.traits.contains(.strikethrough) { tags.append("s") }
      if style.role == .code, role != .code { tags.append("code") }
      html += tags.map { "<\($0)>" }.joined()
      let text = String(decoding: bytes[run.range], as: UTF8.self)
      html += Self.escaped(text).split(separator: "\n", omittingEmptySubsequences: false)
        .joined(separator: breaks)
      html += tags.reversed().map { "</\($0)>" }.joined()
    }
    if openLink != nil { html += "</a>" }
  }

  /// The HTML inside an XML element.
  ///
  /// - Complexity: O(n · d) in its bytes and the depth of the elements in it.
  static func html(ofContent element: FeedElement) -> String {
    var html = ""
    for child in element.children {
      switch child {
      case .text(let text): html += escaped(text)
      case .element(let inner):
        html += "<\(inner.name)"
        for attribute in inner.attributes where attribute.space == .plain {
          html += " \(attribute.name)=\"\(escaped(attribute.value))\""
        }
        html += ">"
        let isVoid = inner.children.isEmpty && isVoid(inner.name)
        if !isVoid { html += Self.html(ofContent: inner) + "</\(inner.name)>" }
      }
    }
    return html
  }

  private static func isVoid(_ name: String) -> Bool {
    guard let element = HTMLElement(ElementName(name)) else { return false }
    return element.has(.void) && !element.has(.metadata)
  }

  /// Text without the signs that have a meaning in markup, for XML as well.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
