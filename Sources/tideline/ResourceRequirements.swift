import CProcessStart

/// The minimum resources of a run, checked at its start: if they run out later, libraries end the
/// process or wait forever.
struct ResourceRequirements {
  /// The memory in bytes.
  let memory: Int
  /// The number of files that can be opened in addition.
  let files: Int
  let threads: Int

  /// For any run.
  static let least = ResourceRequirements(memory: 8 << 20, files: 3, threads: 1)
  /// For a screen: the terminal, signals, ncurses's output, the main queue, a file and its watch,
  /// the queues' events and timers, and a copy of standard error.
  static let screen = ResourceRequirements(memory: 16 << 20, files: 14, threads: 6)
  /// For fetching feeds: the library's connections and locks, sockets, and the queues' events.
  static let following = ResourceRequirements(memory: 16 << 20, files: 20, threads: 4)
  /// The stack of the main thread in bytes: several times the need of a screen's layout.
  static let stack = 512 << 10

  /// - Throws: `Failure` if a resource is insufficient.
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

  /// - Parameter stack: the limit of the main thread's stack in bytes.
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
