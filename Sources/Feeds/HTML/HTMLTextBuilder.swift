import TextLayout

/// Turns the events of HTML into paragraphs.
///
/// 1. A paragraph begins with the first visible character after a block's start or end, never before:
///    empty blocks leave nothing.
/// 2. White space is collapsed across elements. A space, a line break or a cell's bar waits until a
///    visible character follows, and is dropped where none does.
/// 3. Each open element remembers the style and block it began in; its end restores them, also for
///    elements inside it that were never closed.
/// 4. An element whose content is hidden hides all below it; media inside are still found.
/// 5. A picture stands between paragraphs: what follows it begins a new one.
final class HTMLTextBuilder {
  enum Flow {
    case html
    /// Text without tags: a blank line begins a paragraph.
    case plainParagraphs
    /// One paragraph; blocks are spaces.
    case title
  }

  private struct Block {
    var indent = 0
    var quoteDepth = 0
    var isPreformatted = false
  }

  private struct List {
    var isNumbered: Bool
    var next: Int
    var count = 0
  }

  private struct Open {
    var name: String
    var tag: HTMLTag?
    var style: TextStyle
    var block: Block
    var link: String?
    /// Its end is left out, as Mastodon does with addresses.
    var isShortened = false
  }

  private let base: String?
  private let flow: Flow
  private var content = HTMLContent()
  private var open: [Open] = []
  private var style = TextStyle.body
  private var block = Block()
  private var lists: [List] = []
  private var tableRows: [Int] = []
  private var hiddenDepth = 0
  /// Set once ``FeedLimits/openElements`` is passed: the parser is to stop.
  private(set) var isTooDeep = false

  // What waits for the next visible character.
  private var needsParagraph = true
  private var marker: String?
  private var spacing: Int?
  private var lineBreaks = 0
  private var cellBars = 0
  private var space: TextStyle?

  private var link: String?
  private var linkIndex: Int?
  private var buffer: [UInt8] = []
  private var bufferStyle = TextStyle.body
  private var media: HTMLMedia

  init(base: String?, flow: Flow) {
    self.base = base
    self.flow = flow
    media = HTMLMedia(base: base)
  }

  /// - Complexity: O(1), apart from the text that is flushed.
  func start(_ name: String, _ attributes: HTMLAttributes) {
    guard open.count < FeedLimits.openElements else {
      isTooDeep = true
      content.damage =
        "HTML nested deeper than \(FeedLimits.openElements) elements: the rest is left out"
      return
    }
    let tag = HTMLTag(name)
    open.append(
      Open(
        name: name, tag: tag, style: style, block: block, link: link,
        isShortened: tag == .span && attributes.hasClass("ellipsis")))
    if hiddenDepth > 0 || hides(tag, attributes) {
      hiddenDepth += 1
      if let tag { show(tag, attributes) }
      return
    }
    if flow == .title {
      startInTitle(name, tag, attributes)
      return
    }
    guard let tag else { return }
    if tag.isBlock { needsParagraph = true }
    startBlock(tag, name, attributes)
    startInline(tag, attributes)
    show(tag, attributes)
  }

  private func show(_ tag: HTMLTag, _ attributes: HTMLAttributes) {
    let count = media.pictures.count
    if let text = media.start(tag, attributes, at: content.text.paragraphs.count) { write(text) }
    guard media.pictures.count > count else { return }
    needsParagraph = true
    lineBreaks = 0
  }

  private func hides(_ tag: HTMLTag?, _ attributes: HTMLAttributes) -> Bool {
    switch tag {
    case .hidden, .video, .audio, .frame: true
    case .span: attributes.hasClass("invisible")
    default: attributes["hidden"] != nil
    }
  }

  private func startBlock(_ tag: HTMLTag, _ name: String, _ attributes: HTMLAttributes) {
    switch tag {
    case .heading:
      style.role = .heading
      style.traits.insert(.bold)
    case .quote:
      block.quoteDepth = min(block.quoteDepth + 1, 8)
      if style.role == .body { style.role = .quote }
    case .preformatted:
      block.isPreformatted = true
      if style.role != .link { style.role = .code }
    case .bulletList, .numberedList:
      let first = attributes["start"].flatMap { Int($0) } ?? 1
      lists.append(List(isNumbered: tag == .numberedList, next: min(max(first, 0), 999_999)))
    case .listItem: startListItem(attributes)
    case .term:
      style.traits.insert(.bold)
    case .definition:
      block.indent = min(block.indent + 2, 40)
      spacing = 0
    case .table: tableRows.append(0)
    case .tableRow:
      cellBars = -1
      if let rows = tableRows.last {
        spacing = rows == 0 ? nil : 0
        tableRows[tableRows.count - 1] = rows + 1
      }
    case .tableCell, .headerCell:
      cellBars += 1
      if tag == .headerCell { style.traits.insert(.bold) }
    case .caption:
      style.role = .secondary
      spacing = 0
    case .rule:
      write("───", style: TextStyle(role: .secondary))
      needsParagraph = true
    default: break
    }
  }

  private func startListItem(_ attributes: HTMLAttributes) {
    guard var list = lists.last else {
      marker = "• "
      block.indent = min(block.indent + 2, 40)
      return
    }
    if let value = attributes["value"].flatMap({ Int($0) }), (0...999_999).contains(value) {
      list.next = value
    }
    let bullets = ["• ", "◦ ", "▪ "]
    let mark = list.isNumbered ? "\(list.next). " : bullets[(lists.count - 1) % bullets.count]
    marker = mark
    block.indent = min(block.indent + max(list.isNumbered ? 4 : 2, mark.count), 40)
    spacing = list.count == 0 && lists.count == 1 ? nil : 0
    list.next += 1
    list.count += 1
    lists[lists.count - 1] = list
  }

  private func startInline(_ tag: HTMLTag, _ attributes: HTMLAttributes) {
    switch tag {
    case .bold: style.traits.insert(.bold)
    case .italic: style.traits.insert(.italic)
    case .underline: style.traits.insert(.underline)
    case .strike: style.traits.insert(.strikethrough)
    case .code: if style.role != .link { style.role = .code }
    case .quotation: write("“")
    case .lineBreak: lineBreaks += 1
    case .link:
      guard let target = FeedAddress.resolve(attributes["href"], base: base) else { return }
      link = target
      linkIndex = nil
      let isTag =
        attributes.hasClass("hashtag")
        || attributes["rel"]?.split(separator: " ").contains("tag") == true
      style.role = isTag ? .tag : .link
    default: break
    }
  }

  /// In a title blocks are spaces, pictures their words, and what is no HTML of a title is itself.
  private func startInTitle(_ name: String, _ tag: HTMLTag?, _ attributes: HTMLAttributes) {
    switch tag {
    case .bold, .italic, .underline, .strike, .code, .quotation:
      if let tag { startInline(tag, attributes) }
    case .lineBreak: if space == nil { space = style }
    case let tag? where tag.isBlock: if space == nil { space = style }
    case .image: write(attributes["alt"] ?? "")
    default: break
    }
  }

  /// - Complexity: O(d) in the elements open.
  func end(_ name: String) {
    guard let index = open.lastIndex(where: { $0.name == name }) else { return }
    while open.count > index, let element = open.popLast() { close(element) }
  }

  private func close(_ element: Open) {
    if hiddenDepth > 0 {
      hiddenDepth -= 1
      media.end(element.tag)
    } else if let tag = element.tag, flow != .title {
      switch tag {
      case .quotation: write("”")
      case .span where element.isShortened: write("…")
      case .bulletList, .numberedList: if !lists.isEmpty { lists.removeLast() }
      case .table: if !tableRows.isEmpty { tableRows.removeLast() }
      case .listItem: marker = nil
      default: break
      }
      if tag.isBlock {
        needsParagraph = true
        if tag != .rule { spacing = nil }
        cellBars = 0
      }
    } else if element.tag == .quotation {
      write("”")
    } else if element.tag?.isBlock == true, space == nil {
      space = style
    }
    if element.link != link {
      link = element.link
      linkIndex = nil
    }
    style = element.style
    block = element.block
  }

  func characters(_ text: String) {
    var text = text
    text.withUTF8 { characters($0) }
  }

  /// - Complexity: O(n) in the bytes.
  func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard hiddenDepth == 0 else { return }
    if block.isPreformatted, flow == .html {
      preformatted(bytes)
      return
    }
    var newlines = 0
    for byte in bytes {
      switch byte {
      case 0x0A:
        newlines += 1
        if newlines == 2, flow == .plainParagraphs { needsParagraph = true }
        if space == nil { space = spaceStyle }
      case 0x20, 0x09, 0x0D, 0x0C:
        if space == nil { space = spaceStyle }
      default:
        newlines = 0
        if isWaiting { beforeCharacter() }
        put(byte)
      }
    }
  }

  private func preformatted(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes {
      if byte == 0x0D { continue }
      if byte == 0x0A {
        // The first line break and the last belong to the tags, not to the text.
        if !needsParagraph { lineBreaks += 1 }
        continue
      }
      if needsParagraph {
        beforeCharacter()
      } else if lineBreaks > 0 {
        for _ in 0..<lineBreaks { put(0x0A) }
        lineBreaks = 0
      }
      put(byte)
    }
  }

  private var isWaiting: Bool {
    needsParagraph || lineBreaks > 0 || cellBars > 0 || space != nil
  }

  /// How a space looks that waits here: a link's own only inside its text.
  private var spaceStyle: TextStyle {
    guard link != nil else { return style }
    guard let linkIndex else { return open.last?.style ?? .body }
    var linked = style
    linked.link = linkIndex
    return linked
  }

  /// Writes what has been waiting for a visible character.
  private func beforeCharacter() {
    if needsParagraph || (lineBreaks > 1 && flow != .title) {
      beginParagraph()
    } else if lineBreaks == 1 {
      put(0x0A)
    } else if cellBars > 0 {
      flush()
      for _ in 0..<cellBars {
        content.text.append(" │ ", style: TextStyle(role: .secondary))
      }
    } else if let space {
      put(0x20, style: space)
    }
    lineBreaks = 0
    cellBars = 0
    space = nil
  }

  private func beginParagraph() {
    flush()
    var paragraph = StyledText.ParagraphStyle()
    paragraph.indent = block.indent
    paragraph.quoteDepth = block.quoteDepth
    paragraph.isPreformatted = block.isPreformatted
    paragraph.marker = marker ?? ""
    paragraph.spacingBefore = spacing ?? 1
    content.text.beginParagraph(paragraph)
    needsParagraph = false
    marker = nil
    spacing = nil
  }

  private func write(_ text: String) { write(text, style: nil) }

  private func write(_ text: String, style own: TextStyle?) {
    guard !text.isEmpty, hiddenDepth == 0 else { return }
    if isWaiting { beforeCharacter() }
    for byte in text.utf8 { put(byte, style: own) }
  }

  private func put(_ byte: UInt8, style own: TextStyle? = nil) {
    var style = own ?? self.style
    if own == nil, let link {
      if linkIndex == nil { linkIndex = content.text.addLink(link) }
      style.link = linkIndex
    }
    if style != bufferStyle {
      flush()
      bufferStyle = style
    }
    buffer.append(byte)
  }

  private func flush() {
    guard !buffer.isEmpty else { return }
    content.text.append(String(decoding: buffer, as: UTF8.self), style: bufferStyle)
    buffer.removeAll(keepingCapacity: true)
  }

  /// The text and media so far; the builder is not used after it.
  func finish() -> HTMLContent {
    flush()
    content.pictures = media.pictures
    content.attachments = media.attachments
    return content
  }
}
