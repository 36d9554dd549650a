import Answers
import Feeds
import HTTP
import Library
import Subscriptions
import System

/// Reads one source into the library of a merge, in parts.
///
///     long file of rows ──▶ last rows, then all from the first on ──▶ (source, extent) ─┐
///     any other source ──▶ posts ──▶ the lines that `--json` prints ────────────────────┴▶ library
///
/// 1. A post without a date has that of its predecessor in its source; without any, it has the
///    moment at which merging began.
/// 2. A long file of lines that has grown is read on from its last row. One that was replaced is
///    read from its beginning, and its former rows are removed.
/// 3. What was read before a failure stays.
struct SourceIntake: Sendable {
  let library: FeedLibrary
  let contents: MergedContents
  let feed: FeedID
  /// When merging began, in seconds since 1970.
  let start: Double
  /// Called with each part that was recorded, and the source's title.
  let onChange: @Sendable (FetchChanges, _ title: String) -> Void

  /// The state of a source between two readings.
  struct Memory: Sendable {
    /// The number after those of all items so far.
    var nextNumber: Int64 = 0
    var validators: HTTPValidators?
    var rows: RowMemory?
    var isFirst = true
  }

  /// The state of a file that was read row by row.
  struct RowMemory: Sendable {
    let format: FeedFormat
    let stamp: FileStamp?
    let fingerprint: FileFingerprint?
    /// The start of the last row, which may have grown.
    var lastRow = 0
    var date: Int64
    /// The number of the row at byte 0.
    let base: Int64
  }

  struct Reading: Sendable {
    var memory: Memory
    var title = ""
    /// Whether nothing changed.
    var isUnchanged = false
    /// Whether rows were deleted.
    var hasRemoved = false
    /// A clause about posts that were left out.
    var omission: String?
    /// Why the source could not be read, or only a part of it.
    var failure: SourceError?
    var list: (list: FeedList, reach: RequestScope)?
    /// The feed of a source that is a web page.
    var pageFeed: FoundFeed?
    /// The clause of an error within the source.
    var damage: String?
  }

  /// The bytes of lines from which on a source is not read further. `4 GiB`
  static let maximumBytes = 4 << 30

  /// Reads the source.
  ///
  /// - Parameter deadline: the deadline of a remote source.
  /// - Complexity: O(n) in its bytes; in those that were added to a long file of lines.
  func read(
    _ source: MergedSource, _ memory: Memory, keepsOpen: Bool, before deadline: ReadingDeadline?
  ) async -> Reading {
    var reading = Reading(memory: memory)
    reading.memory.isFirst = false
    do throws(SourceError) {
      let reader = try source.open(
        memory.validators, isFirst: memory.isFirst, before: deadline)
      reading.title = source.entry?.title ?? ""
      if let beginning = try reader.look(), let size = reader.fileSize, beginning.canReadByRows,
        size > SourceReader.maximumWholeDocumentBytes, let format = beginning.format
      {
        try await readRows(of: reader, beginning, format, size, &reading)
        if !keepsOpen { contents.close(feed) }
      } else {
        try await readPosts(of: reader, source, &reading)
      }
    } catch {
      if case .remote(.status(304)) = error.reason, memory.validators != nil {
        reading.isUnchanged = true
      } else if case .listOfFeeds(let list, let reach) = error.reason, !source.request.isListed {
        reading.list = (list, reach)
      } else {
        reading.failure = error
        reading.pageFeed = await Self.feed(ofPage: source, error)
      }
    }
    if let deadline, deadline.hasPassed {
      let reason = SourceError.Reason.remote(ReadingDeadline.failure)
      reading.failure = SourceError(source: source.source, reason: reason)
    }
    return reading
  }

  /// The feed that a source names which turned out to be a web page.
  private static func feed(ofPage source: MergedSource, _ error: SourceError) async -> FoundFeed? {
    guard case .notATimeline(let fault) = error.reason, fault.kind == .html,
      !source.request.isNamedByPage, let transport = source.request.transport
    else { return nil }
    let finder = FeedFinder(transport: transport())
    switch source.source {
    case .standardInput: return nil
    case .file(let path):
      guard let bytes = try? FileBytes(path: path).read(0..<FeedFinder.readBytes) else {
        return nil
      }
      return await finder.firstFeed(ofPage: bytes, name: path)
    case .url(let address):
      // A login is not sent elsewhere, and the feeds of such a page ask for one, too.
      guard address.login == nil else { return nil }
      let link = HTTPLink(address.url, reach: source.request.reach)
      return (try? await finder.firstFeed(at: link)) ?? nil
    }
  }

  private func failure(_ error: LibraryError, _ reader: SourceReader) -> SourceError {
    if case .full = error.cause { return reader.error(.cannotBeSpooled(code: ENOSPC)) }
    return reader.error(.library(error.reason, exitStatus: error.exitStatus))
  }

  private func record(
    _ items: [SourceItem], title: String, _ reader: SourceReader
  ) throws(SourceError) {
    guard !items.isEmpty else { return }
    do throws(LibraryError) {
      let changes = try library.record(
        items, title: title, of: feed, at: max(start, SystemClock.wallTime))
      onChange(changes, title)
    } catch {
      throw failure(error, reader)
    }
  }

  // MARK: Posts

  private func readPosts(
    of reader: SourceReader, _ source: MergedSource, _ reading: inout Reading
  ) async throws(SourceError) {
    do throws(LibraryError) {
      if reading.memory.rows != nil {
        try library.removeItems(of: feed)
        reading.memory.rows = nil
        reading.hasRemoved = true
      }
      try library.beginReading(of: feed)
    } catch {
      throw failure(error, reader)
    }
    var date = Milliseconds.of(start)
    var bytes = 0
    // A damaged item that may be the one in which an answer breaks off: half an id or a title would
    // make it another item than the whole one, which comes when the source is read again.
    var heldBack: SourceItem?
    while !Task.isCancelled, let posts = try await reader.nextUnparsed() {
      let archive = reader.archive.isFilled ? reader.archive : nil
      if let archive { contents.note(archive, of: feed) }
      let info = await reader.info
      if !info.title.isEmpty { reading.title = info.title }
      let author = info.title.isEmpty ? nil : Post.Author(name: info.title, avatar: info.icon)
      var items: [SourceItem] = []
      var reach: RequestScope?
      posts.readEach { post in
        if post.id.hasPrefix("damage "), post.isBlank {
          reading.damage = reading.damage ?? post.damage
          return
        }
        reach = reach ?? post.reach
        date = post.published.map(Milliseconds.of) ?? date
        var post = post
        archive?.makeRelative(&post)
        let item = Self.item(post, number: reading.memory.nextNumber, date: date)
        reading.memory.nextNumber += 1
        if case .line(let line) = item.body { bytes += line.count }
        if let held = heldBack { items.append(held) }
        heldBack = nil
        if post.damage != nil, source.host != nil { heldBack = item } else { items.append(item) }
      }
      if let reach { contents.note(reach: reach, author: author, of: feed) }
      try record(items, title: reading.title, reader)
      guard bytes <= Self.maximumBytes else {
        reading.omission =
          "\(reader.source.shortName): reading stopped at \(Self.maximumBytes.formattedBytes), "
          + "the most that is kept"
        break
      }
    }
    if let heldBack {
      if await reader.ending == .insideItem {
        reading.damage = reading.damage ?? "its last item is incomplete"
      } else {
        try record([heldBack], title: reading.title, reader)
      }
    }
    if await reader.isCut {
      let count = reader.request.limit.count.counted("post")
      reading.omission = "of \(reader.source.shortName) only the first \(count) are read"
    }
    // One that was cancelled is incomplete, and is asked for whole the next time.
    if reading.damage == nil, !Task.isCancelled {
      reading.memory.validators = await reader.validators
    }
  }

  private static func item(_ post: Post, number: Int64, date: Int64) -> SourceItem {
    var line: [UInt8] = []
    _ = PostWriter.appendJSONItem(post, to: &line)
    if line.last == UInt8(ascii: "\n") { line.removeLast() }
    var hash = StableHash()
    for byte in line { hash.combine(byte) }
    var identity = StableHash()
    if post.id.isEmpty || post.id.hasPrefix("byte ") {
      // The id is a position; the content identifies the post.
      var content = post
      content.id = ""
      var bytes: [UInt8] = []
      _ = PostWriter.appendJSONItem(content, to: &bytes)
      identity.combine("content")
      for byte in bytes { identity.combine(byte) }
    } else {
      identity.combine("id")
      identity.combine(post.id)
    }
    return SourceItem(
      number: number, identity: identity.bytes, date: date, body: .line(line), hash: hash.low)
  }

  // MARK: Rows

  private func readRows(
    of reader: SourceReader, _ beginning: SourceReader.Beginning, _ format: FeedFormat,
    _ size: Int, _ reading: inout Reading
  ) async throws(SourceError) {
    let stamp = FileStamp(descriptor: beginning.file.descriptor)
    let known = reading.memory.rows
    var first = format.isLines ? 0 : FeedReader.byteOrderMark(of: beginning.head)
    var base = reading.memory.nextNumber
    var date = Milliseconds.of(start)
    if let known, known.format == format, isContinued(known, in: beginning.file, size, stamp) {
      if known.stamp == stamp, stamp != nil {
        reading.isUnchanged = true
        return
      }
      (first, base, date) = (known.lastRow, known.base, known.date)
    } else if !reading.memory.isFirst, known != nil || reading.memory.nextNumber > 0 {
      do throws(LibraryError) { try library.removeItems(of: feed) } catch {
        throw failure(error, reader)
      }
      reading.hasRemoved = true
    }
    var intake = RowIntake(self, reader, beginning, format, base: base, date: date)
    intake.found.title = reading.title
    if format.isLines, first == 0 { try intake.readEnd(of: size) }
    try await intake.readAll(from: first)
    reading.title = intake.found.title
    reading.damage = intake.found.damage
    reading.memory.nextNumber = max(reading.memory.nextNumber, base + Int64(intake.last.end) + 1)
    reading.memory.rows = RowMemory(
      format: format, stamp: stamp,
      fingerprint: try? FileFingerprint(of: beginning.file, end: size), lastRow: intake.last.row,
      date: intake.last.date, base: base)
  }

  /// Whether a file is unchanged, or is a file of lines that has only grown.
  private func isContinued(
    _ known: RowMemory, in file: FileBytes, _ size: Int, _ stamp: FileStamp?
  ) -> Bool {
    if let stamp, stamp == known.stamp { return true }
    guard known.format.isLines, let fingerprint = known.fingerprint, size >= fingerprint.end else {
      return false
    }
    return (try? fingerprint.differs(from: file)) == false
  }

  /// The reading of a file row by row.
  private struct RowIntake {
    private let intake: SourceIntake
    private let reader: SourceReader
    private let beginning: SourceReader.Beginning
    private let format: FeedFormat
    private let base: Int64
    private var date: Int64
    private var items: [SourceItem] = []
    /// The number of items that are recorded at once: the first appear soon, and further ones cost
    /// little.
    private var part = 256
    /// The rows that were read from the end of the file.
    private var covered = 0..<0
    /// The last row, and the byte up to which the file was read.
    private(set) var last = (row: 0, date: Int64(0), end: 0)
    /// The title of the source, and the first error outside of its rows.
    var found = (title: "", damage: String?.none)

    private static let largestPart = 16_384
    private static let endBytes = 256 << 10

    init(
      _ intake: SourceIntake, _ reader: SourceReader, _ beginning: SourceReader.Beginning,
      _ format: FeedFormat, base: Int64, date: Int64
    ) {
      (self.intake, self.reader, self.beginning) = (intake, reader, beginning)
      (self.format, self.base, self.date) = (format, base, date)
      last.date = date
    }

    /// Reads the rows at the end of a file of lines, where a log has its newest ones, from the
    /// first row on that has a date.
    mutating func readEnd(of size: Int) throws(SourceError) {
      let start = max(0, size - Self.endBytes)
      guard start > 0, let bytes = try? beginning.file.read(start..<size),
        let boundary = bytes.withUnsafeBytes({ RowScanner.boundary(in: $0, format: format) })
      else { return }
      var batcher = RowBatcher(format: format, offset: start + boundary, as: intake.contents.form)
      batcher.completion = reader.archive
      let rows = [batcher.consume(Array(bytes[boundary...])), try? batcher.finish()]
      var date: Int64?
      for rows in rows.compactMap(\.self) {
        open(rows)
        rows.readEachRow { post, range in
          date = post.published.map(Milliseconds.of) ?? date
          guard let date else { return }
          if covered.isEmpty { covered = range.lowerBound..<size }
          items.append(item(range, date: date))
        }
      }
      try flush()
    }

    mutating func readAll(from start: Int) async throws(SourceError) {
      var batcher = RowBatcher(format: format, offset: start, as: intake.contents.form)
      batcher.completion = reader.archive
      var position = start
      var hasRows = false
      while !Task.isCancelled {
        let bytes: [UInt8]
        do throws(SystemFailure) {
          bytes = try beginning.file.read(position..<position + SourceReader.chunk)
        } catch {
          throw reader.error(.unreadable(code: error.code, byte: position))
        }
        guard !bytes.isEmpty else { break }
        position += bytes.count
        let rows = batcher.consume(bytes)
        hasRows = hasRows || !rows.isEmpty
        if !format.isLines, !batcher.info.title.isEmpty { found.title = batcher.info.title }
        try take(rows)
        // Other sources have their turns.
        await WorkerThreads.merging.value {}
      }
      last.end = max(last.end, position)
      guard !Task.isCancelled else { return }
      do throws(FeedError) {
        let rows = try batcher.finish()
        if !format.isLines, !batcher.info.title.isEmpty { found.title = batcher.info.title }
        open(rows)
        take(each: rows)
      } catch {
        if !hasRows, start == 0 { throw reader.error(.notATimeline(error)) }
      }
      try flush()
    }

    private mutating func take(_ rows: RowBatch) throws(SourceError) {
      open(rows)
      take(each: rows)
      guard items.count >= part else { return }
      try flush()
      part = min(part * 2, Self.largestPart)
    }

    private mutating func take(each rows: RowBatch) {
      rows.readEachRow { post, range in
        date = post.published.map(Milliseconds.of) ?? date
        (last.row, last.date) = (range.lowerBound, date)
        if !covered.contains(range.lowerBound) { items.append(item(range, date: date)) }
      }
      if let damage = rows.damageText { found.damage = found.damage ?? damage }
    }

    private func item(_ range: Range<Int>, date: Int64) -> SourceItem {
      let extent = ItemBody.FileExtent(
        source: Int32(clamping: intake.feed.rawValue), offset: Int64(range.lowerBound),
        count: Int32(clamping: range.count))
      return SourceItem(
        number: base + Int64(range.lowerBound), identity: nil, date: date, body: .extent(extent),
        hash: UInt64(range.count))
    }

    /// Makes the file known by which rows are read.
    private func open(_ rows: RowBatch) {
      let info = rows.rowReader.info
      let author = info.title.isEmpty ? nil : Post.Author(name: info.title, avatar: info.icon)
      intake.contents.note(reach: .privateAddresses, author: author, of: intake.feed)
      intake.contents.open(
        MergedContents.RowFile(
          path: reader.source.path, file: beginning.file, reader: rows.rowReader,
          archive: reader.archive), of: intake.feed)
    }

    private mutating func flush() throws(SourceError) {
      defer { items.removeAll(keepingCapacity: true) }
      try intake.record(items, title: found.title, reader)
    }
  }
}
