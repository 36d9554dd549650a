import Feeds
import TestSupport
import Testing
import VirtualList

@testable import TimelineStore

/// Documents whose first posts are read before the others.
@MainActor @Suite struct FirstPostsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let count = 200

  private func feed() -> String {
    let items = (0..<Self.count).map { number in
      let picture = number % 3 == 0 ? "&lt;img src=\"http://x.example/\(number).png\">" : ""
      return "<item><guid>p\(number / 2)</guid><title>Post \(number)</title><description>"
        + "&lt;p>\(String(repeating: "tide ", count: number % 17))\(picture)&lt;/p>"
        + "</description></item>"
    }
    return "<rss version=\"2.0\"><channel>\(items.joined())<title>Tides</title></channel></rss>"
  }

  private func store(_ name: String = "feed.xml") throws -> TimelineStore {
    let path = try folder.write(feed(), to: name)
    return TimelineStore(source: try SourceReader(source: .file(path), format: nil, transport: nil))
  }

  private func finish(_ store: TimelineStore) async -> [SourceChange] {
    let (changes, feed) = AsyncStream.makeStream(of: SourceChange.self)
    store.onChange = { feed.yield($0) }
    store.start()
    var all: [SourceChange] = []
    for await change in changes {
      all.append(change)
      if store.isComplete { return all }
    }
    return all
  }

  private func titles(_ store: TimelineStore) -> [String] {
    (0..<store.count).map { store.post(at: $0).title.plainText }
  }

  @Test func allRowsExistAtOnce() async throws {
    let store = try store()
    try await store.open()
    #expect(store.count == Self.count)
    #expect(!store.isComplete)
    #expect(store.info.title == "Tides")
    #expect(store.kind(of: 0) == 1)
    // A post that was not read before is read on access.
    #expect(store.post(at: Self.count - 1).title.plainText == "Post \(Self.count - 1)")
    #expect(store.row(of: store.rowID(at: 150)) == 150)
    #expect(store.row(of: RowID(UInt64(Self.count))) == nil)
    #expect(Set((0..<store.count).map(store.rowID(at:))).count == Self.count)
    store.stop()
  }

  @Test func theRestComesOnce() async throws {
    let store = try store()
    try await store.open()
    let (before, ids) = (titles(store), (0..<store.count).map(store.rowID(at:)))
    let changes = await finish(store)
    let rows = changes.compactMap { change -> [Int]? in
      guard case .rows(let deletions, let insertions, let reloads) = change else { return nil }
      #expect(deletions.isEmpty && insertions.isEmpty)
      return reloads
    }
    #expect(rows == [Array(16..<Self.count)])
    #expect(titles(store) == before)
    #expect((0..<store.count).map(store.rowID(at:)) == ids)
    #expect(store.kind(of: 150) == 1)
    #expect(Set((0..<store.count).map { store.post(at: $0).id }).count == Self.count)
    store.stop()
  }

  @Test func reloadWaitsUntilLoadedRowsAreShown() async throws {
    let store = try store()
    try await store.open()
    var mayChange = false
    store.mayChangeRows = { mayChange }
    let changes = await finish(store)
    #expect(!changes.contains { if case .rows = $0 { true } else { false } })
    #expect(store.count == Self.count)
    // The rows shown are not adopted yet, so there is nothing to compare.
    #expect(!store.isReloadable)
    mayChange = true
    store.didShow(rows: 0..<3)
    #expect(store.isReloadable)
    #expect(store.kind(of: 150) == 1)
    store.stop()
  }

  @Test func textLengthIsEstimatedFromBytes() async throws {
    let store = try store()
    try await store.open()
    let guessed = try #require(store.textLength(ofRows: 0..<Self.count))
    let parts = (0..<Self.count).map { store.textLength(ofRows: $0..<$0 + 1) ?? -1 }
    #expect(parts.allSatisfy { $0 >= 0 })
    #expect(abs(parts.reduce(0, +) - guessed) <= Self.count)
    #expect(store.textLength(ofRows: 0..<Self.count + 1) == nil)
    _ = await finish(store)
    let real = try #require(store.textLength(ofRows: 0..<Self.count))
    #expect(abs(Double(guessed) / Double(real) - 1) < 0.25, "\(guessed) for \(real)")
    store.stop()
  }

  @Test func aPlaceBeyondTheFirstPostsIsFoundAtOnce() async throws {
    let whole = try store()
    try await whole.open()
    _ = await finish(whole)
    let place = try #require(
      whole.place(ofRow: 150, Place(part: 0, offset: 0), words: "", selectedRow: nil))
    whole.stop()
    let store = try store()
    try await store.open()
    var found: [Int] = []
    store.onChange = { if case .placeFound(let row, _) = $0 { found.append(row) } }
    store.look(for: place)
    #expect(found == [150])
    store.stop()
  }

  @Test func aFilterFindsLaterPosts() async throws {
    let store = try store()
    store.show(fitting: try PostQuery("199"), around: 0..<0)
    try await store.open()
    _ = await finish(store)
    #expect(titles(store) == ["Post 199"])
    store.stop()
  }

  @Test func aSourceCanBePreparedAndOpenedLater() async throws {
    let store = try store()
    try store.prepare()
    #expect(store.count == 0)
    try await store.open()
    #expect(store.count == Self.count)
    try await store.open()
    #expect(store.count == Self.count)
    store.stop()
    let path = try folder.write("<rss><channel><title>x", to: "none.xml")
    let broken = TimelineStore(
      source: try SourceReader(source: .file(path), format: nil, transport: nil))
    try broken.prepare()
    await #expect(throws: SourceError.self) { try await broken.open() }
    let page = try folder.write("<!doctype html><html><p>x", to: "page.xml")
    let refused = TimelineStore(
      source: try SourceReader(source: .file(page), format: nil, transport: nil))
    #expect(throws: SourceError.self) { try refused.prepare() }
  }
}
