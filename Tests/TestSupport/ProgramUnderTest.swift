import FoundationEssentials

/// The real program, built beside the tests.
public enum ProgramUnderTest {
  /// The path of the built program `name`, in the folder of the test bundle.
  public static func path(of name: String = "tideline") throws -> String {
    var places: [String] = []
    let running = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    for bundle in [running, CommandLine.arguments.first] {
      guard let bundle, let slash = bundle.lastIndex(of: "/") else { continue }
      places.append(bundle[..<slash] + "/" + name)
    }
    places.append(PackageFiles.root + "/.build/debug/" + name)
    guard let found = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) })
    else { throw HarnessError.programNotFound(places) }
    return found
  }

  /// An environment without access to the user's files: home and XDG folders are in `home`, the
  /// language is C.UTF-8, and variables that control the program are not passed on.
  public static func environment(home: TemporaryFolder, adding: [String: String] = [:])
    -> [String: String]
  {
    let own = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "HOME": home.path,
      "XDG_CACHE_HOME": home.path + "/cache",
      "XDG_CONFIG_HOME": home.path + "/config",
      "XDG_DATA_HOME": home.path + "/data",
      "XDG_STATE_HOME": home.path + "/state",
      "LANG": "C.UTF-8",
      "LC_ALL": "C.UTF-8",
      "TZ": "UTC",
      // A crash must end the program at once, not start a debugger.
      "SWIFT_BACKTRACE": "enable=no",
    ]
    return own.merging(adding) { $1 }
  }

  /// Starts the program in a terminal.
  public static func start(
    _ arguments: [String], home: TemporaryFolder, environment: [String: String] = [:],
    size: TerminalSize = TerminalSize(columns: 80, rows: 24), window: TerminalSize? = nil,
    personality: TerminalPersonality = .xterm
  ) throws -> TerminalSession {
    try TerminalSession(
      path: path(), arguments: arguments,
      environment: self.environment(home: home, adding: environment), size: size, window: window,
      personality: personality)
  }

  /// Starts the program in a terminal from a shell that runs `script`, in which `"$0" "$@"` is the
  /// program with its arguments.
  public static func start(
    by script: String, _ arguments: [String], home: TemporaryFolder,
    environment: [String: String] = [:], size: TerminalSize = TerminalSize(columns: 80, rows: 24),
    personality: TerminalPersonality = .xterm
  ) throws -> TerminalSession {
    try TerminalSession(
      path: "/bin/bash", arguments: ["--norc", "--noprofile", "-c", script, path()] + arguments,
      environment: self.environment(home: home, adding: environment), size: size,
      personality: personality)
  }

  /// Runs the program to its end with pipes for standard input, output and error.
  public static func run(
    _ arguments: [String], input: [UInt8] = [], home: TemporaryFolder,
    environment: [String: String] = [:], workingFolder: String? = nil
  ) async throws -> PipedRun.Result {
    try await PipedRun.run(
      path: path(), arguments: arguments, input: input,
      environment: self.environment(home: home, adding: environment),
      workingFolder: workingFolder)
  }
}
