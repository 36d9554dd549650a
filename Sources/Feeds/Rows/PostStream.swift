/// Posts out of bytes that come in pieces: JSON Lines and plain text of any length.
///
/// The bytes are UTF-8; a byte order mark at the start is dropped. Where a piece ends makes no
/// difference to the posts. Ids of items that have none are `"byte N"`, their place in the source.
public struct PostStream: Sendable {
  /// `.jsonl` or `.text`.
  public let format: FeedFormat
  private let reader: RowReader
  private var rows: LineRows
  /// The beginning of the row that has not ended; it stands at `rows.restart`.
  private var pending: [UInt8] = []

  /// A stream of `.jsonl`; every other format is taken for `.text`. `offset` is where in the source the
  /// first byte stands, and must be the beginning of a line.
  public init(
    format: FeedFormat, offset: Int = 0, baseURL: String? = nil, as form: ContentForm = .styled
  ) {
    self.format = format == .jsonl ? .jsonl : .text
    reader = RowReader(format: self.format, baseURL: baseURL, as: form)
    rows = LineRows(isJSON: format == .jsonl, offset: offset)
  }

  /// The posts that are complete with these bytes.
  ///
  /// - Complexity: O(n) in the bytes; memory of one item, at most ``RowReader/rowBytes``.
  public mutating func consume(_ bytes: UnsafeRawBufferPointer) -> [Post] {
    posts(bytes, isLast: false)
  }

  /// The posts that are complete with these bytes.
  public mutating func consume(_ bytes: some Collection<UInt8>) -> [Post] {
    if let posts = bytes.withContiguousStorageIfAvailable({ consume(UnsafeRawBufferPointer($0)) }) {
      return posts
    }
    return Array(bytes).withUnsafeBytes { consume($0) }
  }

  /// The posts of what was still incomplete; the stream is at its end.
  public mutating func finish() -> [Post] {
    posts(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
  }

  private mutating func posts(_ piece: UnsafeRawBufferPointer, isLast: Bool) -> [Post] {
    let (start, base) = (rows.restart, rows.position)
    var found: [RowScanner.Row] = []
    rows.consume(piece) { found.append($0) }
    if isLast { rows.finish { found.append($0) } }
    let posts = found.compactMap { row in
      guard row.start < base else {
        let range = row.start - base..<row.end - base
        return post(of: row, UnsafeRawBufferPointer(rebasing: piece[range]))
      }
      let length = min(row.end - row.start, RowReader.rowBytes)
      var bytes = pending.dropFirst(row.start - start).prefix(length)
      // Full, it holds all that is looked at, and does not reach up to the piece.
      if pending.count < RowReader.rowBytes { bytes += piece.prefix(length - bytes.count) }
      return bytes.withUnsafeBytes { post(of: row, $0) }
    }
    if rows.restart < base {
      pending.removeFirst(min(rows.restart - start, pending.count))
      pending += piece.prefix(RowReader.rowBytes - pending.count)
    } else {
      pending = Array(piece.dropFirst(rows.restart - base).prefix(RowReader.rowBytes))
    }
    return posts
  }

  private func post(of row: RowScanner.Row, _ bytes: UnsafeRawBufferPointer) -> Post? {
    reader.post(ofLines: bytes, offset: row.start, length: row.end - row.start)
  }
}
