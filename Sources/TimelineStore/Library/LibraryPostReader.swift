import Feeds
import Library
import TextLayout

/// Reads the posts of a library from the lines in which it keeps them, or from the files of merged
/// sources.
struct LibraryPostReader: Sendable {
  private let reader: RowReader
  var feeds: [FeedID: Feed] = [:]
  /// What belongs to the posts besides the library, if it is that of merged sources.
  let contents: MergedContents?

  init(as form: ContentForm = .styled, contents: MergedContents? = nil) {
    reader = RowReader(format: .jsonl, as: form)
    self.contents = contents
  }

  /// A reader that knows all feeds.
  ///
  /// - Throws: `LibraryError` if they cannot be read.
  init(
    of library: FeedLibrary, as form: ContentForm = .styled, contents: MergedContents? = nil
  ) throws(LibraryError) {
    self.init(as: form, contents: contents)
    for feed in try library.feeds(includeLeft: true) { feeds[feed.id] = feed }
  }

  /// The post of an item; if there is none, a post that says so.
  ///
  /// - Complexity: O(n) in the bytes of its line.
  func post(_ entry: LibraryEntry?, item: ItemID) -> Post {
    var filter: RowPrefilter?
    do throws(MergedContents.Unreadable) {
      return try post(entry, where: &filter)
        ?? marked(item, "this post is not in the library any more")
    } catch {
      return complete(marked(item, error.reason), of: entry?.feed)
    }
  }

  /// The post of an entry that may match `filter`; `nil` if it does not, or if there is none.
  ///
  /// - Throws: `MergedContents.Unreadable` if its file cannot be read.
  /// - Complexity: O(n) in the bytes of its line.
  func post(
    _ entry: LibraryEntry?, where filter: inout RowPrefilter?
  ) throws(MergedContents.Unreadable) -> Post? {
    guard let entry else { return nil }
    let post: Post
    switch entry.body {
    case .line(let line):
      let found = line.withUnsafeBytes { line -> Post? in
        guard filter?.mayMatch(line) ?? true else { return nil }
        return reader.post(line, offset: 0, length: line.count)
      }
      guard let found else { return nil }
      post = found
    case .extent(let extent):
      guard let found = try row(extent, where: &filter) else { return nil }
      post = found
    }
    return complete(post, of: entry.feed)
  }

  /// Adds what a post has from its feed.
  private func complete(_ post: Post, of feed: FeedID?) -> Post {
    guard let feed else { return post }
    var post = post
    if let contents {
      contents.complete(&post, of: feed)
      // Ids of several sources may be equal.
      if let feed = feeds[feed] {
        post.idInFeed = post.id
        post.id = "\(feed.address)#\(post.id)"
      }
    }
    post.source = post.source ?? feeds[feed]?.name
    return post
  }

  private func row(
    _ extent: ItemBody.FileExtent, where filter: inout RowPrefilter?
  ) throws(MergedContents.Unreadable) -> Post? {
    guard let contents else { return nil }
    let (bytes, file) = try contents.row(of: extent)
    return bytes.withUnsafeBytes { bytes -> Post? in
      // The filter knows the notation of lines.
      if file.reader.format == .jsonl, bytes.count == Int(extent.count),
        filter?.mayMatch(bytes) == false
      {
        return nil
      }
      var post = file.reader.post(
        bytes, offset: Int(clamping: extent.offset), length: Int(extent.count))
      file.archive.complete(&post)
      return post
    }
  }

  /// Whether the bytes of an item contain the id of a post.
  ///
  /// - Complexity: O(n) in the bytes.
  func contains(_ id: PostIDPattern, in entry: LibraryEntry) -> Bool {
    switch entry.body {
    case .line(let line): return line.withUnsafeBytes { !id.places(in: $0).isEmpty }
    case .extent(let extent):
      guard let row = try? contents?.row(of: extent) else { return false }
      return row.bytes.withUnsafeBytes { !id.places(in: $0).isEmpty }
    }
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
    reader.filter(
      for: query.groupsOfNeedles, besides: feeds.values.flatMap { [$0.name, $0.title] })
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
    piece(of: rows, fromEnd: fromEnd, share: share, atMost: Self.pieceRows)
  }

  func search(
    _ rows: Range<Int>, with worker: inout SearchWorker, isCancelled: () -> Bool
  ) -> SearchedRows {
    let (found, open) = sorted(rows.clamped(to: places.indices), by: &worker.matcher)
    var results = SearchedRows(fitting: found)
    guard !open.isEmpty, !isCancelled() else { return results }
    if let entries = try? library.entries(of: open.map { places[$0].item }) {
      for (row, entry) in zip(open, entries) {
        if isCancelled() { break }
        examine(row, entry, with: &worker, into: &results)
      }
    } else {
      // Some of them cannot be read.
      for row in open {
        if isCancelled() { break }
        if let entries = try? library.entries(of: [places[row].item]) {
          examine(row, entries.first ?? nil, with: &worker, into: &results)
        } else {
          results.unreadable.append(row)
        }
      }
    }
    results.fitting.sort()
    return results
  }

  private func examine(
    _ row: Int, _ entry: LibraryEntry?, with worker: inout SearchWorker,
    into results: inout SearchedRows
  ) {
    guard let entry else { return }
    do throws(MergedContents.Unreadable) {
      guard let post = try reader.post(entry, where: &worker.filter) else { return }
      let context = MatchContext(
        marks: marks.marks(of: places[row].item), feedNames: reader.names(of: entry.feed))
      if worker.matcher.fits(post, in: context) { results.fitting.append(row) }
    } catch {
      results.unreadable.append(row)
    }
  }

  /// The rows that match whatever their posts are, and those whose posts decide: marks are known,
  /// and a feed is found without the post.
  private func sorted(
    _ rows: Range<Int>, by matcher: inout PostMatcher
  ) -> (found: [Int], open: [Int]) {
    var (found, open): ([Int], [Int]) = ([], [])
    for row in rows {
      switch matcher.verdict(marks.marks(of: places[row].item)) {
      case true?: found.append(row)
      case false?: break
      case nil: open.append(row)
      }
    }
    guard matcher.query.isAboutFeeds, !open.isEmpty,
      let feeds = try? library.feeds(of: open.map { places[$0].item })
    else { return (found, open) }
    var rest: [Int] = []
    for (row, feed) in zip(open, feeds) {
      guard let feed else { continue }
      let marks = marks.marks(of: places[row].item)
      switch matcher.verdict(marks, feedNames: reader.names(of: feed)) {
      case true?: found.append(row)
      case false?: break
      case nil: rest.append(row)
      }
    }
    return (found, rest)
  }

  func filter(for query: PostQuery) -> RowPrefilter? { reader.filter(for: query) }
}
