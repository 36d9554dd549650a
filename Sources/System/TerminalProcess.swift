import CChildProcess
import Glibc
import Synchronization

/// A child process on this process's terminal and in its process group, started without a shell: it
/// receives the keys and the signals that they send, and stops with the group.
package final class TerminalProcess: Sendable {
  /// `nil` after its end, when the number may be another process's.
  private let process: Mutex<pid_t?>

  /// Starts `words[0]`, found by `PATH`, with the other words as its arguments. Blocks until the
  /// system has loaded the program, so do not call it on the main actor.
  ///
  /// - Parameters:
  ///   - text: the content of its standard input; by default that is the terminal.
  ///   - input: the terminal's descriptor that becomes its standard input.
  ///   - output: the one that becomes its standard output and error.
  /// - Throws: `SystemFailure` if there is no such program, or it cannot be started.
  package init(
    _ words: [String], environment: [String: String], text: [UInt8] = [], input: Int32,
    output: Int32
  ) throws(SystemFailure) {
    let file = text.isEmpty ? -1 : try ChildProcess.memoryFile(of: text)
    defer { if file >= 0 { close(file) } }
    process = Mutex(
      try ChildProcess.spawn(words, environment) {
        child_process_start_on_terminal($0, $1, $2, $3, file < 0 ? input : file, output)
      })
  }

  /// Waits until the process has ended, on a thread of its own. Call it exactly once: otherwise the
  /// process stays in the system's table after its end.
  ///
  /// - Parameter onStop: called on that thread each time the program has been stopped.
  package func ending(onStop: @escaping @Sendable () -> Void) async -> ChildProcess.Ending {
    guard let number = process.withLock({ $0 }) else { return .unknown }
    return await withCheckedContinuation { continuation in
      let isStarted = DedicatedThread.start { [self] in
        var isStopped: Int32 = 0
        while child_process_await_change(number, &isStopped) == 0, isStopped != 0 { onStop() }
        // The number cannot be another process's until here.
        process.withLock { $0 = nil }
        continuation.resume(returning: ChildProcess.reap(number))
      }
      if !isStarted { continuation.resume(returning: .unknown) }
    }
  }

  /// Sends a signal, unless the process has ended.
  package func send(_ signal: Int32) {
    process.withLock { number in
      if let number { _ = kill(number, signal) }
    }
  }
}
