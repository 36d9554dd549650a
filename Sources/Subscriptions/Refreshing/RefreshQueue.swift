import Library

/// The order in which feeds are fetched: which one is next, and which one takes too long.
///
/// 1. At most ``limit`` requests run at a time, and at most as many to one host as `RequestHost`
///    says. Hosts take turns; the feeds of a host keep their order.
/// 2. A request that runs for ``patience`` seconds counts as slow once another feed waits for its
///    place, and leaves it: two endless answers do not hold up the other feeds of their host. At
///    most ``limit`` requests are slow, and at most as many of a host as `RequestHost` says.
/// 3. A request that runs for ``deadline`` seconds is cancelled, once. It occupies its place, or
///    counts as slow, until its end is reported.
/// 4. If a host asks for a delay, its waiting feeds are postponed, and so are those that are added
///    before the delay is over.
/// 5. A feed that waits or runs is not added a second time.
///
/// It has no clock and starts nothing: events return actions. Times are in seconds of a clock that
/// never goes back.
struct RefreshQueue: Sendable {
  static let limit = 32
  static let patience = 5.0
  static let deadline = 90.0

  struct Job: Hashable, Sendable {
    let feed: FeedID
    /// The name of its host, by `RequestHost`.
    let host: String
  }

  enum Action: Hashable, Sendable {
    case start(FeedID)
    case cancel(FeedID)
    /// The feed is not fetched now, but after these seconds.
    case postpone(FeedID, seconds: Double)
  }

  private struct Host {
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

  private var hosts: [String: Host] = [:]
  /// Hosts that have a feed waiting and may be sent a request, in the order of their turns.
  private var ready: [String] = []
  /// Hosts that have a feed waiting and may be sent a request once their spacing allows it.
  private var spaced: Set<String> = []
  private var running: [FeedID: Running] = [:]
  /// The number of requests that run and are slow.
  private var slow = 0
  private var waiting: Set<FeedID> = []
  /// The feeds that were added since the queue was last empty, and those of them that ended.
  private(set) var progress = (done: 0, total: 0)

  var isEmpty: Bool { running.isEmpty && waiting.isEmpty }

  /// The next time at which `wake` has to be called; `nil` if there is none.
  ///
  /// - Complexity: O(requests that run + hosts that are spaced).
  var nextWake: Double? {
    var times = hasPlace ? spaced.compactMap { hosts[$0]?.spacedUntil } : []
    for request in running.values {
      if !request.isCancelled { times.append(request.start + Self.deadline) }
      if mayLeavePlace(request) { times.append(request.start + Self.patience) }
    }
    return times.min()
  }

  private var hasPlace: Bool { running.count - slow < Self.limit }

  /// Whether a request occupies a place that a waiting feed could take, once the request is slow.
  private func mayLeavePlace(_ request: Running) -> Bool {
    guard !request.isSlow, !waiting.isEmpty, slow < Self.limit, let host = hosts[request.host],
      host.slow < RequestHost.slowLimit(of: request.host)
    else { return false }
    return !host.waiting.isEmpty || !hasPlace
  }

  // MARK: Events

  /// Adds feeds, or postpones those of a host that has asked for a delay.
  ///
  /// - Parameter lastRequests: the times of the last requests to hosts; a host without one has not
  ///   been sent any.
  /// - Complexity: O(n) in the feeds.
  mutating func add(
    _ jobs: [Job], lastRequests: [String: Double] = [:], now: Double
  ) -> [Action] {
    if isEmpty { progress = (0, 0) }
    for (name, time) in lastRequests where RequestHost.spacing(of: name) > 0 {
      let next = min(time, now) + RequestHost.spacing(of: name)
      hosts[name, default: Host()].spacedUntil = max(
        hosts[name]?.spacedUntil ?? -.infinity, next)
    }
    var actions: [Action] = []
    for job in jobs where running[job.feed] == nil && !waiting.contains(job.feed) {
      if let until = hosts[job.host]?.blockedUntil, until > now {
        actions.append(.postpone(job.feed, seconds: until - now))
        continue
      }
      progress.total += 1
      waiting.insert(job.feed)
      hosts[job.host, default: Host()].waiting.append(job)
      admit(job.host, now: now)
    }
    return actions + startNext(now: now)
  }

  /// Call it when the request of a feed has ended.
  ///
  /// - Parameter block: a host that asks for a delay, and the delay in seconds.
  mutating func end(
    _ feed: FeedID, blocking block: (host: String, seconds: Double)? = nil, now: Double
  ) -> [Action] {
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
    hosts[name, default: Host()].blockedUntil = until
    spaced.remove(name)
    let jobs = hosts[name]?.waiting ?? []
    hosts[name]?.waiting = []
    waiting.subtract(jobs.map(\.feed))
    progress.total -= jobs.count
    return jobs.map { .postpone($0.feed, seconds: until - now) }
  }

  /// Cancels requests that have run for too long, counts others as slow, and starts the requests
  /// whose turn has come.
  mutating func wake(now: Double) -> [Action] {
    var actions: [Action] = []
    for (feed, request) in running.sorted(by: {
      ($0.value.start, $0.key) < ($1.value.start, $1.key)
    }) {
      if !request.isCancelled, request.start + Self.deadline <= now {
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
  mutating func cancel() -> [Action] {
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
      host.running < RequestHost.limit(of: name)
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
      let spacing = RequestHost.spacing(of: name)
      if spacing > 0 { hosts[name]?.spacedUntil = now + spacing }
      running[job.feed] = Running(host: name, start: now)
      actions.append(.start(job.feed))
      admit(name, now: now)
    }
    return actions
  }
}
