import HTTP
import Pixels

/// Decides which pictures are fetched and decoded, and when: a state machine without time, threads
/// or network. Calls report events; the actions they return are to be performed in order.
///
///     queued ──▶ reading ──▶ queued ──▶ fetching ──▶ fetched ──▶ decoding ──▶ gone
///     (disk)        │       (network)      │            ▲
///                   │           ▲          │            │
///                   └── found ──┼──────────┼────────────┘
///                               └─ waiting ┘
///                             (for a retry)
///
/// 1. A job is one URL, for one reach, with all its requests. Its priority is the highest of
///    theirs.
/// 2. Queued jobs begin in order of priority, and within one in the order in which they received
///    it. No fetch overtakes one that is held back for its bytes, so large pictures are not
///    starved. Reads and fetches have separate limits.
/// 3. A job reserves the bytes that it holds or those that it is expected to hold, whichever are
///    more. All jobs under way reserve at most `bytes` together. If more bytes arrive, the least
///    urgent fetch, the youngest of its priority, goes back to the queue; a single job continues.
/// 4. A job without requests is stopped, also while it is decoded.
/// 5. A job whose fetch will be tried again, now or later, gets a new id, so that reports about the
///    earlier attempt are recognized as stale and ignored.
/// 6. At most `fetchesPerHost` fetches of one host run at once; further ones are passed over, so
///    that a stalled host does not block the others.
/// 7. A job that waits for a retry takes no place until it is resumed.
struct ImageQueue {
  typealias RequestID = UInt64
  typealias JobID = UInt64

  struct Limits: Hashable {
    var fetches = 8
    var fetchesPerHost = 4
    var reads = 2
    var decodes = 2
    var bytes = 32_000_000
    var bytesPerImage = 20_000_000
    /// Bytes reserved for a fetch of unknown length.
    var assumedBytes = 256_000
  }

  typealias Phase = ImageFetchStatus.Phase

  /// The state in which a job begins.
  enum Start: Hashable {
    /// It may be on the disk.
    case disk
    case network
    /// It has failed and is retried later.
    case waiting
  }

  struct Job: Hashable {
    let link: HTTPLink
    var url: String { link.url }
    /// The host whose fetches it counts for; `nil` for a `data:` URL.
    let host: String?
    /// Whether it has not been looked for on the disk yet.
    var isUnread = false
    var phase = Phase.queued
    var priority: ImagePriority
    /// Its place among queued or fetched jobs; each place taken is higher than the last.
    var stamp: UInt64
    var requests: [RequestID]
    var size: PixelSize?
    var held = 0
    var expected: Int
    var reserved: Int { max(held, expected) }
  }

  enum Action: Hashable {
    /// Look for it on the disk.
    case read(JobID)
    case fetch(JobID)
    /// End the job's step and drop its bytes; `requeued` if it will begin again.
    case stop(JobID, HTTPLink, ImagePriority, bytes: Int, requeued: Bool)
    case decode(JobID)
    case announce(PixelSize, of: HTTPLink, to: [RequestID])
    case finish(JobID, HTTPLink, ImagePriority, bytes: Int, [RequestID])
  }

  let limits: Limits
  private(set) var jobs: [JobID: Job] = [:]
  private var jobOfLink: [HTTPLink: JobID] = [:]
  private var requests: [RequestID: (job: JobID, priority: ImagePriority)] = [:]
  private var nextID: JobID = 1
  private var nextStamp: UInt64 = 1

  init(limits: Limits) {
    self.limits = limits
  }

  var activity: ImageActivity {
    ImageActivity(
      queued: count(.queued), inFlight: inFlightCount, bytes: heldBytes, waiting: count(.waiting))
  }

  // Each of these sums takes O(jobs), as every change of the queue does.

  func count(_ phase: Phase) -> Int { jobs.values.count { $0.phase == phase } }

  private var inFlight: some Sequence<Job> {
    jobs.values.lazy.filter { $0.phase != .queued && $0.phase != .waiting }
  }
  private var inFlightCount: Int { jobs.count - count(.queued) - count(.waiting) }
  var heldBytes: Int { inFlight.reduce(0) { $0 + $1.held } }
  var reservedBytes: Int { inFlight.reduce(0) { $0 + $1.reserved } }

  func job(_ id: JobID) -> Job? { jobs[id] }

  func job(of link: HTTPLink) -> (id: JobID, job: Job)? {
    jobOfLink[link].flatMap { id in jobs[id].map { (id, $0) } }
  }

  // MARK: Requests

  /// Adds a request, whose id was never used before.
  ///
  /// - Parameter start: the state in which the job begins, unless there is one already.
  mutating func add(
    _ request: RequestID, url: String, reach: RequestScope = .publicAddresses,
    priority: ImagePriority, from start: Start = .network
  ) -> [Action] {
    let link = HTTPLink(url, reach: reach)
    if let (id, job) = job(of: link) {
      requests[request] = (id, priority)
      jobs[id]?.requests.append(request)
      updatePriority(of: id)
      var actions: [Action] = []
      if let size = job.size { actions.append(.announce(size, of: link, to: [request])) }
      return actions + begin()
    }
    let id = takeID()
    requests[request] = (id, priority)
    jobOfLink[link] = id
    let job = Job(
      link: link, host: DataURL.isDataURL(url) ? nil : URLReference(url).host,
      isUnread: start == .disk,
      phase: start == .waiting ? .waiting : .queued, priority: priority, stamp: takeStamp(),
      requests: [request], expected: limits.assumedBytes)
    jobs[id] = job
    return begin()
  }

  mutating func setPriority(_ priority: ImagePriority, of request: RequestID) {
    guard let id = requests[request]?.job else { return }
    requests[request]?.priority = priority
    updatePriority(of: id)
  }

  /// Cancels a request; one that has ended is ignored.
  mutating func cancel(_ request: RequestID) -> [Action] {
    guard let id = requests.removeValue(forKey: request)?.job else { return [] }
    jobs[id]?.requests.removeAll { $0 == request }
    guard let job = jobs[id] else { return [] }
    if !job.requests.isEmpty {
      updatePriority(of: id)
      return []
    }
    remove(id)
    return [stop(id, job, requeued: false)] + begin()
  }

  // MARK: Reports

  /// `total` bytes have arrived, of `expected` if the server announced that.
  mutating func received(_ id: JobID, total: Int, expected: Int?) -> [Action] {
    guard var job = jobs[id], job.phase == .fetching else { return [] }
    job.held = total
    // A server may announce any number.
    if let expected { job.expected = min(max(0, expected), limits.bytes) }
    jobs[id] = job
    return requeueExcess() + begin()
  }

  mutating func sizeKnown(_ id: JobID, _ size: PixelSize) -> [Action] {
    guard let job = jobs[id], job.size == nil else { return [] }
    jobs[id]?.size = size
    return job.requests.isEmpty ? [] : [.announce(size, of: job.link, to: job.requests)]
  }

  /// It was not found on the disk.
  mutating func missed(_ id: JobID) -> [Action] {
    guard var job = jobs[id], job.phase == .reading else { return [] }
    job.isUnread = false
    job.phase = .queued
    jobs[id] = job
    return begin()
  }

  /// The fetch failed and is retried later.
  mutating func postpone(_ id: JobID) -> [Action] {
    guard var job = jobs[id], job.phase == .fetching else { return [] }
    job.phase = .waiting
    restart(id, job)
    return begin()
  }

  /// The retry is due.
  mutating func resume(_ id: JobID) -> [Action] {
    guard var job = jobs[id], job.phase == .waiting else { return [] }
    job.phase = .queued
    job.stamp = takeStamp()
    jobs[id] = job
    return begin()
  }

  /// Jobs that wait for a retry.
  ///
  /// - Complexity: O(jobs).
  var waiting: some Sequence<(id: JobID, link: HTTPLink)> {
    jobs(in: .waiting).map { (id: $0.key, link: $0.value.link) }
  }

  /// All bytes have arrived.
  mutating func fetched(_ id: JobID, bytes: Int) -> [Action] {
    guard var job = jobs[id], job.phase == .fetching || job.phase == .reading else { return [] }
    job.held = bytes
    job.expected = 0
    job.phase = .fetched
    job.stamp = takeStamp()
    jobs[id] = job
    return requeueExcess() + begin()
  }

  /// The disk has a stored failure, the fetch failed, or decoding has ended, successfully or not.
  mutating func ended(_ id: JobID) -> [Action] {
    guard let job = jobs[id], [.reading, .fetching, .decoding].contains(job.phase) else {
      return []
    }
    remove(id)
    for request in job.requests { requests[request] = nil }
    let end = Action.finish(id, job.link, job.priority, bytes: job.held, job.requests)
    return [end] + begin()
  }

  // MARK: Beginning jobs

  private mutating func begin() -> [Action] {
    var actions: [Action] = []
    while count(.decoding) < limits.decodes, let next = first(.fetched) {
      jobs[next.key]?.phase = .decoding
      actions.append(.decode(next.key))
    }
    while count(.reading) < limits.reads, let next = first(.queued, where: \.isUnread),
      hasRoom(for: next.value)
    {
      jobs[next.key]?.phase = .reading
      actions.append(.read(next.key))
    }
    while count(.fetching) < limits.fetches, let next = nextFetch, hasRoom(for: next.value) {
      jobs[next.key]?.phase = .fetching
      actions.append(.fetch(next.key))
    }
    return actions
  }

  private func hasRoom(for job: Job) -> Bool {
    inFlightCount == 0 || reservedBytes + job.reserved <= limits.bytes
  }

  /// The next job to be fetched, of a host that has a fetch free.
  private var nextFetch: Entry? {
    let hosts = jobs(in: .fetching).compactMap(\.value.host)
    return first(.queued) { job in
      !job.isUnread && (job.host == nil || hosts.count { $0 == job.host } < limits.fetchesPerHost)
    }
  }

  private mutating func requeueExcess() -> [Action] {
    var actions: [Action] = []
    while reservedBytes > limits.bytes, inFlightCount > 1,
      let (id, job) = jobs(in: .fetching).max(by: Self.comesFirst)
    {
      actions.append(stop(id, job, requeued: true))
      var again = job
      again.phase = .queued
      // Its length was unknown and proved large: it waits until there is room for the largest.
      again.expected = min(
        job.expected > limits.assumedBytes ? job.expected : limits.bytesPerImage, limits.bytes)
      restart(id, again)
    }
    return actions
  }

  /// Restarts a job in the state of `job`, with a new id and without its bytes.
  private mutating func restart(_ id: JobID, _ job: Job) {
    remove(id)
    var job = job
    job.held = 0
    job.stamp = takeStamp()
    let newID = takeID()
    jobs[newID] = job
    jobOfLink[job.link] = newID
    for request in job.requests { requests[request]?.job = newID }
  }

  // MARK: Bookkeeping

  private func stop(_ id: JobID, _ job: Job, requeued: Bool) -> Action {
    .stop(id, job.link, job.priority, bytes: job.held, requeued: requeued)
  }

  private mutating func remove(_ id: JobID) {
    if let job = jobs.removeValue(forKey: id) { jobOfLink[job.link] = nil }
  }

  private mutating func updatePriority(of id: JobID) {
    guard var job = jobs[id] else { return }
    let highest = job.requests.compactMap { requests[$0]?.priority }.max() ?? .idle
    guard highest != job.priority else { return }
    job.priority = highest
    if job.phase == .queued || job.phase == .fetched { job.stamp = takeStamp() }
    jobs[id] = job
  }

  private typealias Entry = Dictionary<JobID, Job>.Element

  private static func comesFirst(_ a: Entry, _ b: Entry) -> Bool {
    (b.value.priority, a.value.stamp) < (a.value.priority, b.value.stamp)
  }

  private func jobs(in phase: Phase) -> some Sequence<Entry> {
    jobs.lazy.filter { $0.value.phase == phase }
  }

  /// The next job of a phase.
  ///
  /// - Complexity: O(jobs).
  private func first(_ phase: Phase, where isMeant: (Job) -> Bool = { _ in true }) -> Entry? {
    jobs(in: phase).filter { isMeant($0.value) }.min(by: Self.comesFirst)
  }

  private mutating func takeID() -> JobID {
    defer { nextID += 1 }
    return nextID
  }

  private mutating func takeStamp() -> UInt64 {
    defer { nextStamp += 1 }
    return nextStamp
  }
}

extension ImageQueue.Limits {
  init(_ configuration: ImageLoaderConfiguration) {
    self.init(
      fetches: max(1, configuration.maximumConcurrentFetches),
      fetchesPerHost: max(1, configuration.maximumFetchesPerHost),
      decodes: max(1, configuration.maximumConcurrentDecodes),
      bytes: configuration.maximumBytesInFlight,
      bytesPerImage: configuration.fetchLimits.maximumBytes)
    assumedBytes = min(assumedBytes, bytesPerImage)
  }
}
