import HTTP

/// The time limits of one exchange.
///
/// Time in which the reader makes the transfer wait counts for none of them: it is not the server
/// that is slow then.
struct TransferLimits {
  typealias Instant = SuspendingClock.Instant

  private let limits: HTTPLimits
  /// The start of the redirect chain.
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

  /// The head is complete.
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

  /// The next deadline; `nil` while the reader makes the transfer wait.
  var deadline: Instant? {
    guard heldSince == nil else { return nil }
    let all = min(
      start + .seconds(limits.totalSeconds), lastServerActivity + .seconds(limits.idleSeconds))
    let part = measured.map { $0.since + .seconds(limits.rateSeconds) }
    return min(all, part ?? start + .seconds(limits.headSeconds))
  }

  /// The error if a limit is exceeded.
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
