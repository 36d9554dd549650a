import HTTP
import ImageDecoding
import TestSupport
import Testing

@testable import ImageLoading

/// A clock that the test sets.
@MainActor final class ManualClock: LoaderClock {
  private(set) var now = ContinuousClock.now
  private var work: (@MainActor () -> Void)?
  /// When the clock fires; `nil` for never.
  private(set) var due: ContinuousClock.Instant?
  /// Number of timers that were set.
  private(set) var timersSet = 0

  func wake(at time: ContinuousClock.Instant?, _ work: @escaping @MainActor () -> Void) {
    due = time
    self.work = work
    if time != nil { timersSet += 1 }
  }

  /// Advances to the time when the clock fires, or by that many seconds.
  func advance(by seconds: Double? = nil) {
    now = seconds.map { now + .seconds($0) } ?? due ?? now
    guard let due, due <= now else { return }
    self.due = nil
    work?()
  }
}

@MainActor @Suite struct RetryScheduleTests {
  private let clock = ManualClock()
  private let link = HTTPLink("http://x/1", reach: .publicAddresses)

  private func book(seed: UInt64 = 1) -> RetrySchedule {
    RetrySchedule(ImageRetryPolicy(), clock: clock, random: SeededGenerator(seed: seed))
  }

  private func seconds(_ state: RetrySchedule.State) -> Double? {
    guard case .waiting(let until) = state else { return nil }
    return (until - clock.now) / .seconds(1)
  }

  @Test func waitsDoubleAndEnd() {
    for seed in 0..<50 as Range<UInt64> {
      let book = book(seed: seed)
      for bounds in [0.75...1.5, 1.5...3, 3...6] {
        let wait = seconds(book.failed(link, .http(.status(503)), asked: nil))
        #expect(wait.map(bounds.contains) == true, "seed \(seed)")
        if let wait {
          clock.advance(by: wait - 0.01)
          let left = seconds(book.state(of: link)) ?? 0
          #expect(abs(left - 0.01) < 1e-6, "seed \(seed)")
          clock.advance(by: 0.02)
          #expect(book.state(of: link) == .free)
        }
      }
      let error = ImageError.http(.status(503))
      #expect(book.failed(link, error, asked: nil) == .failed(error))
      clock.advance(by: 299)
      #expect(book.state(of: link) == .failed(error))
      // After its rest it starts from the beginning.
      clock.advance(by: 2)
      #expect(book.state(of: link) == .free)
      #expect(book.failed(link, error, asked: nil) != .failed(error))
    }
  }

  @Test func retryAfterIsObeyed() {
    for seed in 0..<50 as Range<UInt64> {
      let book = book(seed: seed)
      let wait = seconds(book.failed(link, .http(.status(429)), asked: 20)) ?? 0
      #expect((20...21).contains(wait), "seed \(seed): \(wait)")
    }
    let book = book()
    let error = ImageError.http(.status(429))
    #expect(book.failed(link, error, asked: 3_600) == .failed(error))
    clock.advance(by: 3_599)
    #expect(book.state(of: link) == .failed(error))
    clock.advance(by: 2)
    #expect(book.state(of: link) == .free)
    for odd in [-5, .nan, .infinity] {
      book.forget(link)
      #expect(seconds(book.failed(link, error, asked: odd)) != nil, "\(odd)")
    }
  }

  @Test func errorsAreClassified() {
    let transient: [HTTPError] = [
      .status(429), .status(503), .status(500), .status(502), .status(504), .status(408),
      .status(522), .timeout(seconds: 3), .tooSlow(bytesPerSecond: 1, seconds: 1),
      .unreachable(host: "x", reason: "connection lost"), .truncated(expected: 3, received: 2),
    ]
    let permanent: [HTTPError] = [
      .status(404), .status(410), .status(403), .status(401), .status(451), .status(501),
      .status(304), .tooLarge(limit: 1), .tooManyRedirects(limit: 1), .unsupportedScheme("ftp"),
      .invalidURL("x"), .tls(host: "x", reason: "no"), .malformed(reason: "no"),
    ]
    for error in transient { #expect(ImageError.http(error).isTransient, "\(error)") }
    for error in permanent { #expect(!ImageError.http(error).isTransient, "\(error)") }
    #expect(!ImageError.empty.isTransient && !ImageError.notAPicture(mediaType: nil).isTransient)
  }

  @Test func memoryIsBounded() {
    var policy = ImageRetryPolicy()
    policy.maximumFailures = 100
    let book = RetrySchedule(policy, clock: clock, random: SeededGenerator(seed: 1))
    for number in 0..<1_000 {
      let link = HTTPLink("http://x/\(number)", reach: .publicAddresses)
      _ = book.failed(link, .http(.status(404)), asked: nil)
    }
    let long = HTTPLink(
      "data:," + String(repeating: "x", count: 9_000), reach: .publicAddresses)
    _ = book.failed(long, .empty, asked: nil)
    #expect(book.count == 100 && book.state(of: long) == .free)
    let gone = HTTPLink("http://x/1", reach: .publicAddresses)
    #expect(book.state(of: gone) == .free)
  }

  @Test func cancellingIsNoFailure() {
    let book = book()
    _ = book.failed(link, .http(.cancelled), asked: nil)
    _ = book.failed(link, .http(.unavailable(reason: "no libcurl")), asked: nil)
    #expect(book.state(of: link) == .free)
  }
}

/// The loader with a clock that the test moves.
@MainActor @Suite(.timeLimit(.minutes(10))) struct LoaderRetryTests {
  private let transport = StubTransport()
  private let log = EventLog()
  private let clock = ManualClock()

  private func loader() -> ImageLoader {
    ImageLoader(
      transport: transport, decoder: SystemImageDecoder(), clock: clock,
      random: SeededGenerator(seed: 5))
  }

  /// Waits until that many pictures wait for a retry.
  private func untilWaiting(_ loader: ImageLoader, _ count: Int = 1) async {
    await eventually { loader.activity.waiting == count }
  }

  @Test func retriesUntilItSucceeds() async {
    let loader = loader()
    var traced: [String] = []
    loader.onTrace = { traced.append($0.state.rawValue) }
    loader.load("http://x/1", onEvent: log.handler("a"))
    let failures: [HTTPError] = [
      .status(503), .timeout(seconds: 1), .unreachable(host: "x", reason: "connection lost"),
    ]
    for (index, failure) in failures.enumerated() {
      await transport.untilRequested(index + 1)
      #expect(clock.due == nil)
      transport.answer("http://x/1", .failure(failure))
      await untilWaiting(loader)
      #expect(!loader.activity.isIdle && clock.due != nil && log.lines.isEmpty)
      clock.advance()
    }
    await transport.untilRequested(4)
    transport.answer("http://x/1", .success(SamplePictures.png))
    await log.until("a image")
    #expect(clock.due == nil && clock.timersSet == 3 && loader.activity.isIdle)
    #expect(
      traced == [
        "queued", "started", "retried", "started", "retried", "started", "retried", "started",
        "header", "done",
      ])
  }

  @Test func failsAfterFourTries() async {
    let loader = loader()
    loader.load("http://x/1", onEvent: log.handler("a"))
    for count in 1...4 {
      await transport.untilRequested(count)
      transport.answer("http://x/1", .failure(.status(500)))
      if count < 4 {
        await untilWaiting(loader)
        clock.advance()
      }
    }
    await log.until("a failure HTTP status 500 (internal server error)")
    #expect(clock.due == nil && transport.requested.count == 4)
    // A row that comes and goes sends no request until the rest is over.
    for name in ["b", "c"] {
      loader.load("http://x/1", onEvent: log.handler(name))
      await log.until("\(name) failure HTTP status 500 (internal server error)")
    }
    #expect(transport.requested.count == 4)
    clock.advance(by: 301)
    loader.load("http://x/1", onEvent: log.handler("d"))
    await transport.untilRequested(5)
  }

  /// A row is passed ten times while its picture waits for a retry.
  @Test func passedRowsSendNothing() async {
    let loader = loader()
    var request = loader.load("http://x/1", onEvent: log.handler("a"))
    await transport.untilRequested(1)
    transport.answer("http://x/1", .failure(.status(500)))
    await untilWaiting(loader)
    for _ in 0..<10 {
      request.cancel()
      #expect(loader.activity.isIdle && clock.due == nil)
      request = loader.load("http://x/1", onEvent: log.handler("b"))
      #expect(loader.activity.waiting == 1 && clock.due != nil)
    }
    #expect(transport.requested.count == 1)
    clock.advance()
    await transport.untilRequested(2)
    transport.answer("http://x/1", .success(SamplePictures.png))
    await log.until("b image")
  }

  @Test func tryAgainDoesNotWait() async {
    let loader = loader()
    loader.load("http://x/1", onEvent: log.handler("a"))
    await transport.untilRequested(1)
    transport.answer("http://x/1", .failure(.status(503)))
    await untilWaiting(loader)
    loader.tryAgain("http://x/1")
    #expect(loader.activity.inFlight == 1 && clock.due == nil)
    await transport.untilRequested(2)
    transport.answer("http://x/1", .success(SamplePictures.png))
    await log.until("a image")
  }

  @Test func oneTimerServesAll() async {
    let loader = loader()
    for index in 0..<4 { loader.load("http://x/\(index)", onEvent: log.handler("\(index)")) }
    await transport.untilRequested(4)
    for index in 0..<4 { transport.answer("http://x/\(index)", .failure(.status(503))) }
    await untilWaiting(loader, 4)
    var count = 4
    while loader.activity.waiting > 0 {
      clock.advance()
      count += 1
      #expect(count <= 8)
    }
    #expect(clock.due == nil)
    await transport.untilRequested(8)
  }
}
