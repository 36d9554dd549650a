import Dispatch
import Feeds
import Synchronization
import System

/// Reads a pipe into a spool file, counts its rows, and holds the writer back.
///
///     pipe ──read──▶ spool ──▶ rows        waits while it is far ahead of what is wanted
///
/// What has come shows as soon as nothing more is there to be read, or a tenth of a second after
/// what was shown before: a paragraph, or a line of text, that has begun is the last row and grows.
final class PipeIndexer: Indexing {
  let index = RowIndex()
  private let pipe: FileBytes
  private let spool: FileBytes
  private let limit: Int
  private let readAhead: Int
  private let dryAfter: Int32
  private let queue = DispatchQueue(label: "tideline.pipe-indexer")
  private let wanted: Mutex<Wanted>
  private let more = DispatchSemaphore(value: 0)
  private let told = Mutex(IndexingReport())
  private let format: FeedFormat
  private let head: [UInt8]

  private struct Wanted {
    var end = 0
    var isWaiting = false
    var isStopped = false
  }

  /// Bytes that are read beyond those wanted. `64 MB`.
  static let usualReadAhead = 64 << 20
  static let chunk = 256 << 10
  /// A pipe that brings nothing for so many milliseconds is dry. `200`.
  static let usualDryAfter: Int32 = 200

  /// - Parameters:
  ///   - head: what was read of the pipe already, to know its format.
  ///   - limit: bytes that the spool may hold.
  ///   - readAhead: bytes that are read beyond those wanted.
  ///   - dryAfter: milliseconds without a byte after which a search for the end has found it.
  init(
    pipe: FileBytes, format: FeedFormat, head: [UInt8], spool: FileBytes,
    limit: Int = SpoolFile.limit, readAhead: Int = PipeIndexer.usualReadAhead,
    dryAfter: Int32 = PipeIndexer.usualDryAfter
  ) {
    self.pipe = pipe
    self.format = format
    self.head = head
    self.spool = spool
    self.limit = limit
    self.readAhead = readAhead
    self.dryAfter = dryAfter
    wanted = Mutex(Wanted())
  }

  var report: IndexingReport { told.withLock { $0 } }

  func start(_ onProgress: @escaping @Sendable () -> Void) {
    queue.async { self.run(onProgress) }
  }

  func stop() {
    wanted.withLock { $0.isStopped = true }
    more.signal()
  }

  func want(upTo byte: Int) {
    let wakes = wanted.withLock { wanted in
      wanted.end = byte
      defer { wanted.isWaiting = false }
      return wanted.isWaiting
    }
    if wakes { more.signal() }
  }

  private func run(_ notify: @Sendable () -> Void) {
    let mark = FeedReader.byteOrderMark(of: head)
    var builder = RowIndexBuilder(format: format, offset: mark)
    var throttle = Throttle()
    var position = 0
    var next = head
    var skipped = mark
    while true {
      let room = min(next.count, limit - position)
      let (count, code) = next.withUnsafeBytes { bytes in
        spool.write(UnsafeRawBufferPointer(rebasing: bytes[..<room]), at: position)
      }
      next.withUnsafeBytes { bytes in
        let first = min(skipped, count)
        builder.consume(UnsafeRawBufferPointer(rebasing: bytes[first..<count]))
        skipped -= first
      }
      position += count
      if let code {
        return end(&builder, notify, isWhole: false) {
          $0.trouble = .spoolFailed(code: code, byte: position)
        }
      }
      guard position < limit else {
        return end(&builder, notify, isWhole: false) { $0.trouble = .spoolLimit(position) }
      }
      guard waitForMore(position, &builder, &throttle, notify) else { return }
      switch pipe.readNow(atMost: Self.chunk) {
      case .bytes(let bytes):
        next = bytes
        tell { ($0.isReading, $0.isDry) = (true, false) }
      case .end: return end(&builder, notify, isWhole: true) { $0.isDry = false }
      case .failed(let code):
        return end(&builder, notify, isWhole: false) {
          $0.trouble = .unreadable(code: code, byte: position)
        }
      }
    }
  }

  /// Waits until more is wanted and until there is more, and lets it be known before that.
  ///
  /// - Returns: false when it is to stop.
  private func waitForMore(
    _ position: Int, _ builder: inout RowIndexBuilder, _ throttle: inout Throttle,
    _ notify: @Sendable () -> Void
  ) -> Bool {
    if throttle.passes() { commit(&builder, notify) }
    while true {
      let (isFar, isStopped) = wanted.withLock { wanted in
        // What is wanted may be everything, beyond which nothing can be counted.
        wanted.isWaiting = position - readAhead >= wanted.end
        return (wanted.isWaiting, wanted.isStopped)
      }
      if isStopped { return false }
      guard isFar else { break }
      tell { $0.isReading = false }
      commit(&builder, notify)
      more.wait()
    }
    guard !hasMore(within: 0) else { return true }
    commit(&builder, notify)
    guard !hasMore(within: dryAfter) else { return true }
    tell { ($0.isReading, $0.isDry) = (false, true) }
    commit(&builder, notify)
    return true
  }

  private func hasMore(within milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: pipe.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) != 0
  }

  private func commit(_ builder: inout RowIndexBuilder, _ notify: () -> Void) {
    let head = builder.scanner.head
    tell { if $0.head != head { $0.head = head } }
    builder.commitWithOpenRow(to: index)
    notify()
  }

  /// - Parameter isWhole: the source has ended, and with it its last row; else that row is broken
  ///   off.
  private func end(
    _ builder: inout RowIndexBuilder, _ notify: () -> Void, isWhole: Bool,
    _ change: (inout IndexingReport) -> Void
  ) {
    builder.finish()
    let scanner = builder.scanner
    tell { report in
      report.head = scanner.head
      if isWhole { report.fault = scanner.fault }
      report.isReading = false
      change(&report)
    }
    // Whoever sees that it is complete finds what there is to say of the whole.
    builder.commit(to: index, isComplete: true)
    notify()
  }

  private func tell(_ change: (inout IndexingReport) -> Void) { told.withLock { change(&$0) } }
}
