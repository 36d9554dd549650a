/// Work done in slices while the program is otherwise idle.
///
///     activity ──▶ quiet for `delay` ──▶ slice ▸ slice ▸ … ──▶ done: no more wake-ups
///         ▲                                 │ activity ends it at once
///         └─────────────────────────────────┘
///
/// Between slices the main queue handles events, so that a key waits for one slice at most.
@MainActor final class IdleWork {
  private let delay: Duration
  private let scheduler: MainQueueScheduler
  /// Does a little work; returns whether there is more.
  private let slice: () -> Bool
  private var lastActivity: ContinuousClock.Instant
  /// Whether the end of the quiet time or the next slice is scheduled.
  private var isScheduled = false
  private var isSuspended = false
  /// Whether there was activity since the work ended.
  private var hasNewActivity = false

  /// - Parameter delay: the quiet time before the first slice.
  init(after delay: Duration, on scheduler: MainQueueScheduler, slice: @escaping () -> Bool) {
    self.delay = delay
    self.scheduler = scheduler
    self.slice = slice
    lastActivity = scheduler.now
  }

  /// Records activity, which postpones the work.
  func noteActivity() {
    guard !isSuspended else { return }
    lastActivity = scheduler.now
    hasNewActivity = true
  }

  /// Schedules the work if there was activity. Separate from ``noteActivity()``, because setting a
  /// timer wakes a thread and a key need not wait for that.
  func begin() {
    guard hasNewActivity, !isSuspended, !isScheduled else { return }
    isScheduled = true
    wait(max(.zero, lastActivity + delay - scheduler.now))
  }

  private func wait(_ time: Duration) {
    scheduler.after(time) { [weak self] in self?.work() }
  }

  private func work() {
    let rest = lastActivity + delay - scheduler.now
    guard rest <= .zero else { return wait(rest) }
    // Changes made by the work itself are not activity.
    isSuspended = true
    let hasMore = slice()
    isSuspended = false
    isScheduled = hasMore
    hasNewActivity = hasMore
    guard hasMore else { return }
    scheduler.later { [weak self] in self?.work() }
  }
}
