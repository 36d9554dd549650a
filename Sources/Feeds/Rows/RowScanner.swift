import System

/// Finds where the rows of a source begin, in bytes that arrive in pieces, without reading their
/// content.
///
/// Rows are those that ``FeedReader`` and ``RowBatcher`` read into posts: lines that are not blank,
/// paragraphs, holes of zero bytes between them, elements of a document's list of items, items of
/// RSS and entries of Atom. The boundaries of the pieces make no difference.
public struct RowScanner: Sendable {
  /// A row in the source. Blanks that belong to no row may follow its bytes.
  public struct Row: Hashable, Sendable {
    /// Offset of the first byte in the source.
    public var start: Int
    /// Offset behind the last byte.
    public var end: Int
    /// The number of the line in which it begins, from 1, in XML documents; 1 in all others.
    public var line: Int

    /// Creates a row of those bytes.
    public init(start: Int, end: Int, line: Int = 1) {
      self.start = start
      self.end = end
      self.line = line
    }
  }

  /// An error in a document outside of its items.
  public struct Fault: Hashable, Sendable {
    /// The place of the error.
    public var place: FeedError.Place
    /// The reason, in a few words.
    public var reason: String

    /// A post that reports the error.
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
  /// Offset of the first byte of `pending`.
  private var position: Int
  /// Bytes of the unfinished item; empty for lines.
  private var pending: [UInt8] = []

  /// Creates a scanner of a source in `format`. The encoding of XML must contain ASCII unchanged.
  ///
  /// - Parameters:
  ///   - offset: the offset of the first byte in the source; skip a byte order mark.
  ///   - startsAtRow: whether a row begins there, so that rows are found from the middle of the
  ///     source on.
  ///   - known: the document's head, if scanning begins at one of its rows; for converted XML, the
  ///     encoding to which it was converted.
  public init(
    format: FeedFormat, offset: Int, startsAtRow: Bool = false,
    within known: DocumentHead = DocumentHead()
  ) {
    position = offset
    switch format.descriptor {
    case .xml:
      scanner =
        startsAtRow
        ? XMLRowScanner(offset: offset, within: known.xml ?? XMLHead())
        : XMLRowScanner(offset: offset, encoding: known.xml?.encoding)
    case .json:
      scanner = JSONDocumentScanner(format: format, startsAtItem: startsAtRow)
    case .lines: scanner = LineScanner(isJSON: true, offset: offset)
    case .paragraphs: scanner = LineScanner(isJSON: false, offset: offset)
    }
  }

  /// Calls `body` for each row that ends in `bytes`.
  ///
  /// - Complexity: O(n) in the bytes and those held of an unfinished item; memory of one item of a
  ///   document, at most ``FeedLimits/itemBytes``, and none for lines.
  public mutating func consume(_ bytes: UnsafeRawBufferPointer, _ body: (Row) -> Void) {
    scan(bytes, isFinal: false, body)
  }

  /// Calls `body` for the last row if the source ends in one.
  public mutating func finish(_ body: (Row) -> Void) {
    scan(UnsafeRawBufferPointer(start: nil, count: 0), isFinal: true, body)
  }

  /// Calls `body` for each row that ends in `bytes`; if they are final, also for the last one.
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
    let used = scanner.scan(SourcePiece(bytes: bytes, base: position, isFinal: isFinal), body)
    pending = Array(bytes[used...])
    position += used
  }

  /// Offset of the row that has begun but not ended.
  public var openRow: Int? { scanner.openItem }

  /// Whether the bytes so far end in an unfinished row of text, which can be shown while it grows;
  /// an incomplete item of JSON or XML cannot.
  package var isOpenRowText: Bool { scanner.isOpenItemText }

  /// Offset at which scanning can start over: all rows before it have been found.
  public var restart: Int { scanner.restart ?? position }

  /// The error in the document outside of its items; for XML only once it is read to its end.
  ///
  /// - Complexity: O(n) in the bytes outside of items of an XML document.
  public var fault: Fault? { scanner.fault }

  /// Whether the source has ended inside its last row; for a line of JSON, without a line break.
  var endsInRow: Bool { scanner.endsInRow }

  /// The error in the first row, if its structure shows it.
  var firstRowFault: Fault? { scanner.firstRowFault }

  /// The document's head, as far as it has been read.
  public var head: DocumentHead { scanner.documentHead }

  /// The first offset in `bytes` at which no row continues: behind the first line break of JSON
  /// Lines, behind the first blank line of text, or at the first tag of an item in XML; `nil` if
  /// there is none. `bytes` may begin anywhere, but items quoted in the text of an item may be
  /// taken for items, because the bytes before them are unknown.
  ///
  /// - Parameter known: the document's head.
  /// - Complexity: O(n) in the bytes before it; of XML in all bytes.
  public static func boundary(
    in bytes: UnsafeRawBufferPointer, format: FeedFormat,
    within known: DocumentHead = DocumentHead()
  ) -> Int? {
    if format.isXML {
      return XMLRowScanner.boundary(in: bytes, within: known.xml ?? XMLHead())
    }
    guard let first = bytes.index(of: 0x0A, from: 0) else { return nil }
    if format == .jsonl { return first + 1 }
    var start = first + 1
    while let end = bytes.index(of: 0x0A, from: start) {
      if bytes[start..<end].allSatisfy(LineScanner.isBlankText) { return end + 1 }
      start = end + 1
    }
    return nil
  }
}
