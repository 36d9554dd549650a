import TextLayout

/// Rows of a source that are found and not read yet: reading them takes most of the time, and can
/// be done on any thread, of several batches at once.
public struct RowBatch: Sendable {
  fileprivate let reader: RowReader
  fileprivate var rows: [RowScanner.Row]
  /// The beginning of the first of them, which stands before the piece.
  fileprivate let beginning: [UInt8]
  fileprivate let start: Int
  fileprivate let piece: [UInt8]
  fileprivate let base: Int
  /// A mark for what is wrong outside of rows, behind them.
  fileprivate var damage: Post?
  /// Adds to each post what its source has elsewhere.
  fileprivate let completion: (any RowCompletion)?

  /// Whether there is nothing to be read.
  public var isEmpty: Bool { rows.isEmpty && damage == nil }

  /// Rows that are found.
  public var count: Int { rows.count }

  /// The first rows alone.
  ///
  /// - Complexity: O(n) in them.
  package func prefix(_ count: Int) -> RowBatch {
    guard count < rows.count else { return self }
    var batch = self
    batch.rows = Array(rows.prefix(count))
    batch.damage = nil
    return batch
  }

  /// The same rows in batches of so many at most, which share their bytes.
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

  /// Whether its source is a document, whose items should have ids that differ.
  public var isOfDocument: Bool { !reader.format.isLines }

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

  /// Reads those of the posts that may match `filter`, and what stands for damage.
  ///
  /// - Complexity: O(n) in the bytes, those of rows that are left out some nanoseconds each.
  package func readEach(where filter: inout RowPrefilter, _ body: (Post) -> Void) {
    piece.withUnsafeBytes { piece in
      for row in rows where mayMatch(row, in: piece, &filter) { read(row, in: piece, body) }
    }
    if let damage { body(damage) }
  }

  /// A filter for those of these rows whose posts hold all needles of one of `groups`; `nil` if
  /// any of them may.
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
    // Full, it holds all that is looked at, and does not reach up to the piece.
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

/// What posts have of their source besides their rows, as those of an archive whose it is.
package protocol RowCompletion: Sendable {
  /// All names that it may give to a post.
  var names: [String] { get }
  func complete(_ post: inout Post)
}

/// Makes batches of rows out of bytes that come in pieces; where one ends makes no difference to
/// the posts.
///
/// The bytes are UTF-8. Ids of items that have none are `"byte N"`, their place in the source.
public struct RowBatcher: Sendable {
  private var scanner: RowScanner
  private let format: FeedFormat
  private let baseURL: String?
  private let form: ContentForm
  /// Adds to each post what its source has elsewhere.
  package var completion: (any RowCompletion)?
  private var reader: RowReader
  /// The beginning of the row that has not ended, and where it stands.
  private var pending: [UInt8] = []
  private var start: Int
  private var position: Int
  private var rowCount = 0

  /// A batcher of a source that is read by rows (``FeedReader/isReadByRows(_:format:)``).
  ///
  /// - Parameters:
  ///   - offset: where in the source the first byte stands, the beginning of a line; a byte order
  ///     mark of a document is to be left out.
  ///   - baseURL: what addresses are relative to.
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

  /// What the source says about itself, as far as it is read.
  ///
  /// - Complexity: O(n) in the bytes around the rows.
  package var info: TimelineInfo {
    format.isLines ? TimelineInfo() : scanner.head.info(baseURL: baseURL)
  }

  /// The rows that end in these bytes.
  ///
  /// - Complexity: O(n) in the bytes; memory of one row, at most ``RowReader/rowBytes``.
  public mutating func consume(_ bytes: [UInt8]) -> RowBatch {
    var rows: [RowScanner.Row] = []
    bytes.withUnsafeBytes { scanner.consume($0) { rows.append($0) } }
    defer { keep(bytes) }
    return batch(rows, bytes, damage: nil)
  }

  /// The row that the source ends in, and what is wrong with it outside of rows.
  ///
  /// - Throws: `FeedError` for a source in which nothing could be read.
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

  /// Keeps what the row that has not ended begins with.
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
