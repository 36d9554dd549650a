import Feeds

/// Hands over posts in batches, each when it is asked for.
public protocol PostReader: Sendable {
  /// The next posts; nil at the end.
  ///
  /// - Throws: `SourceError`; after that there is nothing more.
  func next() async throws(SourceError) -> SourceReader.Batch?

  /// Whether the source can be read again.
  nonisolated var isRefreshable: Bool { get }

  /// Another reader of the same source, from its beginning; nil where it can be read only once.
  ///
  /// - Throws: `SourceError` where it cannot be opened any more.
  nonisolated func refreshed() throws(SourceError) -> Self?

  /// The regular files it reads, to be watched for changes.
  nonisolated var files: [(path: String, file: FileBytes)] { get }
}

extension PostReader {
  public nonisolated var isRefreshable: Bool { false }
  public nonisolated func refreshed() throws(SourceError) -> Self? { nil }
  public nonisolated var files: [(path: String, file: FileBytes)] { [] }
}

extension SourceReader: PostReader {
  public nonisolated var isRefreshable: Bool {
    switch source {
    case .file: fileSize != nil || isUnpacked
    case .url: true
    case .standardInput: false
    }
  }

  public nonisolated func refreshed() throws(SourceError) -> SourceReader? {
    guard isRefreshable else { return nil }
    return try SourceReader(source: source, format: forcedFormat, transport: transport)
  }

  public nonisolated var files: [(path: String, file: FileBytes)] {
    guard let path = source.path, let file, file.size != nil else { return [] }
    return [(path, file)]
  }
}
