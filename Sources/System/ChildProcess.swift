import CChildProcess
import Glibc
import Synchronization

/// A program started from this one, without a shell and without the terminal: in a session of its
/// own, so that no key, no signal of the terminal and no end of this program reaches it.
package final class ChildProcess: Sendable {
  /// How the process ended.
  package enum Ending: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)
    /// The system does not report it.
    case unknown
  }

  /// `nil` after its end, when the number may be another process's.
  private let process: Mutex<pid_t?>

  /// Starts `words[0]`, found by `PATH`, with the other words as its arguments. Blocks until the
  /// system has loaded the program, so do not call it on the main actor.
  ///
  /// - Parameter input: the content of its standard input; empty by default.
  /// - Throws: `SystemFailure` if there is no such program, or it cannot be started.
  package convenience init(
    _ words: [String], environment: [String: String], input: [UInt8] = []
  ) throws(SystemFailure) {
    try self.init(words, environment: environment, input: input, output: -1, errors: -1)
  }

  /// The same with descriptors that become its standard output and error; -1 discards what it
  /// writes.
  init(
    _ words: [String], environment: [String: String], input: [UInt8], output: Int32, errors: Int32
  ) throws(SystemFailure) {
    let descriptor = input.isEmpty ? -1 : try Self.memoryFile(of: input)
    defer { if descriptor >= 0 { close(descriptor) } }
    process = Mutex(
      try Self.spawn(words, environment) {
        child_process_start($0, $1, $2, $3, descriptor, output, errors)
      })
  }

  /// Starts a program, given the place for its process number, its file, arguments and environment.
  typealias Spawning = (
    _ process: UnsafeMutablePointer<pid_t>, _ file: String,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
    _ environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) -> Int32

  /// - Returns: the process number of the program that `start` has started.
  /// - Throws: `SystemFailure` if it could not be started.
  static func spawn(
    _ words: [String], _ environment: [String: String], by start: Spawning
  ) throws(SystemFailure) -> pid_t {
    guard let file = words.first, !file.isEmpty, !words.contains(where: { $0.utf8.contains(0) })
    else { throw SystemFailure(code: EINVAL) }
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let problem = start(&process, file, &arguments, &variables)
    guard problem == 0 else { throw SystemFailure(code: problem) }
    return process
  }

  /// A file in memory that holds `bytes`, to be read from its beginning; the caller closes it.
  static func memoryFile(of bytes: [UInt8]) throws(SystemFailure) -> Int32 {
    let descriptor = child_process_memory_file()
    guard descriptor >= 0 else { throw SystemFailure(code: errno) }
    do throws(SystemFailure) {
      try Output.write(bytes, to: descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }

  /// Waits until the process has ended, on a thread of its own. Call it exactly once: otherwise the
  /// process stays in the system's table after its end.
  package func ending() async -> Ending {
    guard let number = process.withLock({ $0 }) else { return .unknown }
    return await withCheckedContinuation { continuation in
      let isStarted = DedicatedThread.start { [self] in
        _ = child_process_await_end(number)
        // The number cannot be another process's until here.
        process.withLock { $0 = nil }
        continuation.resume(returning: Self.reap(number))
      }
      if !isStarted { continuation.resume(returning: .unknown) }
    }
  }

  /// Kills the process and the programs that it has started, unless it has ended.
  package func kill() {
    process.withLock { number in
      // It leads a session of its own, and so a process group.
      if let number { _ = Glibc.kill(-number, SIGKILL) }
    }
  }

  /// Waits for the end of a child process and removes it from the system's table.
  static func reap(_ process: pid_t) -> Ending {
    var status: Int32 = 0
    guard child_process_wait(process, &status) == 0 else { return .unknown }
    let signal = status & 0x7F
    return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
  }
}

extension SystemFailure {
  /// Whether there is no such file.
  package var isMissingFile: Bool { code == ENOENT }
}
