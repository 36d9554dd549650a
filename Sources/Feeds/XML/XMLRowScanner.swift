import System

/// Finds the items of a feed by their boundaries, whatever errors are inside or around them.
///
/// 1. An item begins at its start tag and ends behind its end tag, before the next item's start
///    tag, or with the document. The bytes before an end tag without a start are an item without a
///    start.
/// 2. Nothing in a comment, a CDATA section or the document type is a tag. A section is ignored if
///    it is not closed: if it does not end within ``FeedLimits/itemBytes``, or if the boundary of
///    an item and then another section of its kind begin before its end.
/// 3. Bytes outside of items are the head, which is kept.
/// 4. The encoding must contain ASCII unchanged. Bytes that are not decided within a piece must be
///    passed again at the beginning of the next.
struct XMLRowScanner: Sendable {
  private var outline: Outline
  /// Within an item's start tag: the open quote, and the previous byte.
  private var startTag: (quote: UInt8?, previous: UInt8)?
  private var line: Int
  /// Offset up to which line breaks are counted in `line`.
  private var counted: Int
  private var isDone = false
  /// Ends of sections: searched from `start` on, `nil` if none ends in the bytes at hand. Sections
  /// that begin before `broken` are ignored. Each stretch of bytes is searched once, however many
  /// sections begin in it.
  private var sectionEnds: [MarkupSection: (start: Int, end: Int?, broken: Int)] = [:]
  /// Whether the document type was read or given up.
  private var isDocumentTypeDone = false

  /// Rows and the bytes around them, as far as known.
  private struct Outline: Sendable {
    var head: XMLHead
    var open: (start: Int, line: Int)?
    /// Bytes of the feed's own end tags behind the open item, and where they begin.
    var feedEndTags: (start: Int, line: Int, bytes: [UInt8])?
    /// Bytes outside of items since the last item, copied so far.
    var gap: [UInt8] = []
    /// Offset of the next byte to be copied.
    var gapEnd: Int
    var gapLine: Int
    /// Position of the first byte of the gap that is no space.
    var gapContent: (start: Int, line: Int)?
    var gapHasElement = false
    var hasRows: Bool
  }

  /// - Parameters:
  ///   - offset: the offset of the first byte in the source.
  ///   - known: the head of the document, if scanning begins at an item.
  ///   - encoding: the encoding to which the bytes were converted; `nil` to detect it.
  init(offset: Int, within known: XMLHead? = nil, encoding: TextEncoding? = nil) {
    outline = Outline(
      head: known ?? XMLHead(encoding: encoding), gapEnd: offset, gapLine: 1, hasRows: known != nil)
    line = 1
    counted = offset
    keepsHead = known == nil
  }

  private let keepsHead: Bool
  /// Whether the document has ended inside its last item.
  private(set) var endsInRow = false

  var head: XMLHead { outline.head }
  /// Offset of the item that has begun but not ended.
  var openItem: Int? { outline.open?.start }

  /// Scans a piece as far as it can be decided; `body` receives the items.
  ///
  /// - Returns: the number of bytes that are finished.
  /// - Complexity: O(n) in the bytes.
  mutating func scan(_ piece: SourcePiece, _ body: RowHandler) -> Int {
    let bytes = piece.bytes
    var index = 0
    sectionEnds.removeAll(keepingCapacity: true)
    if keepsHead { outline.head.addSample(bytes, at: piece.base) }
    while index < bytes.count {
      if startTag != nil {
        index = readStartTag(piece, from: index, body)
        continue
      }
      guard let found = bytes.index(of: UInt8(ascii: "<"), from: index) else {
        index = bytes.count
        break
      }
      guard let next = step(piece, at: found, body) else {
        index = found
        break
      }
      index = next
    }
    copyGap(piece, to: piece.base + index)
    count(piece, to: piece.base + index)
    if piece.isFinal, !isDone { finish(at: piece.base + index, body) }
    return index
  }

  private mutating func count(_ piece: SourcePiece, to end: Int) {
    guard end > counted else { return }
    var breaks = 0
    for byte in piece.slice(counted..<end) {
      breaks &+= byte == 0x0A ? 1 : 0
    }
    line += breaks
    counted = end
  }

  // MARK: Tags and sections

  /// - Returns: the offset to continue at; `nil` if more bytes are needed.
  private mutating func step(_ piece: SourcePiece, at start: Int, _ body: RowHandler) -> Int? {
    let bytes = piece.bytes
    guard start + 1 < bytes.count else { return piece.isFinal ? bytes.count : nil }
    switch bytes[start + 1] {
    case UInt8(ascii: "!"): return sectionEnd(piece, at: start)
    case UInt8(ascii: "/"):
      guard let name = Self.name(in: bytes, from: start + 2, piece.isFinal) else { return nil }
      return endTag(piece, at: start, name, body)
    case 65...90, 97...122, 95, 128...:
      guard let name = Self.name(in: bytes, from: start + 1, piece.isFinal) else { return nil }
      return beginning(piece, at: start, name, body)
    default: return start + 1
    }
  }

  /// Maximum number of bytes of a name that are examined.
  private static let nameBytes = 128

  /// The range of the name at `start`; `nil` if it may continue behind the bytes.
  private static func name(
    in bytes: UnsafeRawBufferPointer, from start: Int, _ isFinal: Bool
  ) -> Range<Int>? {
    let end = XMLMarkup.nameEnd(in: bytes, from: start, atMost: nameBytes)
    let mayContinue = end == bytes.count && end < start + nameBytes && !isFinal
    return mayContinue ? nil : start..<end
  }

  /// The end of a root's tag; `nil` while it may still arrive.
  private static func tagEnd(
    _ bytes: UnsafeRawBufferPointer, at start: Int, _ isFinal: Bool
  ) -> Int? {
    let seen = bytes.prefix(start + FeedLimits.beginningBytes + 1)
    let tag = XMLMarkup.tag(in: UnsafeRawBufferPointer(rebasing: seen), at: start)
    return tag.isClosed || tag.end < bytes.count || isFinal ? tag.end : nil
  }

  private mutating func beginning(
    _ piece: SourcePiece, at start: Int, _ name: Range<Int>, _ body: RowHandler
  ) -> Int? {
    let (bytes, place) = (piece.bytes, piece.base + start)
    if outline.head.names.root == nil, !outline.hasRows {
      guard let tag = Self.tagEnd(bytes, at: start, piece.isFinal) else { return nil }
      let rebased = name.lowerBound - start..<name.upperBound - start
      if let names = XMLItemNames(
        rootTag: UnsafeRawBufferPointer(rebasing: bytes[start..<tag]), name: rebased)
      {
        outline.head.names = names
        if keepsHead {
          copyGap(piece, to: place)
          outline.head.rootStart = outline.head.bytes.count + outline.gap.count
        }
      }
    }
    guard outline.head.names.isItem(bytes[name]) else {
      if outline.open == nil { outline.gapHasElement = true }
      outline.feedEndTags = nil
      return name.upperBound
    }
    if let open = outline.open {
      body(RowScanner.Row(start: open.start, end: place, line: open.line))
      outline.hasRows = true
    } else {
      copyGap(piece, to: place)
      endGap()
    }
    count(piece, to: place)
    outline.open = (place, line)
    outline.feedEndTags = nil
    startTag = (nil, 0)
    return name.upperBound
  }

  /// Reads an item's start tag, with which an element without content ends.
  private mutating func readStartTag(
    _ piece: SourcePiece, from start: Int, _ body: RowHandler
  ) -> Int {
    guard var tag = startTag else { return start }
    for index in start..<piece.bytes.count {
      let byte = piece.bytes[index]
      // No attribute value may contain it.
      if byte == UInt8(ascii: "<") {
        startTag = nil
        return index
      }
      if let quote = tag.quote {
        if byte == quote { tag.quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        tag.quote = byte
      } else if byte == UInt8(ascii: ">") {
        startTag = nil
        if tag.previous == UInt8(ascii: "/") { close(at: piece.base + index + 1, piece, body) }
        return index + 1
      }
      tag.previous = byte
    }
    startTag = tag
    return piece.bytes.count
  }

  private mutating func endTag(
    _ piece: SourcePiece, at start: Int, _ name: Range<Int>, _ body: RowHandler
  ) -> Int? {
    let (bytes, place) = (piece.bytes, piece.base + start)
    if outline.head.names.isItem(bytes[name]) {
      var end = name.upperBound
      while end < bytes.count, bytes[end] <= 32 { end += 1 }
      if end == bytes.count {
        guard piece.isFinal else { return nil }
        endsInRow = outline.open != nil
      }
      end = end < bytes.count && bytes[end] == UInt8(ascii: ">") ? end + 1 : name.upperBound
      if outline.open != nil {
        close(at: piece.base + end, piece, body)
      } else {
        copyGap(piece, to: place)
        closeGap(at: piece.base + end, piece, body)
      }
      return end
    }
    guard outline.open != nil else { return name.upperBound }
    if XMLItemNames.closesFeed(bytes[name]) {
      if outline.feedEndTags == nil {
        count(piece, to: place)
        outline.feedEndTags = (place, line, [])
      }
      outline.feedEndTags?.bytes += Array("</".utf8) + bytes[name] + [UInt8(ascii: ">")]
    } else {
      outline.feedEndTags = nil
    }
    return name.upperBound
  }

  /// Offset of the first tag that begins an item, in bytes that may begin inside a section.
  static func boundary(in bytes: UnsafeRawBufferPointer, within head: XMLHead) -> Int? {
    var position = 0
    for section in [MarkupSection.characterData, .comment] {
      guard let end = section.end(in: bytes, from: 0) else { continue }
      // A section whose end precedes any beginning began before these bytes.
      if !begins(section, in: bytes, before: end) { position = max(position, end) }
    }
    while let start = bytes.index(of: UInt8(ascii: "<"), from: position),
      start + 1 < bytes.count
    {
      position = start + 1
      if let section = MarkupSection(in: bytes, at: start), section != .instruction {
        guard let end = section.end(in: bytes, from: start + 4) else { return nil }
        position = end
      } else if let name = Self.name(in: bytes, from: start + 1, false), !name.isEmpty,
        head.names.isItem(bytes[name])
      {
        return start
      }
    }
    return nil
  }

  private static func begins(
    _ section: MarkupSection, in bytes: UnsafeRawBufferPointer, before end: Int
  ) -> Bool {
    var position = 0
    while let found = bytes.index(of: UInt8(ascii: "<"), from: position), found < end {
      if MarkupSection(in: bytes, at: found) == section { return true }
      position = found + 1
    }
    return false
  }

  // MARK: Rows and gaps

  private mutating func close(at end: Int, _ piece: SourcePiece, _ body: RowHandler) {
    guard let open = outline.open else { return }
    body(RowScanner.Row(start: open.start, end: end, line: open.line))
    outline.open = nil
    outline.feedEndTags = nil
    outline.hasRows = true
    count(piece, to: end)
    beginGap(at: end, line: line)
  }

  /// Handles an item's end tag without a start: the bytes before it are an item if they contain
  /// elements and follow another item; otherwise they belong to the head.
  private mutating func closeGap(at end: Int, _ piece: SourcePiece, _ body: RowHandler) {
    guard outline.hasRows, outline.gapHasElement, let content = outline.gapContent else { return }
    body(RowScanner.Row(start: content.start, end: end, line: content.line))
    count(piece, to: end)
    beginGap(at: end, line: line)
  }

  private mutating func beginGap(at start: Int, line: Int) {
    outline.gap.removeAll(keepingCapacity: true)
    (outline.gapEnd, outline.gapLine) = (start, line)
    (outline.gapContent, outline.gapHasElement) = (nil, false)
  }

  /// Keeps the bytes before `end` that are outside of items.
  private mutating func copyGap(_ piece: SourcePiece, to end: Int) {
    guard outline.open == nil else { return }
    let from = outline.gapEnd
    guard end > from, from >= piece.base else { return }
    outline.gapEnd = end
    let bytes = piece.slice(from..<end)
    if outline.gapContent == nil, let first = bytes.firstIndex(where: { $0 > 32 }) {
      count(piece, to: max(counted, from + first))
      outline.gapContent = (from + first, line)
    }
    outline.gap += bytes.prefix(max(0, FeedLimits.itemBytes - outline.gap.count))
  }

  private mutating func endGap() {
    guard keepsHead, outline.gapContent != nil else { return }
    outline.head.add(outline.gap, line: outline.gapLine)
  }

  private mutating func finish(at end: Int, _ body: RowHandler) {
    isDone = true
    var isCut = false
    if let open = outline.open {
      let feedEndTags = outline.feedEndTags
      body(RowScanner.Row(start: open.start, end: feedEndTags?.start ?? end, line: open.line))
      outline.open = nil
      if keepsHead { outline.head.add(feedEndTags?.bytes ?? [], line: feedEndTags?.line ?? line) }
      isCut = feedEndTags == nil
      endsInRow = isCut
    } else if keepsHead {
      endGap()
    }
    if keepsHead { outline.head.end(line: line, inItem: isCut) }
  }

  // MARK: Sections

  private static let documentType = Array("<!doctype".utf8)
  /// None is longer than that of a document type.
  private static let marks = [
    MarkupSection.characterData.mark, MarkupSection.comment.mark, documentType,
  ]

  /// Offset behind the section that begins at `start`, or the offset to continue at if none begins;
  /// `nil` if more bytes are needed.
  private mutating func sectionEnd(_ piece: SourcePiece, at start: Int) -> Int? {
    let (bytes, isFinal) = (piece.bytes, piece.isFinal)
    let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
    if !isFinal, rest.count < Self.documentType.count,
      Self.marks.contains(where: { mark in
        zip(mark, rest).allSatisfy { $0 == $1 || $0 == $1 | 0x20 }
      })
    {
      return nil
    }
    let isLast = isFinal || rest.count > FeedLimits.itemBytes
    guard let section = MarkupSection(in: bytes, at: start) else {
      return documentTypeEnd(rest, at: start, isLast)
    }
    let content = start + section.mark.count
    guard let end = cachedEnd(of: section, in: bytes, from: content) else {
      return isLast ? content : nil
    }
    if start < sectionEnds[section]?.broken ?? 0 { return content }
    let whole = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    if let boundary = boundary(inBroken: whole, section) {
      sectionEnds[section]?.broken = start + boundary
      return content
    }
    return end
  }

  /// The same for a document type; `rest` are the bytes from `start` on.
  private mutating func documentTypeEnd(
    _ rest: UnsafeRawBufferPointer, at start: Int, _ isLast: Bool
  ) -> Int? {
    guard outline.head.names.root == nil, !isDocumentTypeDone,
      rest.count >= Self.documentType.count,
      zip(Self.documentType, rest).allSatisfy({ $0 == $1 | 0x20 || $0 == $1 })
    else { return start + 2 }
    let end = XMLDocumentType.end(in: rest, at: 0)
    isDocumentTypeDone = end != nil || isLast
    return end.map { start + $0 } ?? (isLast ? start + Self.documentType.count : nil)
  }

  private mutating func cachedEnd(
    of section: MarkupSection, in bytes: UnsafeRawBufferPointer, from start: Int
  ) -> Int? {
    if let known = sectionEnds[section], known.start <= start,
      known.end.map({ start + 3 <= $0 }) ?? true
    {
      return known.end
    }
    let end = section.end(in: bytes, from: start)
    sectionEnds[section] = (start, end, 0)
    return end
  }

  /// Offset of an item's boundary in the bytes of a section, if another section of its kind begins
  /// behind it.
  private func boundary(inBroken bytes: UnsafeRawBufferPointer, _ section: MarkupSection) -> Int? {
    var position = section.mark.count
    var boundary: Int?
    while let found = bytes.index(of: UInt8(ascii: "<"), from: position) {
      position = found + 1
      guard position < bytes.count else { break }
      if bytes[position] == UInt8(ascii: "!") {
        if boundary != nil, MarkupSection(in: bytes, at: found) == section { return boundary }
      } else if boundary == nil {
        let start = bytes[position] == UInt8(ascii: "/") ? position + 1 : position
        if let name = Self.name(in: bytes, from: start, true), !name.isEmpty,
          outline.head.names.isItem(bytes[name])
        {
          boundary = found
        }
      }
    }
    return nil
  }
}
