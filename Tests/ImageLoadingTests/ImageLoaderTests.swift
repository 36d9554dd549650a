import HTTP
import ImageDecoding
import ImageLoading
import Pixels
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(10))) struct ImageLoaderTests {
  private let transport = StubTransport()
  private let log = EventLog()

  private func loader(
    _ change: (inout ImageLoaderConfiguration) -> Void = { _ in }
  ) -> ImageLoader {
    var configuration = ImageLoaderConfiguration()
    change(&configuration)
    return ImageLoader(
      configuration: configuration, transport: transport, decoder: SystemImageDecoder())
  }

  /// Loads a picture to its end.
  private func complete(_ url: String, in loader: ImageLoader, _ name: String) async {
    let before = transport.requested.count
    loader.load(url, onEvent: log.handler(name))
    await transport.untilRequested(before + 1)
    transport.answer(url, .success(SamplePictures.png))
    await log.until("\(name) image")
  }

  @Test func equalURLsAreOneRequest() async {
    let loader = loader()
    for name in ["a", "b", "c"] { loader.load("http://x/1", onEvent: log.handler(name)) }
    #expect(log.lines.isEmpty)
    await transport.untilRequested(1)
    transport.answer("http://x/1", .success(SamplePictures.png))
    await log.until("c image")
    #expect(
      log.lines == [
        "a size 3x2", "b size 3x2", "c size 3x2", "a image", "b image", "c image",
      ])
    #expect(log.images["a"] == log.images["c"])
    #expect(log.images["a"]?.pixels.bytes == SamplePictures.pngPixels)
    #expect(transport.requested == ["http://x/1"])
    #expect(loader.activity == ImageActivity())
  }

  @Test func sharedFetchesAreCounted() async {
    let loader = loader()
    var changes = 0
    loader.onRequestChange = { changes += 1 }
    for name in ["a", "b", "c"] { loader.load("http://x/1", onEvent: log.handler(name)) }
    let request = loader.load("http://x/2", onEvent: log.handler("d"))
    #expect(loader.statistics.joined == 2 && changes == 2)
    request.priority = .near
    #expect(changes == 3)
  }

  /// The preferred picture is let in first; without one, the oldest.
  @Test func thePreferredArrivalIsAdmittedFirst() async {
    let loader = loader()
    loader.gate.pause()
    for number in 1...3 {
      loader.load("http://x/\(number)", onEvent: log.handler("\(number)"))
      await transport.untilRequested(number)
      transport.answer("http://x/\(number)", .success(SamplePictures.png))
      await eventually { loader.gate.heldCount >= number }
    }
    #expect(loader.admitNext(preferring: "http://x/2"))
    #expect(log.lines == ["2 size 3x2"])
    #expect(loader.admitNext(preferring: "http://x/9"))
    #expect(log.lines == ["2 size 3x2", "1 size 3x2"])
    loader.gate.resume()
    #expect(!loader.admitNext(preferring: "http://x/3"))
  }

  @Test func aCachedPictureComesAtOnceAndByEvent() async {
    let loader = loader()
    await complete("http://x/1", in: loader, "a")
    #expect(loader.cachedImage(for: "http://x/1") == log.images["a"])
    loader.load("http://x/1", onEvent: log.handler("b"))
    #expect(!log.lines.contains("b image"))
    await log.until("b image")
    let cancelled = loader.load("http://x/1", onEvent: log.handler("c"))
    cancelled.cancel()
    loader.load("http://x/1", onEvent: log.handler("d"))
    await log.until("d image")
    #expect(!log.lines.contains("c image"))
    #expect(transport.requested.count == 1 && loader.cachedBytes == 24)
    loader.removeCachedImages()
    #expect(loader.cachedImage(for: "http://x/1") == nil)
    #expect(loader.knownSize(of: "http://x/1") == PixelSize(width: 3, height: 2))
  }

  @Test func withoutACacheEveryLoadFetchesAndSizesStayKnown() async {
    let loader = loader { $0.usesCache = false }
    await complete("http://x/1", in: loader, "a")
    #expect(loader.cachedImage(for: "http://x/1") == nil && loader.cachedCount == 0)
    #expect(loader.knownSize(of: "http://x/1") == PixelSize(width: 3, height: 2))
    await complete("http://x/1", in: loader, "b")
    #expect(transport.requested.count == 2)
  }

  @Test func aCountedCacheEvictsInBatches() async {
    let loader = loader {
      $0.memoryCacheCount = 4
      $0.memoryCacheEvictionBatch = 2
    }
    for index in 0..<5 { await complete("http://x/\(index)", in: loader, "n\(index)") }
    #expect(loader.cachedCount == 3)
    #expect(loader.cachedImage(for: "http://x/1") == nil)
    #expect(loader.cachedImage(for: "http://x/2") != nil)
  }

  @Test func visiblePicturesBeginFirstWithinTheLimit() async {
    let loader = loader { $0.maximumConcurrentFetches = 2 }
    for name in ["1", "2"] { loader.load("http://x/\(name)", onEvent: log.handler(name)) }
    loader.load("http://x/idle", priority: .idle, onEvent: log.handler("idle"))
    loader.load("http://x/near", priority: .near, onEvent: log.handler("near"))
    let raised = loader.load("http://x/raised", priority: .idle, onEvent: log.handler("raised"))
    loader.load("http://x/visible", priority: .visible, onEvent: log.handler("visible"))
    raised.priority = .visible
    #expect(loader.activity == ImageActivity(queued: 4, inFlight: 2, bytes: 0))
    await transport.untilRequested(2)
    #expect(Set(transport.requested) == ["http://x/1", "http://x/2"])
    // One at a time from here on: number 2 keeps its place until the end.
    var running = "http://x/1"
    for count in 3...6 {
      transport.answer(running, .failure(.status(404)))
      await transport.untilRequested(count)
      running = transport.requested.last ?? ""
    }
    #expect(
      transport.requested.suffix(4) == [
        "http://x/visible", "http://x/raised", "http://x/near", "http://x/idle",
      ])
  }

  @Test func theLastCancellationStopsTheFetch() async {
    let loader = loader { $0.maximumConcurrentFetches = 1 }
    var traced: [String] = []
    loader.onTrace = { traced.append("\($0.state.rawValue) \($0.url)") }
    let first = loader.load("http://x/1", onEvent: log.handler("a"))
    let second = loader.load("http://x/1", onEvent: log.handler("b"))
    let waiting = loader.load("http://x/2", onEvent: log.handler("c"))
    loader.load("http://x/3", onEvent: log.handler("d"))
    await transport.untilRequested(1)
    first.cancel()
    first.cancel()
    #expect(transport.cancelled.isEmpty)
    waiting.cancel()
    second.cancel()
    await transport.untilRequested(2)
    #expect(transport.cancelled == ["http://x/1"] && transport.requested.last == "http://x/3")
    transport.answer("http://x/3", .success(SamplePictures.png))
    await log.until("d image")
    #expect(log.lines == ["d size 3x2", "d image"])
    #expect(
      traced == [
        "queued http://x/1", "started http://x/1", "queued http://x/2", "queued http://x/3",
        "cancelled http://x/2", "cancelled http://x/1", "started http://x/3",
        "header http://x/3", "done http://x/3",
      ])
  }

  @Test func aHandlerCanCancelAnother() async {
    let loader = loader()
    var other: ImageRequest?
    loader.load("http://x/1") { _ in other?.cancel() }
    other = loader.load("http://x/1", onEvent: log.handler("other"))
    loader.load("http://x/1", onEvent: log.handler("last"))
    await transport.untilRequested(1)
    transport.answer("http://x/1", .success(SamplePictures.png))
    await log.until("last image")
    #expect(log.lines == ["last size 3x2", "last image"])
  }

  @Test func permanentFailuresAreNotRetried() async {
    let loader = loader()
    var activities: [ImageActivity] = []
    loader.onActivityChange = { activities.append($0) }
    let answers: [(Result<[UInt8], HTTPError>, String)] = [
      (.failure(.status(404)), "HTTP status 404 (not found)"),
      (.success(Array("<!DOCTYPE html><title>No</title>".utf8)), "not a known picture format"),
      (.success([]), "an empty file"),
      (.success(Array(SamplePictures.png.prefix(45))), "a broken PNG picture"),
    ]
    for (index, (answer, clause)) in answers.enumerated() {
      let url = "http://x/\(index)"
      loader.load(url, onEvent: log.handler("a\(index)"))
      await transport.untilRequested(index + 1)
      transport.answer(url, answer)
      await log.until { $0.contains { $0.hasPrefix("a\(index) failure \(clause)") } }
      #expect(loader.knownFailure(of: url).map { "\($0)".hasPrefix(clause) } == true)
      // Its row is passed ten times.
      for copy in 0..<10 { loader.load(url, onEvent: log.handler("b\(index).\(copy)")) }
      await log.until { $0.contains { $0.hasPrefix("b\(index).9 failure \(clause)") } }
      #expect(transport.requested.count == index + 1)
    }
    #expect(activities.first?.inFlight == 1 && activities.last == ImageActivity())
    loader.tryAgain("http://x/0")
    #expect(loader.knownFailure(of: "http://x/0") == nil)
    await complete("http://x/0", in: loader, "c")
  }

  @Test func limitsAreCheckedBeforeDecoding() async {
    let loader = loader { $0.imageLimits = ImageLimits(maximumPixels: 5) }
    loader.load("http://x/1", onEvent: log.handler("a"))
    await transport.untilRequested(1)
    transport.answer("http://x/1", .success(SamplePictures.png))
    await log.until { $0.contains { $0.hasPrefix("a failure a picture of 3x2") } }
    #expect(log.lines.count == 1)
  }

  @Test func picturesAreScaledToTheTargetAndKeepTheirSize() async {
    let loader = loader { $0.decodeTarget = PixelSize(width: 8, height: 8) }
    let size = PixelSize(width: 40, height: 20)
    let picture = PixelBuffer(size: size, red: 1, green: 2, blue: 3)
    loader.load("http://x/1", onEvent: log.handler("a"))
    await transport.untilRequested(1)
    transport.answer("http://x/1", .success(SamplePictures.png(size, picture.bytes)))
    await log.until("a image")
    #expect(log.images["a"]?.size == size)
    #expect(
      log.images["a"]?.pixels
        == PixelBuffer(size: PixelSize(width: 8, height: 4), red: 1, green: 2, blue: 3))
  }

  @Test func dataURLsNeedNoTransport() async {
    let loader = loader()
    let hex = SamplePictures.png.map { byte in
      "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    var traced: [String] = []
    loader.onTrace = { traced.append($0.url) }
    loader.load("data:image/png," + hex.joined(), onEvent: log.handler("a"))
    loader.load("data:image/png;base64,!", onEvent: log.handler("b"))
    await log.until("a image")
    await log.until("b failure not a readable data: URL: its base64 is broken")
    #expect(transport.requested.isEmpty && traced.allSatisfy { $0.count <= 64 })
  }

  @Test func aReleasedLoaderCancelsItsFetches() async {
    var loader: ImageLoader? = loader()
    loader?.load("http://x/1", onEvent: log.handler("a"))
    await transport.untilRequested(1)
    loader = nil
    await eventually { !transport.cancelled.isEmpty }
    #expect(transport.cancelled == ["http://x/1"] && log.lines.isEmpty)
  }
}
