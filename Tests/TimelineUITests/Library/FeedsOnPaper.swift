import Subscriptions

@testable import Library
@testable import TimelineStore

/// Feeds in an array, and a refresher whose events the test makes.
@MainActor final class FeedsOnPaper: FeedDirectory {
  private(set) var feeds: [Feed]
  private var left: [Feed] = []
  var onChange: (() -> Void)?
  var isKept = true
  var reading = FeedReading.done
  var canFollow = false
  /// What is found by a name.
  var findings: [String: FeedFinding] = [:]
  private(set) var followed: [FoundFeed] = []
  /// The problem of the next change.
  var problem: String?
  /// The timelines of feeds.
  var timelines: [FeedID: MarkedPosts] = [:]
  private(set) var opened: [FeedID] = []

  /// Why nothing is fetched; `nil` if feeds are.
  var reason: String?
  private(set) var requests: [RefreshDemand] = []
  let refresher = TimelineRefresher()

  init(_ feeds: [Feed] = []) {
    self.feeds = feeds
    refresher.onRefresh = { [unowned self] demand in
      requests.append(demand)
      return reason.map { (false, $0) } ?? (true, "")
    }
  }

  // MARK: FeedDirectory

  func reload() { onChange?() }

  private func change(
    _ completion: @MainActor (String?) -> Void, _ body: (inout [Feed]) -> Void
  ) {
    if problem == nil { body(&feeds) }
    completion(problem)
    onChange?()
  }

  func rename(
    _ feed: FeedID, to name: String, _ completion: @escaping @MainActor (String?) -> Void
  ) {
    change(completion) { feeds in
      for index in feeds.indices where feeds[index].id == feed {
        feeds[index].ownName = name.isEmpty ? nil : name
      }
      feeds.sort { $0.name < $1.name }
    }
  }

  func tag(
    _ feed: FeedID, with tags: [String], _ completion: @escaping @MainActor (String?) -> Void
  ) {
    change(completion) { feeds in
      for index in feeds.indices where feeds[index].id == feed { feeds[index].tags = tags }
    }
  }

  func leave(_ feed: FeedID, _ completion: @escaping @MainActor (String?) -> Void) {
    let gone = feeds.filter { $0.id == feed }
    change(completion) { $0.removeAll { $0.id == feed } }
    if problem == nil { left += gone }
  }

  func undoLeaving(_ completion: @escaping @MainActor (String?) -> Void) -> Bool {
    guard let feed = left.last else { return false }
    defer { completion(problem) }
    guard problem == nil else { return true }
    left.removeLast()
    feeds.append(feed)
    feeds.sort { $0.name < $1.name }
    onChange?()
    return true
  }

  func find(_ name: String) async throws(FeedFindingError) -> FeedFinding {
    guard let finding = findings[name] else {
      throw FeedFindingError(name: name, reason: .nothing("no feed"))
    }
    return finding
  }

  func follow(
    _ feed: FoundFeed, isConfirmed: Bool
  ) async -> (message: String, isFollowed: Bool) {
    followed.append(feed)
    return ("following \(feed.address)", true)
  }

  func timeline(of feed: FeedID) -> TimelineStore {
    opened.append(feed)
    return TimelineStore(posts: timelines[feed] ?? MarkedPosts([]))
  }

  // MARK: Events

  private var progress: RefreshProgress { refresher.progress ?? RefreshProgress() }

  func begin(_ feed: FeedID, of total: Int) {
    if refresher.progress == nil {
      refresher.take(.progressed(RefreshProgress(total: total), finished: nil))
    }
    refresher.take(.began(feed))
  }

  /// A feed has answered with a number of new posts.
  func receive(_ feed: FeedID, newPosts: Int) {
    var changes = FetchChanges(feed: feed)
    changes.added = (0..<newPosts).map { ItemPlace(ItemID(Int64($0 + 1)), date: 0) }
    refresher.take(.fetched(changes, omission: nil))
    var new = progress
    new.done += 1
    refresher.take(.progressed(new, finished: feed))
  }

  /// A feed has failed.
  func fail(_ feed: FeedID, _ error: String, isUnreached: Bool = false) {
    for index in feeds.indices where feeds[index].id == feed {
      feeds[index].health.lastError = error
      feeds[index].health.failures += 1
    }
    refresher.take(
      .failed(RefreshFailure(feed: feed, message: error, isUnreached: isUnreached)))
    var new = progress
    new.done += 1
    new.failed += 1
    if isUnreached { new.unreached += 1 }
    refresher.take(.progressed(new, finished: feed))
  }

  /// The library could not be written.
  func failToWrite(_ cause: LibraryError.Cause) {
    refresher.take(.libraryFailed(LibraryError(cause, file: "/library.db")))
  }

  func end(postponed: Int = 0) {
    var last = progress
    last.postponed = postponed
    refresher.take(.ended(last))
  }
}

extension Feed {
  /// A feed that was asked half an hour before `now`.
  static func numbered(
    _ number: Int64, _ title: String, unread: Int = 0, newest: Double? = nil, now: Double = 0
  ) -> Feed {
    var schedule = Schedule()
    schedule.lastAttempt = now - 1_800
    schedule.nextTime = now + 1_800
    var health = Health()
    health.lastSuccess = now - 1_800
    return Feed(
      id: FeedID(number), address: "https://\(number).example/feed", title: title, tags: [],
      followedSince: 0, schedule: schedule, health: health, unreadCount: unread,
      newestDate: newest.map { Int64($0 * 1_000) })
  }
}
