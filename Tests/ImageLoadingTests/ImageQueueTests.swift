import HTTP
import Pixels
import TestSupport
import Testing

@testable import ImageLoading

@Suite struct ImageQueueTests {
  private func queue(
    fetches: Int = 2, perHost: Int = 8, reads: Int = 2, decodes: Int = 1, bytes: Int = 1000,
    perImage: Int = 800, assumed: Int = 10
  ) -> ImageQueue {
    ImageQueue(
      limits: ImageQueue.Limits(
        fetches: fetches, fetchesPerHost: perHost, reads: reads, decodes: decodes, bytes: bytes,
        bytesPerImage: perImage,
        assumedBytes: assumed))
  }

  private func link(_ url: String) -> HTTPLink { HTTPLink(url, reach: .publicAddresses) }

  /// The URLs whose fetches these actions begin.
  private func begun(_ actions: [ImageQueue.Action], in queue: ImageQueue) -> [String] {
    actions.compactMap { if case .fetch(let id) = $0 { queue.job(id)?.url } else { nil } }
  }

  @Test func equalURLsAreOneJob() {
    var queue = queue()
    #expect(queue.add(1, url: "a", priority: .near) == [.fetch(1)])
    #expect(queue.add(2, url: "a", priority: .visible).isEmpty)
    #expect(queue.job(1)?.priority == .visible)
    #expect(queue.fetched(1, bytes: 5) == [.decode(1)])
    #expect(queue.add(3, url: "a", priority: .idle).isEmpty)
    #expect(
      queue.ended(1) == [.finish(1, link("a"), .visible, bytes: 5, [1, 2, 3])])
    #expect(queue.activity == ImageActivity())
  }

  /// Sums of announced lengths do not overflow.
  @Test func announcedLengthsOfAnySizeAreTaken() {
    var queue = queue(fetches: 3)
    for (id, expected) in [(1, Int.max), (2, .max), (3, .min)] {
      _ = queue.add(UInt64(id), url: "\(id)", priority: .visible)
      _ = queue.received(UInt64(id), total: 1, expected: expected)
      #expect((0...3_000).contains(queue.reservedBytes))
    }
    for id in 1...3 as ClosedRange<UInt64> { _ = queue.ended(id) }
    #expect(queue.reservedBytes == 0)
  }

  @Test func urgentOnesBeginFirst() {
    var queue = queue(fetches: 1)
    _ = queue.add(1, url: "first", priority: .idle)
    _ = queue.add(2, url: "idle", priority: .idle)
    _ = queue.add(3, url: "near", priority: .near)
    _ = queue.add(4, url: "visible", priority: .visible)
    _ = queue.add(5, url: "raised", priority: .idle)
    queue.setPriority(.visible, of: 5)
    var order: [String] = []
    var running: UInt64 = 1
    for _ in 0..<4 {
      let actions = queue.ended(running)
      order += begun(actions, in: queue)
      if case .fetch(let id)? = actions.last { running = id }
    }
    #expect(order == ["visible", "raised", "near", "idle"])
  }

  @Test func lastCancelStopsTheFetch() {
    var queue = queue(fetches: 1)
    _ = queue.add(1, url: "a", priority: .visible)
    _ = queue.add(2, url: "a", priority: .idle)
    _ = queue.add(3, url: "b", priority: .idle)
    #expect(queue.cancel(1).isEmpty)
    #expect(queue.job(1)?.priority == .idle)
    #expect(
      queue.cancel(2)
        == [.stop(1, link("a"), .idle, bytes: 0, requeued: false), .fetch(2)])
    #expect(queue.received(1, total: 7, expected: nil).isEmpty)
    #expect(queue.fetched(1, bytes: 7).isEmpty && queue.ended(1).isEmpty)
    #expect(queue.cancel(2).isEmpty)
    #expect(queue.activity == ImageActivity(queued: 0, inFlight: 1, bytes: 0))
  }

  @Test func decodingIsStoppedWithoutRequests() {
    var queue = queue()
    _ = queue.add(1, url: "a", priority: .visible)
    _ = queue.add(2, url: "b", priority: .visible)
    let size = PixelSize(width: 3, height: 4)
    #expect(queue.sizeKnown(1, size) == [.announce(size, of: link("a"), to: [1])])
    #expect(queue.sizeKnown(1, size).isEmpty)
    _ = queue.fetched(1, bytes: 5)
    #expect(queue.fetched(2, bytes: 6).isEmpty)
    // The next one is decoded in its place, and a new request for it starts from the beginning.
    let stop = ImageQueue.Action.stop(1, link("a"), .visible, bytes: 5, requeued: false)
    #expect(queue.cancel(1) == [stop, .decode(2)])
    #expect(queue.add(3, url: "a", priority: .near) == [.fetch(3)])
    #expect(queue.ended(1).isEmpty)
  }

  @Test func tooManyBytesSendTheLeastUrgentBack() {
    var queue = queue(fetches: 3)
    _ = queue.add(1, url: "a", priority: .near)
    _ = queue.add(2, url: "b", priority: .visible)
    _ = queue.add(3, url: "c", priority: .near)
    _ = queue.received(2, total: 0, expected: 700)
    // c, the younger of the two near ones, goes back, and waits for its announced length.
    #expect(
      queue.received(3, total: 0, expected: 400)
        == [.stop(3, link("c"), .near, bytes: 0, requeued: true)])
    #expect(queue.reservedBytes == 710 && queue.count(.queued) == 1)
    // Nothing overtakes it, although there would be room.
    #expect(queue.add(4, url: "d", priority: .near).isEmpty)
    let actions = queue.ended(2)
    #expect(begun(actions, in: queue) == ["c", "d"])
  }

  @Test func aSingleFetchMayBeLarger() {
    var queue = queue(bytes: 100, perImage: 800)
    _ = queue.add(1, url: "a", priority: .idle)
    #expect(queue.received(1, total: 90, expected: 500).isEmpty)
    #expect(queue.add(2, url: "b", priority: .visible).isEmpty)
    #expect(queue.received(1, total: 500, expected: 500).isEmpty)
    #expect(queue.fetched(1, bytes: 500) == [.decode(1)])
    #expect(begun(queue.ended(1), in: queue) == ["b"])
  }

  @Test func aStalledHostBlocksNoOther() {
    var queue = queue(fetches: 4, perHost: 2)
    for id in 1...6 { _ = queue.add(UInt64(id), url: "http://slow/\(id)", priority: .visible) }
    #expect(queue.count(.fetching) == 2)
    // Less urgent, and from another host.
    #expect(
      begun(queue.add(7, url: "http://other/1", priority: .idle), in: queue) == ["http://other/1"])
    // A `data:` URL has no host.
    #expect(begun(queue.add(8, url: "data:,x", priority: .idle), in: queue) == ["data:,x"])
    #expect(begun(queue.ended(1), in: queue) == ["http://slow/3"])
  }

  @Test func picturesMissingOnDiskAreFetched() {
    var queue = queue(fetches: 1, reads: 1)
    #expect(queue.add(1, url: "http://x/1", priority: .near, from: .disk) == [.read(1)])
    #expect(queue.add(2, url: "http://x/2", priority: .near, from: .disk).isEmpty)
    #expect(queue.missed(1) == [.read(2), .fetch(1)])
    // A picture that is found needs no fetch.
    #expect(queue.fetched(2, bytes: 4) == [.decode(2)])
    #expect(queue.activity == ImageActivity(queued: 0, inFlight: 2, bytes: 4))
  }

  @Test func aWaitingRetryTakesNoPlace() {
    var queue = queue(fetches: 1)
    _ = queue.add(1, url: "http://x/1", priority: .visible)
    _ = queue.add(2, url: "http://x/2", priority: .near)
    #expect(queue.postpone(1) == [.fetch(2)])
    #expect(queue.activity == ImageActivity(queued: 0, inFlight: 1, waiting: 1))
    // The failed attempt is over: reports about it are ignored.
    #expect(queue.received(1, total: 7, expected: nil).isEmpty && queue.ended(1).isEmpty)
    let waiting = queue.waiting.map(\.id)
    #expect(waiting == [3])
    #expect(queue.add(3, url: "http://x/1", priority: .visible).isEmpty)
    #expect(queue.resume(3).isEmpty && queue.resume(3).isEmpty)
    #expect(begun(queue.ended(2), in: queue) == ["http://x/1"])
    #expect(queue.job(3)?.requests == [1, 3])
  }

  /// Random calls, compared with the rules on plain lists.
  @Test(arguments: Rounds.seeds(20))
  func agreesWithAPlainModel(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let fetches = Int.random(in: 1...4, using: &generator)
    let decodes = Int.random(in: 1...2, using: &generator)
    let bytes = Int.random(in: 50...400, using: &generator)
    let perImage = Int.random(in: 20...bytes, using: &generator)
    var queue = queue(
      fetches: fetches, perHost: Int.random(in: 1...4, using: &generator),
      reads: Int.random(in: 1...2, using: &generator), decodes: decodes, bytes: bytes,
      perImage: perImage, assumed: 10)
    var model = QueueModel(limits: queue.limits)
    var next: UInt64 = 1
    for step in 0..<300 {
      let request = UInt64.random(in: 1...max(1, next), using: &generator)
      let priority = ImagePriority.allCases.randomElement(using: &generator) ?? .idle
      let number = Int.random(in: 0..<12, using: &generator)
      let url = number < 3 ? "data:\(number)" : "http://h\(number % 3)/\(number)"
      let start: ImageQueue.Start =
        [.disk, .network, .network, .waiting].randomElement(using: &generator) ?? .disk
      let active = queue.jobs.keys.sorted()
      let id = active.randomElement(using: &generator) ?? 0
      switch Int.random(in: 0..<16, using: &generator) {
      case 0..<4:
        model.note(queue.add(next, url: url, priority: priority, from: start))
        model.add(next, url: url, priority: priority, from: start)
        next += 1
      case 4:
        queue.setPriority(priority, of: request)
        model.setPriority(priority, of: request)
      case 5:
        model.note(queue.cancel(request))
        model.cancel(request)
      case 6, 7:
        let total = (queue.job(id)?.held ?? 0) + Int.random(in: 0...20, using: &generator)
        guard total <= perImage else { continue }
        let expected =
          Bool.random(using: &generator) ? Int.random(in: total...perImage, using: &generator) : nil
        model.note(queue.received(id, total: total, expected: expected))
        model.received(id, total: total, expected: expected)
      case 8, 9:
        let total = queue.job(id)?.held ?? 0
        model.note(queue.fetched(id, bytes: total))
        model.fetched(id, bytes: total)
      case 10, 11:
        model.note(queue.missed(id))
        model.missed(id)
      case 12:
        model.note(queue.postpone(id))
        model.postpone(id)
      case 13:
        model.note(queue.resume(id))
        model.resume(id)
      default:
        model.note(queue.ended(id))
        model.ended(id)
      }
      if let disagreement = model.disagreement(with: queue) {
        Issue.record("seed \(seed), step \(step): \(disagreement)")
        return
      }
    }
  }
}
