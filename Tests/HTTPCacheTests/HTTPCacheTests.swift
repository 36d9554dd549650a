import FoundationEssentials
import HTTP
import Synchronization
import System
import TestSupport
import Testing

@testable import HTTPCache

/// The files of a cache: which are found again, and when they are removed.
@Suite(.timeLimit(.minutes(10))) struct HTTPCacheTests {
  /// The cache's clock, set by the test; files have the system's time.
  private final class Clock: Sendable {
    private let seconds: Mutex<Double>
    init(_ seconds: Double) { self.seconds = Mutex(seconds) }
    var now: Double { seconds.withLock { $0 } }
    func advance(by more: Double) { seconds.withLock { $0 += more } }
  }

  private let folder: TemporaryFolder
  private let clock = Clock(Date().timeIntervalSince1970)
  private var path: String { folder.path + "/a/pictures" }

  init() throws { folder = try TemporaryFolder() }

  private func cache(
    maximumBytes: Int = 1_000_000, onProblem: @escaping @Sendable (String) -> Void = { _ in }
  ) -> HTTPCache {
    let clock = clock
    return HTTPCache(path: path, maximumBytes: maximumBytes, onProblem: onProblem) { clock.now }
  }

  private func request(_ number: Int) -> HTTPRequest { HTTPRequest(url: "http://x/\(number)") }

  private func keep(
    _ body: [UInt8], as number: Int, in cache: HTTPCache,
    headers: HTTPHeaders = ["Cache-Control": "max-age=600", "ETag": "\"1\""]
  ) async {
    cache.keep(
      HTTPResponse(status: 200, headers: headers, url: "http://x/\(number)"),
      to: request(number), body: body, requestTime: clock.now)
    await cache.flush()
  }

  /// The body, if it may be used without a request.
  private func body(_ number: Int, in cache: HTTPCache) async -> [UInt8]? {
    if case .body(let body, _, true) = await cache.answer(to: request(number)) { body } else { nil }
  }

  private var files: [String] {
    get throws {
      guard FileManager.default.fileExists(atPath: path) else { return [] }
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
  }

  @Test func otherCachesFindResponses() async throws {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    await keep(bytes, as: 1, in: cache())
    await keep([], as: 2, in: cache())
    let other = cache()
    #expect(await body(1, in: other) == bytes)
    #expect(await body(2, in: other) == [])
    #expect(await body(3, in: other) == nil)
    #expect(try other.contents().count == 2)
    // Readable only by the user.
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    let name = try #require(try files.first)
    #expect(stat(path + "/" + name, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func timePasses() async throws {
    let cache = cache()
    await keep([1], as: 1, in: cache)
    clock.advance(by: 599)
    #expect(await body(1, in: cache) == [1])
    clock.advance(by: 2)
    guard case .stale(let stale) = await cache.answer(to: request(1)) else {
      Issue.record("not stale")
      return
    }
    let answer = HTTPResponse(status: 304, headers: [:], url: "http://x/1")
    #expect(await cache.freshen(stale, by: answer, requestTime: clock.now) == [1])
    await cache.flush()
    #expect(await body(1, in: cache) == [1])
    #expect(await self.cache().body(of: stale) == nil, "it is another by now")
  }

  @Test func noStoreRemovesResponses() async throws {
    let cache = cache()
    await keep([1], as: 1, in: cache)
    await keep([2], as: 1, in: cache, headers: ["Cache-Control": "no-store"])
    #expect(try files.isEmpty)
    await keep([1], as: 1, in: cache)
    cache.drop("http://x/1")
    await cache.flush()
    #expect(try files.isEmpty)
  }

  @Test func absenceIsStoredForItsLifetime() async throws {
    let cache = cache()
    cache.keep(
      HTTPResponse(status: 404, headers: ["Cache-Control": "max-age=60"], url: "http://x/1"),
      to: request(1), body: [], requestTime: clock.now)
    guard case .failure(status: 404) = await cache.answer(to: request(1)) else {
      Issue.record("not kept")
      return
    }
    clock.advance(by: 61)
    guard case .none = await cache.answer(to: request(1)) else {
      Issue.record("kept for too long")
      return
    }
  }

  /// Every changed byte and every cut is detected.
  @Test func damageIsFoundAndRemoved() async throws {
    let cache = cache()
    let bytes = (0..<300).map { UInt8($0 & 0xFF) }
    await keep(bytes, as: 1, in: cache)
    let name = try #require(try files.first)
    let whole = try [UInt8](#require(FileManager.default.contents(atPath: path + "/" + name)))
    var random = SeededGenerator(seed: 11)
    for step in 0..<400 {
      var damaged = whole
      switch step % 3 {
      case 0: damaged[Int.random(in: 0..<whole.count, using: &random)] ^= 1 << UInt8(step % 8)
      case 1: damaged.removeLast(Int.random(in: 1...whole.count, using: &random))
      default: damaged += (0...step).map { UInt8($0 & 0xFF) }
      }
      try Data(damaged).write(to: URL(filePath: path + "/" + name))
      let found = await body(1, in: cache)
      #expect(found == nil, "seed 11, step \(step)")
      #expect(try files.isEmpty, "seed 11, step \(step)")
    }
    await keep(bytes, as: 1, in: cache)
    #expect(await body(1, in: cache) == bytes)
  }

  @Test func oldestUseIsEvicted() async throws {
    let cache = cache(maximumBytes: 100_000)
    let bytes = [UInt8](repeating: 7, count: 9_000)
    for number in 0..<60 {
      await keep(bytes, as: number, in: cache)
      // As if each was stored two minutes after the one before.
      for (index, name) in try files.enumerated() where index >= 0 {
        var status = stat()
        guard stat(path + "/" + name, &status) == 0 else { continue }
        age(name, to: Double(status.st_mtim.tv_sec) - 120)
      }
      _ = await body(0, in: cache)
      #expect(try cache.contents().bytes <= 100_000 + 100_000 / 8)
    }
    // The first is used repeatedly, and the last has just been stored.
    for number in [0, 59] { #expect(await body(number, in: cache) == bytes, "\(number)") }
    #expect(await body(1, in: cache) == nil)
    await keep([UInt8](repeating: 1, count: 30_000), as: 99, in: cache)
    #expect(await body(99, in: cache) == nil, "more than a quarter of all")
  }

  private func age(_ name: String, to seconds: Double) {
    let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
    withUnsafePointer(to: (time, time)) { times in
      times.withMemoryRebound(to: timespec.self, capacity: 2) {
        _ = utimensat(AT_FDCWD, path + "/" + name, $0, 0)
      }
    }
  }

  @Test func twoCachesLoseNothing() async throws {
    let caches = [cache(), cache()]
    await withTaskGroup(of: Void.self) { group in
      for (index, cache) in caches.enumerated() {
        group.addTask {
          for number in 0..<200 {
            let body = [UInt8](repeating: UInt8(number), count: 1_000)
            await keep(body, as: number % 50, in: cache)
            // Whichever cache wrote it last: whole, and of the right kind.
            if let found = await self.body((number + index) % 50, in: cache) {
              #expect(Set(found).count == 1 && found.count == 1_000)
            }
          }
        }
      }
    }
    for number in 0..<50 { #expect(await body(number, in: caches[0]) != nil, "\(number)") }
    #expect(try files.count == 50, "nothing is left behind")
  }

  @Test func crashLeftoversAreRemoved() async throws {
    let cache = cache()
    await keep([1], as: 1, in: cache)
    let (old, new) = ("x.entry.1-1.new", "x.entry.2-1.new")
    for name in [old, new, "of the user's"] {
      try Data([1]).write(to: URL(filePath: path + "/" + name))
    }
    age(old, to: clock.now - 7_200)
    #expect(try cache.contents().count == 1)
    #expect(try files.filter { !$0.hasSuffix(".entry") } == ["of the user's", new])
    #expect(try cache.clear().count == 1)
    #expect(try files == ["of the user's", new])
    #expect(await body(1, in: cache) == nil)
  }

  @Test func worksWithoutADisk() async throws {
    let problems = Mutex<[String]>([])
    // A file is in the place of the folder.
    try FileManager.default.createDirectory(
      atPath: folder.path + "/a", withIntermediateDirectories: true)
    try Data([1]).write(to: URL(filePath: path))
    let blocked = cache { problem in problems.withLock { $0.append(problem) } }
    for number in 0..<3 { await keep([1], as: number, in: blocked) }
    #expect(await body(1, in: blocked) == nil)
    #expect(problems.withLock { $0 } == ["\(path): Not a directory"])
    #expect(blocked.problem != nil)
    // The folder can be created now, and is deleted while the cache is used.
    try FileManager.default.removeItem(atPath: path)
    await keep([1], as: 1, in: blocked)
    #expect(await body(1, in: blocked) == [1] && blocked.problem == nil)
    try FileManager.default.removeItem(atPath: folder.path + "/a")
    #expect(await body(1, in: blocked) == nil)
    await keep([2], as: 2, in: blocked)
    #expect(await body(2, in: blocked) == [2])
  }

  /// Sparse files may claim any size, and sizes are added up.
  @Test func sparseFilesAreCountedAndGo() async throws {
    let cache = cache()
    await keep([1], as: 1, in: cache)
    let file = folder.path + "/a/pictures/large.entry"
    #expect(FileManager.default.createFile(atPath: file, contents: nil))
    #expect(truncate(file, 3 << 40) == 0)
    let found = try CacheFolder(path: path).files(now: clock.now)
    #expect(found.map(\.bytes).max() == 1 << 40)
    #expect(try cache.clear().count == 2)
    #expect(try files == [])
  }

  @Test func linksAreNotFollowed() async throws {
    let cache = cache()
    await keep([1], as: 1, in: cache)
    let name = try #require(try files.first)
    try FileManager.default.moveItem(
      atPath: path + "/" + name, toPath: folder.path + "/elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: path + "/" + name, withDestinationPath: folder.path + "/elsewhere")
    #expect(await body(1, in: cache) == nil)
    await keep([2], as: 1, in: cache)
    #expect(await body(1, in: cache) == [2])
  }

  @Test func storableAddresses() {
    for url in ["http://x/1", "HTTPS://x/1", "http://[::1]:80/a"] {
      #expect(HTTPCache.canStore(url), "\(url)")
    }
    let long = "http://x/" + String(repeating: "a", count: 9_000)
    for url in ["data:image/png,x", "archive:3/a.png", "https://a.invalid/1", "http:", long] {
      #expect(!HTTPCache.canStore(url), "\(url.prefix(40))")
    }
  }
}
