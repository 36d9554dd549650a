import Glibc
import TerminalSession

/// What a program took to print something.
struct Run {
  /// Seconds to the first byte and to the end.
  var first = 0.0
  var whole = 0.0
  /// Resident bytes at most.
  var peak = 0

  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Runs a program to its end; what it prints is read and thrown away.
  ///
  /// - Throws: `BenchmarkError` where it cannot be started or fails.
  init(_ path: String, _ arguments: [String]) throws(BenchmarkError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw .system(call: "pipe", subject: "", code: errno) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    var child: pid_t = 0
    let words = ([path] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    let start = Self.now()
    let code = posix_spawn(&child, path, &actions, nil, words + [nil], environ)
    close(ends[1])
    defer { close(ends[0]) }
    guard code == 0 else { throw .system(call: "posix_spawn", subject: path, code: code) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(ends[0], &buffer, buffer.count)
      if count <= 0 { break }
      if first == 0 { first = Self.now() - start }
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(child, &status, 0, &usage) < 0 && errno == EINTR {}
    whole = Self.now() - start
    peak = usage.ru_maxrss * 1_024
    guard status == 0 else { throw .failed(program: path, status: status >> 8) }
  }
}

/// What opening a feed in a terminal takes.
struct Opening {
  /// Seconds until the first post is there, and from `G` until the last one is.
  let first, end: Double
  /// Resident bytes when nothing is left to do.
  let resident: Int

  /// How long a program may take for each.
  private static let limit = Duration.seconds(120)

  /// - Parameters:
  ///   - marks: what only the first and only the last post show.
  ///   - home: a folder that is the program's alone.
  init(
    _ path: String, of feed: String, marks: (first: String, last: String), home: String
  ) throws(BenchmarkError) {
    let session = try Session(
      "tideline", path: path,
      arguments: ["--no-state", "--no-animation", "--pictures", "off", feed],
      home: home)
    let shown = try session.show([marks.first], named: "the first post", within: Self.limit)
    first = (shown - session.started) / .seconds(1)
    let typed = ContinuousClock.now
    try session.type("G")
    end =
      (try session.show([marks.last], named: "the last post", within: Self.limit) - typed)
      / .seconds(1)
    try session.becomeCalm(for: .milliseconds(500), within: Self.limit)
    resident = (session.figures?.kilobytes ?? 0) << 10
  }
}

/// libxml2's parsers on the same bytes, with a tree, as `xmllint --noout` makes it.
enum LibXML {
  private typealias Read =
    @convention(c) (
      UnsafePointer<CChar>?, UnsafePointer<CChar>?, Int32
    ) -> OpaquePointer?
  private typealias Free = @convention(c) (OpaquePointer?) -> Void

  /// Seconds to parse a file; nil where there is no libxml2.
  static func seconds(_ path: String, function: String) -> Double? {
    guard let library = dlopen("libxml2.so.2", RTLD_NOW) ?? dlopen("libxml2.so", RTLD_NOW),
      let read = dlsym(library, function), let free = dlsym(library, "xmlFreeDoc")
    else { return nil }
    // Recover, no errors, no warnings, no network, any size.
    let options: Int32 = 1 | 32 | 64 | 1 << 11 | (function == "xmlReadFile" ? 1 << 19 : 0)
    let start = Run.now()
    let document = unsafeBitCast(read, to: Read.self)(path, "UTF-8", options)
    let seconds = Run.now() - start
    unsafeBitCast(free, to: Free.self)(document)
    return document == nil ? nil : seconds
  }
}
