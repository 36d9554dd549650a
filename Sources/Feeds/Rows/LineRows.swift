import System

/// Rows of JSON Lines and plain text: lines that are not blank, and paragraphs.
struct LineRows: SourceScanner {
  private let isJSON: Bool
  /// Of the byte that comes next.
  private var position: Int
  private var lineStart: Int
  /// Whether the line begun before `position` holds anything.
  private var hasContent = false
  private var paragraph: (start: Int, lines: Int)?

  init(isJSON: Bool, offset: Int) {
    self.isJSON = isJSON
    position = offset
    lineStart = offset
  }

  var openItem: Int? {
    if let paragraph { return paragraph.start }
    return hasContent || position - lineStart > FeedLimits.itemBytes ? lineStart : nil
  }

  var restart: Int? { paragraph?.start ?? lineStart }
  var fault: RowScanner.Fault? { nil }
  var documentHead: DocumentHead { DocumentHead() }

  /// Bytes that make a line of text blank.
  @inline(__always) static func isBlankText(_ byte: UInt8) -> Bool {
    byte <= 32 && byte != 0x1B && byte != 0
  }

  /// Where the next line break stands. - Complexity: O(n) in the bytes before it
  static func lineBreak(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, 0x0A, bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  mutating func scan(
    _ bytes: UnsafeRawBufferPointer, at base: Int, isFinal: Bool,
    _ body: (RowScanner.Row) -> Void
  ) -> Int {
    var start = 0
    while let end = Self.lineBreak(in: bytes, from: start) {
      look(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      endLine(at: base + end, next: base + end + 1, body)
      start = end + 1
    }
    look(UnsafeRawBufferPointer(rebasing: bytes[min(start, bytes.count)...]))
    position = base + bytes.count
    if isFinal {
      if position > lineStart { endLine(at: position, next: position, body) }
      endParagraph(at: lineStart, body)
    }
    return bytes.count
  }

  private mutating func look(_ bytes: UnsafeRawBufferPointer) {
    guard !hasContent, let first = bytes.first else { return }
    if first > 32 {
      hasContent = true
    } else if isJSON {
      hasContent = bytes.contains { $0 > 32 }
    } else {
      hasContent = !bytes.allSatisfy(Self.isBlankText)
    }
  }

  private mutating func endLine(at end: Int, next: Int, _ body: (RowScanner.Row) -> Void) {
    let isLong = end - lineStart > FeedLimits.itemBytes
    if isJSON {
      if hasContent || isLong { body(RowScanner.Row(start: lineStart, end: end)) }
    } else if isLong {
      endParagraph(at: lineStart, body)
      body(RowScanner.Row(start: lineStart, end: end))
    } else if hasContent {
      let begun = paragraph ?? (lineStart, 0)
      paragraph = (begun.start, begun.lines + 1)
      let isFull =
        begun.lines + 1 >= FeedLimits.paragraphLines
        || next - begun.start >= FeedLimits.beginningBytes
      if isFull { endParagraph(at: next, body) }
    } else {
      endParagraph(at: lineStart, body)
    }
    hasContent = false
    lineStart = next
    position = next
  }

  private mutating func endParagraph(at end: Int, _ body: (RowScanner.Row) -> Void) {
    if let paragraph { body(RowScanner.Row(start: paragraph.start, end: end)) }
    paragraph = nil
  }
}
