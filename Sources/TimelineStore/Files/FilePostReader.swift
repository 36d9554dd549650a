import Caches
import Feeds
import System

/// Reads the posts of a file from their bytes, and keeps those read last.
///
/// 1. A post is kept by the byte at which its row begins; its cost is the larger of its sizes in
///    the source and in memory.
/// 2. A row whose end is unknown is read each time, except the last row of a pipe:
///    `forgetPosts` drops its post when it has grown.
/// 3. A damaged post names its line. If the line is not counted yet, the post is dropped once it
///    is.
/// 4. A row that cannot be read has a post that says so.
@MainActor final class FilePostReader {
  /// The maximum number of posts kept.
  static let maximumCount = 512

  private let file: FileBytes
  private let rows: RowLocator
  /// The contents of the source besides posts, if it is an archive.
  private let archive: Archive
  private var reader: RowReader
  private var posts = LRUCache<Int, Post>(maximumCost: 16 << 20, maximumCount: maximumCount)
  /// The offsets of damaged posts whose line is not known yet.
  private var withoutLine: Set<Int> = []

  init(file: FileBytes, format: FeedFormat, rows: RowLocator, archive: Archive) {
    self.file = file
    self.rows = rows
    self.archive = archive
    reader = RowReader(format: format, head: rows.head)
  }

  /// The number of posts kept.
  var count: Int { posts.count }
  /// Why not everything in the archive can be read.
  var archiveTrouble: String? { archive.isFilled ? archive.trouble : nil }
  var info: TimelineInfo {
    var info = reader.info
    archive.complete(&info)
    return info
  }

  /// All rows that `index` has counted.
  func searchable(by index: RowIndex) -> PostsInFile {
    PostsInFile(
      file: file, format: reader.format, index: index, head: rows.head, reader: reader,
      archive: archive)
  }

  /// Adopts new metadata of the document, with which all posts are read again.
  func adopt(_ head: DocumentHead) {
    rows.use(head)
    reader = RowReader(format: reader.format, head: head)
    posts.removeAll()
  }

  /// Drops the posts that are different with the progress `now`.
  ///
  /// - Returns: their rows, by the numbers before `now` is adopted.
  func forgetPosts(changedBy now: RowIndex.Progress) -> Set<Int> {
    var changed: Set<Int> = []
    if let last = rows.discardOpenRow(foundAgainBy: now) {
      if let byte = last.byte { posts.remove(byte) }
      changed.insert(last.row)
    }
    let numbered = withoutLine.filter { $0 < now.end }
    withoutLine.subtract(numbered)
    for offset in numbered { posts.remove(offset) }
    return changed.union(numbered.compactMap { rows.row(atByte: $0) })
  }

  func post(at row: Int) -> Post {
    guard let (range, hasEnded) = rows.bytes(ofRow: row) else { return missing(row) }
    if let post = posts.value(for: range.lowerBound) { return post }
    let post = post(in: range, hasEnded: hasEnded)
    if hasEnded || row == rows.openRow {
      let cost = max(range.count, post.footprint)
      posts.insert(post, for: range.lowerBound, cost: min(cost, posts.maximumCost))
    }
    return post
  }

  /// Reads the post in a row's bytes, and does not keep it.
  func post(in range: Range<Int>, hasEnded: Bool) -> Post {
    let wanted = range.prefix(RowReader.rowBytes)
    do throws(SystemFailure) {
      let bytes = try file.read(wanted.startIndex..<wanted.endIndex)
      guard !bytes.isEmpty else {
        return marked(
          range.lowerBound, "the file ends before this row now (byte \(range.lowerBound))")
      }
      var post = bytes.withUnsafeBytes {
        reader.post(
          $0, offset: range.lowerBound, length: range.count, hasEnded: hasEnded,
          line: {
            let line = rows.line(ofByte: range.lowerBound)
            if line == nil { withoutLine.insert(range.lowerBound) }
            return line
          })
      }
      archive.complete(&post)
      if bytes.count < wanted.count {
        let lost = "the file ends at byte \(range.lowerBound + bytes.count) now"
        post.damage = [post.damage, lost].compactMap { $0 }.joined(separator: "; ")
      }
      return post
    } catch {
      return marked(
        range.lowerBound, "cannot be read at byte \(range.lowerBound): \(error.message)")
    }
  }

  private func missing(_ row: Int) -> Post {
    guard case .counted = rows.place(of: row) else { return marked(row, nil) }
    return marked(row, "the file has changed: this row is not where it was")
  }

  private func marked(_ number: Int, _ damage: String?) -> Post {
    var post = Post(id: "row \(number)")
    post.damage = damage
    return post
  }
}
