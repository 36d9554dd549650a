/// Finds where the rows of a source begin, in bytes that come in pieces, without reading what they say.
///
/// Rows are those that ``FeedReader`` and ``PostStream`` make posts of: lines that are not blank,
/// paragraphs, elements of a document's list of items. Where a piece ends makes no difference.
public struct RowScanner: Sendable {
  /// A row in the source. Its bytes may be followed by blanks that belong to no row.
  public struct Row: Hashable, Sendable {
    /// The first byte, counted from the source's beginning.
    public var start: Int
    /// The byte after its last one.
    public var end: Int
  }

  private enum Kind: Sendable {
    case lines(LineRows)
    case items(ItemRows)
  }

  private var kind: Kind

  /// A scanner of lines, text or a document of JSON; every other format is taken for `.text`.
  ///
  /// - Parameters:
  ///   - offset: where the first byte stands in the source; a byte order mark is to be left out.
  ///   - startsAtRow: a row begins there, so that rows are found from the middle of the source on.
  public init(format: FeedFormat, offset: Int, startsAtRow: Bool = false) {
    kind =
      format.isJSONDocument
      ? .items(ItemRows(format: format, offset: offset, startsAtItem: startsAtRow))
      : .lines(LineRows(isJSON: format == .jsonl, offset: offset))
  }

  /// Calls `body` for each row that ends in `bytes`.
  ///
  /// - Complexity: O(n) in the bytes; memory of one item of a document, at most
  ///   ``FeedLimits/itemBytes``, and none for lines.
  public mutating func consume(_ bytes: UnsafeRawBufferPointer, _ body: (Row) -> Void) {
    switch kind {
    case .lines(var rows):
      rows.consume(bytes, body)
      kind = .lines(rows)
    case .items(var rows):
      // Taken out, or what it holds would be copied.
      kind = .lines(LineRows(isJSON: true, offset: 0))
      rows.consume(bytes, body)
      kind = .items(rows)
    }
  }

  /// Calls `body` for the row that the source ends in, if it ends in one.
  public mutating func finish(_ body: (Row) -> Void) {
    switch kind {
    case .lines(var rows):
      rows.finish(body)
      kind = .lines(rows)
    case .items(var rows):
      rows.finish(body)
      kind = .items(rows)
    }
  }

  /// Where the row begins that has begun and not ended.
  public var openRow: Int? {
    switch kind {
    case .lines(let rows): rows.openRow
    case .items(let rows): rows.openRow
    }
  }

  /// Rows before it are found; scanning can begin anew here.
  public var restart: Int {
    switch kind {
    case .lines(let rows): rows.restart
    case .items(let rows): rows.restart
    }
  }

  /// What is wrong with a document outside its items: where, and why.
  public var fault: (byte: Int, reason: String)? {
    guard case .items(let rows) = kind, let fault = rows.fault else { return nil }
    return (fault.byte, fault.reason)
  }

  /// What the document says about itself, as far as it is read.
  public var head: DocumentHead {
    if case .items(let rows) = kind { rows.head } else { DocumentHead() }
  }

  /// Whether rows can be found from any place of a source on, with ``boundary(in:format:)``.
  public static func canStartAnywhere(_ format: FeedFormat) -> Bool {
    format.isLines
  }

  /// The first place in `bytes` where no row goes on, after the first line break; nil where none is
  /// seen. `bytes` may begin anywhere.
  ///
  /// - Complexity: O(n) in the bytes before it.
  public static func boundary(in bytes: UnsafeRawBufferPointer, format: FeedFormat) -> Int? {
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
