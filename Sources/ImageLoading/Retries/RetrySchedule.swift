import Caches
import HTTP

/// Remembers which pictures of one loader have failed, and when each may be requested again. It has
/// one timer while any picture waits for its retry, and none otherwise.
///
/// 1. A permanent failure is final, until the caller forgets it.
/// 2. A picture that fails transiently is requested at most `maximumAttempts` times in all, with
///    growing delays and never before the time that the server asks for. Then it counts as failed
///    for `failureLifetime`, or as long as the server asks, and after that starts again from the
///    first attempt.
/// 3. Failures belong to the address, so rows may appear and disappear without effect on them.
@MainActor final class RetrySchedule {
  typealias Instant = ContinuousClock.Instant

  /// The state of a picture.
  enum State: Hashable {
    /// It may be requested.
    case free
    /// It is retried at that time.
    case waiting(until: Instant)
    /// It has failed, for that reason.
    case failed(ImageError)
  }

  private struct Entry {
    var tries: Int
    var error: ImageError
    /// `nil` means never.
    var notBefore: Instant?
    var hasFailed: Bool
  }

  /// Called when the next retry is due.
  var onDue: (() -> Void)?

  private let policy: ImageRetryPolicy
  private let clock: any LoaderClock
  private var entries: LRUCache<HTTPLink, Entry>
  private var random: any RandomNumberGenerator
  /// When the timer fires.
  private var next: Instant?

  /// Whether the timer is set.
  var isArmed: Bool { next != nil }

  /// - Parameter random: varies each delay within its bounds.
  init(_ policy: ImageRetryPolicy, clock: any LoaderClock, random: any RandomNumberGenerator) {
    self.policy = policy
    self.clock = clock
    self.random = random
    entries = LRUCache(maximumCount: max(1, policy.maximumFailures))
  }

  /// Number of failures remembered.
  var count: Int { entries.count }

  /// The current state of a picture.
  ///
  /// - Complexity: O(1).
  func state(of link: HTTPLink) -> State {
    guard entries.count > 0, let entry = entries.value(for: link) else { return .free }
    guard let notBefore = entry.notBefore else { return .failed(entry.error) }
    guard notBefore > clock.now else { return .free }
    return entry.hasFailed ? .failed(entry.error) : .waiting(until: notBefore)
  }

  /// Whether an attempt has failed and more will be made.
  ///
  /// - Complexity: O(1).
  func isBeingRetried(_ link: HTTPLink) -> Bool {
    entries.count > 0 && entries.value(for: link)?.hasFailed == false
  }

  /// Records a failed attempt.
  ///
  /// - Parameter asked: seconds that the server asked to wait, if it did.
  /// - Returns: whether the picture is retried, and when.
  func failed(_ link: HTTPLink, _ error: ImageError, asked: Double?) -> State {
    let now = clock.now
    let known = entries.value(for: link)
    // A picture whose failure has expired starts again from the first attempt.
    let tries = (known?.hasFailed == false ? known?.tries ?? 0 : 0) + 1
    // These errors say nothing about the picture.
    if error == .http(.cancelled) { return .failed(error) }
    if case .http(.unavailable) = error { return .failed(error) }
    guard error.isTransient else {
      keep(Entry(tries: tries, error: error, notBefore: nil, hasFailed: true), for: link)
      return .failed(error)
    }
    let asked = asked.map { $0.isFinite ? max(0, $0) : 0 } ?? 0
    guard tries < max(1, policy.maximumAttempts), asked <= policy.longestDelay else {
      let rest = max(policy.failureLifetime, asked)
      keep(
        Entry(tries: tries, error: error, notBefore: now + .seconds(rest), hasFailed: true),
        for: link)
      return .failed(error)
    }
    let until = now + .seconds(delay(afterTries: tries, asked: asked))
    keep(Entry(tries: tries, error: error, notBefore: until, hasFailed: false), for: link)
    return .waiting(until: until)
  }

  /// Forgets the failures, because the picture has arrived or is requested as if it had never
  /// failed.
  func forget(_ link: HTTPLink) { entries.remove(link) }

  // MARK: The timer

  /// Sets the timer to the time when the first of these waiting pictures is due.
  ///
  /// - Complexity: O(n) in the waiting pictures.
  func arrange(for waiting: some Sequence<HTTPLink>) {
    let now = clock.now
    var first: Instant?
    for link in waiting {
      var due = now
      if case .waiting(let until) = state(of: link) { due = until }
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

  // MARK: Failures

  private func keep(_ entry: Entry, for link: HTTPLink) {
    // A data URL is as long as its picture, and remembering its failure would save nothing.
    guard link.url.utf8.count <= 8_192 else { return }
    entries.insert(entry, for: link)
  }

  /// Seconds until the next attempt. Random jitter spreads the retries of pictures that failed
  /// together, even if the server has asked for a certain delay.
  private func delay(afterTries tries: Int, asked: Double) -> Double {
    var base = max(0, policy.firstDelay)
    for _ in 1..<max(1, min(tries, 32)) { base *= 2 }
    base = min(base, policy.longestDelay)
    let share = Double.random(in: 0.5...1, using: &random)
    return asked > 0 ? max(base * share, asked + policy.firstDelay * (share - 0.5)) : base * share
  }
}
