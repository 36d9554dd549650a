/// Limits how often the transfer thread wakes up for little data.
///
/// A server that sends single bytes would keep a core busy. Each thin round costs ``interval`` of
/// time, with up to ``credit`` rounds in advance; without credit the thread sleeps until the next
/// round is due, while the bytes gather in the system's buffers.
struct WakeUpLimiter {
  typealias Instant = SuspendingClock.Instant

  /// 50 rounds a second.
  static let interval = Duration.milliseconds(20)
  /// Setting up connections and small responses need far fewer.
  static let credit = 250

  private var paidUntil: Instant?

  /// The time to sleep after a thin round.
  mutating func pause(now: Instant) -> Duration {
    let oldest = now - Self.interval * Self.credit
    let paid = max(paidUntil ?? oldest, oldest) + Self.interval
    paidUntil = paid
    return max(.zero, now.duration(to: paid))
  }
}
