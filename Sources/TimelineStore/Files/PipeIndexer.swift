import Dispatch
import Feeds
import Synchronization
import System

/// Reads a pipe into a spool file, counts its rows, and holds the writer back.
///
///     pipe ──read──▶ spool ──▶ rows        waits while it is far ahead of the wanted bytes
///
/// New rows are shown as soon as no more bytes are available, or a tenth of a second after the last
/// ones: a paragraph, or a line of text, that has begun is the last row and grows.
final class PipeIndexer: RowIndexer {
  let index = RowIndex()
  private let pipe: FileBytes
  private let spool: FileBytes
  private let limit: Int
  private let readAhead: Int
  private let dryAfter: Int32
  private let queue = DispatchQueue(label: "tideline.pipe-indexer")
  private let wanted: Mutex<Wanted>
  private let more = DispatchSemaphore(value: 0)
  private let told = Mutex(RowIndexerReport())
  private let format: FeedFormat
  private let head: [UInt8]

  private struct Wanted {
    var end = 0
    var isWaiting = false
    var isStopped = false
  }

  /// The number of bytes read beyond the wanted ones. `64 MiB`.
  static let usualReadAhead = 64 << 20
  static let chunk = 256 << 10
  /// The milliseconds without a byte after which a pipe is dry. `200`.
  static let usualDryAfter: Int32 = 200

  /// - Parameters:
  ///   - head: the bytes already read of the pipe, to know its format.
  ///   - limit: the maximum size of the spool in bytes.
  ///   - readAhead: the number of bytes read beyond the wanted ones.
  ///   - dryAfter: the milliseconds without a byte after which a search for the end has found it.
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

  var report: RowIndexerReport { told.withLock { $0 } }

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

  /// Waits until more bytes are wanted and available; commits the rows before waiting.
  ///
  /// - Returns: false if the indexer was stopped.
  private func waitForMore(
    _ position: Int, _ builder: inout RowIndexBuilder, _ throttle: inout Throttle,
    _ notify: @Sendable () -> Void
  ) -> Bool {
    if throttle.passes() { commit(&builder, notify) }
    while true {
      let (isFar, isStopped) = wanted.withLock { wanted in
        // `wanted.end` may be `.max`, to which nothing can be added.
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

  /// - Parameter isWhole: whether the source has ended, and with it the last row; otherwise that
  ///   row is incomplete.
  private func end(
    _ builder: inout RowIndexBuilder, _ notify: () -> Void, isWhole: Bool,
    _ change: (inout RowIndexerReport) -> Void
  ) {
    builder.finish()
    let scanner = builder.scanner
    tell { report in
      report.head = scanner.head
      if isWhole { report.fault = scanner.fault }
      report.isReading = false
      change(&report)
    }
    // The report must be final before the index is complete.
    builder.commit(to: index, isComplete: true)
    notify()
  }

  private func tell(_ change: (inout RowIndexerReport) -> Void) { told.withLock { change(&$0) } }
}
