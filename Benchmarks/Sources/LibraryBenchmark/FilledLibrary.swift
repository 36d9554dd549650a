import Glibc
import TerminalSession

/// A library filled by the program from a loopback server, the same items as lines, and newsboat's
/// cache of the same feeds.
struct FilledLibrary {
  let path: String
  let lines: String
  /// newsboat's arguments; `nil` without it.
  let newsboat: [String]?
  /// Items a second that the program fetched, read and stored.
  let rate: Double

  /// - Parameters:
  ///   - count: the number of items; feeds have 10,000 at most.
  ///   - folder: an empty folder.
  init(items count: Int, _ options: Options, folder: String) throws(BenchmarkError) {
    let tideline = options.tideline
    let feedCount = max(10, count / 10_000)
    let feeds = MadeFeeds(
      count: feedCount, itemsOfFeed: count / feedCount, end: Int(time(nil)) - 60)
    let server = try FeedServer(feeds, hosts: 40)
    defer { server.stop() }
    path = folder + "/library.db"
    lines = folder + "/lines.jsonl"
    try Self.follow(server, path, by: tideline, folder: folder)
    let seconds = try Command.run(
      tideline, ["refresh", "--all", "--library", path], home: folder)
    rate = Double(feeds.itemCount) / seconds
    try Command.run(
      tideline, ["export", "--json", "--library", path], home: folder, output: lines)
    newsboat =
      options.comparesNewsboat ? try Newsboat.filled(from: server, folder: folder) : nil
  }

  /// Follows all feeds of a server in a new library.
  static func follow(
    _ server: FeedServer, _ path: String, by tideline: String, folder: String
  ) throws(BenchmarkError) {
    try Command.write(server.list, to: folder + "/feeds.opml")
    try Command.run(
      tideline, ["add", "--library", path, folder + "/feeds.opml"], home: folder)
  }
}

/// The rival, if it is installed.
enum Newsboat {
  static var isInstalled: Bool { access("/usr/bin/newsboat", X_OK) == 0 }

  /// Has it fetch all feeds.
  ///
  /// - Returns: its arguments for the same cache.
  static func filled(
    from server: FeedServer, folder: String
  ) throws(BenchmarkError) -> [String] {
    let arguments = try prepared(for: server, folder: folder)
    try Command.run("newsboat", arguments + ["-x", "reload"], home: folder)
    return arguments
  }

  /// Its arguments for the feeds of a server, and an empty cache.
  static func prepared(
    for server: FeedServer, folder: String
  ) throws(BenchmarkError) -> [String] {
    let urls = (0..<server.feeds.count).map(server.address).joined(separator: "\n")
    try Command.write(urls + "\n", to: folder + "/urls")
    // As many side by side as tideline asks.
    try Command.write("reload-threads 32\n", to: folder + "/config")
    return ["-u", folder + "/urls", "-c", folder + "/cache.db", "-C", folder + "/config"]
  }
}
