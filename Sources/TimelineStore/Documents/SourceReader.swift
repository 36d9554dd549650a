import Feeds
import HTTP
import System

/// Reads one source off the main actor and hands its posts over in batches.
///
///     file, pipe ──▶ bytes ──▶ format by content ──┬─▶ lines, text: posts as they come
///     http(s) ─────▶ bytes ────────────────────────┴─▶ documents: all posts when whole
///
/// It is pulled: nothing is read until the next batch is asked for, so that a pipe without end waits.
public actor SourceReader {
  /// Some posts of a source, in its order.
  public struct Batch: Sendable {
    public var info: TimelineInfo
    public var posts: [Post]

    public init(info: TimelineInfo, posts: [Post]) {
      self.info = info
      self.posts = posts
    }

    /// The same, whose addresses may lead so far.
    ///
    /// - Complexity: O(posts).
    public func reaching(_ reach: HTTPReach) -> Batch {
      var batch = self
      // A source that says nothing about itself keeps saying so.
      if info != TimelineInfo() { batch.info.reach = reach }
      for index in posts.indices { batch.posts[index].reach = reach }
      return batch
    }
  }

  public nonisolated let source: TimelineSource
  let forcedFormat: FeedFormat?
  nonisolated let form: ContentForm
  let transport: (@Sendable () -> any HTTPTransport)?
  nonisolated let file: FileBytes?
  /// Whether `file` is what is packed in a file of gzip.
  nonisolated let isUnpacked: Bool
  /// What is packed in a pipe, once that has shown.
  private var packedPipe: FileBytes?
  private var state = State.start
  private var bytesRead = 0

  private enum State {
    case start
    /// The first bytes are read, and tell the format.
    case begun(Beginning)
    case streaming(PostStream)
    case batching(RowBatcher)
    case ended
  }

  /// The first bytes of a source, and what they show.
  struct Beginning: Sendable {
    var head: [UInt8]
    var sawEnd: Bool
    var format: FeedFormat
    /// Whether it can be read row by row.
    var isByRows: Bool
    /// Where the bytes behind them come from.
    var file: FileBytes
  }

  /// The most of a document that is read, in bytes: it must be parsed whole.
  static let documentLimit = 512 << 20
  /// First read: enough to know the format and to fill a screen at once.
  static let firstChunk = 64 << 10
  static let chunk = 1 << 20
  /// Bytes of a document that is read whole though it could be read row by row.
  static let smallDocument = 4 << 20

  /// Pages without posts that are passed over to find the first that has some.
  static let emptyPages = 2

  /// Opens `source`; files are opened here, so that what cannot be opened is known at once.
  ///
  /// - Parameters:
  ///   - form: whether texts are to be shown or to be handed on.
  ///   - transport: makes the transport for http(s) sources, when one is needed.
  /// - Throws: `SourceError` for a file that cannot be opened.
  public init(
    source: TimelineSource, format: FeedFormat?, as form: ContentForm = .styled,
    transport: (@Sendable () -> any HTTPTransport)?
  ) throws(SourceError) {
    self.source = source
    self.forcedFormat = format
    self.form = form
    self.transport = transport
    switch source {
    case .file(let path): (file, isUnpacked) = GzipFile.opened(try FileBytes(path: path))
    case .standardInput: (file, isUnpacked) = GzipFile.opened(.standardInput)
    case .url(let address):
      if let problem = address.problem {
        throw SourceError(source: source, reason: .unusable(address: problem))
      }
      (file, isUnpacked) = (nil, false)
    }
  }

  /// Size in bytes of a regular file; nil for everything else.
  public nonisolated var fileSize: Int? { file?.size }

  /// The next posts; nil at the end. A batch may be empty while the source is silent on posts.
  ///
  /// - Throws: `SourceError`; after that the reader is at its end.
  public func next() async throws(SourceError) -> Batch? {
    switch state {
    case .ended: return nil
    case .start: return try await first()
    case .begun(let beginning): return try await first(beginning)
    case .streaming(let stream): return try await more(of: stream)
    case .batching(let batcher):
      let rows = try await more(of: batcher)
      return Batch(info: TimelineInfo(), posts: rows.posts()).reaching(.privateAddresses)
    }
  }

  public func nextUnread() async throws(SourceError) -> UnreadPosts? {
    switch state {
    case .ended: return nil
    case .start where file != nil: return try await firstRows(begin())
    case .begun(let beginning): return try await firstRows(beginning)
    case .batching(let batcher): return .rows(try await more(of: batcher))
    default: return try await next().map { .posts($0.posts) }
    }
  }

  /// A document that is small is read whole: what it says about itself behind its items counts, too.
  private func firstRows(_ beginning: Beginning) async throws(SourceError) -> UnreadPosts? {
    state = .ended
    var (head, sawEnd) = (beginning.head, beginning.sawEnd)
    let format = beginning.format
    let size = format.isLines ? 0 : Self.smallDocument
    while beginning.isByRows, !sawEnd, head.count < size {
      let more = try await read(beginning.file, atMost: Self.chunk)
      sawEnd = more.isEmpty
      head += more
    }
    guard beginning.isByRows, format.isLines || !sawEnd else {
      var all = beginning
      (all.head, all.sawEnd) = (head, sawEnd)
      return try await first(all).map { .posts($0.posts) }
    }
    let mark = FeedReader.byteOrderMark(of: head)
    var batcher = RowBatcher(format: format, offset: mark, as: form)
    let rows = batcher.consume(mark == 0 ? head : Array(head[mark...]))
    state = .batching(batcher)
    return .rows(rows)
  }

  private func more(of batcher: RowBatcher) async throws(SourceError) -> RowBatch {
    guard let file = packedPipe ?? file else { throw error(.notATimeline(FeedError(.empty))) }
    var batcher = batcher
    state = .ended
    let bytes = try await read(file, atMost: Self.chunk)
    guard bytes.isEmpty else {
      let rows = batcher.consume(bytes)
      state = .batching(batcher)
      return rows
    }
    do { return try batcher.finish() } catch { throw self.error(.notATimeline(error)) }
  }

  private func first() async throws(SourceError) -> Batch? {
    state = .ended
    guard file != nil else { return try await fetch() }
    return try await first(begin())
  }

  /// Reads the first bytes of a file or pipe; `next` goes on from there.
  ///
  /// - Precondition: nothing was read before, and the source is not remote.
  /// - Throws: `SourceError` where that is no timeline.
  func begin() async throws(SourceError) -> Beginning {
    state = .ended
    guard var file else { throw error(.notATimeline(FeedError(.empty))) }
    var head: [UInt8] = []
    var sawEnd = false
    // A pipe may deliver a byte at a time: the format wants a little more to look at, but a writer that
    // has sent a line and waits should see it shown.
    while head.count < Self.firstChunk, !sawEnd {
      let more = try await read(file, atMost: Self.firstChunk - head.count)
      head += more
      sawEnd = more.isEmpty
      if packedPipe == nil, !isUnpacked, GzipReader.begins(head),
        let unpacked = GzipFile.unpacking(file, after: head)
      {
        packedPipe = unpacked
        (file, head, sawEnd) = (unpacked, [], false)
        continue
      }
      if file.size == nil, head.contains(0x0A) { break }
    }
    let format = try format(of: head)
    let beginning = Beginning(
      head: head, sawEnd: sawEnd, format: format,
      isByRows: FeedReader.isReadByRows(head, format: format), file: file)
    state = .begun(beginning)
    return beginning
  }

  /// The first bytes of a regular file, read by place, without any change to the reader.
  ///
  /// - Throws: `SourceError` where that cannot be read or is no timeline.
  nonisolated func look() throws(SourceError) -> Beginning? {
    guard let file, let size = file.size else { return nil }
    let head: [UInt8]
    do throws(SystemFailure) {
      head = try file.read(0..<min(size, Self.firstChunk))
    } catch {
      throw self.error(.unreadable(code: error.code, byte: 0))
    }
    let format = try format(of: head)
    // A document that is read whole at once shows what it says about itself wherever it says so.
    let isByRows =
      FeedReader.isReadByRows(head, format: format)
      && (format.isLines || size > Self.smallDocument)
    return Beginning(
      head: head, sawEnd: head.count >= size, format: format, isByRows: isByRows, file: file)
  }

  private func first(_ beginning: Beginning) async throws(SourceError) -> Batch? {
    state = .ended
    let file = beginning.file
    let (head, sawEnd, format) = (beginning.head, beginning.sawEnd, beginning.format)
    guard format.isLines else {
      let all = sawEnd ? head : try await wholeDocument(file, after: head)
      return try document(all, format: format, baseURL: nil)
    }
    var stream = PostStream(format: format, as: form)
    var posts = stream.consume(head)
    if sawEnd {
      posts += stream.finish()
      if posts.isEmpty { throw error(.notATimeline(FeedError(.empty))) }
    } else {
      state = .streaming(stream)
    }
    return Batch(info: TimelineInfo(), posts: posts).reaching(.privateAddresses)
  }

  private func more(of stream: PostStream) async throws(SourceError) -> Batch? {
    guard let file = packedPipe ?? file else { return nil }
    var stream = stream
    state = .ended
    let bytes = try await read(file, atMost: Self.chunk)
    if bytes.isEmpty {
      return Batch(info: TimelineInfo(), posts: stream.finish()).reaching(.privateAddresses)
    }
    let posts = stream.consume(bytes)
    state = .streaming(stream)
    return Batch(info: TimelineInfo(), posts: posts).reaching(.privateAddresses)
  }

  /// The first page with posts of what a server has: whoever prints a timeline, or merges several,
  /// goes no further. A collection may begin with a page that says only where they are.
  private func fetch() async throws(SourceError) -> Batch? {
    guard case .url(let address) = source, let transport = transport?() else { return nil }
    let reader = PageReader(format: forcedFormat, form: form)
    do throws(PageFailure) {
      var page = try await reader.page(
        at: HTTPLink(address.url, reach: .everywhere), by: transport)
      for _ in 0..<Self.emptyPages where page.posts.isEmpty {
        guard case .address(let next) = page.next else { break }
        page = try await reader.page(at: next, following: page.format, by: transport)
      }
      return Batch(info: page.info, posts: page.posts).reaching(page.reach)
    } catch {
      throw self.error(error.reason)
    }
  }

  private func wholeDocument(_ file: FileBytes, after head: [UInt8]) async throws(SourceError)
    -> [UInt8]
  {
    var all = head
    if let size = file.size { all.reserveCapacity(min(size, Self.documentLimit)) }
    while true {
      let more = try await read(file, atMost: Self.chunk)
      if more.isEmpty { return all }
      all += more
      guard all.count <= Self.documentLimit else {
        throw error(.tooLarge(limit: Self.documentLimit))
      }
    }
  }

  private func read(_ file: FileBytes, atMost count: Int) async throws(SourceError) -> [UInt8] {
    switch await file.read(atMost: count) {
    case .bytes(let bytes):
      bytesRead += bytes.count
      return bytes
    case .end: return []
    case .failed(let code):
      throw error(code == 21 ? .isDirectory : .unreadable(code: code, byte: bytesRead))
    }
  }

  private nonisolated func format(of head: [UInt8]) throws(SourceError) -> FeedFormat {
    if let forcedFormat {
      if head.isEmpty { throw error(.notATimeline(FeedError(.empty))) }
      // Feeds of XML are told apart by their root, whichever of them was asked for.
      if forcedFormat == .rss || forcedFormat == .atom, let found = try? FeedReader.detect(head),
        found == .rss || found == .atom
      {
        return found
      }
      return forcedFormat
    }
    do { return try FeedReader.detect(head) } catch { throw self.error(.notATimeline(error)) }
  }

  private func document(_ bytes: [UInt8], format: FeedFormat?, baseURL: String?)
    throws(SourceError) -> Batch
  {
    do {
      let document = try FeedReader.read(bytes, format: format, baseURL: baseURL, as: form)
      return Batch(info: document.info, posts: document.posts).reaching(.privateAddresses)
    } catch {
      throw self.error(.notATimeline(error))
    }
  }

  nonisolated func error(_ reason: SourceError.Reason) -> SourceError {
    SourceError(source: source, reason: reason)
  }
}
