import BenchmarkPictures
import FoundationEssentials
import TerminalSession

/// What a line of a held key costs while pictures as wide as the text pass, in 120x50, 30 lines a
/// second.
enum HeldKey {
  private static let interval = Duration.milliseconds(33)
  private static let line = "\u{5}"

  static func measure(
    _ options: Options, folder: borrowing TemporaryFolder
  ) throws(BenchmarkError) {
    var bodies: [String: [UInt8]] = [:]
    for (number, file) in TestPicture.bundledFiles.enumerated() {
      bodies["/\(number)"] = FileManager.default.contents(atPath: file).map { [UInt8]($0) }
    }
    let server = try HeldServer(bodies)
    for path in bodies.keys { server.release(path) }
    let urls = (0..<18).map { "\(server.address)/\($0 % bodies.count)" }
    let path = try Timeline.write(urls, in: folder.path)
    for (mode, terminal) in [
      ("symbols", "foot(1)"), ("sixel", "foot(1)"), ("sixel", "XTerm(379)"), ("kitty", "kitty(1)"),
      ("iterm2", "iTerm2 3.6"),
    ] {
      let session = try Timeline.open(
        options, path, mode: mode, home: folder.emptyFolder("home"), terminalName: terminal)
      _ = try session.resize(to: TerminalSize(columns: 120, rows: 50), within: patience)
      // Everything is fetched, and drawn once.
      for _ in 0..<16 {
        try session.type(" ")
        try session.becomeCalm(for: .milliseconds(400), within: patience)
      }
      try session.type("g")
      try session.becomeCalm(for: .seconds(1), within: patience)
      let line = try session.press(Self.line, within: patience)?.bytes ?? 0
      try session.becomeCalm(for: .milliseconds(600), within: patience)
      var lines: [Int] = []
      var next = ContinuousClock.now
      for _ in 0..<150 {
        let before = session.byteCount
        try session.type(Self.line)
        next = next + interval
        try session.rest(next - .now)
        lines.append(session.byteCount - before)
      }
      let before = session.byteCount
      try session.becomeCalm(for: .milliseconds(600), within: patience)
      let sharp = session.byteCount - before
      let held = lines.dropFirst(2).sorted()
      let mean = held.reduce(0, +) / held.count
      print(
        "\(mode), \(terminal): one line \(line) bytes; of a held key, a line: median "
          + "\(held[held.count / 2]), mean \(mean), most \(held[held.count - 1]), the first two "
          + "\(lines[0]) and \(lines[1]); at rest \(sharp)")
      if options.printsAll { print(lines.map { "\($0)" }.joined(separator: " ")) }
    }
  }
}
