import HTTP
import Library
import Synchronization
import System

/// Fetches the feeds of a library, and records their answers as they arrive.
///
///     library ──▶ due feeds ──▶ queue ──▶ fetch ──▶ policy ──▶ library
///                                 ▲                   │
///                                 └── host, deadline ─┘──▶ events
///
/// 1. The actor owns the queue and sends all events, in order. Fetching, reading and writing run on
///    threads of this module.
/// 2. The items and the next time of an answer are one transaction. If it fails, the feed stays
///    due. If nothing can be written now, such as during a lock, the refresh ends. A feed that another
///    program has fetched since it was chosen is skipped.
/// 3. If the library is read-only, nothing is fetched. Until a server has answered, a feed whose
///    server cannot be reached is fetched again without back-off: the network may be down.
/// 4. If a feed was never read, and its address leads to a web page, the first feed that the page
///    names takes its place. A page in place of a feed that was read before is a failure: it may
///    ask to log in.
/// 5. One timer serves the deadlines of requests, the turns of hosts and, if feeds are refreshed
///    automatically, the next due feed. It is not armed while there is none of these.
package actor FeedRefresher {
  /// The minimum seconds between two automatic refreshes; also bounds the rate of failed writes.
  static let rest = 60.0
  /// The maximum seconds until the timer fires for the next due feed: one day.
  static let longestRest = 86_400.0
  private static let threads = WorkerThreads(
    limit: WorkerThreads.defaultLimit, niceness: WorkerThreads.backgroundNiceness)

  private nonisolated let library: FeedLibrary
  private nonisolated let fetch: FeedFetch
  private nonisolated let rules: Mutex<RefreshPolicy>
  private nonisolated let clock: RefreshClock
  private nonisolated let onEvent: @Sendable (RefreshEvent) -> Void
  private var queue = RefreshQueue()
  private var jobs: [FeedID: Job] = [:]
  /// The counts of this refresh, except for those that the queue keeps.
  private var summary = RefreshProgress()
  private var waiters: [CheckedContinuation<RefreshProgress, Never>] = []
  /// Whether a server has answered since the refresher was created.
  private var hasReachedServer = false
  private var automation = Automation.off

  /// A feed that waits or is being fetched.
  private struct Job {
    let feed: Feed
    /// Whether it is fetched even if it is not due.
    var isForced: Bool
    var task: Task<Void, Never>?
    /// Whether the caller has cancelled it, so that nothing is recorded.
    var isDropped = false
  }

  /// Whether feeds are refreshed automatically.
  private enum Automation {
    case off
    /// The next automatic refresh begins no earlier than this time of the steady clock.
    case on(notBefore: Double)
  }

  /// - Parameter onEvent: called on threads of this module, one event after another.
  package init(
    library: FeedLibrary, fetch: FeedFetch, policy: RefreshPolicy = RefreshPolicy(),
    clock: RefreshClock, onEvent: @escaping @Sendable (RefreshEvent) -> Void
  ) {
    self.library = library
    self.fetch = fetch
    rules = Mutex(policy)
    self.clock = clock
    self.onEvent = onEvent
  }

  /// The policy that decides when feeds are fetched; a new one applies from the next answer on.
  package nonisolated var policy: RefreshPolicy {
    get { rules.withLock { $0 } }
    set { rules.withLock { $0 = newValue } }
  }

  // MARK: Refreshing

  /// Fetches the feeds that are demanded, and returns when no feed is waiting or being fetched.
  /// Cancelling the task cancels all requests, including those of other calls.
  ///
  /// - Returns: the counts of all refreshes since no feed was waiting or being fetched.
  @discardableResult package nonisolated func refresh(_ demand: RefreshDemand) async
    -> RefreshProgress
  {
    await withTaskCancellationHandler {
      await withTaskExecutorPreference(Self.threads) {
        await fetched(demand)
      }
    } onCancel: {
      Task(executorPreference: Self.threads) { await self.cancel() }
    }
  }

  /// Refreshes feeds automatically when they are due, until `stop`.
  package nonisolated func start() {
    Task(executorPreference: Self.threads) { await self.automate() }
  }

  /// Ends automatic refreshing.
  ///
  /// - Parameter cancels: whether to cancel all requests, too.
  package nonisolated func stop(cancelling cancels: Bool = true) {
    Task(executorPreference: Self.threads) { await self.endAutomation(cancelling: cancels) }
  }

  /// Drops the waiting feeds, and cancels the requests.
  package func cancel() {
    for feed in jobs.keys {
      jobs[feed]?.isDropped = true
      if jobs[feed]?.task == nil { jobs[feed] = nil }
    }
    perform(queue.cancel())
    endIfDone()
  }

  private func automate() {
    automation = .on(notBefore: -.infinity)
    arm()
  }

  private func endAutomation(cancelling cancels: Bool) {
    automation = .off
    if cancels { cancel() }
    arm()
  }

  /// Nothing ends between the beginning and the wait: both are one step of the actor.
  private func fetched(_ demand: RefreshDemand) async -> RefreshProgress {
    begin(demand)
    if queue.isEmpty {
      // All feeds may have been postponed at once.
      let ended = progress
      endIfDone()
      return ended
    }
    return await withCheckedContinuation { waiters.append($0) }
  }

  private func begin(_ demand: RefreshDemand) {
    guard !library.isReadOnly, !Task.isCancelled else { return }
    do throws(LibraryError) {
      let feeds = try chosen(demand)
      let hosts = feeds.map { RequestHost.name(of: $0.address) }
      let last = try lastRequests(to: Set(hosts))
      let isForced = demand != .due
      for feed in feeds where jobs[feed.id] == nil {
        jobs[feed.id] = Job(feed: feed, isForced: isForced)
      }
      // A feed that waits because it is due may be demanded by its name meanwhile.
      if isForced { for feed in feeds { jobs[feed.id]?.isForced = true } }
      let new = zip(feeds, hosts).map { RefreshQueue.Job(feed: $0.id, host: $1) }
      perform(queue.add(new, lastRequests: last, now: clock.steady()))
      if !queue.isEmpty { onEvent(.progressed(progress, finished: nil)) }
    } catch {
      onEvent(.libraryFailed(error))
    }
    arm()
  }

  private func chosen(_ demand: RefreshDemand) throws(LibraryError) -> [Feed] {
    let now = clock.wall()
    switch demand {
    case .all: return try library.feeds().filter { $0.schedule.pauseReason == nil }
    case .feeds(let ids):
      var feeds: [Feed] = []
      for id in ids {
        if let feed = try library.feed(id), feed.isFollowed { feeds.append(feed) }
      }
      return feeds
    case .due:
      var feeds: [Feed] = []
      let late = try library.feeds().filter { policy.hasImpossibleTime($0, at: now) }
      for feed in try library.dueFeeds(at: now) + late {
        let time = policy.allowedTime(of: feed, from: now)
        if time > now {
          try library.postpone([feed.id], until: time)
        } else {
          feeds.append(feed)
        }
      }
      return feeds
    }
  }

  /// The times of the last requests to hosts whose requests are spaced, by the steady clock.
  private func lastRequests(to hosts: Set<String>) throws(LibraryError) -> [String: Double] {
    guard hosts.contains(where: { RequestHost(named: $0).spacing > 0 }) else { return [:] }
    let (wall, steady) = (clock.wall(), clock.steady())
    var last: [String: Double] = [:]
    for feed in try library.feeds() {
      let host = RequestHost.name(of: feed.address)
      guard hosts.contains(host), RequestHost(named: host).spacing > 0,
        let attempt = feed.schedule.lastAttempt, attempt <= wall
      else { continue }
      last[host] = max(last[host] ?? -.infinity, steady - (wall - attempt))
    }
    return last
  }

  private func perform(_ actions: [RefreshQueue.Action]) {
    var postponed: [(feed: FeedID, seconds: Double)] = []
    for action in actions {
      switch action {
      case .start(let id):
        guard let job = jobs[id] else { continue }
        summary.asked += 1
        onEvent(.began(id))
        jobs[id]?.task = Task(executorPreference: Self.threads) { await self.ask(job) }
      case .cancel(let id): jobs[id]?.task?.cancel()
      case .postpone(let id, let seconds):
        jobs[id] = nil
        postponed.append((id, seconds))
      }
    }
    guard !postponed.isEmpty else { return }
    summary.postponed += postponed.count
    do throws(LibraryError) {
      let now = clock.wall()
      for (seconds, group) in Dictionary(grouping: postponed, by: \.seconds) {
        try library.postpone(group.map(\.feed), until: now + seconds)
      }
    } catch {
      onEvent(.libraryFailed(error))
    }
    for (feed, seconds) in postponed { onEvent(.postponed(feed, seconds: seconds)) }
  }

  // MARK: One feed

  /// The result of recording an answer.
  private struct Outcome: Sendable {
    var events: [RefreshEvent] = []
    var block: (host: String, seconds: Double)?
    var added = 0
    var isNotModified = false
    var failure: RefreshFailure?
    /// Whether the feed was not asked.
    var isSkipped = false
    /// Whether nothing can be written now.
    var isRefused = false
  }

  private nonisolated func ask(_ job: Job) async {
    let now = clock.wall()
    var feed = job.feed
    do throws(LibraryError) {
      guard let known = try library.feed(feed.id) else {
        return await end(feed.id, Outcome(isSkipped: true))
      }
      let isFetched = known.schedule.lastAttempt != feed.schedule.lastAttempt
      if isFetched, !job.isForced, known.schedule.nextTime > now {
        let event = RefreshEvent.fetched(FetchChanges(feed: feed.id), omission: nil)
        return await end(feed.id, Outcome(events: [event], isSkipped: true))
      }
      feed = known
    } catch {
      return await end(feed.id, Outcome(events: [.libraryFailed(error)], isSkipped: true))
    }
    var answer = await fetch.answer(
      of: feed.address, validators: policy.validators(of: feed, at: now), at: now)
    let pageFeed = await replacePage(feed, by: &answer)
    let wasCancelled: Bool
    if case .failed(let failure) = answer.result, failure.reason == .exchange(.cancelled) {
      answer.result = .failed(
        FetchFailure(.exchange(.timeout(seconds: RefreshQueue.deadline))))
      wasCancelled = true
    } else {
      wasCancelled = false
    }
    guard let isOffline = await noteReachability(of: feed.id, answer, wasCancelled: wasCancelled)
    else { return await end(feed.id, Outcome()) }
    await end(feed.id, record(answer, of: feed, at: pageFeed, isOffline: isOffline))
  }

  /// Fetches the feed that a page names, if a feed that was never read turns out to be a page.
  ///
  /// - Returns: the address of that feed; `nil` if `answer` is unchanged.
  private nonisolated func replacePage(
    _ feed: Feed, by answer: inout FetchAnswer
  ) async -> String? {
    guard case .failed(let failure) = answer.result, failure.reason == .webPage,
      feed.health.lastSuccess == nil, let found = await fetch.feed(ofPageAt: feed.address)
    else { return nil }
    let other = await fetch.answer(of: found.address, reach: found.reach, at: clock.wall())
    guard case .document = other.result else { return nil }
    answer = other
    return found.address
  }

  /// Remembers whether a server was reached.
  ///
  /// - Returns: whether none was reached so far; `nil` if the answer is not to be recorded.
  private func noteReachability(
    of feed: FeedID, _ answer: FetchAnswer, wasCancelled: Bool
  ) -> Bool? {
    if wasCancelled, jobs[feed]?.isDropped != false { return nil }
    if case .failed(let failure) = answer.result, failure.isWithoutAnswer {
      return !hasReachedServer
    }
    hasReachedServer = true
    return false
  }

  /// - Parameter newAddress: the address at which the feed was found; `nil` if that is its own.
  private nonisolated func record(
    _ answer: FetchAnswer, of feed: Feed, at newAddress: String?, isOffline: Bool
  ) -> Outcome {
    let now = clock.wall()
    let decision = policy.decision(after: answer, of: feed, isOffline: isOffline, at: now)
    var outcome = Outcome()
    outcome.block = decision.block
    do throws(LibraryError) {
      let changes = try library.recordFetch(decision.record, of: feed.id, at: now)
      outcome.added = changes.added.count
      switch answer.result {
      case .failed(let failure):
        let isPaused = decision.record.pauseReason != nil
        let failed = RefreshFailure(
          feed: feed.id, message: "\(failure)", isUnreached: failure.isWithoutAnswer,
          isPaused: isPaused)
        outcome.failure = failed
        outcome.events.append(.failed(failed))
      case .notModified:
        outcome.isNotModified = true
        outcome.events.append(.fetched(changes, omission: nil))
      case .document(let document):
        outcome.events.append(.fetched(changes, omission: document.omission))
      }
      if feed.schedule.pauseReason != nil, outcome.failure == nil {
        try library.pause(feed.id, because: nil)
      }
      if let address = newAddress ?? decision.newAddress {
        let moved = try library.move(feed.id, to: address)
        outcome.events.append(.moved(feed.id, to: address, now: moved))
        // The feeds became one: the items of the first that the other has are gone.
        if moved != feed.id { outcome.events.append(.deleted) }
      }
      if let (host, seconds) = decision.block {
        let others = try library.feeds().filter { RequestHost.name(of: $0.address) == host }
        try library.postpone(others.map(\.id), until: now + seconds)
      }
    } catch {
      // The feed was deleted meanwhile.
      if case .noSuchFeed = error.cause { return outcome }
      outcome.isRefused = error.preventsAllWrites
      outcome.events.append(.libraryFailed(error))
    }
    return outcome
  }

  private func end(_ feed: FeedID, _ outcome: Outcome) {
    jobs[feed] = nil
    summary.asked -= outcome.isSkipped ? 1 : 0
    summary.added += outcome.added
    summary.failed += outcome.failure == nil ? 0 : 1
    summary.unreached += outcome.failure?.isUnreached == true ? 1 : 0
    summary.notModified += outcome.isNotModified ? 1 : 0
    for event in outcome.events { onEvent(event) }
    let actions = queue.end(feed, blocking: outcome.block, now: clock.steady())
    onEvent(.progressed(progress, finished: feed))
    perform(actions)
    if outcome.isRefused { cancel() } else { endIfDone() }
    arm()
  }

  private var progress: RefreshProgress {
    var progress = summary
    (progress.done, progress.total) = queue.progress
    return progress
  }

  /// Ends the refresh if no feed waits or is being fetched.
  private func endIfDone() {
    guard queue.isEmpty, summary != RefreshProgress() || !waiters.isEmpty else { return }
    do throws(LibraryError) {
      let deleted = try library.deleteAgedItems(at: clock.wall())
      if !deleted.isEmpty { onEvent(.deleted) }
    } catch {
      onEvent(.libraryFailed(error))
    }
    let ended = progress
    summary = RefreshProgress()
    onEvent(.ended(ended))
    // If it fails, everything is still in the WAL, and the next program reads it from there.
    try? library.emptyLog()
    let waiting = waiters
    waiters = []
    for waiter in waiting { waiter.resume(returning: ended) }
  }

  // MARK: The timer

  private func arm() {
    let now = clock.steady()
    var times = [queue.nextWake].compactMap { $0 }
    if case .on(let notBefore) = automation, queue.isEmpty, !library.isReadOnly,
      let due = nextDueTime
    {
      // The wall clock may be set meanwhile.
      let delay = min(due - clock.wall(), Self.longestRest)
      times.append(max(notBefore, now + delay))
    }
    clock.wake(times.min().map { max(0, $0 - now) }) { [weak self] in
      guard let self else { return }
      Task(executorPreference: Self.threads) { await self.woke() }
    }
  }

  /// When the next feed is due; soon if that cannot be read now. `nil` without feeds.
  private var nextDueTime: Double? {
    do throws(LibraryError) { return try library.nextDueTime() } catch {
      return clock.wall() + Self.rest
    }
  }

  private func woke() {
    perform(queue.wake(now: clock.steady()))
    if case .on(let notBefore) = automation, queue.isEmpty, clock.steady() >= notBefore {
      automation = .on(notBefore: clock.steady() + Self.rest)
      begin(.due)
      endIfDone()
    } else {
      arm()
    }
  }
}
