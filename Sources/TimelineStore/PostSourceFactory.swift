import Feeds
import System

/// Opens the source of a timeline, and opens it again for a refresh.
enum PostSourceFactory {
  /// Is read whole. If `isImmediate`, its first posts are read before the first frame.
  case reader(any PostReader, isImmediate: Bool)
  /// Is read row by row, or page by page, if possible.
  case source(SourceReader)
  /// Several sources.
  case merged(MergedTimeline)

  /// The reader; `nil` for sources that are read into a library.
  var reader: (any PostReader)? {
    switch self {
    case .reader(let reader, _): reader
    case .source(let source): source
    case .merged: nil
    }
  }

  var merged: MergedTimeline? { if case .merged(let merged) = self { merged } else { nil } }

  /// The only source; `nil` for a reader and for merged sources.
  var source: SourceReader? {
    if case .source(let source) = self { source } else { nil }
  }

  /// Whether a source is a regular file of posts, small enough to be read immediately.
  static func isSmall(_ source: SourceReader) -> Bool {
    (try? source.look()).map { isSmall(source, $0) } ?? false
  }

  private static func isSmall(
    _ source: SourceReader, _ beginning: SourceReader.Beginning
  ) -> Bool {
    // A list of feeds contains no posts itself.
    beginning.format != nil
      && source.fileSize.map { $0 <= SourceReader.maximumWholeDocumentBytes } ?? false
  }

  /// Posts that were created without waiting for input.
  enum Prepared {
    case posts(any PostSource)
    /// The first posts are being read in the background.
    case firstPosts(InMemoryPostSource)
    /// Merged sources that are all being read before they are shown.
    case merged(MergedTimeline)
  }

  /// Creates the posts without waiting for input. The first posts of a small file are read in the
  /// background; the pages of a server are requested later. `nil` for a pipe, which `begin` opens.
  ///
  /// - Throws: `SourceError` if the source cannot be read or is not a timeline.
  @MainActor func prepare() throws(SourceError) -> Prepared? {
    switch self {
    case .reader(let reader, let isImmediate):
      let array = InMemoryPostSource(reader: reader)
      guard isImmediate else { return .posts(array) }
      array.beginReading { () throws(SourceError) in try await reader.next() }
      return .firstPosts(array)
    case .merged(let merged): return merged.isImmediate ? .merged(merged) : .posts(merged.posts)
    case .source(let source):
      if case .url(let address) = source.source, let transport = source.request.transport {
        let pages = RemotePages(format: source.request.format, transport: transport)
        return .posts(PagedPostSource(url: address.url, reach: source.request.reach, loader: pages))
      }
      guard let beginning = try source.look() else {
        return source.file == nil ? .posts(InMemoryPostSource(reader: source)) : nil
      }
      if let rows = try Self.rows(of: source, from: beginning) { return .posts(rows) }
      let array = InMemoryPostSource(reader: source)
      guard Self.isSmall(source, beginning) else { return .posts(array) }
      array.beginReading { () throws(SourceError) in
        await source.begin(with: beginning)
        return try await source.next()
      }
      return .firstPosts(array)
    }
  }

  /// The posts, once the first ones were read, if they are being read.
  ///
  /// - Throws: `SourceError` if there is nothing to show.
  @MainActor func open(_ prepared: Prepared) async throws(SourceError) -> any PostSource {
    switch prepared {
    case .posts(let posts): return posts
    case .firstPosts(let posts):
      try await posts.waitForFirstPosts()
      return try await Self.rows(ofCut: reader) ?? posts
    case .merged(let merged):
      try await merged.finishReading()
      return merged.posts
    }
  }

  /// Waits for the first bytes of a pipe and creates its posts: rows are kept in a spool file, any
  /// other document is read further from there. `nil` if the posts come from a reader.
  ///
  /// - Throws: `SourceError` if the source is not a timeline or cannot be kept.
  @MainActor func begin() async throws(SourceError) -> (any PostSource)? {
    guard let source else { return nil }
    let beginning = try await withTaskExecutorPreference(WorkerThreads.sources) {
      () throws(SourceError) in try await source.begin(showsOpenLine: true)
    }
    guard beginning.canReadByRows, let format = beginning.format else {
      return InMemoryPostSource(reader: source)
    }
    do throws(SystemFailure) {
      let spool = try SpoolFile.make(in: SpoolFile.temporaryFolder)
      let indexer = PipeIndexer(
        pipe: beginning.file, format: format, head: beginning.head, spool: spool)
      return FilePostSource(
        source: source.source, file: spool, format: format, indexer: indexer,
        archive: source.archive)
    } catch {
      throw source.error(.cannotBeSpooled(code: error.code))
    }
  }

  /// The posts of a source that was opened again.
  enum Reread {
    /// Rows that are read when they are shown.
    case rows(any PostSource)
    case posts(WholeTimeline, any PostReader)
  }

  /// Opens the source again, off the main actor, and reads it unless it is read row by row; `nil`
  /// if it can be read only once, or if the task was cancelled.
  ///
  /// - Throws: `SourceError` if it cannot be read any more.
  @MainActor func readAgain() async throws(SourceError) -> Reread? {
    let reader: any PostReader
    switch self {
    case .reader(let first, _):
      let again = await WorkerThreads.sources.value {
        Result { () throws(SourceError) -> (any PostReader)? in try first.refreshed() }
      }
      guard let again = try again.get() else { return nil }
      reader = again
    case .merged: return nil
    case .source(let first):
      let opened = await WorkerThreads.sources.value {
        Result { () throws(SourceError) -> (SourceReader, SourceReader.Beginning?)? in
          guard let again = try first.refreshed() else { return nil }
          return (again, try again.look())
        }
      }
      guard let (again, beginning) = try opened.get() else { return nil }
      if let beginning, let rows = try Self.rows(of: again, from: beginning) { return .rows(rows) }
      reader = again
    }
    let all = try await InMemoryPostSource.readAll(reader)
    // A cancelled read is incomplete.
    guard !Task.isCancelled else { return nil }
    if let rows = try await Self.rows(ofCut: reader) { return .rows(rows) }
    return .posts(all, reader)
  }

  /// The rows of a small file with more posts than a document that is read whole may have; `nil`
  /// for any other source.
  ///
  /// - Parameter reader: the reader that has read the file.
  /// - Throws: `SourceError` if it cannot be read.
  @MainActor private static func rows(
    ofCut reader: (any PostReader)?
  ) async throws(SourceError) -> (any PostSource)? {
    guard let source = reader as? SourceReader, await source.isCut else { return nil }
    guard let beginning = try source.look(isLong: true) else { return nil }
    return try rows(of: source, from: beginning)
  }

  /// The rows of a regular file; `nil` if it is not read row by row.
  @MainActor private static func rows(
    of source: SourceReader, from beginning: SourceReader.Beginning
  ) throws(SourceError) -> FilePostSource? {
    guard let file = source.file, beginning.canReadByRows, let format = beginning.format else {
      return nil
    }
    do throws(SystemFailure) {
      let indexer = try FileIndexer(
        file: file, format: format, head: beginning.head, path: source.source.path)
      return FilePostSource(
        source: source.source, file: file, format: format, indexer: indexer,
        archive: source.archive)
    } catch {
      throw source.error(.unreadable(code: error.code, byte: 0))
    }
  }
}
