import System

/// Reads the post of one row by itself: the same post as from reading the whole source.
public struct RowReader: Sendable {
  /// Bytes of a row that are read; of a longer row only the beginning is shown.
  public static let rowBytes = FeedLimits.itemBytes + 2 * FeedLimits.beginningBytes

  /// The format of the source.
  public let format: FeedFormat
  let head: FeedHead
  private let items: JSONItemReader
  let source: DocumentHead
  /// The context of the items of an XML document.
  let context: XMLContext?

  /// Creates a reader of rows that ``RowScanner`` found in a source of `format`.
  public init(
    format: FeedFormat, head: DocumentHead = DocumentHead(), baseURL: String? = nil,
    as form: ContentForm = .styled
  ) {
    self.format = format
    source = head
    context = format.isXML ? XMLContext(head.xml ?? XMLHead(), baseURL: baseURL, as: form) : nil
    self.head = context?.head ?? head.read(baseURL: baseURL)
    items = JSONItemReader(format: format, base: self.head.base, as: form)
  }

  /// The document's metadata; empty for lines and text.
  public var info: TimelineInfo { head.info }
  /// Names that a post may take from its source instead of its row.
  package var sourceNames: [String] { head.fallbackAuthorNames }

  /// The post of a row that begins at `offset` of the source and is `length` bytes long; `bytes`
  /// are its first ``rowBytes``. If not `hasEnded`, its end is unknown so far.
  ///
  /// - Parameter line: the number of the line in which the row of an XML document begins, `nil` if
  ///   it is unknown so far; called only if the row is damaged.
  /// - Complexity: O(n) in the bytes.
  public func post(
    _ bytes: UnsafeRawBufferPointer, offset: Int, length: Int, hasEnded: Bool = true,
    line: () -> Int? = { 1 }
  ) -> Post {
    if format.isLines {
      return post(ofRow: bytes, offset: offset, length: length, hasEnded: hasEnded, line: line)
    }
    var post =
      format.isXML
      ? element(bytes, offset: offset, length: length, hasEnded: hasEnded, line: line)
      : item(bytes, offset: offset, length: length, hasEnded: hasEnded)
    head.fill(&post)
    return post
  }

  /// The post of a row without the data of its document's head: `bytes` are all of the row that is
  /// to be read, and nothing behind it.
  ///
  /// - Complexity: O(n) in the bytes.
  func post(
    ofRow bytes: UnsafeRawBufferPointer, offset: Int, length: Int, hasEnded: Bool = true,
    line: () -> Int? = { 1 }
  ) -> Post {
    if format.isJSONDocument {
      let bytes = bytes.bindMemory(to: UInt8.self)
      return source.isRSS
        ? items.rssPost(bytes, offset: offset) : items.post(bytes, offset: offset)
    }
    let beginning = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.rowBytes))
    if let context {
      return context.post(
        Array(beginning), offset: offset, length: length, hasEnded: hasEnded, line: line)
    }
    if let post = post(ofLines: beginning, offset: offset, length: length, hasEnded: hasEnded) {
      return post
    }
    var post = Post(id: "byte \(offset)")
    post.damage = "nothing stands here any more (byte \(offset))"
    return post
  }

  /// The post of an item of XML; `bytes` may extend up to the next item.
  private func element(
    _ bytes: UnsafeRawBufferPointer, offset: Int, length: Int, hasEnded: Bool, line: () -> Int?
  ) -> Post {
    var scanner = XMLRowScanner(offset: 0, within: source.xml ?? XMLHead())
    var end: Int?
    let isWhole = length <= bytes.count && hasEnded
    let piece = SourcePiece(bytes: bytes, base: 0, isFinal: isWhole)
    _ = scanner.scan(piece) { row in end = end ?? row.end }
    let own = UnsafeRawBufferPointer(rebasing: bytes[..<(end ?? bytes.count)])
    return post(
      ofRow: own, offset: offset, length: end ?? length, hasEnded: hasEnded, line: line)
  }

  /// The post of a row of lines; `nil` if all of them are blank. A byte order mark is skipped.
  func post(
    ofLines bytes: UnsafeRawBufferPointer, offset: Int, length: Int, hasEnded: Bool = true
  ) -> Post? {
    let mark = offset == 0 ? FeedReader.byteOrderMark(of: bytes) : 0
    let bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(mark))
    if case let hole = LineScanner.hole(in: bytes), hole > 0 {
      // A hole that fills `bytes` extends to the end of the row.
      return Self.mark(ofHole: hole < bytes.count ? hole : length - mark, at: offset + mark)
    }
    // Blanks behind the line are counted with it.
    let count = (hasEnded ? bytes.index(of: 0x0A, from: 0) : nil) ?? length
    if count > (hasEnded ? FeedLimits.itemBytes : Self.openRowBytes) {
      return items.raw(
        bytes, offset: offset + mark,
        damage: "a line of \(Self.size(count, hasEnded)): only its beginning is shown",
        isText: !Self.isObject(bytes))
    }
    var paragraph: [UInt8] = []
    var start = 0
    var paragraphStart = 0
    while start < bytes.count {
      let end = bytes.index(of: 0x0A, from: start) ?? bytes.count
      let line = bytes[start..<end]
      if format == .jsonl {
        let item = Self.trimmed(line)
        if !item.isEmpty { return post(ofLine: item, offset: offset + mark + start) }
      } else if !line.allSatisfy(LineScanner.isBlankText) {
        if paragraph.isEmpty { paragraphStart = start } else { paragraph.append(0x0A) }
        paragraph += line
        while paragraph.last == 0x0D { paragraph.removeLast() }
      } else if !paragraph.isEmpty {
        break
      }
      start = end + 1
    }
    if !hasEnded { UnicodeText.removeIncompleteCharacter(from: &paragraph) }
    return paragraph.isEmpty ? nil : text(paragraph, offset: offset + mark + paragraphStart)
  }

  /// An unfinished row is read again whenever it has grown, up to this length, which exceeds any
  /// paragraph. Of a longer line only the beginning is shown until it ends.
  private static let openRowBytes = 2 * FeedLimits.beginningBytes

  private static func mark(ofHole count: Int, at offset: Int) -> Post {
    var post = Post(id: "byte \(offset)")
    post.damage = "a hole of \(count) zero bytes"
    return post
  }

  private static func trimmed(_ line: Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer {
    guard let first = line.firstIndex(where: { $0 > 32 }),
      let last = line.lastIndex(where: { $0 > 32 })
    else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: line[first...last])
  }

  /// Whether a line begins as a JSON object does.
  private static func isObject(_ line: UnsafeRawBufferPointer) -> Bool {
    line.first { $0 > 32 } == UInt8(ascii: "{")
  }

  private func post(ofLine line: UnsafeRawBufferPointer, offset: Int) -> Post {
    guard line.first == UInt8(ascii: "{") else { return text(Array(line), offset: offset) }
    return items.post(line.bindMemory(to: UInt8.self), offset: offset)
  }

  private func text(_ bytes: [UInt8], offset: Int) -> Post {
    var post = Post(id: "byte \(offset)")
    let content = HTMLContent.plain(String(decoding: bytes, as: UTF8.self), as: items.form)
    content.fill(&post)
    if let damage = content.damage { post.addDamage(damage) }
    if UnicodeText.firstInvalidByte(of: bytes) != nil {
      post.addDamage("bytes that are not UTF-8 were replaced")
    }
    if bytes.contains(0) { post.addDamage("bytes that are not text were left out") }
    return post
  }

  static func size(_ count: Int, _ hasEnded: Bool) -> String {
    guard !hasEnded else { return "\(count) bytes" }
    return count < 1 << 20 ? "more than \(count >> 10) KiB" : "more than \(count >> 20) MiB"
  }

  private func item(
    _ bytes: UnsafeRawBufferPointer, offset: Int, length: Int, hasEnded: Bool
  ) -> Post {
    var scanner = JSONScanner(bytes.bindMemory(to: UInt8.self))
    let range = scanner.value().range
    if scanner.isAtEnd, length > bytes.count || !hasEnded {
      return items.raw(
        bytes, offset: offset,
        damage: "an item of \(Self.size(length, hasEnded)): only its beginning is shown")
    }
    let own = UnsafeRawBufferPointer(rebasing: bytes[range])
    return post(ofRow: own, offset: offset + range.lowerBound, length: own.count)
  }
}
