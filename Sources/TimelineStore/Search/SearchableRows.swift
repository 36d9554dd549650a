import Feeds
import TextLayout

/// A snapshot of a source's rows that can be searched on any thread.
protocol SearchableRows: Sendable {
  /// The part of `rows` to search at once: it begins with the first of them, or ends with the last.
  ///
  /// - Parameter share: its size, as a part of the largest one: the first are small, so that near
  ///   matches are found at once.
  func piece(of rows: Range<Int>, fromEnd: Bool, share: Double) -> Range<Int>
  /// Examines rows. Stops and returns the results so far if `isCancelled` returns true.
  ///
  /// - Complexity: O(n) in the bytes of the rows
  func search(
    _ rows: Range<Int>, with worker: inout SearchWorker, isCancelled: () -> Bool
  ) -> SearchedRows
  /// A filter for the bytes of matching posts; `nil`, the default, if all posts are examined.
  func filter(for query: PostQuery) -> RowPrefilter?
  /// Whether the rows that both have contain the same posts, the default.
  func haveSamePosts(as others: any SearchableRows) -> Bool
}

extension SearchableRows {
  func haveSamePosts(as others: any SearchableRows) -> Bool { true }
  func filter(for query: PostQuery) -> RowPrefilter? { nil }

  /// A piece of at most `count` rows.
  func piece(
    of rows: Range<Int>, fromEnd: Bool, share: Double, atMost count: Int
  ) -> Range<Int> {
    let count = max(1, Int(Double(count) * share))
    return fromEnd
      ? max(rows.lowerBound, rows.upperBound - count)..<rows.upperBound
      : rows.lowerBound..<min(rows.upperBound, rows.lowerBound + count)
  }
}

/// The results of a part of a search, in order.
struct SearchedRows: Sendable {
  /// The rows that match.
  var fitting: [Int] = []
  /// The rows that could not be read.
  var unreadable: [Int] = []
}

/// The state of a search, used by one thread at a time; caches properties of code points.
struct SearchWorker: Sendable {
  var matcher: PostMatcher
  var filter: RowPrefilter?

  init(_ query: PostQuery, for rows: any SearchableRows) {
    matcher = PostMatcher(query)
    filter = rows.filter(for: query)
  }
}

/// Rows in memory.
struct PostsInMemory: SearchableRows {
  /// The maximum number of posts in a piece.
  static let pieceRows = 512

  let posts: [Post]

  func piece(of rows: Range<Int>, fromEnd: Bool, share: Double) -> Range<Int> {
    piece(of: rows, fromEnd: fromEnd, share: share, atMost: Self.pieceRows)
  }

  func search(
    _ rows: Range<Int>, with worker: inout SearchWorker, isCancelled: () -> Bool
  ) -> SearchedRows {
    let rows = rows.clamped(to: posts.indices)
    return SearchedRows(
      fitting: rows.filter { !isCancelled() && worker.matcher.fits(posts[$0]) })
  }
}

/// Counted rows of a file or spool.
struct PostsInFile: SearchableRows {
  let file: FileBytes
  let format: FeedFormat
  let index: RowIndex
  let head: DocumentHead
  let reader: RowReader
  let archive: Archive

  /// The size of a piece in bytes, unless a row is longer.
  static let pieceBytes = 2 << 20

  func piece(of rows: Range<Int>, fromEnd: Bool, share: Double) -> Range<Int> {
    let size = Int(Double(Self.pieceBytes) * share)
    if fromEnd {
      guard let last = index.block(ofRow: rows.upperBound - 1)?.entry,
        let block = index.block(atByte: max(0, last.offset - size))
      else { return rows }
      // A block may end in a row of any length, which is searched by itself.
      let isLong = last.offset - block.entry.offset > 2 * Self.pieceBytes
      let first = isLong ? block.next?.row ?? last.row : block.entry.row
      return max(rows.lowerBound, min(first, last.row))..<rows.upperBound
    }
    guard let first = index.block(ofRow: rows.lowerBound),
      let last = index.block(atByte: first.entry.offset + size)?.entry
    else { return rows }
    let end = last.row > rows.lowerBound ? last.row : first.next?.row ?? rows.upperBound
    return rows.lowerBound..<min(rows.upperBound, max(end, rows.lowerBound + 1))
  }

  func search(
    _ rows: Range<Int>, with worker: inout SearchWorker, isCancelled: () -> Bool
  ) -> SearchedRows {
    guard let first = index.block(ofRow: rows.lowerBound),
      let last = index.block(ofRow: rows.upperBound - 1)
    else { return SearchedRows() }
    let end = max(first.entry.offset, last.next?.offset ?? index.progress.end)
    let start = first.entry.offset
    // The beginning of the last row is enough, as it is for showing it.
    let limit = min(end, start + 2 * Self.pieceBytes + RowReader.rowBytes)
    guard let bytes = try? file.read(start..<limit) else {
      return SearchedRows(unreadable: Array(rows))
    }
    let isWhole = start + bytes.count == end
    return bytes.withUnsafeBytes { bytes in
      let search = FileSearch(
        rows: self, bytes: bytes, start: start, isWhole: isWhole, end: end)
      return SearchedRows(
        fitting: search.fitting(&worker, in: rows, firstRow: first.entry.row, isCancelled))
    }
  }

  /// The document's metadata may come after its items.
  func haveSamePosts(as others: any SearchableRows) -> Bool {
    (others as? PostsInFile)?.head == head
  }

  func filter(for query: PostQuery) -> RowPrefilter? {
    reader.filter(for: query.groupsOfNeedles, besides: archive.names)
  }
}

/// Searches the rows in some bytes of a file.
private struct FileSearch {
  let rows: PostsInFile
  let bytes: UnsafeRawBufferPointer
  let start: Int
  let isWhole: Bool
  let end: Int

  func fitting(
    _ worker: inout SearchWorker, in wanted: Range<Int>, firstRow: Int, _ isCancelled: () -> Bool
  ) -> [Int] {
    var found: [Int] = []
    for (index, row) in scanned().enumerated() where wanted.contains(firstRow + index) {
      if isCancelled() { break }
      if mayFit(row, &worker.filter), fits(row, &worker.matcher) { found.append(firstRow + index) }
    }
    return found
  }

  private func scanned() -> [RowScanner.Row] {
    var scanner = RowScanner(
      format: rows.format, offset: start, startsAtRow: true, within: rows.head)
    var found: [RowScanner.Row] = []
    scanner.consume(bytes) { found.append($0) }
    if isWhole {
      scanner.finish { found.append($0) }
    } else if let open = scanner.openRow {
      found.append(RowScanner.Row(start: open, end: end))
    }
    return found
  }

  private func bytes(of row: RowScanner.Row) -> UnsafeRawBufferPointer? {
    let first = row.start - start
    let length = min(row.end - row.start, RowReader.rowBytes, bytes.count - first)
    return length > 0 ? UnsafeRawBufferPointer(rebasing: bytes[first..<first + length]) : nil
  }

  private func mayFit(_ row: RowScanner.Row, _ filter: inout RowPrefilter?) -> Bool {
    guard let own = bytes(of: row), own.count == row.end - row.start else { return true }
    return filter?.mayMatch(own) ?? true
  }

  private func fits(_ row: RowScanner.Row, _ matcher: inout PostMatcher) -> Bool {
    guard let own = bytes(of: row) else { return false }
    var post = rows.reader.post(own, offset: row.start, length: row.end - row.start)
    rows.archive.complete(&post)
    return matcher.fits(post)
  }
}
