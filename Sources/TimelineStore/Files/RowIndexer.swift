import Feeds
import Synchronization
import System
import TextLayout

/// Counts the rows of a source in the background.
protocol RowIndexer: AnyObject, Sendable {
  var index: RowIndex { get }
  var report: RowIndexerReport { get }
  /// Starts counting. `onProgress` is called on any thread after commits: at most every tenth of a
  /// second while there are bytes, and before the indexer waits for more or comes to rest.
  func start(_ onProgress: @escaping @Sendable () -> Void)
  func stop()
  /// Requests the bytes up to this one, and no longer those beyond.
  func want(upTo byte: Int)
  /// Reports that the file may have changed; not needed for a pipe.
  func look()
}

extension RowIndexer {
  func look() {}
}

/// The state of an indexer besides the rows.
struct RowIndexerReport: Sendable {
  /// An event that has stopped reading or invalidated the rows.
  enum Trouble: Hashable, Sendable {
    case unreadable(code: Int32, byte: Int)
    /// The file was cut to this size in bytes; the rest is unchanged.
    case truncated(Int)
    /// The same file has other bytes than were read, but as many.
    case rewritten
    /// The same file was given new contents.
    case renewed
    case replaced
    case deleted
    /// The spool has its maximum size.
    case spoolLimit(Int)
    case spoolFailed(code: Int32, byte: Int)
  }

  var trouble: Trouble?
  /// Whether the file's path now has other contents than were read.
  var isReplaced: Bool { trouble == .replaced || trouble == .renewed }
  var head = DocumentHead()
  /// A fault of the document outside its items.
  var fault: RowScanner.Fault?
  /// Whether bytes are being read.
  var isReading = false
  /// Whether no bytes have come for a while although the source has not ended.
  var isDry = false

  /// The message of the trouble or fault; `nil` if there is none.
  var message: String? {
    switch trouble {
    case .unreadable(let code, let byte):
      "cannot be read at byte \(byte): \(SystemFailure.message(of: code))"
    case .truncated(let size):
      "the file was cut to \(size.counted("byte")) while open; r reloads it"
    case .rewritten, .renewed: "the file was written over while open; r reloads it"
    case .replaced: "another file stands there now, this is the old one; r opens it"
    case .deleted: "the file was deleted; it stays open here"
    case .spoolLimit(let size): "reading stopped at \(size.formattedBytes), the most that is kept"
    case .spoolFailed(let code, let byte):
      "reading stopped at byte \(byte), it cannot be kept: \(SystemFailure.message(of: code))"
    case nil:
      fault.map { fault in
        switch fault.place {
        case .byte(let byte): "damaged: \(fault.reason) at byte \(byte)"
        case .line(let line): "damaged in line \(line): \(fault.reason)"
        }
      }
    }
  }
}

/// Whether a task is already queued.
final class QueuedFlag: Sendable {
  private let isUp = Atomic(false)

  /// - Returns: whether the flag was down.
  func raise() -> Bool { !isUp.exchange(true, ordering: .acquiringAndReleasing) }
  func lower() { isUp.store(false, ordering: .releasing) }
}

/// Lets a call through at most every tenth of a second.
struct Throttle: Sendable {
  private var next = ContinuousClock.now

  mutating func passes() -> Bool {
    let now = ContinuousClock.now
    guard now >= next else { return false }
    next = now + .milliseconds(100)
    return true
  }
}
