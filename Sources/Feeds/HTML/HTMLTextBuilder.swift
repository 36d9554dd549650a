import TextLayout

/// Builds paragraphs from the events of an HTML parser.
///
/// 1. Each open element stores the style and block in which it began; its end restores them, even
///    for elements inside it that were never closed.
/// 2. An element with hidden content hides everything inside it; media inside are still found. If
///    its end tag is missing in the source, ``HTMLEndTagRepair`` has added it.
/// 3. A picture stands between paragraphs: text after it begins a new one.
/// 4. Superscripts, subscripts and formulas are collected up to their end, because their form
///    depends on all of their characters.
struct HTMLTextBuilder {
  private struct Open {
    var name: ElementName
    var kind: HTMLElement?
    var style: TextStyle
    var block: HTMLParagraphBuilder.Block
    var link: String?
    /// Whether its text is cut off, as Mastodon does with addresses.
    var endsInEllipsis = false
    /// Whether it links to a place on a page, as references to notes do.
    var linksToFragment = false
    /// Whether this element or one around it hides its content.
    var isHidden = false
    /// Whether it ended without an end tag; the parser still counts it as open.
    var hasEnded = false
  }

  /// A superscript or subscript.
  private struct Script {
    var isRaised: Bool
    var depth: Int
    var bytes: [UInt8] = []
    /// Whether it is, or contains, a link to a note.
    var isNote: Bool
    var link: String?
  }

  /// The maximum length in bytes; a longer superscript or subscript counts as never closed.
  private static let maximumScriptBytes = 200

  private let base: String?
  private var flow: HTMLParagraphBuilder
  private var open: [Open] = []
  private var lists = HTMLLists()
  private var tables = HTMLTables()
  /// The index of the paragraph after the last term of a list of definitions.
  private var termEnd: Int?
  private var scripts: [Script] = []
  private var formula: (depth: Int, text: MathMLText)?
  private var media: HTMLMedia
  /// The description of a picture without an address, pending until other content than its copy
  /// follows.
  private var pendingDescription: String?
  private var limit = HTMLElementLimit()
  /// Whether a limit is exceeded; the parser must stop.
  var isCut: Bool { limit.damage != nil }

  init(base: String?, flow: HTMLParagraphBuilder.Kind) {
    self.base = base
    self.flow = HTMLParagraphBuilder(flow)
    media = HTMLMedia(base: base)
  }

  private var isHidden: Bool { open.last?.isHidden ?? false }

  // MARK: Elements

  /// - Complexity: O(d) in the elements open, apart from the text that is flushed.
  mutating func start(
    _ name: ElementName, _ attributes: HTMLAttributes, called: @autoclosure () -> String
  ) {
    guard limit.allows(open: open.count, paragraphs: tables.isOpen ? 0 : flow.place)
    else { return }
    let kind = HTMLElement(name)
    let effect = kind?.effect
    if pendingDescription != nil, effect != .noscript, !media.isInNoscript {
      writePendingDescription()
    }
    if let effect { endOpen(before: effect) }
    let hides = !isHidden && self.hides(kind, attributes)
    open.append(
      Open(
        name: name, kind: kind, style: flow.style, block: flow.block, link: flow.link,
        endsInEllipsis: effect == .span && attributes.hasClass("ellipsis"),
        isHidden: isHidden || hides
      ))
    let breaks = kind?.has(.breaks) == true
    if formula != nil, breaks {
      // As in browsers, a formula ends before a block.
      open.removeLast()
      while formula != nil { closeLast() }
      return start(name, attributes, called: called())
    }
    if formula != nil {
      formula?.text.start(called().lowercased(), attributes)
      return
    }
    if isHidden {
      if let kind, flow.kind != .title { show(kind, attributes) }
      return
    }
    if flow.kind == .title {
      startInTitle(kind, attributes)
      return
    }
    guard let kind, let effect else { return }
    if breaks {
      flushUnclosedScripts()
      flow.endParagraph()
    }
    if let preservesLineBreaks = Self.preservesLineBreaks(attributes) {
      flow.block.preservesLineBreaks = preservesLineBreaks
    }
    startBlock(effect, attributes)
    startInline(effect, attributes)
    show(kind, attributes)
  }

  /// Whether the element's style keeps line feeds: `white-space` or `white-space-collapse` of CSS
  /// Text. `nil` if it sets neither.
  private static func preservesLineBreaks(_ attributes: HTMLAttributes) -> Bool? {
    guard !attributes.isEmpty, let style = attributes["style"] else { return nil }
    var result: Bool?
    for declaration in style.lowercased().split(separator: ";") {
      let parts = declaration.split(separator: ":", maxSplits: 1)
      guard parts.count == 2,
        ["white-space", "white-space-collapse"].contains(String(parts[0]).trimmingBlanks)
      else { continue }
      let words = parts[1].split { $0.isWhitespace || $0 == "!" }
      result = words.contains { $0.hasPrefix("pre") || $0 == "break-spaces" }
    }
    return result
  }

  private func hides(_ kind: HTMLElement?, _ attributes: HTMLAttributes) -> Bool {
    if kind?.has(.hides) == true { return true }
    switch kind?.effect {
    case .span where !attributes.isEmpty:
      if attributes.hasClass("invisible") || attributes.hasClass("katex-html") { return true }
    case .image
    where attributes.hasClass("mwe-math-fallback-image-inline")
      || attributes.hasClass("mwe-math-fallback-image-display"):
      return true
    default: break
    }
    return !attributes.isEmpty && attributes["hidden"] != nil
  }

  /// Adds pictures, films and other media.
  private mutating func show(_ kind: HTMLElement, _ attributes: HTMLAttributes) {
    guard kind.has(.media), let effect = kind.effect else { return }
    if effect == .image, isHidden, open.last?.kind?.effect == .image { return }
    let count = media.count
    let text = media.start(effect, attributes, at: flow.place)
    if media.count > count, effect == .image { pendingDescription = nil }
    if let text, !isHidden {
      writePendingDescription()
      if media.awaitsCopy { pendingDescription = text } else { write(text) }
    }
    if media.count > count || effect == .video || effect == .audio { flow.continueBelowPicture() }
  }

  private mutating func writePendingDescription() {
    guard let words = pendingDescription else { return }
    pendingDescription = nil
    write(words)
  }

  private mutating func startBlock(_ effect: HTMLElement.Effect, _ attributes: HTMLAttributes) {
    switch effect {
    case .heading:
      flow.style.role = .heading
      flow.style.traits.insert(.bold)
    case .quote:
      flow.block.quoteDepth = min(flow.block.quoteDepth + 1, 8)
      if flow.style.role == .body { flow.style.role = .quote }
    case .preformatted:
      flow.block.isPreformatted = true
      if flow.style.role != .link { flow.style.role = .code }
    case .bulletList, .numberedList: lists.begin(isNumbered: effect == .numberedList, attributes)
    case .listItem:
      let item = lists.item(attributes, at: flow.place)
      flow.marker = item.marker
      indent(by: item.indent)
      flow.spacing = item.beginsList ? nil : 0
    case .term, .summary:
      flow.style.traits.insert(.bold)
      // Several terms may have one definition.
      if effect == .term, termEnd == flow.place { flow.spacing = 0 }
    case .definition:
      indent(by: 2)
      flow.spacing = 0
    case .table:
      tables.begin(
        at: flow.place, indent: flow.block.indent, quoteDepth: flow.block.quoteDepth)
    case .tableRow:
      flow.output.flush()
      tables.beginRow(at: flow.place)
    case .tableCell, .headerCell:
      tables.beginCell(isHeader: effect == .headerCell, attributes, at: flow.place)
      if effect == .headerCell { flow.style.traits.insert(.bold) }
    case .caption:
      flow.style.role = .secondary
      flow.spacing = 0
    case .rule:
      write("───", style: TextStyle(role: .secondary))
      flow.endParagraph()
    default: break
    }
  }

  private mutating func indent(by columns: Int) {
    flow.block.indent = min(flow.block.indent + columns, HTMLLists.maximumIndent)
  }

  private mutating func startInline(_ effect: HTMLElement.Effect, _ attributes: HTMLAttributes) {
    switch effect {
    case .bold: flow.style.traits.insert(.bold)
    case .italic: flow.style.traits.insert(.italic)
    case .underline: flow.style.traits.insert(.underline)
    case .strike: flow.style.traits.insert(.strikethrough)
    case .code: if flow.style.role != .link { flow.style.role = .code }
    case .quotation: write("“")
    case .reading: write("(")
    case .lineBreak: if scripts.isEmpty { flow.breakLine() } else { write(" ") }
    case .checkBox: checkBox(attributes)
    case .link: startLink(attributes)
    case .raised, .lowered:
      scripts.append(
        Script(
          isRaised: effect == .raised, depth: open.count,
          isNote: open.dropLast().contains(where: \.linksToFragment)))
    case .formula: formula = (open.count, MathMLText(attributes))
    default: break
    }
  }

  private mutating func startLink(_ attributes: HTMLAttributes) {
    let written = attributes["href"]
    let target = FeedAddress.resolve(written, base: base)
    open[open.count - 1].linksToFragment = written?.utf8.contains(UInt8(ascii: "#")) ?? false
    if written != nil, let last = scripts.indices.last, scripts[last].isRaised {
      scripts[last].isNote = true
      scripts[last].link = target
    }
    guard let target else { return }
    flow.setLink(target)
    let isTag =
      attributes.hasClass("hashtag")
      || attributes["rel"]?.split(separator: " ").contains("tag") == true
    flow.style.role = isTag ? .tag : .link
  }

  /// Writes the box of a task, which replaces its bullet.
  private mutating func checkBox(_ attributes: HTMLAttributes) {
    guard attributes["type"]?.lowercased() == "checkbox" else { return }
    let mark = attributes["checked"] != nil ? "☑" : "☐"
    guard !flow.replaceMarker(mark + " ") else { return }
    write(mark)
    flow.addSpace()
  }

  /// In a title, blocks become spaces and pictures their descriptions.
  private mutating func startInTitle(_ kind: HTMLElement?, _ attributes: HTMLAttributes) {
    guard let kind, let effect = kind.effect else { return }
    switch effect {
    case .bold, .italic, .underline, .strike, .code, .quotation, .raised, .lowered:
      startInline(effect, attributes)
    case .lineBreak: flow.addSpace()
    case .image: write(attributes["alt"] ?? "")
    default: if kind.has(.breaks) { flow.addSpace() }
    }
  }

  /// - Complexity: O(d) in the elements open.
  mutating func end(_ name: ElementName) {
    guard let index = open.lastIndex(where: { $0.name == name }) else { return }
    while open.count > index { closeLast() }
  }

  /// Ends the elements that the next one ends implicitly, which libxml2 does not know: a term or
  /// definition before the next one of its list, a reading before the next one of its base.
  ///
  /// - Complexity: O(d) in the elements open.
  private mutating func endOpen(before effect: HTMLElement.Effect) {
    let ended: [HTMLElement.Effect]
    switch effect {
    case .term, .definition: ended = [.term, .definition]
    case .reading, .readingMark: ended = [.reading, .readingMark]
    default: return
    }
    for index in open.indices.reversed() {
      guard let kind = open[index].kind else { continue }
      if let effect = kind.effect, ended.contains(effect) { return endOpen(from: index) }
      if kind.has(.breaks), !kind.has(.isPassed) { return }
    }
  }

  private mutating func endOpen(from index: Int) {
    let element = open[index]
    guard !element.hasEnded else { return }
    flushUnclosedScripts()
    close(element)
    flow.setLink(element.link)
    flow.style = element.style
    flow.block = element.block
    let isHidden = index > 0 && open[index - 1].isHidden
    for inner in index..<open.count {
      open[inner].hasEnded = true
      open[inner].isHidden = isHidden
    }
  }

  private mutating func closeLast() {
    guard let element = open.last else { return }
    switch element.kind?.effect {
    case .image, .picture, .source: break
    default: writePendingDescription()
    }
    if let formula, formula.depth == open.count {
      self.formula = nil
      write(formula.text.text)
    } else if formula != nil {
      formula?.text.end()
    } else if let script = scripts.last, script.depth == open.count {
      scripts.removeLast()
      endScript(script)
    }
    open.removeLast()
    guard !element.hasEnded else { return }
    close(element)
    flow.setLink(element.link)
    flow.style = element.style
    flow.block = element.block
  }

  private mutating func close(_ element: Open) {
    guard !element.isHidden else { return media.end(element.kind?.effect) }
    guard let kind = element.kind, let effect = kind.effect else { return }
    switch effect {
    case .quotation: write("”")
    case .reading: write(")")
    case .video, .audio, .picture, .noscript: media.end(effect)
    default: break
    }
    guard flow.kind != .title else {
      if kind.has(.breaks) { flow.addSpace() }
      return
    }
    switch effect {
    case .span where element.endsInEllipsis: write("…")
    case .bulletList, .numberedList:
      flow.output.flush()
      lists.end(&flow.output.text)
    case .term: termEnd = flow.place
    case .listItem: flow.marker = nil
    case .tableCell, .headerCell, .tableRow:
      flow.output.flush()
      tables.endCell(at: flow.place)
    case .table:
      flow.output.flush()
      tables.end(at: flow.place, &flow.output.text, &media)
    default: break
    }
    guard kind.has(.breaks) else { return }
    flow.endParagraph()
    if effect != .rule { flow.spacing = nil }
  }

  private mutating func endScript(_ script: Script) {
    let text = Sanitizing.collapsed(String(decoding: script.bytes, as: UTF8.self))
    guard !text.isEmpty else { return }
    if let link = script.link {
      flow.setLink(link)
      flow.style.role = .link
    }
    if script.isNote, script.isRaised, text.count <= 6 {
      if scripts.isEmpty { flow.addSpace() }
      write(SuperSubscriptText.note(text))
    } else {
      write(SuperSubscriptText.shown(text, isRaised: script.isRaised))
    }
  }

  /// Writes the text of superscripts and subscripts that were never closed as ordinary text.
  private mutating func flushUnclosedScripts() {
    guard !scripts.isEmpty else { return }
    let gathered = scripts
    scripts = []
    for script in gathered { script.bytes.withUnsafeBufferPointer { flow.characters($0) } }
  }

  // MARK: Characters

  mutating func characters(_ text: String) {
    var text = text
    text.withUTF8 { characters($0) }
  }

  /// - Complexity: O(n) in the bytes.
  mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard !isHidden else { return }
    if pendingDescription != nil, bytes.contains(where: { $0 > 32 }) { writePendingDescription() }
    if formula != nil {
      formula?.text.characters(bytes)
    } else if scripts.isEmpty {
      flow.characters(bytes)
    } else {
      scripts[scripts.count - 1].bytes += bytes
      if scripts[scripts.count - 1].bytes.count > Self.maximumScriptBytes { flushUnclosedScripts() }
    }
  }

  private mutating func write(_ text: String, style: TextStyle? = nil) {
    guard !text.isEmpty, !isHidden else { return }
    if scripts.isEmpty {
      flow.write(text, style: style)
    } else {
      scripts[scripts.count - 1].bytes += Array(text.utf8)
    }
  }

  /// Ends all elements and returns the text and media; the builder must not be used afterwards.
  mutating func finish() -> HTMLContent {
    while !open.isEmpty { closeLast() }
    flow.output.flush()
    var content = HTMLContent(text: flow.output.text, damage: limit.damage)
    content.pictures = media.pictures
    content.attachments = media.attachments
    return content
  }
}
