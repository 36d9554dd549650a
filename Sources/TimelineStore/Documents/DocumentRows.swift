import Feeds
import VirtualList

/// The rows of a source that is read whole: the posts read so far, and the other rows of a document
/// whose first posts were read.
///
/// 1. A row that is pending is read by itself when it is requested.
/// 2. Its identity is its number, like that of every row before a refresh.
struct DocumentRows: Sendable {
  /// The rows of the posts read so far.
  private(set) var read = PostRows()
  /// All rows of a document, until all its posts are in `read`.
  private var pending: PendingRows?
  /// Posts of pending rows that were requested.
  private var early: [Int: Post] = [:]

  init(_ read: PostRows = PostRows()) { self.read = read }

  var count: Int { pending?.count ?? read.count }
  var arePending: Bool { pending != nil }

  mutating func append(_ batch: SourceReader.Batch) {
    read.append(batch.posts)
    pending = batch.pending
    early = [:]
  }

  mutating func post(at row: Int) -> Post {
    guard row >= read.count, let pending else { return read[row] }
    if let post = early[row] { return post }
    let post = pending.post(at: row)
    early[row] = post
    return post
  }

  func id(at row: Int) -> RowID { row < read.count ? read.id(at: row) : RowID(UInt64(row)) }

  func row(of id: RowID) -> Int? {
    read.row(of: id) ?? (pending != nil && id.rawValue < UInt64(count) ? Int(id.rawValue) : nil)
  }

  func kind(of row: Int) -> Int? {
    row < read.count ? min(read[row].pictures.count, Post.maximumPictures) : 0
  }

  /// The length of pending rows is estimated by their bytes, in proportion to the posts read so
  /// far.
  func textLength(ofRows rows: Range<Int>) -> Int? {
    guard let pending else { return read.textLength(ofRows: rows) }
    guard rows.lowerBound >= 0, rows.upperBound <= count else { return nil }
    let known = 0..<read.count
    let all = read.textLength(ofRows: known) ?? 0
    let share = Double(all) / Double(max(1, pending.bytes(ofRows: known)))
    let own = read.textLength(ofRows: rows.clamped(to: known)) ?? 0
    let bytes = pending.bytes(ofRows: rows.clamped(to: known.upperBound..<count))
    return own + Int(Double(bytes) * share)
  }
}
