/// Finds where the rows of a source begin, in bytes that come in pieces, without reading what they
/// say.
///
/// Rows are those that ``FeedReader`` and ``RowBatcher`` make posts of: lines that are not blank,
/// paragraphs, holes of zero bytes between them, elements of a document's list of items, items of RSS and entries of Atom. Where a
/// piece ends makes no difference.
public struct RowScanner: Sendable {
  /// A row in the source. Its bytes may be followed by blanks that belong to no row.
  public struct Row: Hashable, Sendable {
    /// The first byte, counted from the source's beginning.
    public var start: Int
    /// The byte after its last one.
    public var end: Int
    /// The number of the line in which it begins, from 1, in documents of XML; 1 in all others.
    public var line: Int

    /// A row of those bytes.
    public init(start: Int, end: Int, line: Int = 1) {
      self.start = start
      self.end = end
      self.line = line
    }
  }

  /// What is wrong with a document outside its items.
  public struct Fault: Hashable, Sendable {
    /// Where.
    public var place: FeedError.Place
    /// Why, in a few words.
    public var reason: String

    /// A post that says it.
    var mark: Post {
      var mark: Post
      switch place {
      case .byte(let byte):
        mark = Post(id: "damage at byte \(byte)")
        mark.damage = "\(reason) at byte \(byte)"
      case .line(let line):
        mark = Post(id: "damage in line \(line)")
        mark.damage = XMLFeedReader.reason(XMLFeedParser.Fault(line: line, message: reason))
      }
      return mark
    }
  }

  private var scanner: any SourceScanner
  /// Of the first byte of `pending`.
  private var position: Int
  /// Bytes of what has begun and not ended; none for lines.
  private var pending: [UInt8] = []

  /// A scanner of a source in `format`. XML is in an encoding that holds ASCII as it is.
  ///
  /// - Parameters:
  ///   - offset: where the first byte stands in the source; a byte order mark is to be left out.
  ///   - startsAtRow: a row begins there, so that rows are found from the middle of the source on.
  ///   - known: what the document says about itself, where scanning begins at a row of it; what it
  ///     was converted to, where that is known of one of XML.
  public init(
    format: FeedFormat, offset: Int, startsAtRow: Bool = false,
    within known: DocumentHead = DocumentHead()
  ) {
    position = offset
    switch format {
    case .rss, .atom:
      scanner =
        startsAtRow
        ? XMLRowScanner(offset: offset, within: known.xml ?? XMLHead())
        : XMLRowScanner(offset: offset, encoding: known.xml?.encoding)
    case .jsonfeed, .mastodon, .activitypub, .bluesky:
      scanner = JSONDocumentScanner(format: format, startsAtItem: startsAtRow)
    case .jsonl, .text: scanner = LineRows(isJSON: format == .jsonl, offset: offset)
    }
  }

  /// Calls `body` for each row that ends in `bytes`.
  ///
  /// - Complexity: O(n) in the bytes; memory of one item of a document, at most
  ///   ``FeedLimits/itemBytes``, and none for lines.
  public mutating func consume(_ bytes: UnsafeRawBufferPointer, _ body: (Row) -> Void) {
    scan(bytes, isFinal: false, body)
  }

  /// Calls `body` for the row that the source ends in, if it ends in one.
  public mutating func finish(_ body: (Row) -> Void) {
    scan(UnsafeRawBufferPointer(start: nil, count: 0), isFinal: true, body)
  }

  /// Calls `body` for each row that ends in `bytes`; where they are final, for the last one, too.
  mutating func scan(
    _ bytes: UnsafeRawBufferPointer, isFinal: Bool, _ body: (Row) -> Void
  ) {
    guard !pending.isEmpty else { return pass(bytes, isFinal: isFinal, body) }
    var all = pending
    pending = []
    all.append(contentsOf: bytes)
    all.withUnsafeBytes { pass($0, isFinal: isFinal, body) }
  }

  private mutating func pass(
    _ bytes: UnsafeRawBufferPointer, isFinal: Bool, _ body: (Row) -> Void
  ) {
    let used = scanner.scan(bytes, at: position, isFinal: isFinal, body)
    pending = Array(bytes[used...])
    position += used
  }

  /// Where the row begins that has begun and not ended.
  public var openRow: Int? { scanner.openItem }

  /// Whether the bytes that have come end in a row of text that has begun and not ended: it can be
  /// shown as it is, and grows. Not so half an item of JSON or XML.
  package var openRowIsText: Bool { scanner.openItemIsText }

  /// Rows before it are found; scanning can start over here.
  public var restart: Int { scanner.restart ?? position }

  /// What is wrong with the document outside its items; of XML once it is read to its end.
  ///
  /// - Complexity: O(n) in the bytes outside of items of a document of XML.
  public var fault: Fault? { scanner.fault }

  /// What is wrong with its first row, where that shows by its structure.
  var firstRowFault: Fault? { scanner.firstRowFault }

  /// What the document says about itself, as far as it is read.
  public var head: DocumentHead { scanner.documentHead }

  /// The first place in `bytes` where no row goes on: after the first line break, or, in a feed of
  /// XML, at the first tag of an item; nil where none is seen. `bytes` may begin anywhere, but an
  /// example of items in the text of one may be taken for items while what stands before it is not
  /// known.
  ///
  /// - Parameter known: what the document says about itself.
  /// - Complexity: O(n) in the bytes before it; of XML in all bytes.
  public static func boundary(
    in bytes: UnsafeRawBufferPointer, format: FeedFormat,
    within known: DocumentHead = DocumentHead()
  ) -> Int? {
    if format == .rss || format == .atom {
      return XMLRowScanner.boundary(in: bytes, within: known.xml ?? XMLHead())
    }
    guard let first = LineRows.lineBreak(in: bytes, from: 0) else { return nil }
    if format == .jsonl { return first + 1 }
    var start = first + 1
    while let end = LineRows.lineBreak(in: bytes, from: start) {
      if bytes[start..<end].allSatisfy(LineRows.isBlankText) { return end + 1 }
      start = end + 1
    }
    return nil
  }
}
