import Dispatch
import Feeds
import Synchronization
import System

/// Counts the rows of a regular file, and those it grows by.
///
/// The first piece is counted when it is made, so that rows are there before the first frame; the
/// rest in the background, in pieces of a megabyte. At the file's end it rests until ``look()`` is
/// called.
///
/// A file that is cut or written over is not counted any further: what is known of it holds no
/// longer. If it is written to after that, it has other contents (`.renewed`), as have a file of
/// another size with other bytes and another file of the same name (`.replaced`): that is reported
/// again after each change, until whoever shows the file has opened it again.
final class FileIndexer: Indexing {
  let index = RowIndex()
  private let file: FileBytes
  private let queue = DispatchQueue(label: "tideline.file-indexer", qos: .utility)
  private let isStopped = Atomic(false)
  private let state: Mutex<State>
  private let told = Mutex(IndexingReport())
  private let listener = Mutex<(@Sendable () -> Void)?>(nil)
  private let path: String?

  private struct State {
    var builder: RowIndexBuilder
    /// As it was before the end was taken for a row's.
    var open: RowIndexBuilder?
    var position: Int
    var throttle = Throttle()
    /// What stood in the first bytes when they were counted, in all of them once they are.
    var sample: FileSample
    /// The file when it was found to be written over.
    var rewritten: FileStamp?

    /// Takes the end for a row's, until more comes. What there is to say of the whole is said
    /// before anybody can see that it is complete.
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
  /// A file so small is counted before the first frame.
  static let smallFile = 4 << 20
  /// So much is counted at once; more on a thread that gives way to keys.
  static let quickPiece = 4 << 20
  /// How far that gives way.
  private static let niceness: Int32 = 10

  /// - Parameters:
  ///   - head: the first bytes of the file, a byte order mark included.
  ///   - path: where the file was opened, to see whether another one stands there now.
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
      builder: builder, position: position, sample: try FileSample(of: file, end: position))
    if isWhole { state.finish(index) } else { state.builder.commit(to: index, isComplete: false) }
    let report = Self.report(of: state.builder, isReading: !isWhole)
    self.state = Mutex(state)
    told.withLock { $0 = report }
  }

  var report: IndexingReport { told.withLock { $0 } }

  func start(_ onProgress: @escaping @Sendable () -> Void) {
    listener.withLock { $0 = onProgress }
    guard !index.progress.isComplete else { return }
    queue.async { self.run(upTo: self.file.size ?? 0) }
  }

  func stop() { isStopped.store(true, ordering: .relaxed) }

  func want(upTo byte: Int) {}

  /// Looks what has become of the file, and counts what it has grown by.
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
    let gone = whatStandsThere(instead: now)
    do throws(SystemFailure) {
      if let trouble = try change(to: now) { return note(gone ?? trouble) }
    } catch {
      return note(.unreadable(code: error.code, byte: 0))
    }
    note(gone)
    if size > state.withLock({ $0.position }) { run(upTo: size) }
  }

  /// What has become of the bytes that are counted; nil where they stand as they did.
  private func change(to now: stat) throws(SystemFailure) -> IndexingReport.Trouble? {
    let size = Int(now.st_size)
    let (position, sample, rewritten) = state.withLock { ($0.position, $0.sample, $0.rewritten) }
    switch report.trouble {
    case .renewed: return .renewed
    case .truncated(let old): return size > old ? .renewed : .truncated(size)
    case .rewritten: return FileStamp(now) == rewritten ? .rewritten : .renewed
    default: break
    }
    guard try sample.differs(from: file, size: size) else {
      return size < position ? .truncated(size) : nil
    }
    if size != position { return .renewed }
    state.withLock { $0.rewritten = FileStamp(now) }
    return .rewritten
  }

  /// Whether the path leads to another file than this one, or to none.
  private func whatStandsThere(instead file: stat) -> IndexingReport.Trouble? {
    guard let path else { return nil }
    var there = stat()
    guard stat(path, &there) == 0 else { return .deleted }
    return there.st_ino != file.st_ino || there.st_dev != file.st_dev ? .replaced : nil
  }

  private func note(_ trouble: IndexingReport.Trouble?) {
    guard trouble != report.trouble || report.isReplaced else { return }
    tell { $0.trouble = trouble }
    notify()
  }

  private func run(upTo size: Int) {
    if size - state.withLock({ $0.position }) > Self.quickPiece {
      // On a thread of its own that gives way: one of a queue serves others afterwards, and on
      // Linux none that has once given way can be made urgent again.
      let done = DispatchSemaphore(value: 0)
      let isStarted = OwnThread.start(niceness: Self.niceness) {
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

  /// The bytes up to `position` are counted: they must still be the ones they were, and stay so.
  private func takeSample(_ position: Int) {
    let old = state.withLock { $0.sample }
    do throws(SystemFailure) {
      if try old.differs(from: file) { tell { $0.trouble = $0.trouble ?? .rewritten } }
      let sample = try FileSample(of: file, end: position)
      state.withLock { $0.sample = sample }
    } catch {
      tell { $0.trouble = .unreadable(code: error.code, byte: 0) }
    }
  }

  private func tell(_ change: (inout IndexingReport) -> Void) { told.withLock { change(&$0) } }

  private func notify() {
    guard !isStopped.load(ordering: .relaxed) else { return }
    listener.withLock { $0 }?()
  }

  private static func report(of builder: RowIndexBuilder, isReading: Bool) -> IndexingReport {
    var report = IndexingReport()
    report.head = builder.scanner.head
    report.fault = builder.scanner.fault
    report.isReading = isReading
    return report
  }
}
