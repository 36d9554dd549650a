/// Text in paragraphs with styled runs, free of anything that a terminal could obey.
///
/// Every string is sanitized when it is added: a `StyledText` cannot contain control characters,
/// escape sequences or bidi overrides, so views can draw it and `--plain` can print it safely.
public struct StyledText: Hashable, Sendable {
  /// A part of one paragraph with one style.
  public struct Run: Hashable, Sendable {
    /// UTF-8 offsets into the paragraph's `string`, at character boundaries.
    public var range: Range<Int>
    /// The style of the part.
    public var style: TextStyle
  }

  /// The layout of a paragraph.
  public struct ParagraphStyle: Hashable, Sendable {
    /// Columns before every line; `marker` is within them on the first line.
    public var indent = 0
    /// A list marker such as `"• "`, drawn right-aligned at the end of the first line's indent.
    public var marker = ""
    /// The number of quotation bars left of the text; each takes two columns.
    public var quoteDepth = 0
    /// Whether spaces are kept and lines are not broken between words (`<pre>`); lines longer than
    /// the width are broken anywhere.
    public var isPreformatted = false
    /// Empty rows before the paragraph, unless it is the first.
    public var spacingBefore = 1
    /// The cells of a table row; `nil` for all other paragraphs.
    public internal(set) var table: TableRow?

    /// A paragraph without indent, marker or quotation bars.
    public init() {}
  }

  /// Text between two paragraph breaks. A line break inside it is `"\n"`.
  public struct Paragraph: Hashable, Sendable {
    /// The characters of all runs.
    public internal(set) var string = ""
    /// The styled parts in order, without gaps, covering the whole of `string`.
    public internal(set) var runs: [Run] = []
    /// The layout of the paragraph.
    public var style: ParagraphStyle

    /// A paragraph without text.
    public init(style: ParagraphStyle = ParagraphStyle()) {
      self.style = style
      guard !style.marker.isEmpty else { return }
      self.style.marker = Sanitizer.line(style.marker) + (style.marker.hasSuffix(" ") ? " " : "")
    }

    /// The text of a horizontal rule when it is copied, printed or written.
    package static let rule = "───"

    /// Whether it is a horizontal rule: ``rule`` alone, in the secondary role. It is drawn as wide
    /// as the text.
    package var isRule: Bool {
      runs.count == 1 && runs[0].style.role == .secondary && string == Self.rule
    }

    mutating func append(_ clean: String, style: TextStyle) {
      let joined = Self.joinedBytes(string, clean)
      let start = string.utf8.count
      string += clean
      let end = string.utf8.count
      if let run = runs.last, run.style == style || joined > 0 {
        let boundary = run.style == style ? end : start + joined
        runs[runs.count - 1].range = run.range.lowerBound..<boundary
        if boundary < end { runs.append(Run(range: boundary..<end, style: style)) }
      } else {
        runs.append(Run(range: start..<end, style: style))
      }
    }

    /// Changes the styles of its runs.
    ///
    /// - Complexity: O(n) in the runs.
    package mutating func restyle(_ body: (inout TextStyle) -> Void) {
      for index in runs.indices { body(&runs[index].style) }
    }

    /// The number of bytes of `next` that belong to the last character of `string`.
    private static func joinedBytes(_ string: String, _ next: String) -> Int {
      guard let tail = string.utf8.last, let head = next.utf8.first, tail >= 0x80 || head >= 0x80,
        let last = string.last, let first = next.first
      else { return 0 }
      let characters = String(last) + String(first)
      return (characters.first?.utf8.count ?? 0) - last.utf8.count
    }
  }

  /// The paragraphs in order.
  public internal(set) var paragraphs: [Paragraph] = []
  /// Targets of links in order of appearance; `TextStyle.link` is an index into them. Sanitized
  /// like text.
  public private(set) var links: [String] = []

  /// A text without paragraphs.
  public init() {}

  /// A text in one style; a blank line in `string` starts a new paragraph.
  public init(_ string: String, style: TextStyle = .body) {
    appendParagraphs(string, style: style)
  }

  /// Whether no paragraph has a character.
  public var isEmpty: Bool { paragraphs.allSatisfy { $0.string.isEmpty } }

  /// Starts a new paragraph; text appended from now on goes into it.
  public mutating func beginParagraph(_ style: ParagraphStyle = ParagraphStyle()) {
    paragraphs.append(Paragraph(style: style))
  }

  /// Adds `string`, sanitized, to the last paragraph, starting one if there is none.
  ///
  /// If the beginning of `string` extends the last character, as an accent extends its letter, that
  /// character keeps its style.
  ///
  /// - Complexity: O(n) in the UTF-8 bytes of `string`.
  public mutating func append(_ string: String, style: TextStyle = .body) {
    appendClean(Sanitizer.text(string), style: style)
  }

  private mutating func appendClean(_ clean: String, style: TextStyle) {
    guard !clean.isEmpty else { return }
    if paragraphs.isEmpty { beginParagraph() }
    let last = paragraphs.count - 1
    paragraphs[last].append(clean, style: style)
  }

  /// Adds `string` split into paragraphs at blank lines.
  public mutating func appendParagraphs(_ string: String, style: TextStyle = .body) {
    for block in Sanitizer.text(string).blocks() {
      beginParagraph()
      appendClean(block, style: style)
    }
  }

  /// Registers a link target and returns the index for `TextStyle.link`.
  public mutating func addLink(_ target: String) -> Int {
    links.append(Sanitizer.line(target))
    return links.count - 1
  }

  /// Indents paragraphs by `columns` more, up to an indent of `deepest`.
  ///
  /// - Complexity: O(n) in the paragraphs.
  package mutating func indentParagraphs(
    _ range: Range<Int>, by columns: Int, atMost deepest: Int
  ) {
    for index in range.clamped(to: paragraphs.indices) {
      let indent = paragraphs[index].style.indent
      paragraphs[index].style.indent = max(indent, min(indent + columns, deepest))
    }
  }

  /// Replaces the marker of a paragraph if there is such a paragraph and its marker is `marker`.
  ///
  /// - Complexity: O(1).
  package mutating func replaceMarker(
    _ marker: String, with other: String, ofParagraph index: Int
  ) {
    guard paragraphs.indices.contains(index), paragraphs[index].style.marker == marker else {
      return
    }
    paragraphs[index].style.marker = other
  }

  /// This text with other paragraphs, which must come from it or from texts without links.
  ///
  /// - Complexity: O(1).
  package func with(paragraphs: [Paragraph]) -> StyledText {
    var text = self
    text.paragraphs = paragraphs
    return text
  }

  /// The characters without styles: paragraphs separated by a blank line.
  public var plainText: String {
    paragraphs.map(\.string).joined(separator: "\n\n")
  }

  /// The approximate size in memory, in bytes, by which collections of texts are bounded.
  ///
  /// - Complexity: O(n) in the paragraphs.
  package var footprint: Int {
    var bytes = links.reduce(0) { $0 + MemoryLayout<String>.stride + $1.utf8.count }
    for paragraph in paragraphs {
      bytes += MemoryLayout<Paragraph>.stride + Self.allocation + paragraph.string.utf8.count
      bytes += paragraph.runs.count * MemoryLayout<Run>.stride
      bytes += (paragraph.style.table?.cells.count ?? 0) * MemoryLayout<Range<Int>>.stride
    }
    return bytes
  }

  /// The overhead of the allocator and the array for each array on the heap.
  private static let allocation = 48
}

extension String {
  /// The blocks of text between blank lines, with their inner line breaks.
  ///
  /// Splits bytes, not characters: a line feed never joins a neighbour, except a carriage return,
  /// which sanitized text does not have.
  fileprivate func blocks() -> [String] {
    var text = self
    return text.withUTF8 { bytes in
      var blocks: [String] = []
      var block: Range<Int>?
      var start = 0
      while start <= bytes.count {
        var end = start
        while end < bytes.count, bytes[end] != 0x0A { end += 1 }
        if !Self.isBlank(bytes[start..<end]) {
          block = (block?.lowerBound ?? start)..<end
        } else if let ended = block {
          blocks.append(String(decoding: bytes[ended], as: UTF8.self))
          block = nil
        }
        start = end + 1
      }
      if block == bytes.indices { return [self] }
      if let block { blocks.append(String(decoding: bytes[block], as: UTF8.self)) }
      return blocks
    }
  }

  /// Whether a line is all white space. The first byte that is not a space decides for most lines.
  private static func isBlank(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard let first = line.first(where: { $0 != UInt8(ascii: " ") }) else { return true }
    if first > 0x20, first < 0x7F { return false }
    let beginning = line.drop { $0 == UInt8(ascii: " ") }.prefix(4)
    let scalar = String(decoding: beginning, as: UTF8.self).unicodeScalars.first
    if let scalar, !scalar.properties.isWhitespace { return false }
    return String(decoding: line, as: UTF8.self).allSatisfy(\.isWhitespace)
  }
}
