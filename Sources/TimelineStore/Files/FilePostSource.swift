import Feeds
import System
import VirtualList

/// The posts of a file or pipe of any size: counted in the background, read when they are shown.
///
///     RowIndexer ──progress──▶ RowLocator ──bytes of a row──▶ FilePostReader ──▶ post
///      └─ IndexingSession: how far it reads, its report
///
/// 1. Counted rows are found by the index, others by their bytes (`RowLocator`), so that the end
///    and the middle of a file show at once. A pipe, or a document other than RSS and Atom, has
///    counted rows only.
/// 2. The file is not mapped, so a file that shrinks only causes short reads.
/// 3. A row's identity is the byte at which it begins.
/// 4. Rows are added and deleted only in `adopt`, and only when the list allows it: not while the
///    scroll bar is held.
@MainActor final class FilePostSource: PostSource, FileRows, SeekableSource, PlaceFinder {
  let file: FileBytes
  private let source: TimelineSource
  private let format: FeedFormat
  let indexing: IndexingSession
  let rows: RowLocator
  let posts: FilePostReader
  /// Whether the index has progressed while rows could not change.
  private var isBehind = false
  private var finding = Finding.no
  var onChange: ((SourceChange) -> Void)?
  var mayChangeRows: () -> Bool = { true }

  /// - Parameters:
  ///   - file: the file that holds the rows: a regular file, or the spool of a pipe.
  ///   - archive: the source's other contents, such as pictures, if it is an archive.
  init(
    source: TimelineSource, file: FileBytes, format: FeedFormat, indexer: any RowIndexer,
    archive: Archive = Archive(source: "", pictures: nil)
  ) {
    self.source = source
    self.file = file
    self.format = format
    indexing = IndexingSession(indexer)
    rows = RowLocator(
      file: file, format: format, index: indexer.index, head: indexing.report.head)
    posts = FilePostReader(file: file, format: format, rows: rows, archive: archive)
  }

  // MARK: State

  var info: TimelineInfo { posts.info }
  var count: Int { rows.count }
  var isComplete: Bool { progress.isComplete && rows.isCounted }
  var isReplaced: Bool { report.isReplaced }
  var seekTarget: SeekTarget? { indexing.seekTarget }
  private var isPipe: Bool { file.size == nil }
  private var progress: RowIndex.Progress { rows.progress }
  private var report: RowIndexerReport { indexing.report }

  func kind(of row: Int) -> Int? { nil }
  func isNumberExact(_ row: Int) -> Bool { row < rows.counted || isComplete }
  func isStaleGuess(_ row: Int) -> Bool { rows.isStaleGuess(row) }
  func textLength(ofRows rows: Range<Int>) -> Int? { self.rows.textLength(ofRows: rows) }
  func extent(ofRow row: Int) -> RowSizeBound? { rows.extent(ofRow: row) }
  var searchable: (rows: any SearchableRows, count: Int) {
    (posts.searchable(by: indexing.indexer.index), rows.counted)
  }
  var capabilities: SourceCapabilities {
    SourceCapabilities(
      fileRows: self, seeking: self, places: self, refresh: .successor,
      readsAheadWhenShown: isPipe)
  }
  /// A paused pipe delivers more only when its last row is shown.
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
    let megabytes = "\(progress.scanned / 1_000_000) MB"
    if seekTarget != nil { return "seeking, any key stops: \(megabytes)" }
    guard !progress.isComplete else { return "" }
    if isPipe { return report.isReading ? "reading, \(megabytes)" : "" }
    let size = max(1, file.size ?? 1)
    return "counting \(min(99, progress.scanned * 100 / size))%"
  }

  var message: (text: String, isError: Bool)? {
    (report.message ?? posts.archiveTrouble.map { "the rest is not read: the archive \($0)" })
      .map { ($0, true) }
  }

  // MARK: Rows

  func post(at row: Int) -> Post { posts.post(at: row) }

  /// The bit set in the identities of estimated rows, which makes them greater than all offsets.
  private static let guessedID: UInt64 = 1 << 63

  func rowID(at row: Int) -> RowID {
    switch rows.place(of: row) {
    case .counted, .known:
      if let byte = byte(ofRow: row) { return RowID(UInt64(byte)) }
    case .guessed: break
    case .outside: if let longRow = rows.longRow { return RowID(UInt64(longRow)) }
    }
    return RowID(Self.guessedID | UInt64(row))
  }

  func row(of id: RowID) -> Int? {
    guard id.rawValue < Self.guessedID else {
      let row = Int(id.rawValue & ~Self.guessedID)
      return row < count ? row : nil
    }
    let offset = Int(id.rawValue)
    return offset == rows.longRow ? count - 1 : rows.row(atByte: offset)
  }

  func byte(ofRow row: Int) -> Int? { rows.bytes(ofRow: row)?.range.lowerBound }

  // MARK: Finding a remembered post

  /// The search for a post that is not at its former position.
  private enum Finding {
    case no
    case scanning(Task<Void, Never>)
    /// The offset of the post, or offsets inside rows that may be it; they may not be counted yet.
    case done([Int])
  }

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
    guard place.post.isMarkOf(posts.post(in: range, hasEnded: true)) else { return nil }
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
    let watched = isPipe ? nil : source.path.map { (path: $0, file: file) }
    indexing.start(watching: watched) { [weak self] in self?.advance() }
  }

  func stop() {
    stopFinding()
    indexing.stop()
  }

  func didShow(rows: Range<Int>) {
    if isBehind {
      advance()
    } else if self.rows.needsReconciling, mayChangeRows() {
      adopt(progress)
    }
    guard isPipe, seekTarget == nil, let last = rows.last, last < count else { return }
    // A row that never ends must not be read forever because it is shown.
    let end = self.rows.bytes(ofRow: last).map { range, hasEnded in
      hasEnded ? range.upperBound : range.lowerBound + RowReader.rowBytes
    }
    indexing.show(upTo: end ?? 0)
  }

  /// Adopts the progress of the index, if rows may change.
  func advance() {
    isBehind = !mayChangeRows()
    guard !isBehind else { return }
    let now = indexing.indexer.index.progress
    indexing.adoptReport()
    if report.head != rows.head { posts.adopt(report.head) }
    // If the index has fewer rows, the last row is being read again; more will come soon.
    if now.rows >= rows.counted, now.end >= rows.countedEnd { adopt(now) }
    onChange?(.state)
    finishSeeking()
  }

  private func adopt(_ now: RowIndex.Progress) {
    let changed = posts.forgetPosts(changedBy: now)
    if let change = rows.adopt(now, reloading: changed) { onChange?(change) }
  }

  // MARK: Seeking

  func seek(_ target: SeekTarget) -> Bool {
    guard !progress.isComplete else { return false }
    switch target {
    case .end where !rows.isCounted: return false
    case .end: break
    case .row(let row): if row < rows.counted { return false }
    }
    indexing.beginSeek(target)
    finishSeeking()
    return seekTarget != nil
  }

  func cancelSeek() {
    guard seekTarget != nil else { return }
    indexing.endSeek()
    onChange?(.state)
  }

  private func finishSeeking() {
    guard let target = seekTarget else { return }
    let isFound =
      switch target {
      case .end: progress.isComplete || indexing.indexer.report.isDry
      case .row(let row): progress.isComplete || row < rows.counted
      }
    guard isFound else { return }
    indexing.endSeek()
    onChange?(.found(target))
  }
}
