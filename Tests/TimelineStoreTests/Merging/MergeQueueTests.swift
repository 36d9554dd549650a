import Library
import TestSupport
import Testing

@testable import TimelineStore

/// The order in which merged sources are read.
@Suite struct MergeQueueTests {
  /// Random ends of readings: the limits hold, and every source has its turn.
  @Test(arguments: 1...20) func limitsHold(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = MergeQueue()
    var running: [FeedID: String?] = [:]
    var pipes: Set<FeedID> = []
    var hosts: [FeedID: String?] = [:]
    var read: Set<FeedID> = []
    var late: Set<FeedID> = []
    var jobs: [MergeQueue.Job] = []
    for number in 1...Int64(150) {
      let kind = Int.random(in: 0..<10, using: &random)
      let host: String? = kind < 7 ? "host \(Int.random(in: 0..<30, using: &random))" : nil
      let isPipe = kind == 9
      hosts[FeedID(number)] = host
      if isPipe { pipes.insert(FeedID(number)) }
      jobs.append(MergeQueue.Job(feed: FeedID(number), host: host, isUnlimited: isPipe))
    }
    func note(_ started: [FeedID]) {
      for feed in started {
        #expect(running[feed] == nil && !read.contains(feed), "seed \(seed)")
        running[feed] = hosts[feed] ?? nil
      }
      let limited = running.filter { !pipes.contains($0.key) }
      #expect(limited.count <= 2 * MergeQueue.limit, "seed \(seed)")
      #expect(limited.count { !late.contains($0.key) } <= MergeQueue.limit, "seed \(seed)")
      for (host, feeds) in Dictionary(grouping: limited.keys, by: { hosts[$0] ?? nil })
      where host != nil {
        #expect(feeds.count { !late.contains($0) } <= MergeQueue.hostLimit, "seed \(seed)")
        #expect(
          feeds.count <= MergeQueue.hostLimit + MergeQueue.slowHostLimit, "seed \(seed)")
      }
    }
    note(queue.add(jobs))
    // Pipes wait for nothing.
    #expect(pipes.allSatisfy { running.keys.contains($0) })
    while let feed = running.keys.sorted().randomElement(using: &random) {
      if Bool.random(using: &random), hosts[feed] != .some(nil) {
        late.insert(feed)
        note(queue.takesLong(feed))
        #expect(queue.takesLong(feed).isEmpty)
        continue
      }
      running.removeValue(forKey: feed)
      read.insert(feed)
      note(queue.end(feed))
    }
    #expect(read.count == jobs.count && queue.isEmpty, "seed \(seed)")
    #expect(queue.done == queue.total)
  }

  /// Feeds of one host do not hold up those of another.
  @Test func hostsTakeTurns() {
    var queue = MergeQueue()
    let slow = (1...Int64(40)).map { MergeQueue.Job(feed: FeedID($0), host: "slow") }
    let other = MergeQueue.Job(feed: FeedID(50), host: "other")
    #expect(queue.add(slow + [other]) == [FeedID(1), FeedID(50), FeedID(2)])
  }

  /// Endless answers leave their places, as long as their host has no more than six in all.
  @Test func slowSourcesLeaveTheirPlaces() {
    var queue = MergeQueue()
    #expect(
      queue.add((1...Int64(9)).map { MergeQueue.Job(feed: FeedID($0), host: "a") }).count == 2)
    #expect(queue.takesLong(FeedID(1)) == [FeedID(3)])
    #expect(queue.takesLong(FeedID(2)) == [FeedID(4)])
    #expect(queue.takesLong(FeedID(3)) == [FeedID(5)])
    #expect(queue.takesLong(FeedID(4)) == [FeedID(6)])
    #expect(queue.takesLong(FeedID(5)).isEmpty)
    #expect(queue.takesLong(FeedID(1)).isEmpty)
    // The place of one that ends is that of the next one that is slow.
    #expect(queue.end(FeedID(1)) == [FeedID(7)])
    #expect(queue.end(FeedID(7)) == [FeedID(8)])
  }
}
