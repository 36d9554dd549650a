import Dispatch
import Feeds
import Synchronization
import System

/// Counts the rows of a regular file, and those that are appended later.
///
/// The first piece is counted by the initializer, so that there are rows before the first frame;
/// the rest in the background, in pieces of a megabyte. At the end of the file the indexer rests
/// until ``look()`` is called.
///
/// A file that is cut or overwritten is not counted any further, because its known rows are
/// invalid. If it is then written to, it has new contents (`.renewed`), as has a file of another
/// size with other bytes; `.replaced` means another file of the same name. Both are reported after
/// each change until the file is opened again.
final class FileIndexer: RowIndexer {
  let index = RowIndex()
  private let file: FileBytes
  private let queue = DispatchQueue(label: "tideline.file-indexer", qos: .utility)
  private let isStopped = Atomic(false)
  private let state: Mutex<State>
  private let told = Mutex(RowIndexerReport())
  private let listener = Mutex<(@Sendable () -> Void)?>(nil)
  private let path: String?

  private struct State {
    var builder: RowIndexBuilder
    /// The builder before the end of the file was taken for the end of a row.
    var open: RowIndexBuilder?
    var position: Int
    var throttle = Throttle()
    /// A sample of the first bytes when they were counted; of all bytes once these are counted.
    var sample: FileFingerprint
    /// The stamp of the file when it was found to be overwritten.
    var rewritten: FileStamp?

    /// Takes the end of the file for the end of a row, until more bytes come. `say` may report on
    /// the whole file before the index is visibly complete.
    mutating func finish(_ index: RowIndex, saying say: (RowIndexBuilder) -> Void = { _ in }) {
      var open = builder
      builder.finish()
      say(builder)
      let lastRowIsOpen = builder.rowCount > open.rowCount
      builder.commit(to: index, isComplete: true, lastRowIsOpen: lastRowIsOpen)
      // What was committed must not be staged again by the copy.
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
  ///   - path: the path at which the file was opened, to notice another file there.
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
    told.withLock { $0 = report }
  }

  var report: RowIndexerReport { told.withLock { $0 } }

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

  /// Whether the path leads to another file than this one, or to none.
  private func troubleAtPath(instead file: stat) -> RowIndexerReport.Trouble? {
    guard let path else { return nil }
    var there = stat()
    guard stat(path, &there) == 0 else { return .deleted }
    return there.st_ino != file.st_ino || there.st_dev != file.st_dev ? .replaced : nil
  }

  private func note(_ trouble: RowIndexerReport.Trouble?) {
    guard trouble != report.trouble || report.isReplaced else { return }
    tell { $0.trouble = trouble }
    notify()
  }

  private func run(upTo size: Int) {
    if size - state.withLock({ $0.position }) > Self.maximumQueueBytes {
      // On a separate thread: one of a queue does other work afterwards, and Linux does not let a
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
    tell { $0.isReading = true }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
    defer { buffer.deallocate() }
    while !isStopped.load(ordering: .relaxed) {
      let position = state.withLock { $0.position }
      let got: Int
      do throws(SystemFailure) {
        got = try file.read(into: buffer, at: position)
      } catch {
        tell { $0.trouble = .unreadable(code: error.code, byte: position) }
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
        tell {
          ($0.head, $0.fault, $0.isReading) = (report.head, report.fault, false)
          if position < size, $0.trouble == nil { $0.trouble = .truncated(position) }
        }
      }
    }
    notify()
  }

  /// Checks that the bytes sampled before are unchanged, and samples the bytes up to `position`,
  /// which are counted now.
  private func takeSample(_ position: Int) {
    let old = state.withLock { $0.sample }
    do throws(SystemFailure) {
      if try isOverwritten(old, size: .max) { tell { $0.trouble = $0.trouble ?? .rewritten } }
      let sample = try FileFingerprint(of: file, end: position)
      state.withLock { $0.sample = sample }
    } catch {
      tell { $0.trouble = .unreadable(code: error.code, byte: 0) }
    }
  }

  /// Whether the sampled bytes have changed in a file that had `size` bytes a moment ago. Bytes that were
  /// cut off since then are missing, not changed: the next look finds the cut.
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

  private func tell(_ change: (inout RowIndexerReport) -> Void) { told.withLock { change(&$0) } }

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
