import CChildProcess
import Dispatch
import Glibc
import Synchronization

/// A program that works for this one, and has a thread here that waits for its end: it never stays
/// behind as a dead entry in the system's table, and can be killed at any time without killing
/// another.
///
/// The same thread starts it and lives as long as it does: on Linux what asks to be killed with its
/// parent is killed with the thread that started it.
package final class AttendedProcess: Sendable {
  /// Nil once it has ended and its number may be another's.
  private let process = Mutex<pid_t?>(nil)
  private let start = Mutex<SystemFailure?>(nil)
  private let end = Mutex(ChildProcess.Ending.unknown)
  private let isOver = DispatchSemaphore(value: 0)

  /// Starts the program at `path`, without arguments, in a session of its own.
  ///
  /// - Parameters:
  ///   - path: absolute; nothing is looked for.
  ///   - input: the descriptor that becomes its standard input; it has no other but those to
  ///     nowhere.
  /// - Throws: `SystemFailure` where it cannot be started.
  package init(
    path: String, environment: [String: String], input: Int32
  ) throws(SystemFailure) {
    guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
      throw SystemFailure(code: EINVAL)
    }
    let hasBegun = DispatchSemaphore(value: 0)
    let isStarted = OwnThread.start { [self] in
      do throws(SystemFailure) {
        let number = try Self.spawn(path, environment, input)
        process.withLock { $0 = number }
        hasBegun.signal()
        attend(number)
      } catch {
        start.withLock { $0 = error }
        hasBegun.signal()
      }
      isOver.signal()
    }
    guard isStarted else { throw SystemFailure(code: EAGAIN) }
    hasBegun.wait()
    if let failure = start.withLock({ $0 }) { throw failure }
  }

  private static func spawn(
    _ path: String, _ environment: [String: String], _ input: Int32
  ) throws(SystemFailure) -> pid_t {
    var arguments = [strdup(path), nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let problem = child_process_start(&process, path, &arguments, &variables, input)
    guard problem == 0 else { throw SystemFailure(code: problem) }
    return process
  }

  private func attend(_ number: pid_t) {
    _ = child_process_await_end(number)
    // Its number is its own until here.
    process.withLock { $0 = nil }
    end.withLock { $0 = ChildProcess.reap(number) }
  }

  /// Its number; nil where it has ended.
  package var number: pid_t? { process.withLock { $0 } }

  /// Ends it at once, where it has not ended.
  package func kill() {
    process.withLock { number in
      if let number { _ = Glibc.kill(number, SIGKILL) }
    }
  }

  /// Waits until it has ended: for those who have told it to, or killed it.
  package func ending() -> ChildProcess.Ending {
    isOver.wait()
    isOver.signal()
    return end.withLock { $0 }
  }
}
