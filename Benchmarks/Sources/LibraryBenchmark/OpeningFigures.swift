import Glibc
import TerminalSession

/// What opening a library takes beside a file of lines and newsboat, and what its keys take.
struct OpeningFigures {
  private static let limit = Duration.seconds(180)
  private static let display = ["--no-animation", "--pictures", "off"]

  let library: FilledLibrary
  let options: Options

  private var tideline: String { options.tideline }

  /// One line of the table for each program.
  func print(_ size: Int, folder: borrowing TemporaryFolder) throws(BenchmarkError) {
    var first: [String: [Double]] = [:]
    var memory: [String: [Double]] = [:]
    for _ in 0..<options.rounds {
      for (name, arguments) in programs {
        let session = try open(name, arguments, home: folder.emptyFolder("home"), into: &first)
        try session.becomeCalm(for: .milliseconds(300), within: Self.limit)
        memory[name, default: []].append(Double(session.figures?.kilobytes ?? 0) / 1_024)
      }
    }
    let beside = Figures.median(first["lines"] ?? [])
    for (name, arguments) in programs {
      let time = Figures.median(first[name] ?? [])
      var cells = [
        Figures.column("\(size)", 9), Figures.column(name, 10), Figures.column(time * 1_000, 10),
        Figures.column(beside > 0 ? time / beside : .nan, 7),
        Figures.column(Figures.median(memory[name] ?? []), 8),
      ]
      if name != "newsboat" {
        let session = try Session(
          name, path: tideline, arguments: arguments, home: folder.emptyFolder("home"))
        _ = try session.show([MadeFeeds.mark], named: "the first post", within: Self.limit)
        try session.becomeCalm(for: .milliseconds(300), within: Self.limit)
        for keys in ["\u{5}", " ", "v"] { cells.append(try answer(to: keys, session)) }
        if name == "library" {
          cells += try markings(session) + [filter(session)] + arrivals(folder: folder)
        }
      }
      Swift.print(cells.joined())
    }
  }

  private var programs: [(name: String, arguments: [String])] {
    var programs = [
      ("lines", Self.display + [library.lines]),
      ("library", Self.display + ["--offline", "--library", library.path]),
    ]
    if let arguments = library.newsboat { programs.append(("newsboat", arguments)) }
    return programs
  }

  private func open(
    _ name: String, _ arguments: [String], home: String, into first: inout [String: [Double]]
  ) throws(BenchmarkError) -> Session {
    let session = try Session(
      name, path: name == "newsboat" ? "/usr/bin/newsboat" : tideline, arguments: arguments,
      home: home)
    // newsboat opens with its list of feeds.
    let shown = try session.show(
      [name == "newsboat" ? "Feed 0" : MadeFeeds.mark], named: "its first screen",
      within: Self.limit)
    first[name, default: []].append((shown - session.started) / .seconds(1))
    return session
  }

  /// The median of ten answers' first bytes.
  private func answer(to keys: String, _ session: Session) throws(BenchmarkError) -> String {
    var times: [Double] = []
    for _ in 0..<10 {
      guard let answer = try session.press(keys, within: Self.limit) else { continue }
      times.append(answer.first / .seconds(1))
    }
    return Figures.column(Figures.median(times) * 1_000, 8)
  }

  /// `]`, then `A` and `U`: to the first byte, and from `A` until it is written and taken back.
  private func markings(_ session: Session) throws(BenchmarkError) -> [String] {
    var cells = [try answer(to: "]", session)]
    let (mark, start) = (try session.press("A", within: Self.limit), ContinuousClock.now)
    cells.append(Figures.column((mark?.first ?? .zero) / .seconds(1) * 1_000, 8))
    try session.type("U")
    let end = try session.show(["unread again"], named: "the end of U", within: Self.limit)
    cells.append(Figures.column((end - start) / .seconds(1) * 1_000, 8))
    return cells
  }

  /// A filter by marks and by a feed's name, until all of it is on the screen.
  private func filter(_ session: Session) throws(BenchmarkError) -> String {
    try session.type("Fis:unread feed:\"Feed 1\"")
    try session.becomeCalm(for: .milliseconds(100), within: Self.limit)
    let answer = try session.press("\r", within: Self.limit)
    return Figures.column((answer?.last ?? .zero) / .seconds(1) * 1_000, 8)
  }

  /// A key, median and 99 of 100, while the items of further feeds arrive among those that are there.
  private func arrivals(folder: borrowing TemporaryFolder) throws(BenchmarkError) -> [String] {
    let feeds = MadeFeeds(count: options.feeds, itemsOfFeed: 20, end: Int(time(nil)) - 60)
    let server = try FeedServer(feeds, hosts: 40, isPrepared: true)
    defer { server.stop() }
    try FilledLibrary.follow(
      server, library.path, by: tideline, folder: folder.emptyFolder("arrivals"))
    let session = try Session(
      "library", path: tideline, arguments: Self.display + ["--library", library.path],
      home: folder.emptyFolder("home"))
    _ = try session.show([MadeFeeds.mark], named: "the first post", within: Self.limit)
    let keys = try PromptKeys.latencies(in: session, within: Self.limit) {
      server.requestCounts.requests < options.feeds
    }
    return [0.5, 0.99].map { Figures.column(Figures.quantile($0, of: keys) * 1_000, 8) }
  }
}

/// How figures are printed.
enum Figures {
  /// Not a number for no values.
  static func median(_ values: [Double]) -> Double { quantile(0.5, of: values) }

  static func quantile(_ share: Double, of values: [Double]) -> Double {
    guard !values.isEmpty else { return .nan }
    return values.sorted()[min(values.count - 1, Int(share * Double(values.count)))]
  }

  static func column(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// With one decimal.
  static func column(_ value: Double, _ width: Int) -> String {
    column(value.isFinite ? "\((value * 10).rounded() / 10)" : "–", width)
  }
}
