import BenchmarkPictures
import FoundationEssentials
import Glibc
import Pixels
import TerminalSession

/// Pictures on the screen of the built program: how long after its last byte one is painted, and what a line
/// of a held key costs while they pass.
/// `PictureBenchmark [--tideline PATH] [--pictures N] [--only latency|bytes]`

struct Options {
  var tideline = ".build/release/tideline"
  var count = 200
  var only: String?

  init(_ words: [String]) throws(BenchmarkError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard let value = rest.popFirst() else { throw .wrongArgument(word) }
      switch word {
      case "--tideline": tideline = value
      case "--pictures":
        guard let number = Int(value), (1...2_000).contains(number) else {
          throw .wrongArgument("\(word) \(value)")
        }
        count = number
      case "--only":
        guard ["latency", "bytes"].contains(value) else { throw .wrongArgument("\(word) \(value)") }
        only = value
      default: throw .wrongArgument(word)
      }
    }
  }
}

let patience = Duration.seconds(60)
let modes = ["symbols", "sixel", "kitty"]

/// A timeline of posts with one picture each.
func timeline(_ urls: [String], in folder: String) throws(BenchmarkError) -> String {
  let lines = urls.enumerated().map { number, url in
    #"{"id":"\#(number)","title":"Post \#(number)","content_text":"Gauge.","image":"\#(url)"}"#
  }
  let path = folder + "/timeline.jsonl"
  let data = Data((lines.joined(separator: "\n") + "\n").utf8)
  guard FileManager.default.createFile(atPath: path, contents: data) else {
    throw .system(call: "open", subject: path, code: errno)
  }
  return path
}

func open(
  _ options: Options, _ path: String, mode: String, home: String
) throws(BenchmarkError) -> Session {
  let session = try Session(
    "tideline", path: options.tideline,
    arguments: [
      "--no-animation", "--no-state", "--no-image-cache", "--allow-private-addresses",
      "--pictures", mode, path,
    ], home: home)
  _ = try session.show(["Post 0"], named: "the first post", within: patience)
  return session
}

func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

/// From the last byte of a picture of 400x300 pixels to the bytes that show it.
func latency(_ options: Options, folder: borrowing TemporaryFolder) throws(BenchmarkError) {
  guard let picture = TestPicture.all(folder: nil).bundled.first else {
    throw .system(call: "open", subject: "Resources/Content/pictures", code: ENOENT)
  }
  let body = picture.pixels.scaled(to: PixelSize(width: 400, height: 300)).png
  let paths = (0..<options.count).map { "/\($0).png" }
  for mode in modes {
    let home = try folder.emptyFolder("home")
    let server = try HeldServer(
      Dictionary(paths.map { ($0, body) }, uniquingKeysWith: { first, _ in first }))
    let path = try timeline(paths.map { server.address + $0 }, in: folder.path)
    let session = try open(options, path, mode: mode, home: home)
    var times: [Double] = []
    for (number, name) in paths.enumerated() {
      try session.type("\(number + 1)G")
      let end = ContinuousClock.now + patience
      while !server.holds(name), ContinuousClock.now < end { try session.rest(.milliseconds(5)) }
      try session.becomeCalm(within: patience)
      let before = session.byteCount
      let start = server.release(name)
      let shown = try session.wait(
        forBytes: before + 1_500, named: "picture \(number)", within: patience)
      times.append((shown - start) / .milliseconds(1))
      try session.becomeCalm(within: patience)
    }
    times.sort()
    let slow = times[min(times.count - 1, times.count * 99 / 100)]
    print(
      "\(mode): last byte to the painted frame, ms: median \(tenths(times[times.count / 2])), "
        + "99 of 100 \(tenths(slow)), most \(tenths(times[times.count - 1])) "
        + "(\(times.count) pictures of 400x300)")
  }
}

/// What passes while a key is held through pictures as wide as the text, in 120x50.
func bytes(_ options: Options, folder: borrowing TemporaryFolder) throws(BenchmarkError) {
  var bodies: [String: [UInt8]] = [:]
  for (number, file) in TestPicture.bundledFiles.enumerated() {
    bodies["/\(number)"] = FileManager.default.contents(atPath: file).map { [UInt8]($0) }
  }
  let server = try HeldServer(bodies)
  for path in bodies.keys { server.release(path) }
  let urls = (0..<18).map { "\(server.address)/\($0 % bodies.count)" }
  let path = try timeline(urls, in: folder.path)
  for mode in modes {
    let session = try open(options, path, mode: mode, home: folder.emptyFolder("home"))
    _ = try session.resize(to: TerminalSize(columns: 120, rows: 50), within: patience)
    // Everything is fetched, and drawn once.
    for _ in 0..<16 {
      try session.type(" ")
      try session.becomeCalm(for: .milliseconds(400), within: patience)
    }
    try session.type("g")
    try session.becomeCalm(for: .seconds(1), within: patience)
    let line = try session.press("\u{5}", within: patience)?.bytes ?? 0
    try session.becomeCalm(for: .milliseconds(600), within: patience)
    var lines: [Int] = []
    for _ in 0..<150 {
      let before = session.byteCount
      try session.type("\u{5}")
      try session.rest(.milliseconds(33))
      lines.append(session.byteCount - before)
    }
    let before = session.byteCount
    try session.becomeCalm(for: .milliseconds(600), within: patience)
    let sharp = session.byteCount - before
    let held = lines.dropFirst(2).sorted()
    let mean = held.reduce(0, +) / held.count
    print(
      "\(mode): one line \(line) bytes; of a held key, a line: median \(held[held.count / 2]), mean "
        + "\(mean), most \(held[held.count - 1]), the first two \(lines[0]) and \(lines[1]); "
        + "at rest \(sharp)")
  }
}

do {
  if ["--help", "-h"].contains(CommandLine.arguments.dropFirst().first) {
    print("usage: PictureBenchmark [--tideline PATH] [--pictures N] [--only latency|bytes]")
    exit(0)
  }
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  guard access(options.tideline, X_OK) == 0 else { throw BenchmarkError.notBuilt(options.tideline) }
  Interruption.listen()
  let folder = try TemporaryFolder(inside: nil, isKept: false)
  if options.only != "bytes" { try latency(options, folder: folder) }
  if options.only != "latency" { try bytes(options, folder: folder) }
} catch let error as BenchmarkError {
  let line = Array("PictureBenchmark: \(error)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(error.exitStatus)
}
