import Feeds

/// Several sources as one timeline, newest first.
///
/// All are read whole, since the oldest source may hold the newest post. A post without a date stays
/// behind the one it followed in its own source. A source that fails becomes a marked post at the top
/// unless all of them fail.
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
    for (index, reader) in readers.enumerated() {
      do {
        var last = Double.infinity
        while let batch = try await reader.next() {
          for var post in batch.posts {
            post.id = "\(index):\(post.id)"
            post.source = batch.info.title.isEmpty ? reader.source.shortName : batch.info.title
            if post.author == nil, !batch.info.title.isEmpty {
              post.author = Post.Author(name: batch.info.title, avatar: batch.info.icon)
            }
            last = post.published ?? last
            dated.append((last, post))
          }
        }
      } catch {
        failures.append(error)
      }
    }
    if failures.count == readers.count, let first = missing.first ?? failures.first { throw first }
    // A stable order: posts of one moment stay as their sources have them.
    let order = dated.indices.sorted {
      dated[$0].date != dated[$1].date ? dated[$0].date > dated[$1].date : $0 < $1
    }
    let marks = (missing + failures).map { failure in
      var post = Post(id: "failed:\(failure.source.name)")
      post.damage = failure.message
      return post
    }
    return SourceReader.Batch(info: TimelineInfo(), posts: marks + order.map { dated[$0].post })
  }
}
