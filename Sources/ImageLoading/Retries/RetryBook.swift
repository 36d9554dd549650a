import Caches
import HTTP

/// Which pictures have failed, and when each may be asked for again. It knows no time but what it
/// is told.
///
/// 1. What cannot get better is asked for once, until somebody asks to forget that.
/// 2. What may get better is tried `maximumTries` times, each time later than the time before and
///    never before the server has said. Then it has failed, and rests.
/// 3. Rows that come and go change nothing: what is remembered belongs to the address.
struct RetryBook {
  typealias Instant = ContinuousClock.Instant

  /// What is to be done about a picture that was asked for.
  enum State: Hashable {
    /// Nothing speaks against asking for it.
    case free
    /// It is to be tried again then.
    case waiting(until: Instant)
    /// It cannot be had; why.
    case failed(ImageError)
  }

  private struct Entry {
    var tries: Int
    var error: ImageError
    /// Nil: never.
    var notBefore: Instant?
    var hasFailed: Bool
  }

  private let policy: ImageRetries
  private var entries: LRUCache<HTTPLink, Entry>
  private var random: any RandomNumberGenerator

  /// - Parameter random: how long within its bounds each wait is.
  init(_ policy: ImageRetries, random: any RandomNumberGenerator) {
    self.policy = policy
    self.random = random
    entries = LRUCache(maximumCount: max(1, policy.maximumFailures))
  }

  /// Failures that are remembered.
  var count: Int { entries.count }

  /// - Complexity: O(1).
  mutating func state(of link: HTTPLink, at now: Instant) -> State {
    guard entries.count > 0, let entry = entries.value(for: link) else { return .free }
    guard let notBefore = entry.notBefore else { return .failed(entry.error) }
    guard notBefore > now else { return .free }
    return entry.hasFailed ? .failed(entry.error) : .waiting(until: notBefore)
  }

  /// Whether a try has failed and more are made.
  ///
  /// - Complexity: O(1).
  mutating func isTriedAgain(_ link: HTTPLink) -> Bool {
    entries.count > 0 && entries.value(for: link)?.hasFailed == false
  }

  /// A try has failed.
  ///
  /// - Parameter asked: seconds for which the server asked to be left alone, where it did.
  /// - Returns: whether it is to be tried again, and when.
  mutating func failed(
    _ link: HTTPLink, _ error: ImageError, asked: Double?, at now: Instant
  ) -> State {
    let known = entries.value(for: link)
    // What had failed for good and has had its rest begins anew.
    let tries = (known?.hasFailed == false ? known?.tries ?? 0 : 0) + 1
    // These say nothing about the picture.
    if error == .http(.cancelled) { return .failed(error) }
    if case .http(.unavailable) = error { return .failed(error) }
    guard error.isTransient else {
      keep(Entry(tries: tries, error: error, notBefore: nil, hasFailed: true), for: link)
      return .failed(error)
    }
    let asked = asked.map { $0.isFinite ? max(0, $0) : 0 } ?? 0
    guard tries < max(1, policy.maximumTries), asked <= policy.longestDelay else {
      let rest = max(policy.restAfterFailure, asked)
      keep(
        Entry(tries: tries, error: error, notBefore: now + .seconds(rest), hasFailed: true),
        for: link)
      return .failed(error)
    }
    let until = now + .seconds(delay(afterTries: tries, asked: asked))
    keep(Entry(tries: tries, error: error, notBefore: until, hasFailed: false), for: link)
    return .waiting(until: until)
  }

  /// The picture has come, or is wanted as if it had never failed.
  mutating func forget(_ link: HTTPLink) { entries.remove(link) }

  private mutating func keep(_ entry: Entry, for link: HTTPLink) {
    // A data URL is as long as its picture, and there is nothing to be spared by knowing it.
    guard link.url.utf8.count <= 8_192 else { return }
    entries.insert(entry, for: link)
  }

  /// Seconds until the next try. Chance spreads those that failed together, also after the moment
  /// that a server has named.
  private mutating func delay(afterTries tries: Int, asked: Double) -> Double {
    var base = max(0, policy.firstDelay)
    for _ in 1..<max(1, min(tries, 32)) { base *= 2 }
    base = min(base, policy.longestDelay)
    let share = Double.random(in: 0.5...1, using: &random)
    return asked > 0 ? max(base * share, asked + policy.firstDelay * (share - 0.5)) : base * share
  }
}
