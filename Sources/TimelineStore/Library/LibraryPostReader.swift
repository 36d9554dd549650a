import Feeds
import Library
import TextLayout

/// Reads the posts of a library from the lines in which it keeps them.
struct LibraryPostReader: Sendable {
  private let reader: RowReader
  /// The names of feeds.
  var names: [FeedID: String] = [:]

  init(as form: ContentForm = .styled) { reader = RowReader(format: .jsonl, as: form) }

  /// A reader that knows the names of all feeds.
  ///
  /// - Throws: `LibraryError` if they cannot be read.
  init(of library: FeedLibrary, as form: ContentForm = .styled) throws(LibraryError) {
    self.init(as: form)
    for feed in try library.feeds(includeLeft: true) { names[feed.id] = feed.name }
  }

  /// The post of an item; if there is none, a post that says so.
  ///
  /// - Complexity: O(n) in the bytes of its line.
  func post(_ entry: LibraryEntry?, item: ItemID) -> Post {
    guard let entry, case .line(let line) = entry.body else {
      return marked(item, "this post is not in the library any more")
    }
    return line.withUnsafeBytes { post($0, of: entry.feed, item: item) }
  }

  func post(_ line: UnsafeRawBufferPointer, of feed: FeedID, item: ItemID) -> Post {
    var post = reader.post(line, offset: 0, length: line.count)
    post.source = post.source ?? names[feed]
    return post
  }

  func marked(_ item: ItemID, _ reason: String) -> Post {
    var post = Post(id: "byte \(item.rawValue)")
    post.damage = reason
    return post
  }

  /// A filter for the lines of posts that match a query.
  func filter(for query: PostQuery) -> RowPrefilter? {
    reader.filter(for: query.groupsOfNeedles, besides: Array(names.values))
  }
}

/// Rows of a library that are searched in the background.
struct PostsInLibrary: SearchableRows {
  let library: FeedLibrary
  let places: [ItemPlace]
  let reader: LibraryPostReader

  /// The maximum number of posts in a piece.
  private static let pieceRows = 1_024

  func piece(of rows: Range<Int>, fromEnd: Bool, share: Double) -> Range<Int> {
    let count = max(1, Int(Double(Self.pieceRows) * share))
    return fromEnd
      ? max(rows.lowerBound, rows.upperBound - count)..<rows.upperBound
      : rows.lowerBound..<min(rows.upperBound, rows.lowerBound + count)
  }

  func fitting(
    _ worker: inout SearchWorker, in rows: Range<Int>, isCancelled: () -> Bool
  ) -> [Int] {
    let rows = rows.clamped(to: places.indices)
    guard !isCancelled(), let entries = try? library.entries(of: places[rows].map(\.item)) else {
      return []
    }
    var found: [Int] = []
    for (row, entry) in zip(rows, entries) {
      if isCancelled() { break }
      guard let entry, case .line(let line) = entry.body else { continue }
      line.withUnsafeBytes { bytes in
        guard worker.filter?.mayMatch(bytes) ?? true else { return }
        let post = reader.post(bytes, of: entry.feed, item: places[row].item)
        if worker.matcher.fits(post) { found.append(row) }
      }
    }
    return found
  }

  func filter(for query: PostQuery) -> RowPrefilter? { reader.filter(for: query) }
}
