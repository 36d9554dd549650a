import Feeds
import Library
import TextLayout
import TimelineStore

/// The texts of a feed in the list of feeds.
struct FeedRow: Identifiable, Hashable {
  let id: FeedID
  /// Your own name of the feed, else its title, else its address.
  let name: String
  /// `"#news #sea"`; empty without tags.
  let tags: String
  let unreadCount: Int
  /// The age of the newest post; empty without posts.
  let age: String
  /// Why the feed is not fetched, what went wrong, or what was left out; empty if all is well.
  let problem: String
  /// Whether it is being fetched.
  let isActive: Bool
  /// The times of the last and the next fetch, for the selected feed.
  let schedule: String

  /// - Parameters:
  ///   - isActive: whether the feed is being fetched.
  ///   - isKept: whether it is followed, and thus fetched again by itself.
  ///   - now: seconds since 1970.
  init(of feed: Feed, isActive: Bool, isKept: Bool, now: Double) {
    id = feed.id
    name = Sanitizer.line(feed.name)
    tags = feed.tags.map { "#\(Sanitizer.line($0))" }.joined(separator: " ")
    unreadCount = feed.unreadCount
    age =
      feed.newestDate.map {
        RelativeTime.string(from: Double($0) / 1_000, now: now, style: .reader)
      } ?? ""
    problem = Sanitizer.line(Self.problem(of: feed, now: now))
    self.isActive = isActive
    schedule = Self.schedule(of: feed, isKept: isKept, now: now)
  }

  /// What a search looks through.
  var searchedText: String { [name, tags, problem].joined(separator: "\n") }

  private static func problem(of feed: Feed, now: Double) -> String {
    if let reason = feed.schedule.pauseReason { return "not fetched any more: \(reason)" }
    guard let error = feed.health.lastError else { return feed.health.omission ?? "" }
    let failures = feed.health.failures
    let times = failures > 1 ? " · \(failures) times in a row" : ""
    guard let success = feed.health.lastSuccess else { return "\(error)\(times)" }
    return "\(error)\(times) · last read \(moment(success, now))"
  }

  private static func schedule(of feed: Feed, isKept: Bool, now: Double) -> String {
    var parts: [String] = []
    let verb = isKept ? "asked" : "read"
    if let attempt = feed.schedule.lastAttempt {
      parts.append("\(verb) \(moment(attempt, now))")
    } else {
      parts.append("not \(verb) yet")
    }
    if isKept, feed.schedule.pauseReason == nil {
      let next = feed.schedule.nextTime
      parts.append(next <= now ? "due now" : "due \(moment(next, now))")
    }
    return parts.joined(separator: ", ")
  }

  private static func moment(_ time: Double, _ now: Double) -> String {
    RelativeTime.moment(time, now: now, style: .reader)
  }
}
