import Glibc
import TerminalSession

/// What refreshing many feeds takes, in the program on a screen and in newsboat.
struct RefreshFigures {
  private static let limit = Duration.seconds(180)

  let options: Options

  private var tideline: String { options.tideline }
  private var feedCount: Int { options.feeds }

  /// One line of the table.
  func print(hosts: Int, folder: borrowing TemporaryFolder) throws(BenchmarkError) {
    let feeds = MadeFeeds(count: feedCount, itemsOfFeed: 20, end: Int(time(nil)) - 60)
    let server = try FeedServer(feeds, hosts: hosts, isPrepared: true)
    defer { server.stop() }
    let files = try folder.emptyFolder("refresh")
    var (library, arguments) = ("", [""])
    var runs: [FirstRefresh] = []
    for round in 0..<options.rounds {
      library = files + "/library\(round).db"
      try FilledLibrary.follow(server, library, by: tideline, folder: files)
      arguments = ["--no-animation", "--pictures", "off", "--library", library]
      runs.append(try first(server, arguments, home: folder.emptyFolder("home")))
    }
    // The keys of one refresh are too few for their slowest hundredth.
    let keys = runs.flatMap(\.keys)
    let again = try Command.run(
      tideline, ["refresh", "--all", "--library", library], home: files)
    let conditional = server.requestCounts.conditional
    let restarted = try restart(server, arguments, home: folder.emptyFolder("home"))
    var cells = [
      Figures.column("\(feedCount)", 7), Figures.column("\(hosts)", 6),
      Figures.column(Figures.median(runs.map(\.firstPost)) * 1_000, 9),
      Figures.column(Figures.median(runs.map(\.all)), 7),
      Figures.column("\(keys.count)", 6),
      Figures.column(Figures.median(keys) * 1_000, 7),
      Figures.column(Figures.quantile(0.99, of: keys) * 1_000, 7),
      Figures.column((keys.max() ?? .nan) * 1_000, 7),
      Figures.column(again, 8), Figures.column("\(conditional)", 6),
      Figures.column("\(restarted)", 8),
    ]
    cells += try newsboat(server, files).map { Figures.column($0, 9) }
    Swift.print(cells.joined())
    folder.remove(files)
  }

  /// In seconds.
  private struct FirstRefresh {
    /// From the start to the first post.
    var firstPost: Double
    /// From the start until no more posts arrive.
    var all: Double
    /// From each key to its letter.
    var keys: [Double]
  }

  /// The first refresh on a screen, in whose prompt letters are typed meanwhile.
  private func first(
    _ server: FeedServer, _ arguments: [String], home: String
  ) throws(BenchmarkError) -> FirstRefresh {
    let asked = server.requestCounts.requests
    let session = try Session("tideline", path: tideline, arguments: arguments, home: home)
    let shown = try session.show([MadeFeeds.mark], named: "the first post", within: Self.limit)
    let keys = try PromptKeys.latencies(in: session, within: Self.limit) {
      server.requestCounts.requests - asked < feedCount
    }
    let start = ContinuousClock.now
    let last = try session.becomeCalm(for: .milliseconds(300), within: Self.limit)
    let all = ((last ?? start) - session.started) / .seconds(1)
    try session.type("q")
    do { try session.rest(.seconds(20)) } catch .ended {}
    return FirstRefresh(firstPost: (shown - session.started) / .seconds(1), all: all, keys: keys)
  }

  /// The requests of a start when nothing is due.
  private func restart(
    _ server: FeedServer, _ arguments: [String], home: String
  ) throws(BenchmarkError) -> Int {
    let before = server.requestCounts.requests
    let session = try Session("tideline", path: tideline, arguments: arguments, home: home)
    _ = try session.show([MadeFeeds.mark], named: "the first post", within: Self.limit)
    try session.rest(.seconds(1))
    return server.requestCounts.requests - before
  }

  /// Seconds of its first and its second refresh.
  private func newsboat(_ server: FeedServer, _ folder: String) throws(BenchmarkError) -> [Double] {
    guard options.comparesNewsboat else { return [.nan, .nan] }
    let arguments = try Newsboat.prepared(for: server, folder: folder) + ["-x", "reload"]
    let first = try Command.run("newsboat", arguments, home: folder)
    return [first, try Command.run("newsboat", arguments, home: folder)]
  }
}
