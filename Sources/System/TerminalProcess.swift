import CChildProcess
import Glibc
import Synchronization

/// A program that was started from this one, without a shell, in its process group and on its
/// terminal: keys and the signals that they send are its own, and so is a stop of the whole group.
package final class TerminalProcess: Sendable {
  /// Nil once it has ended and its number may be another's.
  private let process: Mutex<pid_t?>

  /// Starts `words[0]`, found by `PATH`, with the other words as its arguments. It takes as long as
  /// the system needs to load the program: not for the main actor.
  ///
  /// - Parameters:
  ///   - input: the terminal's descriptor that becomes its standard input.
  ///   - output: the one that becomes its standard output and error.
  /// - Throws: `SystemFailure` where there is no such program, or it cannot be started.
  package init(
    _ words: [String], environment: [String: String], input: Int32, output: Int32
  ) throws(SystemFailure) {
    process = Mutex(
      try ChildProcess.spawn(words, environment) {
        child_process_start_on_terminal($0, $1, $2, $3, input, output)
      })
  }

  /// Waits until it has ended, on a thread of its own, which sleeps meanwhile. To be called once:
  /// who does not call it leaves an entry in the system's table of processes.
  ///
  /// - Parameter onStop: called on that thread each time the program has been stopped.
  package func ending(onStop: @escaping @Sendable () -> Void) async -> ChildProcess.Ending {
    guard let number = process.withLock({ $0 }) else { return .unknown }
    return await withCheckedContinuation { continuation in
      let isStarted = OwnThread.start { [self] in
        var isStopped: Int32 = 0
        while child_process_await_change(number, &isStopped) == 0, isStopped != 0 { onStop() }
        // Its number is its own until here.
        process.withLock { $0 = nil }
        continuation.resume(returning: ChildProcess.reap(number))
      }
      if !isStarted { continuation.resume(returning: .unknown) }
    }
  }

  /// Sends it a signal, where it has not ended.
  package func send(_ signal: Int32) {
    process.withLock { number in
      if let number { _ = kill(number, signal) }
    }
  }
}
