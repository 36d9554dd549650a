import Answers
import Feeds
import HTTP
import System

/// Reads one source off the main actor, in batches.
///
///     file, pipe ──▶ bytes ──▶ format by content ──┬─▶ lines, text: posts as they come
///     http(s) ─────▶ bytes ────────────────────────┼─▶ documents: the first posts, then the rest
///                                                  └─▶ a list of feeds: an error that names them
///
/// Nothing is read before the next batch is requested, so that an endless pipe waits.
package actor SourceReader {
  nonisolated let request: SourceRequest
  nonisolated let file: FileBytes?
  /// How the contents of `file` are packed in the source; `nil` if they are not.
  nonisolated let packing: FileUnpacker.Packing?
  /// The contents of an archive besides its posts; empty for other sources.
  nonisolated let archive: Archive
  /// The unpacked contents of a pipe that turned out to be packed.
  private var packedPipe: FileBytes?
  private var state = State.start
  private var bytesRead = 0
  /// Bytes that were read before it was decided to read row by row.
  private var ahead: [UInt8] = []
  /// The source's description of itself, as far as it is read.
  private(set) var info = TimelineInfo()
  /// Where a document ends, as far as it is read.
  private(set) var ending = DocumentEnding.whole
  /// Whether the source has more posts than are read.
  var isCut: Bool { ending == .atLimit }
  /// The validators of a server's answer; `nil` before it was asked.
  private(set) var validators: HTTPValidators?

  private enum State {
    case start
    /// The first bytes are read, and the format is known.
    case begun(Beginning)
    case batching(RowBatcher)
    /// A document whose first posts were read.
    case document(DocumentReader)
    case answer(FirstPageReader)
    case ended
  }

  /// The maximum size in bytes of a document that has to be parsed whole: RSS in JSON, or threads
  /// of Bluesky.
  static let documentLimit = AnswerReader.wholeLimit
  /// The size of the first read in bytes: enough to know the format and to fill a screen.
  static let firstChunk = AnswerReader.beginningBytes
  /// The size of further reads in bytes; as rows they may take ten times as much memory.
  static let chunk = 256 << 10
  /// The maximum size in bytes of a document that is read whole even if it can be read row by row.
  static let maximumWholeDocumentBytes = AnswerReader.maximumWholeDocumentBytes

  /// The number of a document's posts that are read first, and the maximum size of their items in
  /// bytes: about as much as a tall screen shows.
  static let firstPosts = (count: 16, bytes: 16 << 10)

  /// Opens a source. Files are opened here, so that failures are known at once.
  ///
  /// - Throws: `SourceError` for a file that cannot be opened, or an unusable address.
  init(_ request: SourceRequest) throws(SourceError) {
    var request = request
    request.source = request.source.posts
    self.request = request
    archive = Archive(source: request.source.name, pictures: request.pictures)
    switch request.source {
    case .file(let path):
      (file, packing) = FileUnpacker.opened(try FileBytes(path: path), filling: archive)
      if packing == nil, ArchivePath.posts(ofUnpacked: path) != nil {
        archive.fill(.folder(ArchivePath.folder(of: path)), posts: "")
      }
    case .standardInput:
      (file, packing) = FileUnpacker.opened(.standardInput, filling: archive)
    case .url(let address):
      if let problem = address.problem {
        throw SourceError(source: request.source, reason: .unusable(address: problem))
      }
      (file, packing) = (nil, nil)
    }
  }

  /// The source that is read.
  package nonisolated var source: TimelineSource { request.source }
  /// The size in bytes of a regular file; `nil` for everything else.
  package nonisolated var fileSize: Int? { file?.size }

  /// The next posts; `nil` at the end. A batch may be empty if no post was complete.
  ///
  /// - Throws: `SourceError`; after that the reader is at its end.
  package func next() async throws(SourceError) -> Batch? {
    guard !Task.isCancelled else { return nil }
    switch state {
    case .ended: return nil
    case .start where file == nil: return try await wholeAnswer()
    case .start: return try await first(begin())
    case .begun(let beginning): return try await first(beginning)
    case .document(let rest): return try document((.max, .max)) { rest }
    case .answer: return try await nextUnparsed().map { Batch(info: info, posts: $0.read()) }
    case .batching(let batcher):
      do throws(SourceError) {
        let rows = try await more(of: batcher)
        return completed(Batch(info: info, posts: rows.posts()))
      } catch {
        // Blanks alone were already returned, as an empty batch.
        guard case .notATimeline(let fault) = error.reason, fault.kind == .empty else {
          throw error
        }
        return nil
      }
    }
  }

  package func nextUnparsed() async throws(SourceError) -> UnparsedPosts? {
    switch state {
    case .ended: return nil
    case .start where file == nil: return try await fetch()
    case .start: return try await firstRows(begin())
    case .begun(let beginning): return try await firstRows(beginning)
    case .batching(let batcher): return .rows(try await more(of: batcher))
    case .document(let rest):
      return .posts(try document(AnswerReader.slice, isFirst: false) { rest }.posts)
    case .answer(let answer): return try await more(of: answer)
    }
  }

  /// A small document is read whole, so that its description of itself counts even after the items;
  /// if it has more posts than may be held, it is read row by row after all.
  private func firstRows(_ beginning: Beginning) async throws(SourceError) -> UnparsedPosts? {
    state = .ended
    var beginning = beginning
    guard let format = beginning.format else {
      return try await first(beginning).map { .posts($0.posts) }
    }
    // The size of a regular file is known.
    let isLarge = format.isLines || (beginning.file.size ?? 0) > Self.maximumWholeDocumentBytes
    if beginning.canReadByRows, !isLarge {
      try await readOn(&beginning, upTo: Self.maximumWholeDocumentBytes)
    }
    guard beginning.canReadByRows, isLarge || !beginning.sawEnd else {
      let batch = try await first(beginning)
      guard isCut, beginning.canReadByRows else { return batch.map { .posts($0.posts) } }
      ending = .whole
      return .rows(rows(of: beginning.head, format))
    }
    return .rows(rows(of: beginning.head, format))
  }

  /// Starts to read row by row.
  private func rows(of head: [UInt8], _ format: FeedFormat) -> RowBatch {
    let mark = FeedReader.byteOrderMark(of: head)
    var batcher = RowBatcher(format: format, offset: mark, as: request.form)
    batcher.completion = archive
    let rows = batcher.consume(Array(head.dropFirst(mark).prefix(Self.chunk)))
    ahead = Array(head.dropFirst(mark + Self.chunk))
    note(batcher.info)
    state = .batching(batcher)
    return rows
  }

  private func nextChunk(of file: FileBytes) async throws(SourceError) -> [UInt8] {
    guard !ahead.isEmpty else { return try await read(file, atMost: Self.chunk) }
    let bytes = Array(ahead.prefix(Self.chunk))
    ahead.removeFirst(bytes.count)
    return bytes
  }

  private func note(_ info: TimelineInfo) {
    self.info = info
    archive.complete(&self.info)
  }

  private func more(of batcher: RowBatcher) async throws(SourceError) -> RowBatch {
    guard let file = packedPipe ?? file else { throw error(.notATimeline(FeedError(.empty))) }
    var batcher = batcher
    state = .ended
    let bytes = try await nextChunk(of: file)
    guard bytes.isEmpty else {
      let rows = batcher.consume(bytes)
      note(batcher.info)
      state = .batching(batcher)
      return rows
    }
    return try end(of: &batcher)
  }

  private func end(of batcher: inout RowBatcher) throws(SourceError) -> RowBatch {
    do { return try batcher.finish() } catch { throw self.error(.notATimeline(error)) }
  }

  /// Continues after the first bytes of a regular file that ``look()`` has read.
  ///
  /// - Precondition: nothing was read before.
  func begin(with beginning: Beginning) {
    guard beginning.file.seek(to: beginning.head.count) else { return }
    bytesRead = beginning.head.count
    state = .begun(beginning)
  }

  /// Reads the first bytes of a file or pipe; `next` continues from there.
  ///
  /// - Parameter showsOpenLine: whether text is to be shown before its first line has ended.
  /// - Precondition: nothing was read before, and the source is not remote.
  /// - Throws: `SourceError` if the source cannot be read or is not a timeline.
  func begin(showsOpenLine: Bool = false) async throws(SourceError) -> Beginning {
    state = .ended
    guard var file else { throw error(.notATimeline(FeedError(.empty))) }
    var head: [UInt8] = []
    var sawEnd = false
    var packing = packing
    var layers = packing == nil ? 0 : 1
    // A pipe may deliver a byte at a time. The format needs more, but a line from a writer that
    // then waits should be shown as soon as it reveals the format.
    var isHole = true
    while head.count < (isHole ? Self.maximumHoleBytes : Self.firstChunk), !sawEnd {
      let left = Self.firstChunk - head.count
      let more = try await read(file, atMost: left > 0 ? left : Self.chunk)
      head += more
      sawEnd = more.isEmpty
      isHole = isHole && more.allSatisfy { $0 == 0 }
      if file.size == nil, layers < FileUnpacker.layers,
        let found = FileUnpacker.packing(of: head),
        let unpacked = FileUnpacker.unpacking(file, found, after: head, filling: archive)
      {
        layers += 1
        packing = found
        packedPipe = unpacked
        (file, head, sawEnd, isHole) = (unpacked, [], false, true)
        continue
      }
      guard file.size == nil else { continue }
      let tells = more.contains(0x0A) || showsOpenLine && FeedReader.beginsText(head)
      if tells, (try? format(of: head)) != nil { break }
    }
    if head.isEmpty, packing == .tar { throw error(.archive(archive.trouble ?? Self.noPosts)) }
    let format = try format(of: head)
    let beginning = Beginning(
      head: head, sawEnd: sawEnd, format: format,
      canReadByRows: format.map { FeedReader.isReadByRows(head, format: $0) } ?? false, file: file)
    state = .begun(beginning)
    return beginning
  }

  private func first(_ beginning: Beginning) async throws(SourceError) -> Batch? {
    state = .ended
    guard let format = beginning.format else { throw try await listOfFeeds(from: beginning) }
    guard format.isLines else {
      var all = beginning
      try await readOn(&all, upTo: Self.maximumWholeDocumentBytes)
      if !all.sawEnd, FeedReader.isReadByRows(all.head, format: format) {
        let rows = rows(of: all.head, format)
        return completed(Batch(info: info, posts: rows.posts()))
      }
      try await readOn(&all, upTo: Self.documentLimit + 1)
      guard all.head.count <= Self.documentLimit else {
        throw error(.tooLarge(limit: Self.documentLimit))
      }
      return try document(Self.firstPosts) { () throws(FeedError) in
        try FeedReader.open(all.head, format: format, as: request.form, atMost: request.limit.count)
      }
    }
    var batcher = RowBatcher(format: format, as: request.form)
    var posts = batcher.consume(beginning.head).posts()
    if beginning.sawEnd {
      posts += try end(of: &batcher).posts()
    } else {
      state = .batching(batcher)
    }
    return completed(Batch(info: TimelineInfo(), posts: posts))
  }

  // MARK: Answers

  private func fetch() async throws(SourceError) -> UnparsedPosts? {
    state = .ended
    guard case .url(let address) = source, let transport = request.transport?() else { return nil }
    let link = HTTPLink(address.url, reach: request.reach)
    return try await more(
      of: FirstPageReader(
        link, format: request.format, as: request.form, limit: request.limit,
        validators: request.validators, by: transport))
  }

  /// All posts of a server's answer, up to the limit.
  private func wholeAnswer() async throws(SourceError) -> Batch {
    var held = LimitedPosts(request.limit)
    while !held.isCut, let posts = try await nextUnparsed() {
      posts.readEach { held.add($0) }
    }
    state = .ended
    if held.isCut { ending = .atLimit }
    return Batch(info: info, posts: held.posts)
  }

  private func more(of answer: FirstPageReader) async throws(SourceError) -> UnparsedPosts? {
    state = .ended
    var answer = answer
    do throws(PageFailure) {
      let posts = try await answer.next()
      (info, ending, validators) = (answer.info, answer.ending, answer.validators)
      if posts != nil { state = .answer(answer) }
      return posts
    } catch {
      guard case .listOfFeeds(let list, let reach) = error.reason else {
        throw self.error(error.sourceReason)
      }
      throw self.error(ofList: list, reach: reach)
    }
  }

  // MARK: Lists of feeds

  /// The error that names the feeds which a file or pipe lists; only its beginning was read before.
  ///
  /// - Throws: `SourceError` if the list cannot be read.
  private func listOfFeeds(from beginning: Beginning) async throws(SourceError) -> SourceError {
    state = .ended
    var all = beginning
    try await readOn(&all, upTo: FeedList.longest)
    // Addresses in a file have a smaller reach than those that the user names.
    return error(ofList: FeedList(all.head), reach: .privateAddresses)
  }

  /// Reads on until the beginning has `count` bytes or the source ends.
  private func readOn(_ beginning: inout Beginning, upTo count: Int) async throws(SourceError) {
    guard !beginning.sawEnd else { return }
    beginning.head.reserveCapacity(min(beginning.file.size ?? 0, count))
    while !beginning.sawEnd, beginning.head.count < count, !Task.isCancelled {
      let more = try await read(beginning.file, atMost: Self.chunk)
      beginning.sawEnd = more.isEmpty
      beginning.head += more
    }
  }

  private func read(_ file: FileBytes, atMost count: Int) async throws(SourceError) -> [UInt8] {
    // A regular file is read without waiting.
    switch file.size == nil ? await file.read(atMost: count) : file.readNow(atMost: count) {
    case .bytes(let bytes):
      bytesRead += bytes.count
      return bytes
    case .end: return []
    case .failed(let code):
      throw error(code == EISDIR ? .isDirectory : .unreadable(code: code, byte: bytesRead))
    }
  }

  /// The next posts of a document.
  private func document(
    _ limit: (count: Int, bytes: Int), isFirst: Bool = true,
    _ open: () throws(FeedError) -> DocumentReader
  ) throws(SourceError) -> Batch {
    state = .ended
    do throws(FeedError) {
      var document = try open()
      let posts = try document.next(atMost: limit.count, within: limit.bytes)
      var batch = completed(Batch(info: document.info, posts: posts))
      (info, ending) = (batch.info, document.ending)
      if !document.isAtEnd {
        state = .document(document)
        if isFirst { batch.pending = PendingRows(of: document, completion: archive) }
      }
      return batch
    } catch {
      throw self.error(.notATimeline(error))
    }
  }

  /// Completes a batch from the archive, and gives it the reach of a file.
  private func completed(_ batch: Batch) -> Batch {
    var batch = batch
    archive.complete(&batch.info)
    for index in batch.posts.indices { archive.complete(&batch.posts[index]) }
    return batch
  }

  nonisolated func error(_ reason: SourceError.Reason) -> SourceError {
    SourceError(source: source, reason: reason)
  }
}
