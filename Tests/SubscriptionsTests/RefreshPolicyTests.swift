import Feeds
import HTTP
import TestSupport
import Testing

@testable import Library
@testable import Subscriptions

@Suite struct RefreshPolicyTests {
  private static let now = 1_700_000_000.0
  private static let hour = 3_600.0
  private static let day = 86_400.0
  private let policy = RefreshPolicy()

  private func document(
    period: Double = 0, hours: UInt32 = 0, maxAge: Double? = nil, target: String? = nil
  ) -> FetchAnswer {
    var document = FetchedDocument(title: "Tides")
    document.schedule.period = period
    document.schedule.skippedHours = hours
    return FetchAnswer(.document(document), maxAge: maxAge, permanentTarget: target)
  }

  private func failed(_ status: Int, after delay: Double? = nil) -> FetchAnswer {
    FetchAnswer(
      .failed(FetchFailure(.status(status), requestedDelay: delay, host: "tide.example")))
  }

  private func delay(
    _ answer: FetchAnswer, of feed: Feed = .followed(), isOffline: Bool = false
  ) -> Double {
    policy.decision(after: answer, of: feed, isOffline: isOffline, at: Self.now).record.nextTime
      - Self.now
  }

  // MARK: Success

  @Test func theLongestDelayCounts() {
    #expect(delay(document()) == 1_800)
    #expect(delay(document(maxAge: 60)) == 1_800)
    #expect(delay(document(maxAge: 7_200)) == 7_200)
    #expect(delay(document(maxAge: 1e9)) == 5 * Self.hour)
    #expect(delay(document(period: 600)) == 1_800)
    #expect(delay(document(period: Self.day, maxAge: 7_200)) == Self.day)
    #expect(delay(document(period: 1e12)) == 7 * Self.day)
    #expect(RefreshPolicy(interval: 1).interval == 60)
    #expect(RefreshPolicy(interval: .nan).interval == 1_800)
  }

  /// The answer 304 has no document, so that the schedule of the last one counts.
  @Test func theScheduleIsKeptWithoutADocument() {
    var feed = Feed.followed()
    let record = policy.decision(after: document(period: Self.day), of: feed, at: Self.now).record
    feed.schedule.hint = record.hint ?? ""
    #expect(delay(FetchAnswer(.notModified), of: feed) == Self.day)
    #expect(delay(FetchAnswer(.notModified)) == 1_800)
  }

  @Test(arguments: ["", "x", "1 2", "1 2 3 4", "-1 2 3", "1 2 999", "99999999999999999999 0 0"])
  func unreadableHintsAreNone(text: String) {
    #expect(FeedSchedule(hint: text) == FeedSchedule())
  }

  @Test func hintsAreReadBack() {
    var schedule = FeedSchedule()
    #expect(schedule.hint.isEmpty)
    (schedule.period, schedule.skippedHours, schedule.skippedDays) = (7_200, 0xFF0001, 0x41)
    #expect(FeedSchedule(hint: schedule.hint) == schedule)
    schedule.period = .infinity
    #expect(FeedSchedule(hint: schedule.hint).period == 1e9)
  }

  @Test func skippedHoursAndDaysArePassedOver() {
    var schedule = FeedSchedule()
    // 2023-11-14 22:13:20, a Tuesday.
    schedule.skippedHours = 1 << 22 | 1 << 23
    let midnight = 1_700_006_400.0
    #expect(RefreshPolicy.allowedTime(from: Self.now, by: schedule) == midnight)
    #expect(RefreshPolicy.allowedTime(from: midnight + 5, by: schedule) == midnight + 5)
    schedule.skippedDays = 1 << 3
    #expect(RefreshPolicy.allowedTime(from: Self.now, by: schedule) == midnight + Self.day)
    schedule.skippedHours = 0xFFFFFF
    #expect(RefreshPolicy.allowedTime(from: Self.now, by: schedule) == Self.now)
    for time in [Double.infinity, -.infinity, .nan, 1e300] {
      _ = RefreshPolicy.allowedTime(from: time, by: schedule)
    }
    // 22:43:20 is excluded, so the feed is due at midnight.
    #expect(delay(document(hours: 1 << 22 | 1 << 23)) == midnight - Self.now)
  }

  // MARK: Validators

  @Test func validatorsAreDroppedAfterEightDays() {
    var feed = Feed.followed()
    #expect(policy.validators(of: feed, at: Self.now) == nil)
    feed.validators = Feed.Validators(
      address: "https://tide.example/a", entityTag: "W/\"x\"", lastModified: nil, time: Self.now)
    let sent = policy.validators(of: feed, at: Self.now + 8 * Self.day - 1)
    #expect(sent?.entityTag == "W/\"x\"" && sent?.address == "https://tide.example/a")
    #expect(policy.validators(of: feed, at: Self.now + 8 * Self.day) == nil)
    // The clock was set back.
    #expect(policy.validators(of: feed, at: Self.now - 1) == nil)
  }

  @Test func confirmedValidatorsStayAsOldAsTheyAre() {
    var feed = Feed.followed()
    feed.validators = Feed.Validators(
      address: feed.address, entityTag: "x", lastModified: nil, time: Self.now - Self.day)
    let record = policy.decision(after: FetchAnswer(.notModified), of: feed, at: Self.now).record
    #expect(record.validators == feed.validators)
    var answer = FetchedDocument(title: "")
    answer.validators = HTTPValidators(
      address: "https://b.example/", entityTag: "y", lastModified: "z")
    let new = policy.decision(after: FetchAnswer(.document(answer)), of: feed, at: Self.now).record
    #expect(
      new.validators
        == Feed.Validators(
          address: "https://b.example/", entityTag: "y", lastModified: "z", time: Self.now))
  }

  // MARK: Failures

  @Test func failuresWaitTwiceAsLongEachTime() {
    var feed = Feed.followed()
    let delays = (0..<12).map { count in
      feed.health.failures = count
      return delay(failed(404), of: feed)
    }
    #expect(
      delays == [1_800, 3_600, 7_200, 14_400, 28_800, 57_600] + Array(repeating: Self.day, count: 6)
    )
    feed.health.failures = .max
    #expect(delay(failed(500), of: feed) == Self.day)
    feed.health.failures = -1
    #expect(delay(failed(500), of: feed) == 1_800)
  }

  @Test func withoutANetworkFeedsWaitForTheInterval() {
    var feed = Feed.followed()
    feed.health.failures = 9
    let answer = FetchAnswer(
      .failed(FetchFailure(.exchange(.unreachable(host: "tide.example", reason: "no route")))))
    #expect(delay(answer, of: feed, isOffline: true) == 1_800)
    #expect(delay(answer, of: feed, isOffline: false) == Self.day)
    #expect(delay(failed(500), of: feed, isOffline: true) == Self.day)
  }

  @Test func aServersWishCountsForItsHost() throws {
    for (status, wish, expected) in [
      (429, 7_200.0, 7_200.0), (503, 7_200, 7_200), (429, nil, 1_800), (429, 0, nil),
      (503, nil, nil), (500, 7_200, nil), (404, 9, nil), (429, 1e12, 86_400),
    ] as [(Int, Double?, Double?)] {
      let decision = policy.decision(
        after: failed(status, after: wish), of: .followed(), at: Self.now)
      #expect(decision.block?.seconds == expected, "\(status) \(String(describing: wish))")
      if expected != nil { #expect(decision.block?.host == "tide.example") }
      let delay = decision.record.nextTime - Self.now
      #expect(delay == max(1_800, min(wish ?? 0, Self.day)))
    }
  }

  @Test func onlyGoneFeedsArePaused() {
    for status in [400, 401, 403, 404, 408, 429, 451, 500, 503] {
      let record = policy.decision(after: failed(status), of: .followed(), at: Self.now).record
      #expect(record.pauseReason == nil)
    }
    let record = policy.decision(after: failed(410), of: .followed(), at: Self.now).record
    #expect(record.pauseReason?.contains("410") == true)
  }

  @Test func theTitleOfATimelineWithoutOneStays() {
    var feed = Feed.followed()
    feed.title = "@marit@tide.example"
    let answer = FetchAnswer(.document(FetchedDocument(title: "")))
    let record = policy.decision(after: answer, of: feed, at: Self.now).record
    guard case .document(let title, _) = record.outcome else {
      Issue.record("\(record.outcome)")
      return
    }
    #expect(title == "@marit@tide.example")
  }

  // MARK: Redirects

  /// Applies answers at times, and returns the address that the feed has afterwards.
  private func address(after answers: [(time: Double, answer: FetchAnswer)]) -> String {
    var feed = Feed.followed()
    for (time, answer) in answers {
      let decision = policy.decision(after: answer, of: feed, at: Self.now + time)
      feed.redirect = decision.record.redirect
      if let new = decision.newAddress {
        feed.address = new
        feed.redirect = nil
      }
    }
    return feed.address
  }

  @Test func anAddressMovesAfterThreeRedirectsOverADay() {
    let target = "https://new.example/feed"
    let moved = document(target: target)
    let old = Feed.followed().address
    let half = Self.day / 2
    #expect(address(after: [(0, moved), (half, moved)]) == old)
    #expect(address(after: [(0, moved), (half, moved), (2 * half - 1, moved)]) == old)
    #expect(address(after: [(0, moved), (half, moved), (2 * half, moved)]) == target)
    #expect(address(after: [(0, moved), (5 * Self.day, moved)]) == old)
    let confirmed = FetchAnswer(.notModified, permanentTarget: target)
    #expect(address(after: [(0, moved), (half, confirmed), (2 * half, confirmed)]) == target)
    // A failure says nothing; any other answer starts over.
    #expect(
      address(after: [(0, moved), (1, failed(500)), (half, moved), (2 * half, moved)]) == target)
    for other in [document(), document(target: "https://other.example/")] {
      #expect(
        address(after: [(0, moved), (half, moved), (half + 1, other), (2 * half, moved)]) == old)
    }
    // The clock was set back.
    #expect(address(after: [(0, moved), (-half, moved), (half, moved)]) == old)
  }

  @Test func aTargetIsFollowedInOneSpelling() {
    let moved = document(target: "https://New.example:443/feed#x")
    #expect(
      address(after: [(0, moved), (Self.day, moved), (2 * Self.day, moved)])
        == "https://new.example/feed")
  }

  @Test(arguments: ["http://new.example/feed", "https://TIDE.example:443/feed#x", "ftp://a/b", ""])
  func unfitTargetsAreNotFollowed(target: String) {
    let moved = document(target: target)
    #expect(
      address(after: [(0, moved), (Self.day, moved), (2 * Self.day, moved)])
        == Feed.followed().address)
  }

  /// Whatever the clock does, a feed is asked again within bounds.
  @Test func jumpingClocksAreHarmless() {
    var random = SeededGenerator(seed: 7)
    var feed = Feed.followed()
    for _ in 0..<2_000 {
      let now = Double.random(in: -1e12...1e12, using: &random)
      let answers = [
        document(
          period: .random(in: 0...1e7, using: &random), maxAge: 1e5, target: "https://n.example/"),
        FetchAnswer(.notModified, permanentTarget: "https://n.example/"), failed(429, after: 1e7),
        failed(410), failed(404),
      ]
      let answer = answers[Int.random(in: 0..<answers.count, using: &random)]
      let decision = policy.decision(after: answer, of: feed, at: now)
      let delay = decision.record.nextTime - now
      #expect((1_799...RefreshPolicy.longestPeriod + 8 * Self.day).contains(delay), "\(now)")
      feed.redirect = decision.record.redirect
      feed.validators = decision.record.validators ?? feed.validators
      feed.health.failures = Int.random(in: 0...20, using: &random)
      _ = policy.validators(of: feed, at: now)
    }
  }
}

extension Feed {
  static func followed(_ address: String = "https://tide.example/feed", id: Int64 = 1) -> Feed {
    Feed(
      id: FeedID(id), address: address, title: "", ownName: nil, tags: [], followedSince: 0,
      validators: nil, redirect: nil, schedule: Schedule(), health: Health(), unreadCount: 0,
      newestDate: nil)
  }
}
