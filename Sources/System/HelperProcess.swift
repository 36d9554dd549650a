import CChildProcess
import Dispatch
import Glibc
import Synchronization

/// A helper program, with a thread that waits for its end: it never stays behind as a zombie, and
/// can be killed at any time without killing another process.
///
/// The same thread starts it and lives as long as it does: on Linux a process that asks to be
/// killed with its parent is killed with the thread that started it.
package final class HelperProcess: Sendable {
  /// The process ID; `nil` after its end, when the system may reuse it.
  private let process = Mutex<pid_t?>(nil)
  private let startFailure = Mutex<SystemFailure?>(nil)
  private let end = Mutex(ChildProcess.Ending.unknown)
  private let isOver = DispatchSemaphore(value: 0)

  /// Starts the program at `path`, without arguments, in a session of its own.
  ///
  /// - Parameters:
  ///   - path: absolute; it is not searched for.
  ///   - input: the descriptor that becomes its standard input; its output and error go to
  ///     `/dev/null`.
  /// - Throws: `SystemFailure` if it cannot be started.
  package init(
    path: String, environment: [String: String], input: Int32
  ) throws(SystemFailure) {
    guard path.utf8.first == UInt8(ascii: "/") else { throw SystemFailure(code: EINVAL) }
    let hasBegun = DispatchSemaphore(value: 0)
    let isStarted = DedicatedThread.start { [self] in
      do throws(SystemFailure) {
        let number = try ChildProcess.spawn([path], environment) {
          child_process_start($0, $1, $2, $3, input, -1, -1)
        }
        process.withLock { $0 = number }
        hasBegun.signal()
        attend(number)
      } catch {
        startFailure.withLock { $0 = error }
        hasBegun.signal()
      }
      isOver.signal()
    }
    guard isStarted else { throw SystemFailure(code: EAGAIN) }
    hasBegun.wait()
    if let failure = startFailure.withLock({ $0 }) { throw failure }
  }

  private func attend(_ number: pid_t) {
    _ = child_process_await_end(number)
    // Until it is reaped below, the process ID cannot be reused.
    process.withLock { $0 = nil }
    end.withLock { $0 = ChildProcess.reap(number) }
  }

  /// The process ID; `nil` after its end.
  package var number: pid_t? { process.withLock { $0 } }

  /// Kills it, unless it has ended.
  package func kill() {
    process.withLock { number in
      if let number { _ = Glibc.kill(number, SIGKILL) }
    }
  }

  /// Blocks until the program has ended: call it only after killing it or asking it to end.
  package func ending() -> ChildProcess.Ending {
    isOver.wait()
    isOver.signal()
    return end.withLock { $0 }
  }
}
