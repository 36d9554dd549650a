import Library

/// The order in which merged sources are read.
///
/// At most ``limit`` are read at a time, and ``hostLimit`` of one host. A source that has to wait
/// for its host does not hold up those after it. One that takes longer than ``patience`` leaves its
/// place to the next one, so that two endless answers do not hold up the other feeds of their host:
/// at most ``limit`` sources are slow, and ``slowHostLimit`` of one host. A pipe, which may stay
/// silent for ever, neither waits nor counts (`isUnlimited`).
struct MergeQueue: Sendable {
  static let limit = 32
  static let hostLimit = 2
  static let slowHostLimit = 4
  /// In seconds.
  static let patience = 5.0

  struct Job: Hashable, Sendable {
    let feed: FeedID
    let host: String?
    /// Whether it is read at once, and does not count.
    var isUnlimited = false
  }

  /// The jobs that wait, by their hosts; those without a host under `nil`.
  private var waiting: [String?: [Job]] = [:]
  /// The hosts with waiting jobs, in the order of their turns.
  private var turns: [String?] = []
  private var running: [FeedID: Job] = [:]
  /// Those that run and occupy a place of their host.
  private var counts: [String: Int] = [:]
  /// Those that have left their place.
  private var slow: Set<FeedID> = []
  private var slowCounts: [String: Int] = [:]
  /// Those that take long, but occupy their place as too many are slow.
  private var late: [FeedID] = []
  private(set) var done = 0
  private(set) var total = 0

  var isEmpty: Bool { running.isEmpty && turns.isEmpty }

  /// Adds jobs whose feeds neither wait nor run.
  ///
  /// - Returns: the feeds whose reading begins.
  mutating func add(_ jobs: [Job]) -> [FeedID] {
    if isEmpty { (done, total) = (0, 0) }
    total += jobs.count
    for job in jobs where job.isUnlimited { running[job.feed] = job }
    for job in jobs where !job.isUnlimited {
      if waiting[job.host] == nil { turns.append(job.host) }
      waiting[job.host, default: []].append(job)
    }
    return jobs.filter(\.isUnlimited).map(\.feed) + startNext()
  }

  /// The reading of a feed has ended.
  ///
  /// - Returns: the feeds whose reading begins.
  mutating func end(_ feed: FeedID) -> [FeedID] {
    guard let job = running.removeValue(forKey: feed) else { return [] }
    done += 1
    let isSlow = slow.remove(feed) != nil
    if let host = job.host {
      if isSlow { slowCounts[host, default: 1] -= 1 } else { counts[host, default: 1] -= 1 }
    }
    late.removeAll { $0 == feed }
    leavePlaces()
    return startNext()
  }

  /// A source of a host has been read for ``patience`` seconds.
  ///
  /// - Returns: the feeds whose reading begins.
  mutating func takesLong(_ feed: FeedID) -> [FeedID] {
    guard let job = running[feed], job.host != nil, !slow.contains(feed), !late.contains(feed)
    else { return [] }
    late.append(feed)
    leavePlaces()
    return startNext()
  }

  private mutating func leavePlaces() {
    late.removeAll { feed in
      guard let host = running[feed]?.host, slow.count < Self.limit,
        slowCounts[host, default: 0] < Self.slowHostLimit
      else { return false }
      slow.insert(feed)
      slowCounts[host, default: 0] += 1
      counts[host, default: 1] -= 1
      return true
    }
  }

  /// Drops the jobs that wait.
  mutating func clear() {
    total -= waiting.values.reduce(0) { $0 + $1.count }
    (waiting, turns) = ([:], [])
  }

  /// - Complexity: O(n) in the hosts that wait, for each job that starts.
  private mutating func startNext() -> [FeedID] {
    var started: [FeedID] = []
    var limited = running.values.count { !$0.isUnlimited } - slow.count
    var index = 0
    while limited < Self.limit, index < turns.count {
      let host = turns[index]
      guard let job = waiting[host]?.first,
        host.map({ counts[$0, default: 0] < Self.hostLimit }) ?? true
      else {
        index += 1
        continue
      }
      waiting[host]?.removeFirst()
      if let host { counts[host, default: 0] += 1 }
      limited += 1
      running[job.feed] = job
      started.append(job.feed)
      turns.remove(at: index)
      if waiting[host]?.isEmpty ?? true { waiting[host] = nil } else { turns.append(host) }
      if index >= turns.count { index = 0 }
    }
    return started
  }
}
