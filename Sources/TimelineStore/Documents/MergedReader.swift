import Feeds
import HTTP
import Synchronization
import TextLayout

/// Several sources as one timeline, newest first.
///
/// All are read to their ends, because the oldest source may hold the newest post; a server's
/// answer is read up to the limit of one source. Of all posts the newest are held (``PostLimit``).
/// A post without a date stays after its predecessor in its own source. Sources that fail become
/// marked posts at the top unless all of them fail.
public actor MergedReader: PostReader {
  private nonisolated let parts: [Part]
  /// Sources that could not be opened.
  private nonisolated let missing: [SourceError]
  private nonisolated let limit: PostLimit
  /// Clauses about entries omitted from the list that names the sources.
  private nonisolated let listOmissions: [String]
  private var isDone = false
  private var omissions: [String] = []

  /// One of the merged sources.
  public enum Part: Sendable {
    case open(SourceReader)
    /// A regular file that is opened when it is read.
    case closed(@Sendable () throws(SourceError) -> SourceReader)

    /// Creates a part that comes after `count` others. Regular files after the first
    /// ``MergedReader/openFiles`` parts are closed until they are read.
    ///
    /// - Throws: the error of `open`, which is called here so that every failure is known at once.
    public init(
      after count: Int, opening open: @escaping @Sendable () throws(SourceError) -> SourceReader
    ) throws(SourceError) {
      let reader = try open()
      let isFile = reader.source.path != nil && reader.isRefreshable
      self = count >= MergedReader.openFiles && isFile ? .closed(open) : .open(reader)
    }

    /// The reader, if it is open.
    public var reader: SourceReader? {
      if case .open(let reader) = self { reader } else { nil }
    }

    fileprivate func opened() throws(SourceError) -> SourceReader {
      switch self {
      case .open(let reader): reader
      case .closed(let open): try open()
      }
    }
  }

  /// The number of sources whose files are kept open, and watched. `64`
  public static let openFiles = 64

  /// Creates a reader that merges the posts of `readers`.
  ///
  /// - Parameters:
  ///   - missing: sources that could not be opened; each becomes a marked post.
  ///   - limit: the limit of all posts together.
  public init(
    readers: [SourceReader], missing: [SourceError] = [], limit: PostLimit = .standard
  ) {
    self.init(parts: readers.map(Part.open), missing: missing, limit: limit)
  }

  /// Creates a reader that merges the posts of `parts`.
  public init(parts: [Part], missing: [SourceError] = [], limit: PostLimit = .standard) {
    self.init(parts: parts, missing: missing, limit: limit, listOmissions: [])
  }

  private init(
    parts: [Part], missing: [SourceError], limit: PostLimit, listOmissions: [String]
  ) {
    self.parts = parts
    self.missing = missing
    self.limit = limit
    self.listOmissions = listOmissions
  }

  /// Creates a reader of the feeds in a list that `request` has opened; those that cannot be opened
  /// become marked posts.
  ///
  /// - Throws: `SourceError` if none of them can be opened.
  init(
    of list: FeedList, namedBy request: SourceRequest, reach: RequestScope
  ) throws(SourceError) {
    var parts: [Part] = []
    var missing: [SourceError] = []
    for address in list.addresses {
      do throws(SourceError) {
        parts.append(
          .open(
            try SourceReader(
              SourceRequest(
                source: .url(address), format: nil, form: request.form, reach: reach,
                pictures: nil, limit: request.limit, isListed: true,
                transport: request.transport))))
      } catch {
        missing.append(error)
      }
    }
    if parts.isEmpty, let first = missing.first { throw first }
    self.init(
      parts: parts, missing: missing, limit: request.limit,
      listOmissions: Self.omissions(of: list))
  }

  private static func omissions(of list: FeedList) -> [String] {
    var omissions: [String] = []
    if list.unusableCount > 0 {
      let count = list.unusableCount.counted("feed")
      omissions.append("\(count) of the list cannot be opened: \(list.unusableText)")
    }
    if list.isCut {
      let count = list.addresses.count
      omissions.append("the list names more feeds than the \(count) that are read")
    }
    return omissions
  }

  public nonisolated var isRefreshable: Bool {
    parts.allSatisfy { $0.reader?.isRefreshable ?? true }
  }

  public nonisolated func refreshed() throws(SourceError) -> MergedReader? {
    var again: [Part] = []
    for part in parts {
      guard let reader = part.reader else {
        again.append(part)
        continue
      }
      guard let reader = try reader.refreshed() else { return nil }
      again.append(.open(reader))
    }
    return MergedReader(parts: again, missing: missing, limit: limit, listOmissions: listOmissions)
  }

  public nonisolated var files: [(path: String, file: FileBytes)] {
    parts.flatMap { $0.reader?.files ?? [] }
  }

  public func next() async throws(SourceError) -> SourceReader.Batch? {
    guard !isDone else { return nil }
    isDone = true
    let held = SharedPosts(limit)
    let reads = await readAll(into: held)
    let failures = reads.compactMap(\.failure)
    if failures.count == reads.count, let first = missing.first ?? failures.first { throw first }
    var (merged, sources, omitted) = held.take()
    note(reads, kept: merged.count, omitted: omitted)
    var ids = UniqueIDs()
    for index in merged.indices {
      reads[sources[index]].complete(&merged[index])
      ids.number(&merged[index])
    }
    let marks = Self.marks(of: missing + failures)
    return SourceReader.Batch(
      info: TimelineInfo(), posts: marks.isEmpty ? merged : marks + merged)
  }

  // MARK: Reading

  /// The result of reading one source, besides its posts.
  private struct Read: Sendable {
    var index: Int
    var name = ""
    var info = TimelineInfo()
    var isCut = false
    /// A clause about omitted entries, if the source is a list of feeds.
    var listOmission: String?
    var failure: SourceError?

    /// Makes the post's id unique among all sources, and names its source and author.
    func complete(_ post: inout Post) {
      post.id = "\(index):\(post.id)"
      // A post from a list of feeds already names its feed.
      post.source = post.source ?? (info.title.isEmpty ? name : info.title)
      if post.author == nil, !info.title.isEmpty {
        post.author = Post.Author(name: info.title, avatar: info.icon)
      }
    }
  }

  /// The number of sources read concurrently.
  private static let atOnce = 8

  /// Reads all sources, some concurrently; the results are in the order of the sources.
  private func readAll(into held: SharedPosts) async -> [Read] {
    await withTaskGroup(of: Read.self) { [parts] group in
      var waiting = parts.enumerated().makeIterator()
      for _ in 0..<Self.atOnce {
        guard let (index, part) = waiting.next() else { break }
        group.addTask { await Self.read(part, index, into: held) }
      }
      var all: [Read] = []
      for await read in group {
        all.append(read)
        if let (index, part) = waiting.next() {
          group.addTask { await Self.read(part, index, into: held) }
        }
      }
      return all.sorted { $0.index < $1.index }
    }
  }

  private nonisolated static func read(
    _ part: Part, _ index: Int, into held: SharedPosts
  ) async -> Read {
    var read = Read(index: index)
    do throws(SourceError) {
      let reader = try part.opened()
      read.name = reader.source.shortName
      var (date, number) = (Double.infinity, 0)
      while let posts = try await reader.nextUnparsed() {
        posts.readEach { post in
          date = post.published ?? date
          held.add(post, date: date, source: index, number: number)
          number += 1
        }
        (read.info, read.isCut) = await (reader.info, reader.isCut)
      }
      (read.info, read.isCut) = await (reader.info, reader.isCut)
      read.listOmission = await reader.feeds?.omission()
    } catch {
      read.failure = error
    }
    return read
  }

  // MARK: Omissions

  public func omission() async -> String? {
    omissions.isEmpty ? nil : omissions.joined(separator: "; ")
  }

  private func note(_ reads: [Read], kept: Int, omitted: Int) {
    if omitted > 0 {
      omissions.append(
        "the newest \(kept.counted("post")) are kept, which is the most; "
          + "\(omitted.counted("other is", "others are")) left out")
    }
    let cut = reads.filter(\.isCut)
    if let first = cut.first {
      let name = cut.count > 1 ? cut.count.counted("source") : first.name
      omissions.append("of \(name) only the first \(limit.count.counted("post")) are read")
    }
    omissions += listOmissions + reads.compactMap(\.listOmission)
  }

  // MARK: Failures

  /// The maximum number of failures that get a post each, and of those named in a common post.
  private static let separateMarks = 3
  private static let namedFailures = 20

  /// A marked post for each source that failed, or one for all if they are many.
  private static func marks(of failures: [SourceError]) -> [Post] {
    guard failures.count > separateMarks else {
      return failures.map { failure in
        var post = Post(id: "failed:\(failure.source.name)")
        post.damage = failure.message
        return post
      }
    }
    var post = Post(id: "failed")
    var names = failures.prefix(namedFailures).map { "\($0.source.shortName) (\($0.reason.text))" }
    if failures.count > namedFailures { names.append("…") }
    post.damage = "\(failures.count) sources failed: \(names.joined(separator: ", "))"
    return [post]
  }
}

/// Collects the posts of sources that are read concurrently.
private final class SharedPosts: Sendable {
  private let posts: Mutex<NewestPosts>

  init(_ limit: PostLimit) { posts = Mutex(NewestPosts(limit)) }

  func add(_ post: Post, date: Double, source: Int, number: Int) {
    posts.withLock { $0.add(post, date: date, source: source, number: number) }
  }

  /// The posts, the numbers of their sources, and the number of posts that were dropped.
  func take() -> (posts: [Post], sources: [Int], omitted: Int) {
    posts.withLock { held in
      let omitted = held.omitted
      let (posts, sources) = held.take()
      return (posts, sources, omitted)
    }
  }
}
