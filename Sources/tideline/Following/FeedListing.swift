import Feeds
import FoundationEssentials
import HTTP
import Library
import TextLayout

/// `tideline feeds` and `tideline export`: formats the feeds of a library, and prints its items.
struct FeedListing {
  /// The width up to which names are aligned; a longer name shifts the rest of its line.
  private static let nameColumns = 32

  /// One line for each feed.
  static func text(_ feeds: [Feed]) -> String {
    let metrics = TextMetrics.current
    let widest = feeds.map { metrics.width(of: Sanitizer.line($0.name)) }.max() ?? 0
    let width = min(widest, nameColumns)
    return feeds.map { feed in
      let name = Sanitizer.line(feed.name)
      let space = String(repeating: " ", count: max(0, width - metrics.width(of: name)))
      let parts = [
        feed.address, "\(feed.unreadCount) unread",
        lastRead(feed), problem(of: feed) ?? "",
      ]
      let rest = parts.filter { !$0.isEmpty }.joined(separator: "  ")
      return Sanitizer.line(name + space + "  " + rest) + "\n"
    }.joined()
  }

  /// Why the feed is paused, why its last fetch failed, or what was left out; `nil` if it was read
  /// whole.
  private static func problem(of feed: Feed) -> String? {
    if let reason = feed.schedule.pauseReason { return "paused: \(reason)" }
    return feed.health.lastError ?? feed.health.omission
  }

  private static func lastRead(_ feed: Feed) -> String {
    if let time = feed.health.lastSuccess { return moment(time) }
    return feed.schedule.lastAttempt == nil ? "never fetched" : "never read"
  }

  /// `"2024-03-09 08:05 UTC"`
  private static func moment(_ time: Double) -> String {
    CivilTime(seconds: time).rfc3339.prefix(16).replacing("T", with: " ") + " UTC"
  }

  /// A feed as a JSON object.
  private struct Record: Encodable {
    let address: String
    let title: String
    let name: String?
    let tags: [String]
    let unread: Int
    let lastSuccess: String?
    let due: String?
    let failures: Int
    let error: String?
    let omission: String?
    let paused: String?

    enum CodingKeys: String, CodingKey {
      case address, title, name, tags, unread, due, failures, error, omission, paused
      case lastSuccess = "last_success"
    }

    init(_ feed: Feed) {
      address = Sanitizer.line(feed.address)
      title = Sanitizer.line(feed.title)
      name = feed.ownName.map(Sanitizer.line)
      tags = feed.tags.map(Sanitizer.line)
      unread = feed.unreadCount
      lastSuccess = feed.health.lastSuccess.map { CivilTime(seconds: $0.rounded(.down)).rfc3339 }
      let next = feed.schedule.nextTime
      due = next > 0 ? CivilTime(seconds: next.rounded(.down)).rfc3339 : nil
      failures = feed.health.failures
      error = feed.health.lastError.map(Sanitizer.line)
      omission = feed.health.omission.map(Sanitizer.line)
      paused = feed.schedule.pauseReason.map(Sanitizer.line)
    }
  }

  /// A JSON object for each feed, one a line.
  static func json(_ feeds: [Feed]) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return feeds.compactMap { feed in
      (try? encoder.encode(Record(feed))).map { String(decoding: $0, as: UTF8.self) + "\n" }
    }.joined()
  }

  /// The feeds as OPML.
  static func opml(_ feeds: [Feed]) -> String {
    let entries = feeds.map { feed in
      FeedList.Entry(
        address: feed.address, title: feed.title, ownName: feed.ownName, tags: feed.tags)
    }
    return FeedListWriter.opml(entries, title: "Feeds followed with tideline")
  }

  /// Gathered lines are written once they reach this number of bytes.
  private static let pieceBytes = 256 << 10

  /// Prints the lines of all items, newest first.
  ///
  /// - Throws: `LibraryError`, or `Failure` if they cannot be written.
  static func printItems(of library: FeedLibrary) throws {
    var piece: [UInt8] = []
    var failure: Failure?
    func flush() -> Bool {
      defer { piece.removeAll(keepingCapacity: true) }
      do throws(Failure) {
        return try PlainOutput.write(piece)
      } catch {
        failure = error
        return false
      }
    }
    try library.forEachBody { _, body in
      guard case .line(let line) = body else { return true }
      piece += line
      piece.append(UInt8(ascii: "\n"))
      return piece.count < pieceBytes || flush()
    }
    if failure == nil, !piece.isEmpty { _ = flush() }
    if let failure { throw failure }
  }
}
