@testable import ImageLoading

/// The rules of `ImageQueue` on plain lists that are searched and sorted at every step. It takes the
/// ids from the queue's own actions and checks what those actions did.
struct QueueModel {
  private struct Job: Equatable {
    var id: UInt64
    var url: String
    var phase = ImageQueue.Phase.queued
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

  /// What the queue said it does.
  mutating func note(_ actions: [ImageQueue.Action]) {
    self.actions = actions.map { action in
      switch action {
      case .fetch(let id): "fetch \(id)"
      case .decode(let id): "decode \(id)"
      case .stop(let id, let url, _, _, let requeued): "stop \(id) \(url) \(requeued)"
      case .announce: "announce"
      case .finish(let id, let url, _, _, let requests): "finish \(id) \(url) \(requests)"
      }
    }
    expectedActions = []
  }

  mutating func add(_ id: UInt64, url: String, priority: ImagePriority) {
    requests.append(Request(id: id, url: url, priority: priority))
    if jobs.contains(where: { $0.url == url }) {
      refresh(url)
    } else {
      jobs.append(
        Job(
          id: takeID(), url: url, priority: priority, place: takePlace(),
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
    if requests.contains(where: { $0.url == url }) || job.phase == .decoding {
      return refresh(url)
    }
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

  mutating func fetched(_ id: UInt64, bytes: Int) {
    guard let place = fetching(id) else { return }
    jobs[place].held = bytes
    jobs[place].expected = 0
    jobs[place].phase = .fetched
    jobs[place].place = takePlace()
    giveBack()
    begin()
  }

  mutating func ended(_ id: UInt64) {
    guard let job = jobs.first(where: { $0.id == id }),
      job.phase == .fetching || job.phase == .decoding
    else { return }
    let told = requests.filter { $0.url == job.url }.map(\.id)
    requests.removeAll { $0.url == job.url }
    jobs.removeAll { $0.id == id }
    expectedActions.append("finish \(id) \(job.url) \(told)")
    begin()
  }

  /// What differs, or a bound that does not hold; nil where all is well.
  func disagreement(with queue: ImageQueue) -> String? {
    if actions != expectedActions { return "actions \(actions), expected \(expectedActions)" }
    for job in jobs {
      guard let other = queue.job(job.id) else { return "no job \(job.id)" }
      if other.url != job.url || other.phase != job.phase || other.priority != job.priority
        || other.held != job.held || other.reserved != job.reserved
        || other.requests.sorted() != requests.filter({ $0.url == job.url }).map(\.id).sorted()
      {
        return "job \(job) is \(other)"
      }
    }
    let active = jobs.filter { $0.phase != .queued }
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
    if count(.fetching) > limits.fetches || count(.decoding) > limits.decodes { return "too wide" }
    let activity = queue.activity
    if activity.queued != count(.queued) || activity.inFlight != active.count {
      return "activity \(activity)"
    }
    if !jobs.isEmpty, active.isEmpty { return "something waits and nothing is under way" }
    return nil
  }

  // MARK: The rules

  private func count(_ phase: ImageQueue.Phase) -> Int { jobs.count { $0.phase == phase } }

  private func fetching(_ id: UInt64) -> Int? {
    jobs.firstIndex { $0.id == id && $0.phase == .fetching }
  }

  private func turn(of phase: ImageQueue.Phase) -> Int? {
    jobs.indices.filter { jobs[$0].phase == phase }.min {
      (-jobs[$0].priority.rawValue, jobs[$0].place) < (-jobs[$1].priority.rawValue, jobs[$1].place)
    }
  }

  private mutating func begin() {
    while count(.decoding) < limits.decodes, let place = turn(of: .fetched) {
      jobs[place].phase = .decoding
      expectedActions.append("decode \(jobs[place].id)")
    }
    while count(.fetching) < limits.fetches, let place = turn(of: .queued) {
      let active = jobs.filter { $0.phase != .queued }
      let reserved = active.reduce(0) { $0 + $1.reserved }
      guard active.isEmpty || reserved + jobs[place].reserved <= limits.bytes else { return }
      jobs[place].phase = .fetching
      expectedActions.append("fetch \(jobs[place].id)")
    }
  }

  private mutating func giveBack() {
    while true {
      let active = jobs.filter { $0.phase != .queued }
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
