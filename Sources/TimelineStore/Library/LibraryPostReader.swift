import Feeds
import Library
import TextLayout

/// Reads the posts of a library from the lines in which it keeps them.
struct LibraryPostReader: Sendable {
  private let reader: RowReader
  var feeds: [FeedID: Feed] = [:]

  init(as form: ContentForm = .styled) { reader = RowReader(format: .jsonl, as: form) }

  /// A reader that knows all feeds.
  ///
  /// - Throws: `LibraryError` if they cannot be read.
  init(of library: FeedLibrary, as form: ContentForm = .styled) throws(LibraryError) {
    self.init(as: form)
    for feed in try library.feeds(includeLeft: true) { feeds[feed.id] = feed }
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
    post.source = post.source ?? feeds[feed]?.name
    return post
  }

  /// The texts in which `feed:` looks.
  func names(of feed: FeedID) -> [String] {
    feeds[feed].map { [$0.name, $0.title, $0.address] } ?? []
  }

  func marked(_ item: ItemID, _ reason: String) -> Post {
    var post = Post(id: "byte \(item.rawValue)")
    post.damage = reason
    return post
  }

  /// A filter for the lines of posts that match a query.
  func filter(for query: PostQuery) -> RowPrefilter? {
    reader.filter(for: query.groupsOfNeedles, besides: feeds.values.map(\.name))
  }
}

/// The marks of items at one moment.
struct MarkSnapshot: Sendable {
  var unread = ItemSet()
  var saved = ItemSet()
  /// Items with higher keys are new; `nil` if none are.
  var latestItem: ItemID?

  init() {}

  /// - Throws: `LibraryError` if the marks cannot be read.
  init(of library: FeedLibrary, latestItem: ItemID?) throws(LibraryError) {
    unread = ItemSet(try library.unreadItems())
    saved = ItemSet(try library.savedItems())
    self.latestItem = latestItem
  }

  /// - Complexity: O(1)
  func marks(of item: ItemID) -> PostMarks {
    var marks: PostMarks = []
    if unread.contains(item) { marks.insert(.unread) }
    if saved.contains(item) { marks.insert(.saved) }
    if let latestItem, item > latestItem { marks.insert(.new) }
    return marks
  }
}

/// Rows of a library that are searched in the background.
struct PostsInLibrary: SearchableRows {
  let library: FeedLibrary
  let places: LibraryRows
  let reader: LibraryPostReader
  let marks: MarkSnapshot

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
    var found: [Int] = []
    var open: [Int] = []
    for row in rows {
      switch worker.matcher.verdict(marks.marks(of: places[row].item)) {
      case true?: found.append(row)
      case false?: break
      case nil: open.append(row)
      }
    }
    guard !open.isEmpty, !isCancelled(),
      let entries = try? library.entries(of: open.map { places[$0].item })
    else { return found }
    for (row, entry) in zip(open, entries) {
      if isCancelled() { break }
      guard let entry, case .line(let line) = entry.body else { continue }
      let item = places[row].item
      line.withUnsafeBytes { bytes in
        guard worker.filter?.mayMatch(bytes) ?? true else { return }
        let post = reader.post(bytes, of: entry.feed, item: item)
        let context = MatchContext(
          marks: marks.marks(of: item), feedNames: reader.names(of: entry.feed))
        if worker.matcher.fits(post, in: context) { found.append(row) }
      }
    }
    return found.sorted()
  }

  func filter(for query: PostQuery) -> RowPrefilter? { reader.filter(for: query) }
}
