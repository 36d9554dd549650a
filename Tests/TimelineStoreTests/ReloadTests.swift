import Feeds
import Glibc
import TestSupport
import Testing

@testable import TimelineStore

/// Sources that are refreshed while they are shown.
@MainActor @Suite struct ReloadTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func feed(_ numbers: some Sequence<Int>, edited: Set<Int> = []) -> String {
    let items = numbers.map {
      "<item><guid>p\($0)</guid><title>Post \($0)\(edited.contains($0) ? " again" : "")</title></item>"
    }
    return "<rss version=\"2.0\"><channel><title>Tides</title>\(items.joined())</channel></rss>"
  }

  private func lines(_ numbers: some Sequence<Int>) -> String {
    numbers.map { "{\"id\":\"p\($0)\",\"content_text\":\"Post \($0)\"}\n" }.joined()
  }

  private func open(_ path: String) async throws -> TimelineStore {
    let store = TimelineStore(
      source: try SourceReader(source: .file(path), format: nil, transport: nil))
    try await store.open()
    return store
  }

  /// The changes that are reported from now on.
  private func changes(of store: TimelineStore) -> AsyncStream<SourceChange> {
    let (changes, continuation) = AsyncStream.makeStream(of: SourceChange.self)
    store.onChange = { continuation.yield($0) }
    return changes
  }

  /// Waits for a change for which `result` returns a value.
  private func first<Result>(
    of changes: AsyncStream<SourceChange>, _ result: (SourceChange) -> Result?
  ) async -> Result? {
    for await change in changes {
      if let value = result(change) { return value }
    }
    return nil
  }

  private func finishReading(_ store: TimelineStore) async {
    let changes = changes(of: store)
    store.start()
    // The rows of a file may already be counted.
    guard !store.isComplete else { return }
    _ = await first(of: changes) { _ in store.isComplete ? true : nil }
  }

  @Test func reloadComparesAFeed() async throws {
    let path = try folder.write(feed((1...30).reversed()), to: "feed.xml")
    let store = try await open(path)
    await finishReading(store)
    let ids = (0..<30).map(store.rowID(at:))
    try folder.write(feed((3...33).reversed(), edited: [20]), to: "feed.xml")
    let changes = changes(of: store)
    store.reload()
    let change = await first(of: changes) { change in
      if case .refreshed(let change) = change { change } else { nil }
    }
    #expect(change?.text == "3 new, 1 changed, 2 gone")
    #expect(store.count == 31)
    #expect(store.rowID(at: 3) == ids[0])
    #expect(store.row(of: ids[27]) == 30)
    #expect(store.row(of: ids[28]) == nil)
    store.stop()
  }

  private nonisolated static let forms:
    [(before: String, item: String, between: String, after: String)] = [
      ("{\"title\":\"t\",\"items\":[", "{\"id\":\"ID\",\"content_text\":\"x\"}", ",", "]}"),
      ("<rss><channel><title>t</title>", "<item><guid>ID</guid></item>", "", "</channel></rss>"),
      (
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>t</title>",
        "<entry><id>ID</id><title>x</title></entry>", "", "</feed>"
      ),
    ]

  private func document(_ form: Int, _ count: Int) -> String {
    let (before, item, between, after) = Self.forms[form]
    let items = (0..<count).map {
      item.split(separator: "ID", omittingEmptySubsequences: false).joined(separator: "\($0)")
    }
    return before + items.joined(separator: between) + after
  }

  /// Even a small file may have more posts than the limit for reading whole.
  @Test(arguments: forms.indices) func smallFilesAreNotCut(form: Int) async throws {
    let path = try folder.write(document(form, 250), to: "feed")
    let store = TimelineStore(
      source: try SourceReader(
        source: .file(path), format: nil, limit: PostLimit(count: 100, bytes: .max), transport: nil)
    )
    try await store.open()
    await finishReading(store)
    #expect(store.count == 250 && store.message == nil)
    #expect(store.post(at: 249).id == "249" && store.info.title == "t")
    // The file shrinks and grows again.
    for count in [50, 60, 260] {
      try folder.write(document(form, count), to: "feed")
      let changes = changes(of: store)
      store.reload()
      _ = await first(of: changes) { _ in
        store.count == count && store.isComplete && !store.isReloading ? true : nil
      }
      #expect(store.message == nil)
    }
    store.stop()
  }

  @Test func aFailedReloadKeepsThePosts() async throws {
    let path = try folder.write(feed(1...5), to: "feed.xml")
    let store = try await open(path)
    await finishReading(store)
    unlink(path)
    let changes = changes(of: store)
    store.reload()
    let message = await first(of: changes) { _ in store.message?.text }
    #expect(message?.contains("no such file") == true)
    #expect(store.count == 5)
    try folder.write(feed(1...6), to: "feed.xml")
    store.reload()
    _ = await first(of: changes) { _ in
      store.count == 6 && store.message == nil ? true : nil
    }
    store.stop()
  }

  @Test(arguments: [0, 1, 7, 300]) func reloadFindsTheVisibleLines(added: Int) async throws {
    let path = try folder.write(lines((1...2_000).reversed()), to: "lines.jsonl")
    let store = try await open(path)
    store.start()
    store.didShow(rows: 900..<915)
    let id = store.post(at: 900).id
    try folder.write(lines((1...2_000 + added).reversed()), to: "other")
    #expect(rename(folder.path + "/other", path) == 0)
    // A small file is reloaded as soon as it is replaced, a large one on request.
    let changes = changes(of: store)
    store.reload()
    let place = await first(of: changes) { change in
      if case .reopened(let place) = change { place.map { [$0.old, $0.new] } } else { nil }
    }
    #expect(place == [900, 900 + added])
    #expect(store.post(at: 900 + added).id == id)
    #expect(store.count == 2_000 + added)
    store.stop()
  }

  @Test func aPipeIsReadOnce() async throws {
    let store = TimelineStore(
      source: try SourceReader(source: .standardInput, format: .jsonl, transport: nil))
    #expect(!store.isReloadable)
    #expect(!store.reload())
  }

  /// Opening a named pipe does not wait for its writer; only reading does.
  @Test func aNamedPipeIsOpenedAtOnce() async throws {
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let store = TimelineStore(
      source: try SourceReader(source: .file(path), format: nil, transport: nil))
    try await store.open()
    store.start()
    #expect(!store.isComplete && store.activity == "loading")
    let changes = changes(of: store)
    write(lines(1...3), toPipe: openForWriting(path))
    _ = await first(of: changes) { _ in store.isComplete ? true : nil }
    #expect(store.count == 3 && !store.isReloadable)
    store.stop()
  }

  @Test func aFileReplacedByAPipeDoesNotBlock() async throws {
    let path = try folder.write(feed(1...5), to: "feed.xml")
    let store = try await open(path)
    await finishReading(store)
    unlink(path)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(store.reload())
    // The pipe is open, and its writer has not come yet.
    var descriptor: Int32 = -1
    await eventually {
      descriptor = openForWriting(path, O_NONBLOCK)
      return descriptor >= 0
    }
    #expect(store.isReloading && store.count == 5)
    write(feed(1...7), toPipe: descriptor)
    await eventually { store.count == 7 && !store.isReloading }
    store.stop()
  }

  /// A reload of its own would wait for another writer, and nothing could be reloaded any more.
  @Test func aFileReplacedByAPipeIsNotReloadedByItself() async throws {
    let path = try folder.write(feed(1...5), to: "feed.xml")
    var calls = 0
    let watch = SettledFilesWatch([(path, try FileBytes(path: path))]) { calls += 1 }
    unlink(path)
    #expect(mkfifo(path, 0o600) == 0)
    await eventually { watch.isWaiting }
    await eventually { !watch.isWaiting }
    #expect(calls == 0)
    unlink(path)
    _ = try folder.write(feed(1...6), to: "feed.xml")
    await eventually { calls == 1 }
    watch.cancel()
  }

  private func write(_ text: String, toPipe descriptor: Int32) {
    let bytes = Array(text.utf8)
    #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
  }

  @Test func samplesDistinguishRewrites() throws {
    for seed in UInt64(1)...20 {
      var random = SeededGenerator(seed: seed)
      var bytes = (0..<Int.random(in: 1...90_000, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let path = try folder.write(bytes, to: "file")
      let file = try FileBytes(path: path)
      let sample = try FileFingerprint(of: file, end: bytes.count)
      #expect(try !sample.differs(from: file), "seed \(seed)")
      try overwrite(path, bytes + [1, 2, 3])
      #expect(try !sample.differs(from: file), "seed \(seed)")
      // The first and the last bytes are always sampled.
      let place = Bool.random(using: &random) ? 0 : bytes.count - 1
      bytes[place] ^= 1
      try overwrite(path, bytes)
      #expect(try sample.differs(from: file), "seed \(seed)")
    }
  }

  /// Overwrites a file without truncating it in between.
  private func overwrite(_ path: String, _ bytes: [UInt8]) throws {
    let descriptor = openForWriting(path)
    defer { close(descriptor) }
    try #require(descriptor >= 0)
    let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    #expect(count == bytes.count)
    #expect(ftruncate(descriptor, off_t(bytes.count)) == 0)
  }
}

// Inside the type its methods of the same name hide the system's function.
private func openForWriting(_ path: String, _ flags: Int32 = 0) -> Int32 {
  open(path, O_WRONLY | flags)
}
