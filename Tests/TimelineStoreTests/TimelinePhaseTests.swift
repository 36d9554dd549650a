import Feeds
import Glibc
import TestSupport
import Testing

@testable import TimelineStore

/// The phases of a timeline: preparing, opening, open, failed.
@MainActor @Suite struct TimelinePhaseTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func namedPipe() async throws -> (store: TimelineStore, path: String) {
    let path = folder.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let store = TimelineStore(
      source: try SourceReader(source: .file(path), format: nil, transport: nil))
    try await store.open()
    return (store, path)
  }

  private func write(_ text: String, toPipe path: String) {
    let descriptor = open(path, O_WRONLY)
    let bytes = Array(text.utf8)
    #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
  }

  @Test func aTimelineThatIsNotOpenIsEmpty() throws {
    let store = TimelineStore(
      source: try SourceReader(source: .standardInput, format: .jsonl, transport: nil))
    #expect(store.timeline == nil && store.count == 0 && store.sourceCount == 0)
    #expect(!store.isComplete && store.activity == "loading" && store.message == nil)
    #expect(store.failure == nil && !store.isReloadable && !store.isReloading)
    #expect(store.rowID(at: 3).rawValue == 3 && store.row(ofSource: 0) == nil)
    #expect(store.sourceRow(of: 2) == 2 && store.nearestRow(toSource: 2) == nil)
    #expect(store.isNumberExact(0) && !store.isStaleGuess(0))
    store.stop()
  }

  @Test func aPipeOpensWithItsFirstBytes() async throws {
    let (store, path) = try await namedPipe()
    #expect(store.timeline == nil)
    let changes = Changes(of: store)
    store.start()
    store.start()
    #expect(store.timeline == nil && store.seek(.end) && store.isSeeking)
    write("{\"content_text\":\"ebb\"}\n", toPipe: path)
    await changes.until { store.isComplete }
    #expect(store.timeline != nil && store.count == 1 && store.failure == nil)
    #expect(changes.found == [.end] && !store.isSeeking)
    store.stop()
  }

  @Test func aPipeWithoutATimelineFails() async throws {
    let (store, path) = try await namedPipe()
    let changes = Changes(of: store)
    store.start()
    write("<!doctype html><html><p>x", toPipe: path)
    await changes.until { store.failure != nil }
    #expect(store.isComplete && store.timeline == nil && store.activity.isEmpty)
    #expect(store.message?.isError == true && !store.isReloadable)
    // A failed timeline is not opened again.
    store.start()
    #expect(store.failure != nil && store.timeline == nil)
  }

  @Test func aReplacementOpensAfterAFailure() async throws {
    let (store, path) = try await namedPipe()
    let changes = Changes(of: store)
    store.start()
    write("<!doctype html><html><p>x", toPipe: path)
    await changes.until { store.failure != nil }
    let reason = try #require(store.failure)
    store.replace(with: ThreePosts(), because: reason)
    await changes.until { store.isComplete }
    #expect(store.count == 3 && store.failure == nil && store.isReplacement)
    #expect(store.message?.text == "the last timeline failed: \(reason.message)")
    store.stop()
  }

  /// A pipe that ends after it was replaced changes nothing.
  @Test func aReplacedPipeIsNotOpened() async throws {
    let (store, path) = try await namedPipe()
    let writer = open(path, O_WRONLY)
    try #require(writer >= 0)
    let changes = Changes(of: store)
    store.start()
    store.replace(
      with: ThreePosts(), because: SourceError(source: .standardInput, reason: .isDirectory))
    await changes.until { store.isComplete }
    close(writer)
    for _ in 0..<200 { await Task.yield() }
    #expect(store.count == 3 && store.post(at: 0).id == "0" && store.failure == nil)
    store.stop()
  }

  @Test func preparingAgainKeepsWhatIsOpen() async throws {
    let store = TimelineStore(reader: ThreePosts(), isImmediate: true)
    try store.prepare()
    try await store.open()
    let timeline = try #require(store.timeline)
    try store.prepare()
    try await store.open()
    #expect(store.timeline === timeline && store.count == 3)
    store.stop()
  }
}

/// Three posts at once.
private actor ThreePosts: PostReader {
  private var isRead = false

  func next() async throws(SourceError) -> SourceReader.Batch? {
    guard !isRead else { return nil }
    isRead = true
    return SourceReader.Batch(
      info: TimelineInfo(), posts: (0..<3).map { Post(id: "\($0)") })
  }
}
