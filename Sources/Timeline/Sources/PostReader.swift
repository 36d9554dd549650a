import Feeds

/// Hands over posts in batches, each when it is asked for.
public protocol PostReader: Sendable {
  /// The next posts; nil at the end.
  ///
  /// - Throws: `SourceError`; after that there is nothing more.
  func next() async throws(SourceError) -> SourceReader.Batch?
}

extension SourceReader: PostReader {}
