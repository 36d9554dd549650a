import Feeds
import HTTP
import Library

/// Decides when a feed is requested, and how an answer is recorded. Times are seconds since 1970.
///
/// 1. A feed that answers is due after the longest of the interval, its `max-age` (``longestAge``
///    at most) and its own schedule (``longestPeriod`` at most), outside of the hours and days that
///    it excludes.
/// 2. A feed that fails waits for the interval, then twice as long after each further failure, up
///    to ``longestBackOff`` or a longer interval, and at least as long as its server requests (also
///    ``longestBackOff`` at most). If no server at all could be reached, it waits for the interval.
/// 3. An address changes if all redirects to a feed were permanent ``redirectCount`` times in a row
///    over ``redirectPeriod``. It never changes from https to http.
/// 4. Validators are sent for ``validatorLifetime`` after the answer that they came with: some
///    servers would confirm them forever.
/// 5. Of all answers, only status 410 pauses a feed.
/// 6. A clock that jumps costs an extra request, or a delay that these constants bound.
package struct RefreshPolicy: Hashable, Sendable {
  /// The seconds between two requests of a feed; more if the feed asks for it. `1,800` by default.
  package var interval: Double

  /// `5 h`
  package static let longestAge = 18_000.0
  /// `7 d`
  package static let longestPeriod = 604_800.0
  /// `1 d`; also the longest delay that a server is granted.
  package static let longestBackOff = 86_400.0
  /// `8 d`
  package static let validatorLifetime = 691_200.0
  package static let redirectCount = 3
  /// The longest delay of any decision: ``longestPeriod`` and the days that a feed excludes.
  static let longestDelay = longestPeriod + 8 * 86_400
  /// `1 d`
  package static let redirectPeriod = 86_400.0

  /// - Parameter interval: in seconds, at least 60 and at most ``longestPeriod``.
  package init(interval: Double = 1_800) {
    self.interval = interval.isFinite ? min(max(60, interval), Self.longestPeriod) : 1_800
  }

  /// The decision after an answer.
  package struct Decision: Sendable {
    package var record: FetchRecord
    /// The new address of the feed, if it is to be changed.
    package var newAddress: String?
    /// The host to which no requests may be sent, and for how many seconds.
    package var block: (host: String, seconds: Double)?
  }

  // MARK: Asking

  /// The validators to be sent for a feed; `nil` if there are none, or they are too old.
  package func validators(of feed: Feed, at now: Double) -> HTTPValidators? {
    guard let known = feed.validators, now >= known.time,
      now - known.time < Self.validatorLifetime
    else { return nil }
    return HTTPValidators(
      address: known.address, entityTag: known.entityTag, lastModified: known.lastModified)
  }

  /// The earliest time from `time` on outside of the hours and days that the feed excludes; `time`
  /// itself if it excludes all.
  package static func allowedTime(from time: Double, by schedule: FeedSchedule) -> Double {
    guard schedule.skippedHours != 0 || schedule.skippedDays != 0, CivilTime.writable.contains(time)
    else { return time }
    var candidate = time
    for _ in 0...(24 * 8) {
      let civil = CivilTime(seconds: candidate)
      let isSkipped =
        schedule.skippedHours & 1 << UInt32(civil.hour) != 0
        || schedule.skippedDays & 1 << UInt8(civil.weekday ?? 0) != 0
      guard isSkipped else { return candidate }
      candidate = ((candidate / 3_600).rounded(.down) + 1) * 3_600
    }
    return time
  }

  /// The earliest time from `now` on at which the feed's own schedule allows a request.
  package func allowedTime(of feed: Feed, from now: Double) -> Double {
    Self.allowedTime(from: now, by: FeedSchedule(hint: feed.schedule.hint))
  }

  /// Whether the next request is too far off: its time was set while the clock was ahead.
  func hasImpossibleTime(_ feed: Feed, at now: Double) -> Bool {
    feed.schedule.pauseReason == nil && feed.schedule.nextTime > now + Self.longestDelay
  }

  // MARK: Answers

  /// - Parameter isOffline: whether no server has answered so far.
  package func decision(
    after answer: FetchAnswer, of feed: Feed, isOffline: Bool = false, at now: Double
  ) -> Decision {
    switch answer.result {
    case .document(let document):
      let validators = document.validators.map {
        Feed.Validators(
          address: $0.address, entityTag: $0.entityTag, lastModified: $0.lastModified, time: now)
      }
      // Timelines of social networks have no title; the one from when they were found stays.
      let title = document.title.isEmpty ? feed.title : document.title
      return success(
        .document(title: title, items: document.items), answer, feed, validators,
        document.schedule, at: now)
    case .notModified:
      let schedule = FeedSchedule(hint: feed.schedule.hint)
      return success(.notModified, answer, feed, feed.validators, schedule, at: now)
    case .failed(let failure):
      return decision(after: failure, of: feed, isOffline: isOffline, at: now)
    }
  }

  private func success(
    _ outcome: FetchRecord.Outcome, _ answer: FetchAnswer, _ feed: Feed,
    _ validators: Feed.Validators?, _ schedule: FeedSchedule, at now: Double
  ) -> Decision {
    let redirect = Self.redirect(after: answer, of: feed, at: now)
    let moves = redirect.map { redirect in
      redirect.count >= Self.redirectCount && now - redirect.since >= Self.redirectPeriod
    }
    let delay = max(
      interval, min(answer.maxAge ?? 0, Self.longestAge), min(schedule.period, Self.longestPeriod))
    var record = FetchRecord(
      outcome, nextTime: Self.allowedTime(from: now + delay, by: schedule), validators: validators,
      redirect: redirect, hint: schedule.hint)
    if case .document(let document) = answer.result {
      record.omission = document.omission
      record.isWhole = document.omission == nil
    }
    let target = redirect.map { URLReference($0.target).normalized.description }
    return Decision(record: record, newAddress: moves == true ? target : nil)
  }

  /// The redirect to be remembered; `nil` if the answer came from the feed's own address, or not by
  /// permanent redirects alone.
  private static func redirect(
    after answer: FetchAnswer, of feed: Feed, at now: Double
  ) -> Feed.Redirect? {
    guard let target = answer.permanentTarget else { return nil }
    let (old, new) = (URLReference(feed.address), URLReference(target))
    guard new.isWeb, new.normalized != old.normalized,
      !(old.scheme == "https" && new.scheme == "http")
    else { return nil }
    guard var known = feed.redirect, known.target == target, known.since <= now else {
      return Feed.Redirect(target: target, count: 1, since: now)
    }
    known.count = min(known.count, 1_000) + 1
    return known
  }

  private func decision(
    after failure: FetchFailure, of feed: Feed, isOffline: Bool, at now: Double
  ) -> Decision {
    let requested = min(failure.requestedDelay ?? 0, Self.longestBackOff)
    let schedule = FeedSchedule(hint: feed.schedule.hint)
    let delay =
      failure.isWithoutAnswer && isOffline ? interval : backOff(afterFailures: feed.health.failures)
    var record = FetchRecord(
      .failed("\(failure)"),
      nextTime: Self.allowedTime(from: now + max(delay, requested), by: schedule),
      redirect: feed.redirect)
    if failure.isGone { record.pauseReason = "gone, says its server (HTTP status 410)" }
    return Decision(record: record, block: block(after: failure, of: feed, requested: requested))
  }

  /// The delay after a failure that follows `count` others.
  private func backOff(afterFailures count: Int) -> Double {
    let doublings = min(max(0, count), 16)
    return max(interval, min(interval * Double(1 << doublings), Self.longestBackOff))
  }

  /// Status 429, or 503 with a delay, blocks requests for all feeds of the host.
  private func block(
    after failure: FetchFailure, of feed: Feed, requested: Double
  ) -> (host: String, seconds: Double)? {
    let seconds: Double
    switch failure.reason {
    case .status(429): seconds = max(requested, failure.requestedDelay == nil ? interval : 0)
    case .status(503): seconds = requested
    default: return nil
    }
    guard seconds > 0 else { return nil }
    let host = failure.host.map { RequestHost.name(of: "https://\($0)") }
    return (host ?? RequestHost.name(of: feed.address), seconds)
  }
}
