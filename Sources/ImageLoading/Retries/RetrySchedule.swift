import HTTP

/// The failures of one loader, and the timer for retries: one while any picture waits, none
/// otherwise.
@MainActor final class RetrySchedule {
  /// Called when the next retry is due.
  var onDue: (() -> Void)?

  private var failures: FailureCache
  private let clock: any LoaderClock
  /// When the timer fires.
  private var next: ContinuousClock.Instant?

  /// Whether the timer is set.
  var isArmed: Bool { next != nil }

  init(_ policy: ImageRetryPolicy, clock: any LoaderClock, random: any RandomNumberGenerator) {
    failures = FailureCache(policy, random: random)
    self.clock = clock
  }

  /// The current state of a picture.
  ///
  /// - Complexity: O(1).
  func state(of link: HTTPLink) -> FailureCache.State { failures.state(of: link, at: clock.now) }

  /// Whether an attempt has failed and more will be made.
  func isBeingRetried(_ link: HTTPLink) -> Bool { failures.isBeingRetried(link) }

  /// Records a failed attempt; see ``FailureCache/failed(_:_:asked:at:)``.
  func failed(_ link: HTTPLink, _ error: ImageError, asked: Double?) -> FailureCache.State {
    failures.failed(link, error, asked: asked, at: clock.now)
  }

  func forget(_ link: HTTPLink) { failures.forget(link) }

  /// Sets the timer to the time when the first of these waiting pictures is due.
  ///
  /// - Complexity: O(n) in the waiting pictures.
  func arrange(for waiting: some Sequence<HTTPLink>) {
    let now = clock.now
    var first: ContinuousClock.Instant?
    for link in waiting {
      var due = now
      if case .waiting(let until) = failures.state(of: link, at: now) { due = until }
      first = min(first ?? due, due)
    }
    guard first != next else { return }
    next = first
    clock.wake(at: first) { [weak self] in
      self?.next = nil
      self?.onDue?()
    }
  }

  /// Cancels the timer for good.
  func stop() {
    next = nil
    clock.wake(at: nil) {}
  }
}
