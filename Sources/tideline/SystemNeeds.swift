import CProcessStart

/// What a run needs of the system at least, looked at before it begins: where it is lacking later
/// on, libraries end the process or wait for ever.
struct SystemNeeds {
  /// Bytes of memory.
  let memory: Int
  /// Files open at a time, besides those that are.
  let files: Int
  let threads: Int

  /// For anything at all.
  static let least = SystemNeeds(memory: 8 << 20, files: 3, threads: 1)
  /// For a screen: the terminal, signals, what ncurses writes, the main queue, a file and its
  /// watch, the queues' events and times, and what is kept of standard error.
  static let screen = SystemNeeds(memory: 16 << 20, files: 14, threads: 6)
  /// Bytes of stack for the main thread: several times what the layout of a screen takes.
  static let stack = 512 << 10

  /// - Throws: `Failure` where something is lacking.
  func check() throws(Failure) {
    let lack: String
    switch process_lack_of(memory, Int32(files), Int32(threads)) {
    case process_lacks_memory:
      lack = "not enough memory: \(memory >> 20) MiB more needed (ulimit -v, -d)"
    case process_lacks_files:
      lack = "too few files may be open: \(files) more needed (ulimit -n)"
    case process_lacks_threads:
      lack = "too few threads may run: \(threads) more needed (ulimit -u)"
    default: return
    }
    throw Failure(message: lack, status: Program.Status.systemError)
  }

  /// - Parameter stack: bytes that the stack of the main thread may have.
  /// - Throws: `Failure`.
  static func check(stack: Int) throws(Failure) {
    guard stack < Self.stack else { return }
    throw Failure(
      message: """
        the stack is too small: it may have \(stack >> 10) KiB, and \(Self.stack >> 10) are needed \
        (ulimit -s)
        """, status: Program.Status.systemError)
  }
}
