import HTTP
import TestSupport
import Testing

@testable import Library
@testable import Subscriptions

@Suite struct FeedRefresherTests {
  private let transport = TableTransport()
  private let library: FeedLibrary
  private let time = ManualRefreshClock()
  private let log = RefreshLog()

  init() throws { library = try FeedLibrary(path: "") }

  private func refresher(_ library: FeedLibrary? = nil) -> FeedRefresher {
    FeedRefresher(
      library: library ?? self.library, fetch: FeedFetch(transport: transport), clock: time.clock,
      onEvent: log.note)
  }

  @discardableResult private func follow(
    _ path: String, host: String = "tide.example", answers: TableTransport.Answer? = nil
  ) throws -> FeedID {
    let url = "https://\(host)/\(path)"
    if let answers { transport.set(url, answers) }
    return try library.follow(url, at: time.wall).id
  }

  private func feed(_ id: FeedID) throws -> Feed { try #require(try library.feed(id)) }

  // MARK: Asking

  @Test func dueFeedsAreAskedAndRecorded() async throws {
    let good = try follow("a", answers: .text(Sample.rss(), fields: [("ETag", "\"x\"")]))
    let bad = try follow("b")
    let refresher = refresher()
    let summary = await refresher.refresh(.due)
    #expect(summary.asked == 2 && summary.failed == 1 && summary.added == 2)
    #expect(try library.newestPlaces(10).count == 2)
    #expect(try feed(good).title == "Tides" && feed(good).validators?.entityTag == "\"x\"")
    #expect(try feed(good).schedule.nextTime == time.wall + 1_800)
    #expect(try feed(bad).health.lastError == "HTTP status 404 (not found)")
    #expect(log.progress.last == [2, 2] && log.endings == 1)
    #expect(log.failures == ["HTTP status 404 (not found)"])
    // Nothing is due any more, also for a new run.
    #expect(await self.refresher().refresh(.due) == RefreshProgress())
    #expect(transport.urls.count == 2)
  }

  @Test func aRefreshLeavesNoLogToTheNextProgram() async throws {
    let folder = try TemporaryFolder()
    let library = try FeedLibrary(path: folder.path + "/library.db")
    transport.set("https://tide.example/a", .text(Sample.rss()))
    _ = try library.follow("https://tide.example/a", at: time.wall)
    await refresher(library).refresh(.due)
    #expect(try library.newestPlaces(10).count == 2)
    #expect(try PackageFiles.bytes(at: library.path + "-wal").isEmpty)
  }

  @Test func unchangedFeedsConfirmOnly() async throws {
    let id = try follow("a", answers: .text(Sample.rss(), fields: [("ETag", "\"x\"")]))
    let refresher = refresher()
    await refresher.refresh(.due)
    time.advance(by: 1_800)
    transport.set("https://tide.example/a", .status(304))
    let summary = await refresher.refresh(.due)
    #expect(summary.asked == 1 && summary.notModified == 1 && summary.added == 0)
    #expect(transport.requests.last?.sentHeaders["If-None-Match"] == "\"x\"")
    #expect(try feed(id).health.lastSuccess == time.wall)
    #expect(try feed(id).validators?.entityTag == "\"x\"")
    #expect(try library.newestPlaces(10).count == 2)
  }

  @Test func aLoginPageLosesNothing() async throws {
    let id = try follow("a", answers: .text(Sample.rss(), fields: [("ETag", "\"x\"")]))
    await refresher().refresh(.due)
    transport.set("https://tide.example/a", .text(Sample.page("<form>"), type: "text/html"))
    await refresher().refresh(.all)
    #expect(try library.newestPlaces(10).count == 2)
    #expect(try feed(id).health.lastError?.contains("log in") == true)
    #expect(try feed(id).validators?.entityTag == "\"x\"" && feed(id).title == "Tides")
  }

  /// A list may name pages: the first feed of such a page is followed in its place.
  @Test func aPageIsReplacedByItsFeed() async throws {
    let page = Sample.page(Sample.alternate("/f") + Sample.alternate("/g", title: "Other"))
    let id = try follow("page", answers: .text(page, type: "text/html"))
    transport.set(
      "https://tide.example/f", .text(Sample.rss(), fields: [("ETag", "\"x\"")]))
    let summary = await refresher().refresh(.due)
    #expect(summary.asked == 1 && summary.failed == 0 && summary.added == 2)
    #expect(try feed(id).address == "https://tide.example/f" && feed(id).title == "Tides")
    let isMoved = log.events.contains {
      if case .moved(id, "https://tide.example/f", id) = $0 { true } else { false }
    }
    #expect(isMoved)
    // One that names no feed is a failure.
    let none = try follow("none", answers: .text(Sample.page(""), type: "text/html"))
    await refresher().refresh(.due)
    #expect(try feed(none).health.lastError?.hasPrefix("a web page") == true)
  }

  @Test func whatIsDemandedIsAskedThoughItIsNotDue() async throws {
    let (a, b) = (
      try follow("a", answers: .text(Sample.rss())), try follow("b", answers: .text(Sample.rss()))
    )
    let refresher = refresher()
    await refresher.refresh(.due)
    #expect(await refresher.refresh(.feeds([b])).asked == 1)
    #expect(await refresher.refresh(.all).asked == 2)
    #expect(await refresher.refresh(.feeds([FeedID(99)])) == RefreshProgress())
    try library.leave(a, purge: false)
    #expect(await refresher.refresh(.feeds([a])) == RefreshProgress())
    #expect(transport.urls.count == 5)
  }

  // MARK: Failures

  @Test func aGoneFeedIsPausedAndReportedOnce() async throws {
    let id = try follow("a", answers: .status(410))
    let refresher = refresher()
    await refresher.refresh(.due)
    #expect(try feed(id).schedule.pauseReason?.contains("410") == true)
    time.advance(by: 1e6)
    #expect(await refresher.refresh(.due).asked == 0)
    #expect(await refresher.refresh(.all).asked == 0)
    #expect(log.failures.count == 1)
    // One that you ask for yourself, and that is there again, continues.
    transport.set("https://tide.example/a", .text(Sample.rss()))
    #expect(await refresher.refresh(.feeds([id])).failed == 0)
    #expect(try feed(id).schedule.pauseReason == nil)
  }

  @Test func aBusyHostIsLeftAlone() async throws {
    var ids: [FeedID] = []
    for index in 0..<6 {
      ids.append(
        try follow("\(index)", answers: .status(429, [("Retry-After", "7200")])))
    }
    let other = try follow("x", host: "other.example", answers: .text(Sample.rss()))
    let refresher = refresher()
    let summary = await refresher.refresh(.due)
    #expect(transport.urls.count { $0.contains("tide.example") } <= 3)
    #expect(summary.asked + summary.postponed == 7)
    for id in ids { #expect(try feed(id).schedule.nextTime >= time.wall + 7_200) }
    #expect(try feed(other).schedule.nextTime == time.wall + 1_800)
    time.advance(by: 3_600)
    #expect(await refresher.refresh(.due).asked == 1)
    // Its wish counts even if one feed is asked for. That refresh ends like any other.
    for endings in log.endings..<log.endings + 2 {
      let none = await refresher.refresh(.feeds([ids[5]]))
      #expect(none.asked == 0 && none.postponed == 1)
      #expect(log.endings == endings + 1)
    }
  }

  @Test func withoutANetworkNothingIsBlamed() async throws {
    let id = try follow("a")
    let failure = TableTransport.Answer.failure(
      .unreachable(host: "tide.example", reason: "no route"))
    transport.set("https://tide.example/a", failure)
    let refresher = refresher()
    for _ in 0..<5 {
      await refresher.refresh(.due)
      #expect(try feed(id).schedule.nextTime == time.wall + 1_800)
      time.advance(by: 1_800)
    }
    try follow("b", host: "other.example", answers: .text(Sample.rss()))
    await refresher.refresh(.due)
    time.advance(by: 1_800)
    await refresher.refresh(.due)
    #expect(try feed(id).schedule.nextTime > time.wall + 1_800)
  }

  @Test func aLibraryThatIsNotWrittenIsNotRefreshed() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    _ = try FeedLibrary(path: path).follow("https://tide.example/a", at: 0)
    let summary = await refresher(try FeedLibrary(path: path, isReadOnly: true)).refresh(.all)
    #expect(summary == RefreshProgress() && transport.urls.isEmpty)
  }

  // MARK: Time

  @Test func aRequestThatTakesTooLongFails() async throws {
    let id = try follow("slow")
    try follow("b", host: "other.example", answers: .text(Sample.rss()))
    let gate = AsyncGate()
    transport.answer("https://tide.example/slow") { _ throws(HTTPError) in
      try await gate.wait()
      return .text(Sample.rss())
    }
    let refresher = refresher()
    let (log, time) = (log, time)
    let run = Task { await refresher.refresh(.due) }
    await log.until { events in
      events.contains { $0.isProgress(1, of: 2) }
    }
    await gate.untilWaiting()
    // The other one has been shown meanwhile.
    #expect(try library.newestPlaces(10).count == 2)
    #expect(time.remaining == 90)
    time.advance(by: 90)
    let summary = await run.value
    #expect(summary.failed == 1)
    #expect(try feed(id).health.lastError == "timed out after 90 s")
  }

  @Test func cancellingRecordsNothing() async throws {
    let id = try follow("slow")
    for index in 0..<5 { try follow("\(index)") }
    let gate = AsyncGate()
    for path in ["slow"] + (0..<5).map(String.init) {
      transport.answer("https://tide.example/\(path)") { _ throws(HTTPError) in
        try await gate.wait()
        return .text(Sample.rss())
      }
    }
    let refresher = refresher()
    let run = Task { await refresher.refresh(.due) }
    await gate.untilWaiting()
    run.cancel()
    _ = await run.value
    #expect(try feed(id).health.lastError == nil && feed(id).schedule.lastAttempt == nil)
    #expect(transport.urls.count == 2)
    #expect(try library.dueFeeds(at: time.wall).count == 6)
  }

  /// `refresh` in another terminal fetches the same feeds; each is asked once.
  @Test func feedsThatAnotherProgramHasFetchedAreSkipped() async throws {
    for path in ["a", "b"] { try follow(path) }
    let others = try (0..<5).map { try follow("\($0)", answers: .text(Sample.rss())) }
    let (library, now) = (library, time.wall)
    // At most two requests to a host run at a time, so that the others have not begun.
    for path in ["a", "b"] {
      transport.answer("https://tide.example/\(path)") { _ throws(HTTPError) in
        for feed in others {
          _ = try? library.recordFetch(
            FetchRecord(.notModified, nextTime: now + 1_800), of: feed, at: now + 1)
        }
        return .text(Sample.rss())
      }
    }
    let summary = await refresher().refresh(.due)
    #expect(summary.asked == 2 && log.endings == 1)
    #expect(Set(transport.urls) == ["https://tide.example/a", "https://tide.example/b"])
    // Those that are named are asked in any case.
    #expect(await refresher().refresh(.feeds(others)).asked == 5)
  }

  /// During a lock no answer can be kept: the rest is not asked.
  @Test func aRefreshEndsWhenNothingCanBeWritten() async throws {
    let folder = try TemporaryFolder()
    let library = try FeedLibrary(
      path: folder.path + "/library.db", schema: .current, patience: 0)
    for index in 0..<100 {
      let url = "https://h\(index).example/a"
      transport.set(url, .text(Sample.rss()))
      _ = try library.follow(url, at: time.wall)
    }
    let other = try SQLiteConnection(
      path: library.path, file: library.path, access: .readWrite, patience: 0)
    try other.execute("BEGIN IMMEDIATE")
    await refresher(library).refresh(.due)
    #expect((1..<100).contains(transport.urls.count))
    let causes = log.events.compactMap { event in
      if case .libraryFailed(let error) = event { error.cause } else { nil }
    }
    #expect(!causes.isEmpty && Set(causes) == [.locked])
    #expect(log.endings == 1)
    other.rollBack()
    #expect(try library.dueFeeds(at: time.wall).count == 100)
    #expect(await refresher(library).refresh(.due).added == 200)
  }

  /// One timer, for the next due feed; none without feeds.
  @Test func feedsAreRefreshedByThemselves() async throws {
    let refresher = refresher()
    let (log, time) = (log, time)
    refresher.start()
    await refresher.refresh(.due)
    #expect(time.remaining == nil)
    try follow("a", answers: .text(Sample.rss()))
    await refresher.refresh(.due)
    #expect(log.endings == 1 && time.remaining == 1_800)
    time.advance(by: 1_799)
    #expect(transport.urls.count == 1)
    time.advance(by: 1)
    await log.until { $0.count { if case .ended = $0 { true } else { false } } == 2 }
    #expect(transport.urls.count == 2)
    await refresher.refresh(.due)
    #expect(time.remaining == 1_800)
    // After a jump of the calendar it is asked once more.
    time.advance(by: 1_800, jumpingBy: -1e8)
    await log.until { $0.count { if case .ended = $0 { true } else { false } } == 3 }
    #expect(transport.urls.count == 3)
  }

  @Test func theIntervalChangesAndEnds() async throws {
    let id = try follow("a", answers: .text(Sample.rss()))
    let refresher = refresher()
    refresher.policy = RefreshPolicy(interval: 600)
    refresher.start()
    await refresher.refresh(.due)
    #expect(try feed(id).schedule.nextTime == time.wall + 600 && time.remaining == 600)
    refresher.stop(cancelling: false)
    await eventually { time.remaining == nil }
    time.advance(by: 600)
    await refresher.refresh(.due)
    #expect(transport.urls.count == 2)
    #expect(time.remaining == nil)
  }

  /// A host's wish was recorded by a clock that was a year ahead.
  @Test func aClockThatWasAheadPutsNothingOff() async throws {
    let id = try follow("a", answers: .text(Sample.rss()))
    try library.postpone([id], until: time.wall + 3e7)
    #expect(await refresher().refresh(.due).asked == 1)
    #expect(try feed(id).schedule.nextTime == time.wall + 1_800)
  }

  @Test func redditFeedsTakeTurns() async throws {
    for name in ["a", "b"] {
      try follow("r/\(name)/.rss", host: "www.reddit.com", answers: .text(Sample.rss()))
    }
    let refresher = refresher()
    let (log, time) = (log, time)
    let run = Task { await refresher.refresh(.due) }
    await log.until { events in
      events.contains { $0.isProgress(1, of: 2) }
    }
    await refresher.settle()
    #expect(transport.urls.count == 1 && time.remaining == 60)
    time.advance(by: 60)
    #expect(await run.value.asked == 2)
    // Another run remembers the last request.
    time.advance(by: 10)
    let again = self.refresher()
    let rerun = Task { await again.refresh(.all) }
    await log.until { $0.count { $0.isProgress(0, of: 2) } == 2 }
    await again.settle()
    #expect(transport.urls.count == 2 && time.remaining == 50)
    time.advance(by: 50)
    await log.until { $0.count { $0.isProgress(1, of: 2) } == 2 }
    await again.settle()
    time.advance(by: 60)
    #expect(await rerun.value.asked == 2)
  }

  // MARK: Addresses

  @Test func aMovedFeedKeepsItsItems() async throws {
    let id = try follow("old")
    var moved = TableTransport.Answer.text(Sample.rss())
    moved.url = "https://tide.example/new"
    moved.redirects = [301]
    transport.set("https://tide.example/old", moved)
    transport.set("https://tide.example/new", .text(Sample.rss(["ebb", "flood", "slack"])))
    let refresher = refresher()
    for _ in 0..<3 {
      await refresher.refresh(.all)
      time.advance(by: 50_000)
    }
    #expect(try feed(id).address == "https://tide.example/new")
    #expect(await refresher.refresh(.all).added == 1)
    #expect(transport.urls.last == "https://tide.example/new")
    #expect(try library.newestPlaces(10).count == 3)
  }

  /// Many feeds on many hosts, with answers that change: what is stored is what was served.
  @Test(arguments: Rounds.seeds(2)) func randomRefreshesLoseNothing(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var served: [FeedID: Set<String>] = [:]
    var ids: [FeedID: String] = [:]
    for index in 0..<40 {
      let path = "f\(index)"
      ids[try follow(path, host: "h\(index % 7).example")] = "https://h\(index % 7).example/\(path)"
    }
    let refresher = refresher()
    for _ in 0..<6 {
      for (id, url) in ids.sorted(by: { $0.key < $1.key }) {
        let new = "\(id.rawValue)-\(random.next() % 1_000)"
        switch Int.random(in: 0..<6, using: &random) {
        case 0: transport.set(url, .status(500))
        case 1: transport.set(url, .text(Sample.page(""), type: "text/html"))
        default:
          served[id, default: []].insert(new)
          transport.set(url, .text(Sample.rss(served[id, default: []].sorted())))
        }
      }
      let summary = await refresher.refresh(.all)
      #expect(summary.asked == 40, "seed \(seed)")
      time.advance(by: 100)
    }
    for (id, url) in ids {
      transport.set(url, .text(Sample.rss(served[id, default: []].sorted())))
    }
    await refresher.refresh(.all)
    for id in ids.keys {
      let count = try library.newestPlaces(1_000, in: .feed(id)).count
      #expect(count == served[id, default: []].count, "seed \(seed)")
    }
  }
}
