import Dispatch
import Feeds
import Synchronization
import System

/// Counts the rows of a regular file, and those that are appended later.
///
/// The initializer counts the first bytes, so that there are rows before the first frame; the rest
/// is counted in the background, in pieces of a megabyte. At the end of the file the indexer rests
/// until ``look()`` is called.
///
/// A file that was truncated or overwritten is not counted any further, because its known rows are
/// invalid. It has new contents (`.renewed`) once it grows after a truncation, changes again after
/// it was overwritten, or has both another size and other bytes; `.replaced` means that the path
/// names another file. Both are reported after each change until the file is opened again.
final class FileIndexer: RowIndexer {
  let index = RowIndex()
  private let file: FileBytes
  private let queue = DispatchQueue(label: "tideline.file-indexer", qos: .utility)
  private let isStopped = Atomic(false)
  private let state: Mutex<State>
  private let currentReport = Mutex(RowIndexerReport())
  private let listener = Mutex<(@Sendable () -> Void)?>(nil)
  private let path: String?

  private struct State {
    var builder: RowIndexBuilder
    /// A copy of the builder from before it treated the end of the file as the end of a row.
    var open: RowIndexBuilder?
    var position: Int
    var throttle = Throttle()
    /// Samples of the counted bytes; renewed whenever counting reaches the end of the file.
    var sample: FileFingerprint
    /// The file's stamp when it was found to be overwritten.
    var rewritten: FileStamp?

    /// Treats the end of the file as the end of a row, until more bytes come. `report` is called
    /// with the final builder before the index is visibly complete.
    mutating func finish(_ index: RowIndex, report: (RowIndexBuilder) -> Void = { _ in }) {
      var open = builder
      builder.finish()
      report(builder)
      let lastRowIsOpen = builder.rowCount > open.rowCount
      builder.commit(to: index, isComplete: true, lastRowIsOpen: lastRowIsOpen)
      // The copy must not commit the staged entries again.
      open.forgetStaged()
      self.open = open
    }
  }

  static let chunk = 1 << 20
  /// The maximum size in bytes of a file that is counted before the first frame.
  static let smallFile = 4 << 20
  /// The maximum number of bytes counted on the queue; more are counted on a thread of low
  /// priority, so that keys are not delayed.
  static let maximumQueueBytes = 4 << 20

  /// - Parameters:
  ///   - head: the first bytes of the file, including a byte order mark.
  ///   - path: the path at which the file was opened, to detect another file there.
  /// - Throws: `errno` of a read that failed.
  init(
    file: FileBytes, format: FeedFormat, head: [UInt8], path: String?
  ) throws(SystemFailure) {
    self.file = file
    self.path = path
    let mark = FeedReader.byteOrderMark(of: head)
    var builder = RowIndexBuilder(format: format, offset: mark)
    head.withUnsafeBytes { builder.consume(UnsafeRawBufferPointer(rebasing: $0[mark...])) }
    var position = head.count
    if let size = file.size, size <= Self.smallFile, position < size {
      let rest = try file.read(position..<size)
      rest.withUnsafeBytes { builder.consume($0) }
      position += rest.count
    }
    let isWhole = position >= file.size ?? .max
    var state = State(
      builder: builder, position: position, sample: try FileFingerprint(of: file, end: position))
    if isWhole { state.finish(index) } else { state.builder.commit(to: index, isComplete: false) }
    let report = Self.report(of: state.builder, isReading: !isWhole)
    self.state = Mutex(state)
    currentReport.withLock { $0 = report }
  }

  var report: RowIndexerReport { currentReport.withLock { $0 } }

  func start(_ onProgress: @escaping @Sendable () -> Void) {
    listener.withLock { $0 = onProgress }
    guard !index.progress.isComplete else { return }
    queue.async { self.run(upTo: self.file.size ?? 0) }
  }

  func stop() { isStopped.store(true, ordering: .relaxed) }

  func want(upTo byte: Int) {}

  /// Checks whether the file has changed, and counts the rows appended to it.
  func look() {
    queue.async {
      guard !self.isStopped.load(ordering: .relaxed) else { return }
      self.compare()
    }
  }

  private func compare() {
    var now = stat()
    guard fstat(file.descriptor, &now) == 0 else { return }
    let size = Int(now.st_size)
    let gone = troubleAtPath(instead: now)
    do throws(SystemFailure) {
      if let trouble = try change(to: now) { return note(gone ?? trouble) }
    } catch {
      return note(.unreadable(code: error.code, byte: 0))
    }
    note(gone)
    if size > state.withLock({ $0.position }) { run(upTo: size) }
  }

  /// How the counted bytes have changed; `nil` if they have not.
  private func change(to now: stat) throws(SystemFailure) -> RowIndexerReport.Trouble? {
    let size = Int(now.st_size)
    let (position, sample, rewritten) = state.withLock { ($0.position, $0.sample, $0.rewritten) }
    switch report.trouble {
    case .renewed: return .renewed
    case .truncated(let old): return size > old ? .renewed : .truncated(size)
    case .rewritten: return FileStamp(now) == rewritten ? .rewritten : .renewed
    default: break
    }
    guard try isOverwritten(sample, size: size) else {
      return size < position ? .truncated(size) : nil
    }
    if size != position { return .renewed }
    state.withLock { $0.rewritten = FileStamp(now) }
    return .rewritten
  }

  /// `.replaced` if the path now leads to another file, `.deleted` if it leads to none.
  private func troubleAtPath(instead file: stat) -> RowIndexerReport.Trouble? {
    guard let path else { return nil }
    var there = stat()
    guard stat(path, &there) == 0 else { return .deleted }
    return there.st_ino != file.st_ino || there.st_dev != file.st_dev ? .replaced : nil
  }

  private func note(_ trouble: RowIndexerReport.Trouble?) {
    guard trouble != report.trouble || report.isReplaced else { return }
    updateReport { $0.trouble = trouble }
    notify()
  }

  private func run(upTo size: Int) {
    if size - state.withLock({ $0.position }) > Self.maximumQueueBytes {
      // On a separate thread: a queue's thread does other work afterwards, and Linux does not let a
      // thread lower its niceness again.
      let done = DispatchSemaphore(value: 0)
      let isStarted = DedicatedThread.start(niceness: WorkerThreads.backgroundNiceness) {
        self.count()
        done.signal()
      }
      if isStarted { return done.wait() }
    }
    count()
  }

  private func count() {
    state.withLock { state in
      if let open = state.open {
        state.builder = open
        state.open = nil
      }
    }
    updateReport { $0.isReading = true }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
    defer { buffer.deallocate() }
    while !isStopped.load(ordering: .relaxed) {
      let position = state.withLock { $0.position }
      let got: Int
      do throws(SystemFailure) {
        got = try file.read(into: buffer, at: position)
      } catch {
        updateReport { $0.trouble = .unreadable(code: error.code, byte: position) }
        return end()
      }
      guard got > 0 else { return end() }
      let isDue = state.withLock { state in
        state.builder.consume(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
        state.position += got
        guard state.throttle.passes() else { return false }
        state.builder.commit(to: index, isComplete: false)
        return true
      }
      if isDue { notify() }
    }
  }

  private func end() {
    let size = file.size ?? 0
    let position = state.withLock { $0.position }
    takeSample(position)
    state.withLock { state in
      state.finish(index) { builder in
        let report = Self.report(of: builder, isReading: false)
        updateReport {
          ($0.head, $0.fault, $0.isReading) = (report.head, report.fault, false)
          if position < size, $0.trouble == nil { $0.trouble = .truncated(position) }
        }
      }
    }
    notify()
  }

  /// Checks that the bytes sampled before are unchanged, and samples the bytes counted by now, up
  /// to `position`.
  private func takeSample(_ position: Int) {
    let old = state.withLock { $0.sample }
    do throws(SystemFailure) {
      if try isOverwritten(old, size: .max) {
        updateReport { $0.trouble = $0.trouble ?? .rewritten }
      }
      let sample = try FileFingerprint(of: file, end: position)
      state.withLock { $0.sample = sample }
    } catch {
      updateReport { $0.trouble = .unreadable(code: error.code, byte: 0) }
    }
  }

  /// Whether the sampled bytes have changed in a file that had `size` bytes a moment ago. Bytes
  /// that were cut off since then are missing, not changed: the next look finds the cut.
  private func isOverwritten(
    _ sample: FileFingerprint, size: Int
  ) throws(SystemFailure) -> Bool {
    var size = size
    while try sample.differs(from: file, size: size) {
      var now = stat()
      guard fstat(file.descriptor, &now) == 0, Int(now.st_size) < size else { return true }
      size = Int(now.st_size)
    }
    return false
  }

  private func updateReport(_ change: (inout RowIndexerReport) -> Void) {
    currentReport.withLock { change(&$0) }
  }

  private func notify() {
    guard !isStopped.load(ordering: .relaxed) else { return }
    listener.withLock { $0 }?()
  }

  private static func report(of builder: RowIndexBuilder, isReading: Bool) -> RowIndexerReport {
    var report = RowIndexerReport()
    report.head = builder.scanner.head
    report.fault = builder.scanner.fault
    report.isReading = isReading
    return report
  }
}
