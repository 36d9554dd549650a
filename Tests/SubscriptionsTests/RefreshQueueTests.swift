import Library
import TestSupport
import Testing

@testable import Subscriptions

@Suite struct RefreshQueueTests {
  private func job(_ id: Int64, _ host: String) -> RefreshQueue.Job {
    RefreshQueue.Job(feed: FeedID(id), host: host)
  }

  private func started(_ actions: [RefreshQueue.Action]) -> [Int64] {
    actions.compactMap { if case .start(let feed) = $0 { feed.rawValue } else { nil } }
  }

  @Test func twoRequestsToAHostAndThirtyTwoInAll() {
    var queue = RefreshQueue()
    let jobs = (0..<100).map { job(Int64($0), $0 < 50 ? "one" : "host \($0)") }
    let first = started(queue.add(jobs, now: 0))
    #expect(first.count == 32)
    // Hosts take turns.
    #expect(first.filter { $0 < 50 }.count == 1)
    #expect(Array(first.prefix(3)) == [0, 50, 51])
    #expect(started(queue.end(FeedID(0), now: 1)).count == 1)
    #expect(queue.progress == (1, 100))
  }

  @Test func aFeedIsAskedOnceAtATime() {
    var queue = RefreshQueue()
    #expect(
      started(queue.add([job(1, "a"), job(1, "a"), job(2, "a"), job(3, "a")], now: 0)) == [1, 2])
    #expect(queue.add([job(1, "a"), job(3, "a")], now: 0).isEmpty)
    #expect(started(queue.end(FeedID(1), now: 0)) == [3])
    #expect(queue.end(FeedID(1), now: 0).isEmpty)
    #expect(started(queue.add([job(1, "a")], now: 0)) == [])
    _ = queue.end(FeedID(2), now: 0)
    _ = queue.end(FeedID(3), now: 0)
    #expect(!queue.isEmpty)
    _ = queue.end(FeedID(1), now: 0)
    #expect(queue.isEmpty && queue.nextWake == nil && queue.progress == (4, 4))
    #expect(started(queue.add([job(1, "a")], now: 0)) == [1])
    #expect(queue.progress == (0, 1))
  }

  @Test func anEndlessRequestIsCancelledOnce() {
    var queue = RefreshQueue()
    _ = queue.add([job(1, "a"), job(2, "a")], now: 10)
    #expect(queue.nextWake == 100)
    #expect(queue.wake(now: 99).isEmpty)
    #expect(
      Set(queue.wake(now: 100)) == [.cancel(FeedID(1)), .cancel(FeedID(2))])
    #expect(queue.wake(now: 101).isEmpty && queue.nextWake == nil)
    #expect(queue.end(FeedID(1), now: 102).isEmpty)
  }

  /// Two endless answers do not hold up the other feeds of their host, and no host has more than
  /// six requests.
  @Test func slowRequestsLeaveTheirPlaces() {
    var queue = RefreshQueue()
    #expect(started(queue.add((1...9).map { job($0, "a") }, now: 0)) == [1, 2])
    #expect(queue.nextWake == 5)
    #expect(queue.wake(now: 4).isEmpty)
    #expect(started(queue.wake(now: 5)) == [3, 4])
    #expect(started(queue.wake(now: 10)) == [5, 6])
    #expect(queue.wake(now: 15).isEmpty && queue.nextWake == 90)
    // One that is slow was in no other's place.
    #expect(queue.end(FeedID(1), now: 16).isEmpty)
    #expect(queue.nextWake == 15)
    #expect(started(queue.wake(now: 16)) == [7])
    #expect(started(queue.end(FeedID(6), now: 17)) == [8])
  }

  @Test func slowHostsDoNotHoldUpOthers() {
    var queue = RefreshQueue()
    let jobs = (0..<80).map { job($0, "host \($0)") }
    #expect(started(queue.add(jobs, now: 0)) == Array(0..<32))
    #expect(queue.nextWake == 5)
    #expect(started(queue.wake(now: 5)) == Array(32..<64))
    #expect(queue.nextWake == 90)
  }

  /// A pipe may stay silent for ever: it neither waits nor counts, and has no deadline.
  @Test func anUnlimitedSourceWaitsForNothing() {
    var queue = RefreshQueue()
    let pipes = (1...40).map { RefreshQueue.Job(feed: FeedID($0), host: "a", isUnlimited: true) }
    #expect(started(queue.add(pipes + [job(50, "a")], now: 0)).count == 41)
    #expect(queue.nextWake == 90)
    #expect(queue.end(FeedID(50), now: 1).isEmpty && !queue.isEmpty && queue.nextWake == nil)
    for number in 1...40 as ClosedRange<Int64> { _ = queue.end(FeedID(number), now: 2) }
    #expect(queue.isEmpty && queue.progress == (41, 41))
  }

  /// The rules and the deadline of merged sources: files wait only for a place, and keep it.
  @Test func rulesDependOnTheHost() {
    var queue = RefreshQueue(deadline: 30) { host in
      host.isEmpty ? RequestHost(limit: .max, slowLimit: 0) : RequestHost()
    }
    let jobs = (1...40).map { job($0, "") } + (50...59).map { job($0, "reddit.com") }
    let first = started(queue.add(jobs, now: 0))
    #expect(first.count == 32 && first.filter { $0 >= 50 } == [50, 51])
    #expect(started(queue.wake(now: 5)).count == 2)
    #expect(queue.wake(now: 30).contains(.cancel(FeedID(50))))
  }

  @Test func aHostThatWantsNoRequestsLosesItsFeeds() {
    var queue = RefreshQueue()
    _ = queue.add([1, 2, 3, 4].map { job($0, "a") } + [job(9, "b")], now: 0)
    let actions = queue.end(FeedID(1), blocking: ("a", 60), now: 5)
    #expect(
      actions == [.postpone(FeedID(3), seconds: 60), .postpone(FeedID(4), seconds: 60)])
    #expect(queue.progress == (1, 3))
    #expect(queue.add([job(3, "a")], now: 25) == [.postpone(FeedID(3), seconds: 40)])
    #expect(started(queue.add([job(3, "a")], now: 65)) == [3])
  }

  @Test func redditIsAskedOnceAMinute() {
    let hosts = [
      "https://www.reddit.com/r/a/.rss", "https://old.reddit.com/r/b/.rss",
      "https://reddit.com/r/c/.rss",
    ].map(RequestHost.name)
    #expect(Set(hosts) == ["reddit.com"])
    #expect(RequestHost.name(of: "https://notreddit.com/") == "notreddit.com")
    var queue = RefreshQueue()
    let jobs = hosts.indices.map { job(Int64($0), hosts[$0]) }
    #expect(started(queue.add(jobs, now: 0)) == [0])
    #expect(queue.end(FeedID(0), now: 2).isEmpty)
    #expect(queue.nextWake == 60)
    #expect(queue.wake(now: 59).isEmpty && queue.nextWake == 60)
    #expect(started(queue.wake(now: 60)) == [1])
    // The next one waits for the minute and for the end.
    #expect(queue.wake(now: 130).isEmpty)
    #expect(started(queue.end(FeedID(1), now: 131)) == [2])
  }

  /// Also over a restart.
  @Test func theLastRequestOfAnEarlierRunCounts() {
    var queue = RefreshQueue()
    let jobs = [job(1, "reddit.com"), job(2, "a")]
    #expect(started(queue.add(jobs, lastRequests: ["reddit.com": -20, "a": 0], now: 0)) == [2])
    #expect(queue.nextWake == 40)
    #expect(started(queue.wake(now: 40)) == [1])
  }

  @Test func cancellingEndsAll() {
    var queue = RefreshQueue()
    _ = queue.add(
      (1...5).map { job($0, "a") } + [job(6, "reddit.com"), job(7, "reddit.com")], now: 0)
    let actions = queue.cancel()
    #expect(actions == [1, 2, 6].map { .cancel(FeedID($0)) })
    for id in [1, 2, 6] as [Int64] { #expect(queue.end(FeedID(id), now: 1).isEmpty) }
    #expect(queue.isEmpty && queue.nextWake == nil)
    #expect(queue.progress == (3, 3))
  }

  /// Every feed that is added is started or postponed, within all limits.
  @Test(arguments: Rounds.seeds(12)) func randomRunsKeepTheRules(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = RefreshQueue()
    var now = 0.0
    var running: [FeedID: (host: String, start: Double)] = [:]
    func quick(_ host: String? = nil) -> Int {
      running.values.count { now - $0.start < RefreshQueue.patience && $0.host == host ?? $0.host }
    }
    var waiting: [FeedID: String] = [:]
    var blocked: [String: Double] = [:]
    var lastReddit = -Double.infinity
    var cancelled: Set<FeedID> = []
    let names = ["a", "b", "c", "reddit.com"] + (0..<20).map { "h\($0)" }
    func apply(_ actions: [RefreshQueue.Action]) {
      for action in actions {
        switch action {
        case .start(let feed):
          guard let host = waiting.removeValue(forKey: feed) else {
            Issue.record("\(feed) was not waiting, seed \(seed)")
            continue
          }
          #expect(blocked[host, default: -.infinity] <= now, "seed \(seed)")
          if host == "reddit.com" {
            #expect(now - lastReddit >= 60, "seed \(seed)")
            lastReddit = now
          }
          running[feed] = (host, now)
        case .postpone(let feed, let seconds):
          let host = waiting.removeValue(forKey: feed)
          #expect(host != nil && seconds > 0, "seed \(seed)")
          #expect(now + seconds == blocked[host ?? ""], "seed \(seed)")
        case .cancel(let feed):
          #expect(now - (running[feed]?.start ?? now) >= RefreshQueue.deadline, "seed \(seed)")
          #expect(cancelled.insert(feed).inserted, "seed \(seed)")
        }
      }
      #expect(running.count <= 64 && quick() <= 32, "seed \(seed)")
      for host in names {
        let isReddit = host == "reddit.com"
        #expect(running.values.count { $0.host == host } <= (isReddit ? 1 : 6), "seed \(seed)")
        #expect(quick(host) <= (isReddit ? 1 : 2), "seed \(seed)")
      }
      #expect(queue.isEmpty == (running.isEmpty && waiting.isEmpty), "seed \(seed)")
      // Nothing waits without a reason: for a place, or for a wake that is due.
      if running.count < 32, queue.nextWake.map({ $0 > now }) ?? true {
        for host in Set(waiting.values) where host != "reddit.com" {
          #expect(running.values.count { $0.host == host } >= 2, "seed \(seed)")
          #expect(quick(host) > 0 || running.values.count { $0.host == host } == 6, "seed \(seed)")
        }
      }
    }
    var next: Int64 = 0
    for step in 0..<400 {
      now += [0, 0.5, 7, 40][Int.random(in: 0..<4, using: &random)]
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3 where step < 350:
        let jobs = (0..<Int.random(in: 1...20, using: &random)).map { _ in
          next += 1
          return job(next, names[Int.random(in: 0..<names.count, using: &random)])
        }
        for job in jobs { waiting[job.feed] = job.host }
        apply(queue.add(jobs, now: now))
      case 3..<8:
        guard let feed = running.keys.sorted().randomElement(using: &random),
          let host = running.removeValue(forKey: feed)?.host
        else { continue }
        cancelled.remove(feed)
        let blocks = Int.random(in: 0..<12, using: &random) == 0
        if blocks { blocked[host] = max(blocked[host] ?? 0, now + 100) }
        apply(queue.end(feed, blocking: blocks ? (host, 100) : nil, now: now))
      default: apply(queue.wake(now: now))
      }
    }
    while !queue.isEmpty {
      if let feed = running.keys.sorted().first {
        running[feed] = nil
        apply(queue.end(feed, now: now))
      } else {
        guard let wake = queue.nextWake else {
          Issue.record("a feed waits for nothing, seed \(seed)")
          return
        }
        now = max(now, wake)
        apply(queue.wake(now: now))
      }
    }
    #expect(waiting.isEmpty && queue.nextWake == nil)
  }
}
