import System

/// Rows of JSON Lines and plain text: lines that are not blank, paragraphs, and holes.
///
/// A hole is a run of at least ``holeBytes`` zero bytes, left by a crash or by a writer that kept
/// its offset in a truncated file. It is a row of its own, so that the text behind it is an
/// ordinary line. Shorter runs belong to their line.
struct LineScanner: SourceScanner {
  private let isJSON: Bool
  /// Offset of the next byte.
  private var position: Int
  private var lineStart: Int
  /// Whether the current line has content before `position`.
  private var hasContent = false
  /// Whether that content begins a JSON object.
  private var beginsObject = false
  /// Zero bytes directly before `position` that may be part of a hole.
  private var zeros = 0
  private var paragraph: (start: Int, lines: Int)?
  /// Whether the last line of JSON has no line break, and may be incomplete.
  private(set) var endsInRow = false

  /// Minimum length of a hole in bytes.
  static let holeBytes = 32

  init(isJSON: Bool, offset: Int) {
    self.isJSON = isJSON
    position = offset
    lineStart = offset
  }

  var openItem: Int? {
    if let paragraph { return paragraph.start }
    let isLong = position - lineStart > FeedLimits.itemBytes
    return hasContent || isInHole || isLong ? lineStart : nil
  }

  /// Whether the open row is text. An incomplete JSON object could only be read as damaged.
  var isOpenItemText: Bool {
    if isInHole || paragraph != nil { return true }
    return isJSON ? hasContent && !beginsObject : hasContent || zeros > 0
  }

  private var isInHole: Bool { zeros >= Self.holeBytes }

  var restart: Int? { paragraph?.start ?? lineStart }
  var fault: RowScanner.Fault? { nil }
  var documentHead: DocumentHead { DocumentHead() }

  /// Whether the byte is blank in a line of text.
  @inline(__always) static func isBlankText(_ byte: UInt8) -> Bool {
    byte <= 32 && byte != 0x1B && byte != 0
  }

  /// Length of the hole at the beginning of `bytes`; 0 if there is none.
  ///
  /// - Complexity: O(n) in the hole.
  static func hole(in bytes: UnsafeRawBufferPointer) -> Int {
    let count = endOfZeros(in: bytes, from: 0)
    return count >= holeBytes ? count : 0
  }

  /// Offset of the first byte from `start` on that is not zero.
  private static func endOfZeros(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    bytes[start...].firstIndex { $0 != 0 } ?? bytes.count
  }

  mutating func scan(_ piece: SourcePiece, _ body: RowHandler) -> Int {
    let (bytes, base) = (piece.bytes, piece.base)
    var start = 0
    var lineEnd = bytes.index(of: 0x0A, from: 0) ?? bytes.count
    var zero = bytes.index(of: 0, from: 0) ?? bytes.count
    // Zero bytes at the end of the last piece end here unless this one continues them.
    if zeros > 0, zero > 0, !bytes.isEmpty { endZeros(at: base, body) }
    while start < bytes.count {
      if start == zero {
        start = Self.endOfZeros(in: bytes, from: zero)
        zeros += start - zero
        if isInHole { endRow(atHole: base + start - zeros, body) }
        guard start < bytes.count else { break }
        endZeros(at: base + start, body)
        zero = bytes.index(of: 0, from: start) ?? bytes.count
      } else {
        let end = min(lineEnd, zero)
        look(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        start = end
        guard end == lineEnd, end < bytes.count else { continue }
        endLine(at: base + end, next: base + end + 1, body)
        start = end + 1
        lineEnd = bytes.index(of: 0x0A, from: start) ?? bytes.count
      }
    }
    position = base + bytes.count
    if piece.isFinal {
      if zeros > 0 { endZeros(at: position, body) }
      endsInRow = isJSON && hasContent
      if position > lineStart { endLine(at: position, next: position, body) }
      endParagraph(at: lineStart, body)
    }
    return bytes.count
  }

  private mutating func look(_ bytes: UnsafeRawBufferPointer) {
    guard !hasContent, let first = bytes.first else { return }
    if isJSON {
      guard let content = first > 32 ? first : bytes.first(where: { $0 > 32 }) else { return }
      hasContent = true
      beginsObject = content == UInt8(ascii: "{")
    } else {
      hasContent = first > 32 || !bytes.allSatisfy(Self.isBlankText)
    }
  }

  /// Ends the row before the hole that begins at `start`.
  private mutating func endRow(atHole start: Int, _ body: RowHandler) {
    if lineStart < start { endLine(at: start, next: start, body) }
    endParagraph(at: start, body)
  }

  /// Ends a run of zero bytes, before another byte or at the end of the source.
  private mutating func endZeros(at end: Int, _ body: RowHandler) {
    if isInHole {
      body(RowScanner.Row(start: end - zeros, end: end))
      hasContent = false
      lineStart = end
    } else if !isJSON {
      hasContent = true
    }
    zeros = 0
  }

  private mutating func endLine(at end: Int, next: Int, _ body: RowHandler) {
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

  private mutating func endParagraph(at end: Int, _ body: RowHandler) {
    if let paragraph { body(RowScanner.Row(start: paragraph.start, end: end)) }
    paragraph = nil
  }
}
