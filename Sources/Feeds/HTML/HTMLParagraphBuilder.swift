import TextLayout

/// Assembles characters into paragraphs.
///
/// 1. A paragraph begins with the first visible character after it was requested, never before:
///    empty blocks leave nothing.
/// 2. White space is collapsed. A space or a line break is pending until a visible character
///    follows, and is dropped if none does.
struct HTMLParagraphBuilder {
  enum Kind {
    case html
    /// Text without tags: a blank line begins a paragraph.
    case plainParagraphs
    /// One paragraph; blocks become spaces.
    case title
  }

  struct Block {
    var indent = 0
    var quoteDepth = 0
    var isPreformatted = false
    /// Whether line feeds are line breaks, as with `white-space: pre-wrap`.
    var preservesLineBreaks = false
  }

  private struct Link {
    let target: String
    /// The style before the link.
    let styleBefore: TextStyle
    /// The index in the text's links, from the link's first character on.
    var index: Int?
  }

  let kind: Kind
  var output = StyledTextBuffer()
  var style = TextStyle.body
  var block = Block()
  private var openLink: Link?

  // Pending until the next visible character.
  private var needsParagraph = true
  /// The marker of the next paragraph.
  var marker: String?
  /// The empty rows before the next paragraph; `nil` for the usual ones.
  var spacing: Int?
  private var lineBreaks = 0
  private var space: TextStyle?

  /// Columns since the last line break of preformatted text.
  private var column = 0

  init(_ kind: Kind) { self.kind = kind }

  /// The index of the paragraph that would begin next.
  var place: Int { output.text.paragraphs.count }
  /// The link of the text that follows.
  var link: String? { openLink?.target }

  // MARK: Requests

  mutating func endParagraph() { needsParagraph = true }

  /// Continues below a picture.
  mutating func continueBelowPicture() {
    needsParagraph = true
    lineBreaks = 0
  }

  /// Replaces a pending bullet by another mark; returns whether there was one.
  mutating func replaceMarker(_ mark: String) -> Bool {
    guard let marker, !(marker.first?.isNumber ?? false) else { return false }
    self.marker = mark
    return true
  }

  mutating func breakLine() {
    if kind == .title { addSpace() } else { lineBreaks += 1 }
  }

  mutating func addSpace() { if space == nil { space = spaceStyle } }

  mutating func setLink(_ target: String?) {
    guard target != link else { return }
    openLink = target.map { Link(target: $0, styleBefore: style) }
  }

  // MARK: Characters

  /// - Complexity: O(n) in the bytes.
  mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    if block.isPreformatted, kind == .html { return preformatted(bytes) }
    var newlines = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte > 0x20 || !Self.isBlank(byte) {
        newlines = 0
        index = words(bytes, from: index)
        continue
      }
      if byte == 0x0A {
        newlines += 1
        if block.preservesLineBreaks, kind == .html { breakLine() }
        if newlines == 2, kind == .plainParagraphs { needsParagraph = true }
      }
      if space == nil { space = spaceStyle }
      index += 1
    }
  }

  @inline(__always) private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C
  }

  /// Writes words with single spaces between them at once, and returns their end.
  private mutating func words(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    if isWaiting { writePendingContent() }
    var end = start
    while end < bytes.count {
      let byte = bytes[end]
      if byte > 0x20 {
        end += 1
      } else if byte == 0x20, end + 1 < bytes.count, bytes[end + 1] > 0x20 {
        end += 2
      } else if Self.isBlank(byte) {
        break
      } else {
        end += 1
      }
    }
    prepare(own: nil)
    output.append(UnsafeBufferPointer(rebasing: bytes[start..<end]))
    return end
  }

  private mutating func preformatted(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes {
      switch byte {
      case 0x0D: continue
      case 0x0A:
        // The first line break and the last belong to the tags, not to the text.
        if !needsParagraph { lineBreaks += 1 }
        column = 0
        continue
      default: break
      }
      if needsParagraph {
        writePendingContent()
      } else if lineBreaks > 0 {
        prepare(own: nil)
        output.append(repeatElement(0x0A, count: lineBreaks))
        lineBreaks = 0
      }
      prepare(own: nil)
      if byte == 0x09 {
        let count = Sanitizer.tabWidth - column % Sanitizer.tabWidth
        output.append(repeatElement(0x20, count: count))
        column += count
      } else {
        output.append(byte)
        if byte & 0xC0 != 0x80 { column += 1 }
      }
    }
  }

  mutating func write(_ text: String, style own: TextStyle? = nil) {
    guard !text.isEmpty else { return }
    if isWaiting { writePendingContent() }
    prepare(own: own)
    output.append(text.utf8)
  }

  private var isWaiting: Bool { needsParagraph || lineBreaks > 0 || space != nil }

  /// The style of a pending space: that of a link only inside the link's text.
  private var spaceStyle: TextStyle {
    guard let openLink else { return style }
    guard let index = openLink.index else { return openLink.styleBefore }
    var linked = style
    linked.link = index
    return linked
  }

  /// Writes the pending paragraph, line break or space.
  private mutating func writePendingContent() {
    if needsParagraph || (lineBreaks > 1 && kind != .title) {
      beginParagraph()
    } else if lineBreaks == 1 {
      prepare(own: nil)
      output.append(0x0A)
    } else if let space {
      prepare(own: space)
      output.append(0x20)
    }
    lineBreaks = 0
    space = nil
  }

  private mutating func beginParagraph() {
    var paragraph = StyledText.ParagraphStyle()
    paragraph.indent = block.indent
    paragraph.quoteDepth = block.quoteDepth
    paragraph.isPreformatted = block.isPreformatted
    paragraph.marker = marker ?? ""
    paragraph.spacingBefore = spacing ?? 1
    output.beginParagraph(paragraph)
    needsParagraph = false
    marker = nil
    spacing = nil
    column = 0
  }

  /// Selects the style `own`, or the current style with its link.
  private mutating func prepare(own: TextStyle?) {
    var wanted = own ?? style
    if own == nil, let link = openLink {
      let index = link.index ?? output.text.addLink(link.target)
      openLink?.index = index
      wanted.link = index
    }
    output.select(wanted)
  }
}
