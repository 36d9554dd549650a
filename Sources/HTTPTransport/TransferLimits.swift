import HTTP

/// The limits on time of one exchange: what has to have happened by when.
///
/// Time that the reader makes the transfer wait counts for none of them: it is the server's
/// patience that is asked for then, not ours.
struct TransferLimits {
  typealias Instant = SuspendingClock.Instant

  private let limits: HTTPLimits
  /// When the way began that led here.
  private var start: Instant
  private var lastSign: Instant
  /// Since when the body is measured, and what it has brought since; nil before it.
  private var measured: (since: Instant, bytes: Int)?
  private(set) var heldSince: Instant?

  init(_ limits: HTTPLimits, start: Instant, now: Instant) {
    self.limits = limits
    self.start = start
    lastSign = now
  }

  /// Something came.
  mutating func sawSign(now: Instant) { lastSign = now }

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
    lastSign = now
  }

  /// When to look again; nil while the reader makes it wait.
  var deadline: Instant? {
    guard heldSince == nil else { return nil }
    let all = min(start + .seconds(limits.totalSeconds), lastSign + .seconds(limits.idleSeconds))
    let part = measured.map { $0.since + .seconds(limits.rateSeconds) }
    return min(all, part ?? start + .seconds(limits.headSeconds))
  }

  /// What has taken too long.
  mutating func failure(now: Instant) -> HTTPError? {
    guard heldSince == nil else { return nil }
    if now >= start + .seconds(limits.totalSeconds) {
      return .timeout(seconds: limits.totalSeconds)
    }
    if now >= lastSign + .seconds(limits.idleSeconds) {
      return .timeout(seconds: limits.idleSeconds)
    }
    guard let (since, bytes) = measured else {
      return now >= start + .seconds(limits.headSeconds)
        ? .timeout(seconds: limits.headSeconds) : nil
    }
    guard now >= since + .seconds(limits.rateSeconds) else { return nil }
    if Double(bytes) < Double(limits.leastRate) * limits.rateSeconds {
      return .tooSlow(bytesPerSecond: limits.leastRate, seconds: limits.rateSeconds)
    }
    measured = (now, 0)
    return nil
  }
}
