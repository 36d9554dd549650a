/// Limits how often the transfer thread wakes up for little data.
///
/// A server that sends single bytes would keep a core busy. Each thin round, in which few bytes or
/// tiny pieces arrive, costs ``interval`` of time, with up to ``credit`` rounds in advance; without
/// credit the thread sleeps until the next round is due, while the bytes gather in the system's
/// buffers.
///
/// An exchange with a small answer takes a few thin rounds, so each one that begins brings credit
/// of its own: a thousand of them one after the other are not slowed down.
struct WakeUpLimiter {
  typealias Instant = SuspendingClock.Instant

  /// The time that a thin round costs: 50 rounds a second.
  static let interval = Duration.milliseconds(20)
  /// The maximum number of rounds in advance.
  static let credit = 250
  /// The credit of an exchange in rounds, which suffices to look up its name, to set up its
  /// connection and TLS, and to receive a small answer.
  static let creditOfExchange = 16

  /// The time at which the next round is due, in the past while credit is left; `nil` before the
  /// first round.
  private var paidUntil: Instant?

  /// Adds the credit of exchanges that begin.
  mutating func begin(_ exchanges: Int) {
    guard exchanges > 0, let paid = paidUntil else { return }
    paidUntil = paid - Self.interval * Self.creditOfExchange * min(exchanges, Self.credit)
  }

  /// The time to sleep after a thin round.
  mutating func pause(now: Instant) -> Duration {
    let oldest = now - Self.interval * Self.credit
    let paid = max(paidUntil ?? oldest, oldest) + Self.interval
    paidUntil = paid
    return max(.zero, now.duration(to: paid))
  }
}
