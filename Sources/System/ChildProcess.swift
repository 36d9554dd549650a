import CChildProcess
import Glibc
import Synchronization

/// A program started from this one, without a shell: either detached, in a session of its own, so
/// that neither keys nor terminal signals nor the end of this program affect it; or on the terminal
/// and in the process group of this process, so that it receives the keys and the signals that they
/// send, and stops with the group.
package final class ChildProcess: Sendable {
  /// How the process ended.
  package enum Ending: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)
    /// The system does not report it, or no thread could be started to wait for it.
    case unknown
  }

  /// The process ID; `nil` after its end, when the system may reuse it.
  private let process: Mutex<pid_t?>
  /// Whether it is detached, and so leads a process group.
  private let leadsGroup: Bool

  /// Starts `words[0]` detached, found by `PATH`, with the other words as its arguments. Blocks
  /// until the system has loaded the program, so do not call it on the main actor.
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
    leadsGroup = true
    process = Mutex(
      try Self.spawn(words, environment) {
        child_process_start($0, $1, $2, $3, descriptor, output, errors)
      })
  }

  /// Starts a program on the terminal.
  ///
  /// - Parameters:
  ///   - text: the content of its standard input; if it is empty, that is the terminal.
  ///   - input: the terminal's descriptor that becomes its standard input.
  ///   - output: the terminal's descriptor that becomes its standard output and error.
  /// - Throws: `SystemFailure` if there is no such program, or it cannot be started.
  package init(
    onTerminal words: [String], environment: [String: String], text: [UInt8], input: Int32,
    output: Int32
  ) throws(SystemFailure) {
    let file = text.isEmpty ? -1 : try Self.memoryFile(of: text)
    defer { if file >= 0 { close(file) } }
    leadsGroup = false
    process = Mutex(
      try Self.spawn(words, environment) {
        child_process_start_on_terminal($0, $1, $2, $3, file < 0 ? input : file, output)
      })
  }

  /// Starts a program and stores its process ID in `process`; returns 0 or an `errno`.
  typealias Spawning = (
    _ process: UnsafeMutablePointer<pid_t>, _ file: String,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
    _ environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) -> Int32

  /// - Returns: the process ID of the program that `start` has started.
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
  private static func memoryFile(of bytes: [UInt8]) throws(SystemFailure) -> Int32 {
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
  /// process stays behind as a zombie after its end.
  ///
  /// - Parameter onStop: called on that thread each time the program has been stopped.
  package func ending(onStop: @escaping @Sendable () -> Void = {}) async -> Ending {
    guard let number = process.withLock({ $0 }) else { return .unknown }
    return await withCheckedContinuation { continuation in
      let isStarted = DedicatedThread.start { [self] in
        var isStopped: Int32 = 0
        while child_process_await_change(number, &isStopped) == 0, isStopped != 0 { onStop() }
        // Until it is reaped below, the process ID cannot be reused.
        process.withLock { $0 = nil }
        continuation.resume(returning: Self.reap(number))
      }
      if !isStarted { continuation.resume(returning: .unknown) }
    }
  }

  /// Sends a signal, unless the process has ended: to its process group if it is detached,
  /// otherwise to the process alone.
  package func send(_ signal: Int32) {
    process.withLock { number in
      if let number { _ = Glibc.kill(leadsGroup ? -number : number, signal) }
    }
  }

  /// Kills the processes that ``send(_:)`` reaches.
  package func kill() { send(SIGKILL) }

  /// Waits for the end of a child process and reaps it.
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
