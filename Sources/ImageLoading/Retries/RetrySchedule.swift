import HTTP

/// The failures of one loader, and the timer for those that are tried again: one while any of them
/// waits, none otherwise.
@MainActor final class RetrySchedule {
  /// The next of those that wait is due.
  var onDue: (() -> Void)?

  private var book: RetryBook
  private let clock: any LoaderClock
  /// When the clock wakes us.
  private var next: ContinuousClock.Instant?

  /// Whether the clock will wake us.
  var isArmed: Bool { next != nil }

  init(_ policy: ImageRetries, clock: any LoaderClock, random: any RandomNumberGenerator) {
    book = RetryBook(policy, random: random)
    self.clock = clock
  }

  /// What is to be done about a picture now.
  ///
  /// - Complexity: O(1).
  func state(of link: HTTPLink) -> RetryBook.State { book.state(of: link, at: clock.now) }

  /// Whether a try has failed and more are made.
  func isTriedAgain(_ link: HTTPLink) -> Bool { book.isTriedAgain(link) }

  /// A try has failed; see ``RetryBook/failed(_:_:asked:at:)``.
  func failed(_ link: HTTPLink, _ error: ImageError, asked: Double?) -> RetryBook.State {
    book.failed(link, error, asked: asked, at: clock.now)
  }

  func forget(_ link: HTTPLink) { book.forget(link) }

  /// These wait: the clock is to wake us when the first of them is due.
  ///
  /// - Complexity: O(n) in those that wait.
  func arrange(for waiting: some Sequence<HTTPLink>) {
    let now = clock.now
    var first: ContinuousClock.Instant?
    for link in waiting {
      var due = now
      if case .waiting(let until) = book.state(of: link, at: now) { due = until }
      first = min(first ?? due, due)
    }
    guard first != next else { return }
    next = first
    clock.wake(at: first) { [weak self] in
      self?.next = nil
      self?.onDue?()
    }
  }

  /// Nothing is to be tried again any more.
  func stop() {
    next = nil
    clock.wake(at: nil) {}
  }
}
