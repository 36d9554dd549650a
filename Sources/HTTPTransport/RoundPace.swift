/// How often the transfer thread may wake up for next to nothing.
///
/// A server that sends a byte at a time would have a core busy with it. Thin rounds are paid for
/// with ``interval`` of time each, up to ``credit`` of them in advance; who has none left sleeps
/// until the next is due, while the bytes gather in the system's buffers.
struct RoundPace {
  typealias Instant = SuspendingClock.Instant

  /// 50 rounds a second.
  static let interval = Duration.milliseconds(20)
  /// What setting up connections and small answers take stays far below it.
  static let credit = 250

  private var paidUntil: Instant?

  /// How long to sleep after a thin round.
  mutating func pause(now: Instant) -> Duration {
    let oldest = now - Self.interval * Self.credit
    let paid = max(paidUntil ?? oldest, oldest) + Self.interval
    paidUntil = paid
    return max(.zero, now.duration(to: paid))
  }
}
