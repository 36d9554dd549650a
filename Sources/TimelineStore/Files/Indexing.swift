import Feeds
import Synchronization
import System
import TextLayout

/// Counts the rows of a source in the background, for the one who shows them.
protocol Indexing: AnyObject, Sendable {
  var index: RowIndex { get }
  var report: IndexingReport { get }
  /// Begins. `onProgress` is called, on any thread, after commits: at most every tenth of a second,
  /// and always before it comes to rest.
  func start(_ onProgress: @escaping @Sendable () -> Void)
  func stop()
  /// Says that bytes up to this one are wanted, or that those beyond are not wanted any more.
  func want(upTo byte: Int)
  /// Says that the file may have changed; what a pipe brings is noticed without it.
  func look()
}

extension Indexing {
  func look() {}
}

/// What an indexer has to say besides the rows.
struct IndexingReport: Sendable {
  /// What stopped or changed the reading.
  enum Trouble: Hashable, Sendable {
    case unreadable(code: Int32, byte: Int)
    /// The file is shorter than it was, in bytes; what is left of it is what it was.
    case truncated(Int)
    /// Other bytes stand in it than were read, as many in the same file.
    case rewritten
    /// Other contents were written into the same file.
    case renewed
    case replaced
    case deleted
    /// As many bytes are kept as may be.
    case spoolLimit(Int)
    case spoolFailed(code: Int32, byte: Int)
  }

  var trouble: Trouble?
  /// Whether other contents than those that were read are at the file's name.
  var isReplaced: Bool { trouble == .replaced || trouble == .renewed }
  var head = DocumentHead()
  /// What is wrong with a document outside its items.
  var fault: RowScanner.Fault?
  /// More could be read now, and is being read.
  var isReading = false
  /// Nothing comes for now, though the source has not ended.
  var isDry = false

  /// What went wrong, in words; nil where nothing did.
  var message: String? {
    switch trouble {
    case .unreadable(let code, let byte):
      "cannot be read at byte \(byte): \(SystemFailure.message(of: code))"
    case .truncated(let size):
      "the file was cut to \(size.counted("byte")) while open; r reloads it"
    case .rewritten, .renewed: "the file was written over while open; r reloads it"
    case .replaced: "another file stands there now, this is the old one; r opens it"
    case .deleted: "the file was deleted; it stays open here"
    case .spoolLimit(let size): "reading stopped at \(size >> 20) MB, the most that is kept"
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

/// Whether something is waiting to be done already.
final class QueuedFlag: Sendable {
  private let isUp = Atomic(false)

  /// - Returns: whether it was down.
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
