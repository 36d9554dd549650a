/// Work that is done in slices while nothing else happens.
///
///     activity ──▶ quiet for `delay` ──▶ slice ▸ slice ▸ … ──▶ done: nothing wakes any more
///         ▲                                 │ activity ends it at once
///         └─────────────────────────────────┘
///
/// Between slices the main queue serves whatever has come, so that a key waits for one slice at
/// most.
@MainActor final class IdleWork {
  private let delay: Duration
  private let turns: Turns
  /// Does a little; returns whether there is more.
  private let slice: () -> Bool
  private var lastActivity = ContinuousClock.now
  /// Something is scheduled: the end of the quiet time, or the next slice.
  private var isScheduled = false
  private var isSuspended = false
  /// There was activity since the work ended.
  private var isCalledFor = false

  /// - Parameter delay: how long nothing must have happened before the first slice.
  init(after delay: Duration, on turns: Turns, slice: @escaping () -> Bool) {
    self.delay = delay
    self.turns = turns
    self.slice = slice
  }

  /// Something happened that work should wait for.
  func noteActivity() {
    guard !isSuspended else { return }
    lastActivity = .now
    isCalledFor = true
  }

  /// There may be work to do, if there was activity. Apart from ``noteActivity()``, since setting a
  /// timer wakes a thread, which a key need not wait for.
  func begin() {
    guard isCalledFor, !isSuspended, !isScheduled else { return }
    isScheduled = true
    wait(max(.zero, lastActivity + delay - .now))
  }

  private func wait(_ time: Duration) {
    turns.after(time) { [weak self] in self?.work() }
  }

  private func work() {
    let rest = lastActivity + delay - .now
    guard rest <= .zero else { return wait(rest) }
    // What the work itself changes is no activity.
    isSuspended = true
    let hasMore = slice()
    isSuspended = false
    isScheduled = hasMore
    isCalledFor = hasMore
    guard hasMore else { return }
    turns.later { [weak self] in self?.work() }
  }
}
