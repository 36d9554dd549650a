import TextLayout

/// Rows of a source that have been found but not read. Reading takes most of the time; it can be
/// done on any thread, and for several batches at once.
public struct RowBatch: Sendable {
  fileprivate let reader: RowReader
  fileprivate var rows: [RowScanner.Row]
  /// The beginning of the first row, which precedes the piece.
  fileprivate let beginning: [UInt8]
  /// Offset of `beginning` in the source.
  fileprivate let start: Int
  /// The bytes in which the rows end.
  fileprivate let piece: [UInt8]
  /// Offset of `piece` in the source.
  fileprivate let base: Int
  /// A post that reports an error outside of rows; it comes last.
  fileprivate var damage: Post?
  /// Adds to each post the data that its source holds outside of its row.
  fileprivate let completion: (any RowCompletion)?

  /// Whether there is nothing to read.
  public var isEmpty: Bool { rows.isEmpty && damage == nil }

  /// Number of rows.
  public var count: Int { rows.count }

  /// A batch of the first `count` rows.
  ///
  /// - Complexity: O(n) in them.
  package func prefix(_ count: Int) -> RowBatch {
    guard count < rows.count else { return self }
    var batch = self
    batch.rows = Array(rows.prefix(count))
    batch.damage = nil
    return batch
  }

  /// The same rows in batches of at most `count`, which share their bytes.
  ///
  /// - Complexity: O(n) in the rows.
  package func parts(atMost count: Int) -> [RowBatch] {
    guard rows.count > count else { return [self] }
    return stride(from: 0, to: rows.count, by: max(1, count)).map { start in
      var part = self
      part.rows = Array(rows[start..<min(start + max(1, count), rows.count)])
      if start + max(1, count) < rows.count { part.damage = nil }
      return part
    }
  }

  /// Whether the source is a document, whose posts should have unique ids.
  public var belongsToDocument: Bool { !reader.format.isLines }

  /// The posts, in their order.
  ///
  /// - Complexity: O(n) in the bytes.
  public func posts() -> [Post] {
    var posts: [Post] = []
    posts.reserveCapacity(rows.count)
    readEach { posts.append($0) }
    return posts
  }

  /// Reads the posts one after another, in their order.
  ///
  /// - Complexity: O(n) in the bytes.
  public func readEach(_ body: (Post) -> Void) {
    piece.withUnsafeBytes { piece in
      for row in rows { read(row, in: piece, body) }
    }
    if let damage { body(damage) }
  }

  /// Reads the posts one after another, with the ranges of their rows in the source; the post that
  /// reports damage has none and is left out.
  ///
  /// - Complexity: O(n) in the bytes.
  package func readEachRow(_ body: (Post, Range<Int>) -> Void) {
    piece.withUnsafeBytes { piece in
      for row in rows { read(row, in: piece) { body($0, row.start..<row.end) } }
    }
  }

  /// A reader of the same rows.
  package var rowReader: RowReader { reader }
  /// The error outside of rows, in a clause.
  package var damageText: String? { damage?.damage }

  /// Reads the posts that may match `filter`, and the post that reports damage.
  ///
  /// - Complexity: O(n) in the bytes; a byte of a skipped row costs some nanoseconds.
  package func readEach(where filter: inout RowPrefilter, _ body: (Post) -> Void) {
    piece.withUnsafeBytes { piece in
      for row in rows where mayMatch(row, in: piece, &filter) { read(row, in: piece, body) }
    }
    if let damage { body(damage) }
  }

  /// A filter for rows whose posts hold all needles of one of `groups`; `nil` if any row may.
  package func filter(for groups: [[TextNeedle]]) -> RowPrefilter? {
    reader.filter(for: groups, besides: completion?.names ?? [])
  }

  /// Rows are judged only if all of their bytes are in the piece.
  private func mayMatch(
    _ row: RowScanner.Row, in piece: UnsafeRawBufferPointer, _ filter: inout RowPrefilter
  ) -> Bool {
    guard row.start >= base, row.end - base <= piece.count,
      row.end - row.start <= RowReader.rowBytes
    else { return true }
    return filter.mayMatch(
      UnsafeRawBufferPointer(rebasing: piece[row.start - base..<row.end - base]))
  }

  private func read(
    _ row: RowScanner.Row, in piece: UnsafeRawBufferPointer, _ body: (Post) -> Void
  ) {
    guard var post = post(row, in: piece) else { return }
    completion?.complete(&post)
    body(post)
  }

  private func post(_ row: RowScanner.Row, in piece: UnsafeRawBufferPointer) -> Post? {
    let length = min(row.end - row.start, RowReader.rowBytes)
    guard row.start < base else {
      let first = row.start - base
      return post(row, UnsafeRawBufferPointer(rebasing: piece[first..<first + length]))
    }
    var bytes = beginning.dropFirst(row.start - start).prefix(length)
    // A full `beginning` holds all bytes that are read, and does not reach the piece.
    if beginning.count < RowReader.rowBytes { bytes += piece.prefix(length - bytes.count) }
    return bytes.withUnsafeBytes { post(row, $0) }
  }

  private func post(_ row: RowScanner.Row, _ bytes: UnsafeRawBufferPointer) -> Post? {
    let length = row.end - row.start
    if reader.format.isLines {
      return reader.post(ofLines: bytes, offset: row.start, length: length)
    }
    return reader.post(bytes, offset: row.start, length: length) { row.line }
  }
}

/// Adds to posts the data that their source holds outside of rows, such as the owner of an archive.
package protocol RowCompletion: Sendable {
  /// All names that it may add to a post.
  var names: [String] { get }
  func complete(_ post: inout Post)
}

/// Makes batches of rows from bytes that arrive in pieces; the boundaries of the pieces do not
/// affect the posts.
///
/// The bytes must be UTF-8. An item without an id gets `"byte N"`, its offset in the source.
public struct RowBatcher: Sendable {
  private var scanner: RowScanner
  private let format: FeedFormat
  private let baseURL: String?
  private let form: ContentForm
  /// Adds to each post the data that its source holds outside of its row.
  package var completion: (any RowCompletion)?
  private var reader: RowReader
  /// The beginning of the unfinished row, and its offset.
  private var pending: [UInt8] = []
  private var start: Int
  private var position: Int
  private var rowCount = 0

  /// Creates a batcher of a source that is read by rows (``FeedReader/isReadByRows(_:format:)``).
  ///
  /// - Parameters:
  ///   - offset: the offset in the source of the first byte, which begins a line; skip the byte
  ///     order mark of a document.
  ///   - baseURL: the address that addresses are resolved against.
  public init(
    format: FeedFormat, offset: Int = 0, baseURL: String? = nil, as form: ContentForm = .styled
  ) {
    scanner = RowScanner(format: format, offset: offset)
    self.format = format
    self.baseURL = baseURL
    self.form = form
    reader = RowReader(format: format, baseURL: baseURL, as: form)
    (start, position) = (offset, offset)
  }

  /// The source's metadata, as far as it has been read.
  ///
  /// - Complexity: O(n) in the bytes around the rows.
  package var info: TimelineInfo {
    format.isLines ? TimelineInfo() : scanner.head.info(baseURL: baseURL)
  }

  /// Whether the source has ended inside its last row; for a line of JSON, without a line break.
  package var endsInRow: Bool { scanner.endsInRow }

  /// The rows that end in these bytes.
  ///
  /// - Complexity: O(n) in the bytes and those held of an unfinished item; memory of one row, at
  ///   most ``RowReader/rowBytes``.
  public mutating func consume(_ bytes: [UInt8]) -> RowBatch {
    var rows: [RowScanner.Row] = []
    bytes.withUnsafeBytes { scanner.consume($0) { rows.append($0) } }
    defer { keep(bytes) }
    return batch(rows, bytes, damage: nil)
  }

  /// The row in which the source ends, and the error outside of rows.
  ///
  /// - Throws: `FeedError` if nothing in the source could be read.
  public mutating func finish() throws(FeedError) -> RowBatch {
    var rows: [RowScanner.Row] = []
    scanner.finish { rows.append($0) }
    let fault = scanner.fault
    guard rowCount + rows.count > 0 else {
      guard let fault else { throw FeedError(.empty) }
      throw FeedError(.nothingReadable(reason: fault.reason, place: fault.place))
    }
    return batch(rows, [], damage: fault?.mark)
  }

  private mutating func batch(
    _ rows: [RowScanner.Row], _ piece: [UInt8], damage: Post?
  ) -> RowBatch {
    rowCount += rows.count
    if !format.isLines, !rows.isEmpty, case let now = scanner.head, now != reader.source {
      reader = RowReader(format: format, head: now, baseURL: baseURL, as: form)
    }
    return RowBatch(
      reader: reader, rows: rows, beginning: pending, start: start, piece: piece, base: position,
      damage: damage, completion: completion)
  }

  /// Keeps the beginning of the row that has not ended.
  private mutating func keep(_ piece: [UInt8]) {
    let restart = scanner.restart
    if restart < position {
      pending.removeFirst(min(restart - start, pending.count))
      pending += piece.prefix(RowReader.rowBytes - pending.count)
    } else {
      pending = Array(piece.dropFirst(restart - position).prefix(RowReader.rowBytes))
    }
    start = restart
    position += piece.count
  }
}
