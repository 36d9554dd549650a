import Caches
import Dispatch
import Feeds
import System
import VirtualList

/// The posts of a file or pipe of any size: counted in the background, read when they are shown.
///
/// 1. Counted rows are found by the index, others by their bytes (`RowLocator`), so that the end and
///    the middle of a file show at once. A pipe, or a document other than RSS and Atom, has counted
///    rows only.
/// 2. The file is not mapped, so a file that shrinks only causes short reads.
/// 3. A row's identity is the byte at which it begins.
/// 4. Rows change only in `adopt`, and when the list allows it: not while the scroll bar is held.
@MainActor final class FilePostSource: PostSource, FileRows, SeekableSource, PlaceFinder {
  let file: FileBytes
  let indexer: any RowIndexer
  private let source: TimelineSource
  /// The contents of the source besides posts, if it is an archive.
  private let archive: Archive
  private let format: FeedFormat
  private let rows: RowLocator
  private var reader: RowReader
  /// Recently read posts, by the byte at which they begin; their cost is their size in bytes, in
  /// the source or in memory.
  private(set) var posts = LRUCache<Int, Post>(maximumCost: 16 << 20, maximumCount: 512)
  /// The offsets of damaged posts whose line is not known yet.
  private var withoutLine: Set<Int> = []
  /// The offset of the incomplete row after the counted ones.
  private var longRow: Int?
  /// The progress of the index that is shown.
  private(set) var progress: RowIndex.Progress
  private var report: RowIndexerReport
  private var watch: FileWatch?
  private var isStarted = false
  private var shownEnd = 0
  /// Whether the index has progressed while rows could not change.
  private var isBehind = false
  private(set) var seekTarget: SeekTarget?
  private var finding = Finding.no
  var onChange: ((SourceChange) -> Void)?
  var mayChangeRows: () -> Bool = { true }

  /// - Parameter file: the file that holds the rows: a regular file, or the spool of a pipe.
  init(
    source: TimelineSource, file: FileBytes, format: FeedFormat, indexer: any RowIndexer,
    archive: Archive = Archive(source: "", pictures: nil)
  ) {
    self.source = source
    self.archive = archive
    self.file = file
    self.format = format
    self.indexer = indexer
    report = indexer.report
    rows = RowLocator(file: file, format: format, index: indexer.index, head: report.head)
    progress = indexer.index.progress
    reader = RowReader(format: format, head: report.head)
  }

  // MARK: State

  var info: TimelineInfo {
    var info = reader.info
    archive.complete(&info)
    return info
  }
  var count: Int { rows.count + (longRow == nil ? 0 : 1) }
  var isComplete: Bool { progress.isComplete && rows.isCounted }
  var isReplaced: Bool { report.isReplaced }
  private var isPipe: Bool { file.size == nil }

  func kind(of row: Int) -> Int { 0 }
  func isNumberExact(_ row: Int) -> Bool { row < rows.counted || isComplete }
  func isStaleGuess(_ row: Int) -> Bool { rows.isStaleGuess(row) }
  func textLength(ofRows rows: Range<Int>) -> Int? { self.rows.textLength(ofRows: rows) }
  func extent(ofRow row: Int) -> RowSizeBound? { rows.extent(ofRow: row) }
  var searchable: (rows: any SearchableRows, count: Int) {
    let all = PostsInFile(
      file: file, format: format, index: indexer.index, head: report.head, reader: reader,
      archive: archive)
    return (all, rows.counted)
  }
  var capabilities: SourceCapabilities {
    SourceCapabilities(
      fileRows: self, seeking: self, places: self, refresh: .successor,
      readsAheadWhenShown: isPipe)
  }
  /// A pipe that is held back brings more only when its last row is shown.
  var expectsMore: Bool { !progress.isComplete && (!isPipe || report.isReading) }

  var failure: SourceError? {
    guard progress.isComplete, count == 0 else { return nil }
    switch report.trouble {
    case .unreadable(let code, let byte)?:
      return SourceError(source: source, reason: .unreadable(code: code, byte: byte))
    case .spoolFailed(let code, _)?:
      return SourceError(source: source, reason: .cannotBeSpooled(code: code))
    default: break
    }
    if let fault = report.fault {
      let reason = FeedError.Kind.nothingReadable(
        reason: fault.reason, place: fault.place)
      return SourceError(source: source, reason: .notATimeline(FeedError(reason)))
    }
    return isPipe
      ? SourceError(source: source, reason: .notATimeline(FeedError(.empty))) : nil
  }

  var activity: String {
    let megabytes = "\(progress.scanned >> 20) MB"
    if seekTarget != nil { return "seeking, any key stops: \(megabytes)" }
    guard !progress.isComplete else { return "" }
    if isPipe { return report.isReading ? "reading, \(megabytes)" : "" }
    let size = max(1, file.size ?? 1)
    return "counting \(min(99, progress.scanned * 100 / size))%"
  }

  var message: (text: String, isError: Bool)? {
    let trouble = archive.isFilled ? archive.trouble : nil
    return (report.message ?? trouble.map { "the rest is not read: the archive \($0)" })
      .map { ($0, true) }
  }

  // MARK: Rows

  func post(at row: Int) -> Post {
    guard let bytes = bytes(ofRow: row) else { return missing(row) }
    if let post = posts.value(for: bytes.range.lowerBound) { return post }
    let post = read(bytes.range, hasEnded: bytes.hasEnded)
    if bytes.hasEnded || row == openRow {
      let cost = max(bytes.range.count, post.footprint)
      posts.insert(post, for: bytes.range.lowerBound, cost: min(cost, posts.maximumCost))
    }
    return post
  }

  /// Identities of estimated rows are greater than all offsets.
  private static let guessedID: UInt64 = 1 << 63

  func rowID(at row: Int) -> RowID {
    switch rows.place(of: row) {
    case .counted, .known:
      if let bytes = bytes(ofRow: row) { return RowID(UInt64(bytes.range.lowerBound)) }
    case .guessed: break
    case .outside: if let longRow { return RowID(UInt64(longRow)) }
    }
    return RowID(Self.guessedID | UInt64(row))
  }

  func row(of id: RowID) -> Int? {
    guard id.rawValue < Self.guessedID else {
      let row = Int(id.rawValue & ~Self.guessedID)
      return row < count ? row : nil
    }
    let offset = Int(id.rawValue)
    return offset == longRow ? rows.count : rows.row(atByte: offset)
  }

  /// The bytes of a row, even of an incomplete one; `nil` if it is not found.
  private func bytes(ofRow row: Int) -> (range: Range<Int>, hasEnded: Bool)? {
    if let longRow, row == rows.count { return (longRow..<max(longRow, progress.scanned), false) }
    guard row == openRow else { return rows.bytes(ofRow: row) }
    return rows.bytes(ofRow: row).map { ($0.range, false) }
  }

  /// The last row of a pipe while it may grow; `nil` if it is complete.
  private var openRow: Int? {
    !progress.isComplete && progress.lastRowIsOpen ? rows.counted - 1 : nil
  }

  private func read(_ range: Range<Int>, hasEnded: Bool) -> Post {
    let wanted = range.prefix(RowReader.rowBytes)
    do throws(SystemFailure) {
      let bytes = try file.read(wanted.startIndex..<wanted.endIndex)
      guard !bytes.isEmpty else {
        return marked(
          range.lowerBound, "the file ends before this row now (byte \(range.lowerBound))")
      }
      var post = bytes.withUnsafeBytes {
        reader.post(
          $0, offset: range.lowerBound, length: range.count, hasEnded: hasEnded,
          line: {
            let line = rows.line(ofByte: range.lowerBound)
            if line == nil { withoutLine.insert(range.lowerBound) }
            return line
          })
      }
      archive.complete(&post)
      if bytes.count < wanted.count {
        let lost = "the file ends at byte \(range.lowerBound + bytes.count) now"
        post.damage = [post.damage, lost].compactMap { $0 }.joined(separator: "; ")
      }
      return post
    } catch {
      return marked(
        range.lowerBound, "cannot be read at byte \(range.lowerBound): \(error.message)")
    }
  }

  private func missing(_ row: Int) -> Post {
    guard case .counted = rows.place(of: row) else { return marked(row, nil) }
    return marked(row, "the file has changed: this row is not where it was")
  }

  private func marked(_ number: Int, _ damage: String?) -> Post {
    var post = Post(id: "row \(number)")
    post.damage = damage
    return post
  }

  // MARK: Finding a remembered post

  /// The search for a post that is not at its former position.
  private enum Finding {
    case no
    case scanning(Task<Void, Never>)
    /// The offset of the post, or offsets inside rows that may be it; they may not be counted yet.
    case done([Int])
  }

  func byte(ofRow row: Int) -> Int? { bytes(ofRow: row)?.range.lowerBound }

  /// The former position is examined at once, counted or not; the rest of the file in the
  /// background.
  func find(_ place: RememberedPlace, after examined: inout Int) -> PlaceSearchResult {
    switch finding {
    case .scanning: return .pending
    case .done(let bytes): return find(place, among: bytes)
    case .no:
      if let byte = place.byte, let found = find(place, at: byte) { return found }
      return scan(for: place)
    }
  }

  /// `nil` if another post, or none, begins at the byte.
  private func find(_ place: RememberedPlace, at byte: Int) -> PlaceSearchResult? {
    guard byte < file.size ?? progress.end else { return nil }
    if let row = rows.row(atByte: byte) {
      return place.post.isMarkOf(post(at: row)) ? .row(row) : nil
    }
    if byte < rows.countedEnd || isComplete { return nil }
    guard let range = rows.bytes(ofRowAt: byte) else {
      // Without gaps, rows become known only by counting.
      return rows.isCounted ? .pending : nil
    }
    guard place.post.isMarkOf(read(range, hasEnded: true)) else { return nil }
    return rows.reveal(rowAt: byte).map { .row($0) }
  }

  private func find(_ place: RememberedPlace, among bytes: [Int]) -> PlaceSearchResult {
    guard format.isJSONDocument else {
      return bytes.first.flatMap { find(place, at: $0) } ?? .absent
    }
    for byte in bytes where byte < rows.countedEnd {
      if let row = rows.row(holding: byte), place.post.isMarkOf(post(at: row)) { return .row(row) }
    }
    return bytes.contains { $0 >= rows.countedEnd } && !isComplete ? .pending : .absent
  }

  private func scan(for place: RememberedPlace) -> PlaceSearchResult {
    guard !isPipe else { return .absent }
    let scan = PlaceScan(
      file: file, format: format, head: report.head, mark: place.post, words: place.words,
      byte: place.byte ?? 0)
    finding = .scanning(
      Task.detached(executorPreference: WorkerThreads.pages) { [weak self] in
        let bytes = scan.run()
        await self?.scanned(bytes)
      })
    return .pending
  }

  private func scanned(_ bytes: [Int]) {
    guard case .scanning = finding else { return }
    finding = .done(bytes)
    onChange?(.state)
  }

  func stopFinding() {
    if case .scanning(let task) = finding { task.cancel() }
    finding = .no
  }

  // MARK: Reading on

  func start() {
    guard !isStarted else { return }
    isStarted = true
    let isQueued = QueuedFlag()
    indexer.start { [weak self] in
      // Only one call is queued: outdated notifications must not delay keys.
      guard isQueued.raise() else { return }
      DispatchQueue.main.async {
        isQueued.lower()
        MainActor.assumeIsolated { self?.advance() }
      }
    }
    guard !isPipe, let path = source.path else { return }
    watch = FileWatch(path: path, file: file) { [weak indexer] in indexer?.look() }
    // Detects changes made before the watch.
    indexer.look()
  }

  func stop() {
    stopFinding()
    watch?.cancel()
    indexer.stop()
  }

  func didShow(rows: Range<Int>) {
    if isBehind {
      advance()
    } else if self.rows.needsReconciling, mayChangeRows() {
      adopt(progress)
    }
    guard isPipe, seekTarget == nil, let last = rows.last, last < count else { return }
    want(last)
  }

  /// Requests the bytes of a pipe after the last row shown.
  private func want(_ row: Int) {
    // A row without end must not be read forever because it is shown.
    let bound =
      bytes(ofRow: row).map { range, hasEnded in
        hasEnded ? range.upperBound : range.lowerBound + RowReader.rowBytes
      } ?? 0
    guard bound != shownEnd else { return }
    shownEnd = bound
    indexer.want(upTo: bound)
  }

  /// Adopts the progress of the index, if rows may change.
  func advance() {
    isBehind = !mayChangeRows()
    guard !isBehind else { return }
    let (now, report) = (indexer.index.progress, indexer.report)
    let hadHead = self.report.head
    self.report = report
    if report.head != hadHead {
      reader = RowReader(format: format, head: report.head)
      rows.head = report.head
      posts.removeAll()
    }
    // Fewer rows mean that the last row is being read again; more will come soon.
    if now.rows >= rows.counted, now.end >= rows.countedEnd { adopt(now) }
    onChange?(.state)
    finishSeeking()
  }

  private func adopt(_ now: RowIndex.Progress) {
    let old = (count: count, counted: rows.counted, long: longRow, progress: progress)
    let hasParts = !rows.isCounted
    var reloads: Set<Int> = []
    if old.progress.lastRowIsOpen, old.counted > 0,
      now.end > rows.countedEnd || !now.lastRowIsOpen
    {
      let last = old.counted - 1
      if let bytes = bytes(ofRow: last) { posts.remove(bytes.range.lowerBound) }
      rows.discardLastRow()
      reloads.insert(last)
    }
    progress = now
    // Damaged posts without a line number are read again once it is known.
    let numbered = withoutLine.filter { $0 < now.end }
    withoutLine.subtract(numbered)
    for offset in numbered { posts.remove(offset) }
    reloads.formUnion(numbered.compactMap { rows.row(atByte: $0) })
    let reconciled = rows.reconcile(now)
    var insertions = reconciled.insertions
    let deletions = reconciled.deletions
    reloads.formUnion(reconciled.unresolved)
    if !hasParts {
      longRow = now.longRow
      insertions = old.count < count ? [old.count..<count] : []
      if old.long != nil { reloads.insert(old.counted) }
    }
    let kept = reloads.filter { row in row < old.count && !deletions.contains { $0.contains(row) } }
    guard !deletions.isEmpty || !insertions.isEmpty || !kept.isEmpty else { return }
    onChange?(.rows(deletions: deletions, insertions: insertions, reloads: kept.sorted()))
  }

  // MARK: Seeking

  func seek(_ target: SeekTarget) -> Bool {
    guard !progress.isComplete else { return false }
    switch target {
    case .end where !rows.isCounted: return false
    case .end: break
    case .row(let row): if row < rows.counted { return false }
    }
    seekTarget = target
    indexer.want(upTo: .max)
    finishSeeking()
    return seekTarget != nil
  }

  func cancelSeek() {
    guard seekTarget != nil else { return }
    seekTarget = nil
    indexer.want(upTo: shownEnd)
    onChange?(.state)
  }

  private func finishSeeking() {
    guard let target = seekTarget else { return }
    let isFound =
      switch target {
      case .end: progress.isComplete || indexer.report.isDry
      case .row(let row): progress.isComplete || row < rows.counted
      }
    guard isFound else { return }
    seekTarget = nil
    indexer.want(upTo: shownEnd)
    onChange?(.found(target))
  }
}
