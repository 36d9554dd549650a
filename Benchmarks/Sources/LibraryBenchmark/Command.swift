import Glibc
import TerminalSession

/// A program that is run to its end, without a terminal.
enum Command {
  /// - Parameters:
  ///   - home: the folder of all files of the user's.
  ///   - output: the file that its output goes to.
  /// - Returns: seconds.
  /// - Throws: `BenchmarkError` if it cannot be started or fails.
  @discardableResult
  static func run(
    _ path: String, _ arguments: [String], home: String, output: String = "/dev/null"
  ) throws(BenchmarkError) -> Double {
    try Interruption.check()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let words = ([path] + arguments).map { strdup($0) }
    let environment: [String] = ["PATH=/usr/bin:/bin", "HOME=\(home)", "LC_ALL=C.UTF-8", "TZ=UTC"]
    let variables = environment.map { strdup($0) }
    defer { for word in words + variables { free(word) } }
    var child: pid_t = 0
    let start = ContinuousClock.now
    let code = posix_spawnp(&child, path, &actions, nil, words + [nil], variables + [nil])
    guard code == 0 else { throw .system(call: "posix_spawn", subject: path, code: code) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else { throw .failed(program: path, status: status >> 8) }
    return (ContinuousClock.now - start) / .seconds(1)
  }

  /// Writes a file.
  static func write(_ text: String, to path: String) throws(BenchmarkError) {
    guard let file = fopen(path, "w") else {
      throw .system(call: "fopen", subject: path, code: errno)
    }
    fputs(text, file)
    fclose(file)
  }
}
