import Library

/// The order in which feeds are fetched or merged sources are read: which one is next, and which
/// one takes too long.
///
/// 1. At most ``limit`` requests run at a time, and at most as many to one host as its
///    `RequestHost` says. Hosts take turns; the feeds of a host keep their order. One that is
///    unlimited, such as a pipe, which may stay silent for ever, starts at once and does not count.
/// 2. A request that runs for ``patience`` seconds counts as slow once another feed waits for its
///    place, and leaves it: two endless answers do not hold up the other feeds of their host. At
///    most ``limit`` requests are slow, and at most as many of a host as `RequestHost` says.
/// 3. A request that runs for `deadline` seconds is cancelled, once. It occupies its place, or
///    counts as slow, until its end is reported.
/// 4. If a host asks for a delay, its waiting feeds are postponed, and so are those that are added
///    before the delay is over.
/// 5. A feed that waits or runs is not added a second time.
///
/// It has no clock and starts nothing: events return actions. Times are in seconds of a clock that
/// never goes back.
package struct RefreshQueue: Sendable {
  static let limit = 32
  static let patience = 5.0
  static let deadline = 90.0

  package struct Job: Hashable, Sendable {
    let feed: FeedID
    /// The name of its host.
    let host: String
    let isUnlimited: Bool

    package init(feed: FeedID, host: String, isUnlimited: Bool = false) {
      (self.feed, self.host, self.isUnlimited) = (feed, host, isUnlimited)
    }
  }

  package enum Action: Hashable, Sendable {
    case start(FeedID)
    case cancel(FeedID)
    /// The feed is not fetched now, but after these seconds.
    case postpone(FeedID, seconds: Double)
  }

  private struct Host {
    let rules: RequestHost
    var waiting: [Job] = []
    /// The requests that run and occupy a place.
    var running = 0
    var slow = 0
    /// The earliest time of the next request by the spacing of requests.
    var spacedUntil = -Double.infinity
    /// The end of the delay that the host has asked for.
    var blockedUntil = -Double.infinity
    /// Whether it is in `ready`.
    var isReady = false
  }

  private struct Running {
    let host: String
    let start: Double
    var isSlow = false
    var isCancelled = false
  }

  private let deadline: Double
  private let rules: @Sendable (_ host: String) -> RequestHost
  private var hosts: [String: Host] = [:]
  /// Hosts that have a feed waiting and may be sent a request, in the order of their turns.
  private var ready: [String] = []
  /// Hosts that have a feed waiting and may be sent a request once their spacing allows it.
  private var spaced: Set<String> = []
  private var running: [FeedID: Running] = [:]
  /// The number of requests that run and are slow.
  private var slow = 0
  private var waiting: Set<FeedID> = []
  private var unlimited: Set<FeedID> = []
  /// The feeds that were added since the queue was last empty, and those of them that ended.
  package private(set) var progress = (done: 0, total: 0)

  /// - Parameters:
  ///   - deadline: in seconds.
  ///   - rules: what the host of a name tolerates.
  package init(
    deadline: Double = deadline,
    rules: @escaping @Sendable (_ host: String) -> RequestHost = { RequestHost(named: $0) }
  ) {
    (self.deadline, self.rules) = (deadline, rules)
  }

  package var isEmpty: Bool { running.isEmpty && waiting.isEmpty && unlimited.isEmpty }

  /// The next time at which `wake` has to be called; `nil` if there is none.
  ///
  /// - Complexity: O(requests that run + hosts that are spaced).
  package var nextWake: Double? {
    var times = hasPlace ? spaced.compactMap { hosts[$0]?.spacedUntil } : []
    for request in running.values {
      if !request.isCancelled { times.append(request.start + deadline) }
      if mayLeavePlace(request) { times.append(request.start + Self.patience) }
    }
    return times.min()
  }

  private var hasPlace: Bool { running.count - slow < Self.limit }

  /// Whether a request occupies a place that a waiting feed could take, once the request is slow.
  private func mayLeavePlace(_ request: Running) -> Bool {
    guard !request.isSlow, !waiting.isEmpty, slow < Self.limit, let host = hosts[request.host],
      host.slow < host.rules.slowLimit
    else { return false }
    return !host.waiting.isEmpty || !hasPlace
  }

  // MARK: Events

  /// Adds feeds, or postpones those of a host that has asked for a delay.
  ///
  /// - Parameter lastRequests: the times of the last requests to hosts; a host without one has not
  ///   been sent any.
  /// - Complexity: O(n) in the feeds.
  package mutating func add(
    _ jobs: [Job], lastRequests: [String: Double] = [:], now: Double
  ) -> [Action] {
    if isEmpty { progress = (0, 0) }
    for (name, time) in lastRequests where rules(name).spacing > 0 {
      let next = min(time, now) + rules(name).spacing
      hosts[name, default: Host(rules: rules(name))].spacedUntil = max(
        hosts[name]?.spacedUntil ?? -.infinity, next)
    }
    var actions: [Action] = []
    for job in jobs
    where running[job.feed] == nil && !waiting.contains(job.feed) && !unlimited.contains(job.feed) {
      if job.isUnlimited {
        progress.total += 1
        unlimited.insert(job.feed)
        actions.append(.start(job.feed))
        continue
      }
      if let until = hosts[job.host]?.blockedUntil, until > now {
        actions.append(.postpone(job.feed, seconds: until - now))
        continue
      }
      progress.total += 1
      waiting.insert(job.feed)
      hosts[job.host, default: Host(rules: rules(job.host))].waiting.append(job)
      admit(job.host, now: now)
    }
    return actions + startNext(now: now)
  }

  /// Call it when the request of a feed has ended.
  ///
  /// - Parameter block: a host that asks for a delay, and the delay in seconds.
  package mutating func end(
    _ feed: FeedID, blocking block: (host: String, seconds: Double)? = nil, now: Double
  ) -> [Action] {
    if unlimited.remove(feed) != nil { progress.done += 1 }
    guard let ended = running.removeValue(forKey: feed) else { return [] }
    progress.done += 1
    if ended.isSlow {
      slow -= 1
      hosts[ended.host]?.slow -= 1
    } else {
      hosts[ended.host]?.running -= 1
    }
    var actions: [Action] = []
    if let block, block.seconds > 0 { actions = self.block(block.host, for: block.seconds, now) }
    admit(ended.host, now: now)
    return actions + startNext(now: now)
  }

  private mutating func block(_ name: String, for seconds: Double, _ now: Double) -> [Action] {
    let until = max(hosts[name]?.blockedUntil ?? -.infinity, now + seconds)
    hosts[name, default: Host(rules: rules(name))].blockedUntil = until
    spaced.remove(name)
    let jobs = hosts[name]?.waiting ?? []
    hosts[name]?.waiting = []
    waiting.subtract(jobs.map(\.feed))
    progress.total -= jobs.count
    return jobs.map { .postpone($0.feed, seconds: until - now) }
  }

  /// Cancels requests that have run for too long, counts others as slow, and starts the requests
  /// whose turn has come.
  package mutating func wake(now: Double) -> [Action] {
    var actions: [Action] = []
    for (feed, request) in running.sorted(by: {
      ($0.value.start, $0.key) < ($1.value.start, $1.key)
    }) {
      if !request.isCancelled, request.start + deadline <= now {
        running[feed]?.isCancelled = true
        actions.append(.cancel(feed))
      }
      if request.start + Self.patience <= now, mayLeavePlace(request) {
        running[feed]?.isSlow = true
        slow += 1
        hosts[request.host]?.slow += 1
        hosts[request.host]?.running -= 1
        admit(request.host, now: now)
        actions += startNext(now: now)
      }
    }
    for name in spaced.sorted() {
      spaced.remove(name)
      admit(name, now: now)
    }
    return actions + startNext(now: now)
  }

  /// Drops the feeds that wait, and cancels the requests that run.
  @discardableResult package mutating func cancel() -> [Action] {
    for feed in running.keys { running[feed]?.isCancelled = true }
    progress.total -= waiting.count
    waiting = []
    ready = []
    spaced = []
    for name in hosts.keys {
      hosts[name]?.waiting = []
      hosts[name]?.isReady = false
    }
    return running.keys.sorted().map(Action.cancel)
  }

  // MARK: Turns

  /// Gives a host a turn if one of its feeds waits and may be fetched.
  private mutating func admit(_ name: String, now: Double) {
    guard let host = hosts[name], !host.waiting.isEmpty, !host.isReady,
      host.running < host.rules.limit
    else { return }
    if host.spacedUntil > now {
      spaced.insert(name)
    } else {
      hosts[name]?.isReady = true
      ready.append(name)
    }
  }

  private mutating func startNext(now: Double) -> [Action] {
    var actions: [Action] = []
    while hasPlace, !ready.isEmpty {
      let name = ready.removeFirst()
      hosts[name]?.isReady = false
      guard let job = hosts[name]?.waiting.first else { continue }
      hosts[name]?.waiting.removeFirst()
      waiting.remove(job.feed)
      hosts[name]?.running += 1
      let spacing = rules(name).spacing
      if spacing > 0 { hosts[name]?.spacedUntil = now + spacing }
      running[job.feed] = Running(host: name, start: now)
      actions.append(.start(job.feed))
      admit(name, now: now)
    }
    return actions
  }
}
