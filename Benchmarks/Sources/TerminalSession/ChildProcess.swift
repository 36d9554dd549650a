import CPseudoTerminal
import Glibc

/// A program that leads a session of its own with a pseudo-terminal as its terminal. `deinit` kills
/// it and everything it started there.
package final class ChildProcess {
  package let processID: pid_t
  private var hasEnded = false

  package init(
    path: String, arguments: [String], environment: [String: String], terminal: String
  ) throws(BenchmarkError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // What this program ignores or catches is as it was for the child.
    var everySignal = sigset_t()
    sigfillset(&everySignal)
    posix_spawnattr_setsigdefault(&attributes, &everySignal)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSID))

    var child: pid_t = 0
    let code = Self.withStrings([path] + arguments) { argv in
      Self.withStrings(environment.map { "\($0.key)=\($0.value)" }) { envp in
        posix_spawn(&child, path, &actions, &attributes, argv, envp)
      }
    }
    guard code == 0 else { throw .system(call: "posix_spawn", subject: path, code: code) }
    processID = child
  }

  /// Waits until it has ended by itself.
  ///
  /// - Returns: its status, -1 where a signal has ended it, and its time on a processor.
  package func end() -> (status: Int32, microseconds: Int) {
    var status: Int32 = 0
    var usage = rusage()
    while wait4(processID, &status, 0, &usage) < 0 && errno == EINTR {}
    hasEnded = true
    let time = [usage.ru_utime, usage.ru_stime].map { $0.tv_sec * 1_000_000 + Int($0.tv_usec) }
    return (status & 0x7F == 0 ? status >> 8 & 0xFF : -1, time[0] + time[1])
  }

  deinit {
    guard !hasEnded else { return }
    // It leads its group, and is not reaped before: the number cannot have gone to another.
    kill(-processID, SIGKILL)
    kill(processID, SIGKILL)
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0 && errno == EINTR {}
  }

  /// Calls `body` with `strings` as C has them: pointers, and a null pointer at the end.
  private static func withStrings(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Int32
  ) -> Int32 {
    let pointers = strings.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}
