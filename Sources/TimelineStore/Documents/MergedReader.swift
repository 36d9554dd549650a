import Feeds
import HTTP

/// Several sources as one timeline, newest first.
///
/// All are read whole, since the oldest source may hold the newest post. A post without a date
/// stays behind the one it followed in its own source. Sources that fail become marked posts at the
/// top unless all of them fail.
public actor MergedReader: PostReader {
  private nonisolated let readers: [SourceReader]
  /// Sources that could not be opened.
  private nonisolated let missing: [SourceError]
  private var isDone = false

  /// - Parameter missing: sources that belong to it and could not be opened; a marked post each.
  public init(readers: [SourceReader], missing: [SourceError] = []) {
    self.readers = readers
    self.missing = missing
  }

  /// The feeds that a list names; those that cannot be opened are marked posts.
  ///
  /// - Throws: `SourceError` where none of them can be.
  init(
    of addresses: [String], as form: ContentForm, reach: HTTPReach,
    transport: (@Sendable () -> any HTTPTransport)?
  ) throws(SourceError) {
    var readers: [SourceReader] = []
    var missing: [SourceError] = []
    for address in addresses {
      do throws(SourceError) {
        readers.append(
          try SourceReader(
            source: .url(address), format: nil, as: form, reach: reach, pictures: nil,
            isListed: true, transport: transport))
      } catch {
        missing.append(error)
      }
    }
    if readers.isEmpty, let first = missing.first { throw first }
    self.init(readers: readers, missing: missing)
  }

  public nonisolated var isRefreshable: Bool { readers.allSatisfy(\.isRefreshable) }

  public nonisolated func refreshed() throws(SourceError) -> MergedReader? {
    var again: [SourceReader] = []
    for reader in readers {
      guard let reader = try reader.refreshed() else { return nil }
      again.append(reader)
    }
    return MergedReader(readers: again, missing: missing)
  }

  public nonisolated var files: [(path: String, file: FileBytes)] { readers.flatMap(\.files) }

  public func next() async throws(SourceError) -> SourceReader.Batch? {
    guard !isDone else { return nil }
    isDone = true
    var dated: [(date: Double, post: Post)] = []
    var failures: [SourceError] = []
    for read in await readAll() {
      if let failure = read.failure { failures.append(failure) }
      var last = Double.infinity
      for post in read.posts {
        last = post.published ?? last
        dated.append((last, post))
      }
    }
    if failures.count == readers.count, let first = missing.first ?? failures.first { throw first }
    // A stable order: posts of one moment stay as their sources have them.
    let order = dated.indices.sorted {
      dated[$0].date != dated[$1].date ? dated[$0].date > dated[$1].date : $0 < $1
    }
    let marks = Self.marks(of: missing + failures)
    return SourceReader.Batch(info: TimelineInfo(), posts: marks + order.map { dated[$0].post })
  }

  /// What one source has.
  private struct Read: Sendable {
    var index: Int
    var posts: [Post] = []
    var failure: SourceError?
  }

  /// Sources that are read at a time.
  private static let atOnce = 8

  /// All sources, in their order, some of them side by side.
  private func readAll() async -> [Read] {
    await withTaskGroup(of: Read.self) { [readers] group in
      var waiting = readers.enumerated().makeIterator()
      for _ in 0..<Self.atOnce {
        guard let (index, reader) = waiting.next() else { break }
        group.addTask { await Self.read(reader, index) }
      }
      var all: [Read] = []
      for await read in group {
        all.append(read)
        if let (index, reader) = waiting.next() {
          group.addTask { await Self.read(reader, index) }
        }
      }
      return all.sorted { $0.index < $1.index }
    }
  }

  private nonisolated static func read(_ reader: SourceReader, _ index: Int) async -> Read {
    var read = Read(index: index)
    do throws(SourceError) {
      while let batch = try await reader.next() {
        for var post in batch.posts {
          post.id = "\(index):\(post.id)"
          // A post of a list of feeds says already which of them it is from.
          post.source =
            post.source ?? (batch.info.title.isEmpty ? reader.source.shortName : batch.info.title)
          if post.author == nil, !batch.info.title.isEmpty {
            post.author = Post.Author(name: batch.info.title, avatar: batch.info.icon)
          }
          read.posts.append(post)
        }
      }
    } catch {
      read.failure = error
    }
    return read
  }

  /// Failures that are told one by one.
  private static let separateMarks = 3

  /// A marked post for each source that failed; one for all where they are many.
  private static func marks(of failures: [SourceError]) -> [Post] {
    guard failures.count > separateMarks else {
      return failures.map { failure in
        var post = Post(id: "failed:\(failure.source.name)")
        post.damage = failure.message
        return post
      }
    }
    var post = Post(id: "failed")
    post.damage =
      "\(failures.count) sources failed: "
      + failures.map { "\($0.source.shortName) (\($0.reason.text))" }.joined(separator: ", ")
    return [post]
  }
}
