import CVTerm
import Dispatch
import Glibc
import Synchronization

/// An operation of the harness that failed.
public enum HarnessError: Error, CustomStringConvertible {
  /// A system call failed: its name, its argument, and `errno`.
  case system(call: String, argument: String, code: Int32)
  /// The built program was not found in any of these places.
  case programNotFound([String])
  /// A condition did not hold in time; `screen` is the screen at that time.
  case timedOut(waitingFor: String, screen: String)
  /// The program ended while a condition was awaited.
  case exited(ExitStatus, waitingFor: String, screen: String)

  public var description: String {
    switch self {
    case .system(let call, let argument, let code):
      "\(call)(\(argument)): \(String(cString: strerror(code)))"
    case .programNotFound(let places):
      "the program is not built; looked at \(places.joined(separator: ", "))"
    case .timedOut(let what, let screen):
      "timed out waiting for \(what); the screen was:\n\(screen)"
    case .exited(let status, let what, let screen):
      "the program ended (\(status)) while waiting for \(what); the screen was:\n\(screen)"
    }
  }
}

/// How a process ended.
public enum ExitStatus: Hashable, Sendable, CustomStringConvertible {
  case exited(Int32)
  case signalled(Int32)

  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .signalled(signal)
  }

  public var description: String {
    switch self {
    case .exited(let code): "exit status \(code)"
    case .signalled(let signal): "signal \(signal)"
    }
  }
}

/// A child process with chosen descriptors 0, 1 and 2 and no others.
///
/// A thread waits for it and closes the writing end of a pipe when it has ended. So its end can be
/// awaited in `poll` beside its output, and a child that was reaped is never signalled.
public final class ChildProcess: Sendable {
  /// The file behind one of the child's descriptors 0, 1, 2.
  enum Descriptor {
    case open(String)
    case duplicate(Int32)
  }

  public let processID: pid_t
  /// Becomes readable (end of file) when the child has ended.
  let endDescriptor: Int32
  private let ending: Mutex<ExitStatus?>

  /// Starts `path`.
  ///
  /// With `newSession` the child leads a new session, and the first terminal among `descriptors`
  /// becomes its controlling terminal.
  init(
    path: String, arguments: [String], environment: [String: String], workingFolder: String? = nil,
    descriptors: [Descriptor], newSession: Bool
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
      switch descriptor {
      case .open(let file):
        posix_spawn_file_actions_addopen(&actions, Int32(number), file, O_RDWR, 0)
      case .duplicate(let source):
        posix_spawn_file_actions_adddup2(&actions, source, Int32(number))
      }
    }
    if let workingFolder { posix_spawn_file_actions_addchdir_np(&actions, workingFolder) }
    // Keeps sockets and ptys of tests that run at the same time out of the child.
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var everySignal = sigset_t()
    var noSignal = sigset_t()
    sigfillset(&everySignal)
    sigemptyset(&noSignal)
    posix_spawnattr_setsigdefault(&attributes, &everySignal)
    posix_spawnattr_setsigmask(&attributes, &noSignal)
    var flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
    if newSession { flags |= Int32(POSIX_SPAWN_SETSID) }
    posix_spawnattr_setflags(&attributes, Int16(flags))

    // These tell a sanitizer what to check, here and in the programs that tests start.
    var environment = environment
    for name in ["ASAN_OPTIONS", "UBSAN_OPTIONS"] where environment[name] == nil {
      environment[name] = getenv(name).map { String(cString: $0) }
    }
    var child: pid_t = 0
    let code = withCStrings([path] + arguments) { argv in
      withCStrings(environment.map { "\($0.key)=\($0.value)" }.sorted()) { envp in
        posix_spawn(&child, path, &actions, &attributes, argv, envp)
      }
    }
    guard code == 0 else {
      throw HarnessError.system(call: "posix_spawn", argument: path, code: code)
    }

    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      let code = errno
      kill(child, SIGKILL)
      throw HarnessError.system(call: "pipe", argument: "", code: code)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    processID = child
    endDescriptor = ends[0]
    ending = Mutex(nil)
    let writing = ends[1]
    // On a separate thread: waiting blocks, and must not occupy one that Swift's tasks share.
    DispatchQueue(label: "tideline.tests.child").async { [self] in
      waitForEnd()
      close(writing)
    }
  }

  deinit { close(endDescriptor) }

  /// Blocks until the child has ended. It stays a zombie until the lock is held, so that its id
  /// cannot be given to another process while a signal is about to be sent.
  private func waitForEnd() {
    var info = siginfo_t()
    while waitid(P_PID, id_t(processID), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
    ending.withLock { ending in
      var status: Int32 = 0
      while waitpid(processID, &status, 0) < 0 && errno == EINTR {}
      ending = ExitStatus(waitStatus: status)
    }
  }

  /// How the child ended; `nil` while it runs.
  public var exitStatus: ExitStatus? { ending.withLock { $0 } }

  /// Sends `signal` to the child, or with `group` to its process group, unless it has ended.
  public func send(signal: Int32, group: Bool = false) {
    ending.withLock { status in
      guard status == nil else { return }
      kill(group ? -processID : processID, signal)
    }
  }
}

/// Calls `body` with `strings` as a null-terminated array of C strings.
private func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let pointers = strings.map { strdup($0) }
  defer { for pointer in pointers { free(pointer) } }
  return body(pointers + [nil])
}
