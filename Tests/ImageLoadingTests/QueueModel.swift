@testable import ImageLoading

/// The rules of `ImageQueue` on plain lists that are searched and sorted at every step. It takes
/// the ids from the queue's own actions and checks what those actions did.
struct QueueModel {
  private struct Job: Equatable {
    var id: UInt64
    var url: String
    var isUnread = false
    var phase = ImageQueue.Phase.queued
    /// Addresses of this model are `http://HOST/NAME`, or without a host.
    var host: String? { url.hasPrefix("http") ? url.split(separator: "/")[1].description : nil }
    var priority: ImagePriority
    var place: Int
    var held = 0
    var expected: Int
    var reserved: Int { Swift.max(held, expected) }
  }

  private struct Request {
    let id: UInt64
    let url: String
    var priority: ImagePriority
  }

  private let limits: ImageQueue.Limits
  private var jobs: [Job] = []
  private var requests: [Request] = []
  private var places = 0
  private var newID: UInt64 = 1
  private var expectedActions: [String] = []
  private var actions: [String] = []

  init(limits: ImageQueue.Limits) { self.limits = limits }

  /// Applies the actions that the queue returned.
  mutating func note(_ actions: [ImageQueue.Action]) {
    self.actions = actions.map { action in
      switch action {
      case .read(let id): "read \(id)"
      case .fetch(let id): "fetch \(id)"
      case .decode(let id): "decode \(id)"
      case .stop(let id, let link, _, _, let requeued): "stop \(id) \(link.url) \(requeued)"
      case .announce: "announce"
      case .finish(let id, let link, _, _, let requests): "finish \(id) \(link.url) \(requests)"
      }
    }
    expectedActions = []
  }

  mutating func add(
    _ id: UInt64, url: String, priority: ImagePriority, from start: ImageQueue.Start
  ) {
    requests.append(Request(id: id, url: url, priority: priority))
    if jobs.contains(where: { $0.url == url }) {
      refresh(url)
    } else {
      jobs.append(
        Job(
          id: takeID(), url: url, isUnread: start == .disk,
          phase: start == .waiting ? .waiting : .queued, priority: priority, place: takePlace(),
          expected: limits.assumedBytes))
    }
    begin()
  }

  mutating func setPriority(_ priority: ImagePriority, of id: UInt64) {
    note([])
    guard let place = requests.firstIndex(where: { $0.id == id }) else { return }
    requests[place].priority = priority
    refresh(requests[place].url)
  }

  mutating func cancel(_ id: UInt64) {
    guard let place = requests.firstIndex(where: { $0.id == id }) else { return }
    let url = requests.remove(at: place).url
    guard let job = jobs.first(where: { $0.url == url }) else { return }
    if requests.contains(where: { $0.url == url }) { return refresh(url) }
    jobs.removeAll { $0.url == url }
    expectedActions.append("stop \(job.id) \(url) false")
    begin()
  }

  mutating func received(_ id: UInt64, total: Int, expected: Int?) {
    guard let place = fetching(id) else { return }
    jobs[place].held = total
    if let expected { jobs[place].expected = expected }
    giveBack()
    begin()
  }

  mutating func missed(_ id: UInt64) {
    guard let place = jobs.firstIndex(where: { $0.id == id && $0.phase == .reading }) else {
      return
    }
    jobs[place].phase = .queued
    jobs[place].isUnread = false
    begin()
  }

  mutating func postpone(_ id: UInt64) {
    guard let place = fetching(id) else { return }
    jobs[place].phase = .waiting
    jobs[place].held = 0
    jobs[place].place = takePlace()
    jobs[place].id = takeID()
    begin()
  }

  mutating func resume(_ id: UInt64) {
    guard let place = jobs.firstIndex(where: { $0.id == id && $0.phase == .waiting }) else {
      return
    }
    jobs[place].phase = .queued
    jobs[place].place = takePlace()
    begin()
  }

  mutating func fetched(_ id: UInt64, bytes: Int) {
    guard
      let place = jobs.firstIndex(where: {
        $0.id == id && ($0.phase == .fetching || $0.phase == .reading)
      })
    else { return }
    jobs[place].held = bytes
    jobs[place].expected = 0
    jobs[place].phase = .fetched
    jobs[place].place = takePlace()
    giveBack()
    begin()
  }

  mutating func ended(_ id: UInt64) {
    guard let job = jobs.first(where: { $0.id == id }),
      [.fetching, .reading, .decoding].contains(job.phase)
    else { return }
    let told = requests.filter { $0.url == job.url }.map(\.id)
    requests.removeAll { $0.url == job.url }
    jobs.removeAll { $0.id == id }
    expectedActions.append("finish \(id) \(job.url) \(told)")
    begin()
  }

  /// A difference, or a violated bound; `nil` if there is none.
  func disagreement(with queue: ImageQueue) -> String? {
    if actions != expectedActions { return "actions \(actions), expected \(expectedActions)" }
    for job in jobs {
      guard let other = queue.job(job.id) else { return "no job \(job.id)" }
      if other.url != job.url || other.phase != job.phase || other.priority != job.priority
        || other.isUnread != job.isUnread || other.held != job.held
        || other.reserved != job.reserved
        || other.requests.sorted() != requests.filter({ $0.url == job.url }).map(\.id).sorted()
      {
        return "job \(job) is \(other)"
      }
    }
    let active = active
    if queue.jobs.count != jobs.count { return "\(queue.jobs.count) jobs" }
    let held = active.reduce(0) { $0 + $1.held }
    let reserved = active.reduce(0) { $0 + $1.reserved }
    if queue.heldBytes != held || queue.reservedBytes != reserved {
      return "held \(queue.heldBytes) for \(held), reserved \(queue.reservedBytes) for \(reserved)"
    }
    if reserved > limits.bytes, active.count > 1, active.contains(where: { $0.phase == .fetching })
    {
      return "\(reserved) bytes reserved"
    }
    if count(.fetching) > limits.fetches || count(.decoding) > limits.decodes
      || count(.reading) > limits.reads
    {
      return "too wide"
    }
    let hosts = Dictionary(grouping: jobs.filter { $0.phase == .fetching }, by: \.host)
    if hosts.contains(where: { $0.key != nil && $0.value.count > limits.fetchesPerHost }) {
      return "too many of one host"
    }
    let activity = queue.activity
    if activity.queued != count(.queued) || activity.inFlight != active.count
      || activity.waiting != count(.waiting)
    {
      return "activity \(activity)"
    }
    if count(.queued) > 0, active.isEmpty { return "something waits and nothing is under way" }
    return nil
  }

  // MARK: The rules

  /// Jobs that take a place, and bytes.
  private var active: [Job] { jobs.filter { $0.phase != .queued && $0.phase != .waiting } }

  private func count(_ phase: ImageQueue.Phase) -> Int { jobs.count { $0.phase == phase } }

  private func fetching(_ id: UInt64) -> Int? {
    jobs.firstIndex { $0.id == id && $0.phase == .fetching }
  }

  private func turn(
    of phase: ImageQueue.Phase, where isMeant: (Job) -> Bool = { _ in true }
  ) -> Int? {
    jobs.indices.filter { jobs[$0].phase == phase && isMeant(jobs[$0]) }.min {
      (-jobs[$0].priority.rawValue, jobs[$0].place) < (-jobs[$1].priority.rawValue, jobs[$1].place)
    }
  }

  private mutating func begin() {
    while count(.decoding) < limits.decodes, let place = turn(of: .fetched) {
      jobs[place].phase = .decoding
      expectedActions.append("decode \(jobs[place].id)")
    }
    while count(.reading) < limits.reads, let place = turn(of: .queued, where: \.isUnread),
      hasRoom(for: jobs[place])
    {
      jobs[place].phase = .reading
      expectedActions.append("read \(jobs[place].id)")
    }
    while count(.fetching) < limits.fetches {
      let busy = Dictionary(grouping: jobs.filter { $0.phase == .fetching }, by: \.host)
      let next = turn(of: .queued) { job in
        !job.isUnread
          && (job.host == nil || busy[job.host, default: []].count < limits.fetchesPerHost)
      }
      guard let next, hasRoom(for: jobs[next]) else { return }
      jobs[next].phase = .fetching
      expectedActions.append("fetch \(jobs[next].id)")
    }
  }

  private func hasRoom(for job: Job) -> Bool {
    active.isEmpty || active.reduce(0) { $0 + $1.reserved } + job.reserved <= limits.bytes
  }

  private mutating func giveBack() {
    while true {
      guard active.reduce(0, { $0 + $1.reserved }) > limits.bytes, active.count > 1 else { return }
      let victim = jobs.indices.filter { jobs[$0].phase == .fetching }.min {
        (jobs[$0].priority.rawValue, -jobs[$0].place) < (
          jobs[$1].priority.rawValue, -jobs[$1].place
        )
      }
      guard let victim else { return }
      expectedActions.append("stop \(jobs[victim].id) \(jobs[victim].url) true")
      var again = jobs.remove(at: victim)
      again.phase = .queued
      again.held = 0
      let need =
        again.expected > limits.assumedBytes ? again.expected : limits.bytesPerImage
      again.expected = Swift.min(need, limits.bytes)
      again.place = takePlace()
      again.id = takeID()
      jobs.append(again)
    }
  }

  private mutating func refresh(_ url: String) {
    guard let place = jobs.firstIndex(where: { $0.url == url }) else { return }
    let highest = requests.filter { $0.url == url }.map(\.priority).max() ?? .idle
    guard highest != jobs[place].priority else { return }
    jobs[place].priority = highest
    if jobs[place].phase == .queued || jobs[place].phase == .fetched {
      jobs[place].place = takePlace()
    }
  }

  private mutating func takePlace() -> Int {
    places += 1
    return places
  }

  private mutating func takeID() -> UInt64 {
    defer { newID += 1 }
    return newID
  }
}
