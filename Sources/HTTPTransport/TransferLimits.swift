import HTTP

/// The time limits of one exchange.
///
/// Time in which the transfer is held for a slow reader counts toward none of them: the server is
/// not slow then.
struct TransferLimits {
  typealias Instant = SuspendingClock.Instant

  private let limits: HTTPLimits
  /// The start of the redirect chain, moved forward by each time in which the transfer was held.
  private var start: Instant
  private var lastServerActivity: Instant
  /// The start of the current measurement of the body, and its bytes since; `nil` before the body.
  private var measured: (since: Instant, bytes: Int)?
  private(set) var heldSince: Instant?

  init(_ limits: HTTPLimits, start: Instant, now: Instant) {
    self.limits = limits
    self.start = start
    lastServerActivity = now
  }

  /// Records activity of the server.
  mutating func recordServerActivity(now: Instant) { lastServerActivity = now }

  /// Call it when the head is complete: measures the rate of the body from `now` on.
  mutating func bodyBegins(now: Instant) { measured = (now, 0) }

  mutating func received(_ bytes: Int) { measured?.bytes += bytes }

  mutating func hold(now: Instant) { if heldSince == nil { heldSince = now } }

  mutating func resume(now: Instant) {
    guard let heldSince else { return }
    self.heldSince = nil
    let pause = heldSince.duration(to: now)
    start += pause
    measured?.since += pause
    lastServerActivity = now
  }

  /// The next deadline; `nil` while the transfer is held.
  var deadline: Instant? {
    guard heldSince == nil else { return nil }
    let all = min(
      start + .seconds(limits.totalSeconds), lastServerActivity + .seconds(limits.idleSeconds))
    let part = measured.map { $0.since + .seconds(limits.rateSeconds) }
    return min(all, part ?? start + .seconds(limits.headSeconds))
  }

  /// The error if a limit is exceeded; starts the next measurement of the rate if one is over.
  mutating func failure(now: Instant) -> HTTPError? {
    guard heldSince == nil else { return nil }
    if now >= start + .seconds(limits.totalSeconds) {
      return .timeout(seconds: limits.totalSeconds)
    }
    if now >= lastServerActivity + .seconds(limits.idleSeconds) {
      return .timeout(seconds: limits.idleSeconds)
    }
    guard let (since, bytes) = measured else {
      return now >= start + .seconds(limits.headSeconds)
        ? .timeout(seconds: limits.headSeconds) : nil
    }
    guard now >= since + .seconds(limits.rateSeconds) else { return nil }
    if Double(bytes) < Double(limits.minimumRate) * limits.rateSeconds {
      return .tooSlow(bytesPerSecond: limits.minimumRate, seconds: limits.rateSeconds)
    }
    measured = (now, 0)
    return nil
  }
}
