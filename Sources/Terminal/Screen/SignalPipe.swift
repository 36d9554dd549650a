import CTerminalRestoration
import System

/// Passes signals from their handlers to a reader.
///
/// It is opened before the terminal is changed. Until a main loop reads it, signals that would end
/// the process end it in their handlers, with the terminal restored.
struct SignalPipe {
  /// Readable when signals have come.
  let descriptor: Int32
  private let writing: Int32

  /// Takes over the signals that end or stop the process, SIGWINCH and SIGCONT.
  init() throws(TerminalError) {
    var ends: [Int32] = [-1, -1]
    guard terminal_signals_open(&ends) == 0 else { throw .system(call: "pipe", errno: errno) }
    descriptor = ends[0]
    writing = ends[1]
    terminal_signals_install(writing)
  }

  /// Sets whether signals that end the process are read from this pipe. The reader must then end
  /// the process within 0.9 s of the first one; otherwise the handler does.
  func setReadsRequests(_ reads: Bool) { terminal_signals_read(reads ? 1 : 0) }

  /// Sets whether another program has the terminal: signals from keys are then ignored.
  func setIgnoresTypedSignals(_ isLent: Bool) { terminal_signals_ignore_typed(isLent ? 1 : 0) }

  /// The signals that have come since the last call, each once.
  func take() -> [Int32] {
    var signals: [Int32] = []
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      guard count > 0 else { return }
      for byte in buffer.prefix(count) where !signals.contains(Int32(byte)) {
        signals.append(Int32(byte))
      }
    }
    return signals
  }

  /// Whether `signal` is one that stops the process.
  static func stops(_ signal: Int32) -> Bool { terminal_signal_stops(signal) != 0 }

  /// Stops the process, or its whole process group; returns when it is continued.
  static func stop(by signal: Int32, wholeGroup: Bool) {
    terminal_stop(signal, wholeGroup ? 1 : 0)
  }

  /// Restores the former dispositions of the signals.
  func release() { terminal_signals_release() }

  /// Closes both ends. Call `release()` first.
  func close() {
    Glibc.close(descriptor)
    Glibc.close(writing)
  }
}
