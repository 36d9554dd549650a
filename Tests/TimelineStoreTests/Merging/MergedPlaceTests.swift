import Feeds
import Library
import TestSupport
import Testing
import VirtualList

@testable import TimelineStore

/// Places in merged sources, found again in another run.
@MainActor @Suite(.ownThreads) struct MergedPlaceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Posts a second apart, newest first.
  private func write(_ rows: Range<Int>, words: String = "tide", to name: String) throws -> String {
    let lines = rows.reversed().map { row in
      let seconds = row % 60 < 10 ? "0\(row % 60)" : "\(row % 60)"
      let minutes = row / 60 % 60 < 10 ? "0\(row / 60 % 60)" : "\(row / 60 % 60)"
      let hours = row / 3_600 < 10 ? "0\(row / 3_600)" : "\(row / 3_600)"
      return "{\"id\":\"post-\(row)\",\"content_text\":\"\(words)\","
        + "\"date_published\":\"2024-01-01T\(hours):\(minutes):\(seconds)Z\"}\n"
    }
    return try folder.write(lines.joined(), to: name)
  }

  private func open(_ paths: [String]) async throws -> TimelineStore {
    let sources = try paths.map {
      try MergedSource(
        .file($0), after: 0, format: nil, as: .source, pictures: nil, transport: nil)
    }
    let store = TimelineStore(merging: try MergedTimeline(sources))
    try await store.open()
    store.start()
    await eventually { store.isComplete }
    return store
  }

  /// - Returns: the row that is found; `nil` if the place is lost.
  private func row(of place: RememberedPlace, in store: TimelineStore) async -> Int? {
    var result: Int??
    store.onChange = { change in
      switch change {
      case .placeFound(let row, _): result = .some(row)
      case .placeLost: result = .some(nil)
      default: break
      }
    }
    store.look(for: place)
    await eventually { result != nil }
    return result ?? nil
  }

  /// Thousands of posts have come above it, in a small file and in one whose rows stay there.
  @Test(arguments: ["tide", String(repeating: "tide ", count: 300)])
  func aPlaceIsFoundAtAnyDepth(words: String) async throws {
    let old = try write(0..<20, words: words, to: "old.jsonl")
    let log = try write(1_000..<2_600, words: words, to: "log.jsonl")
    var store = try await open([old, log])
    let place = try #require(
      store.place(ofRow: 1_605, Place(part: 0, offset: 0), words: "", selectedRow: nil))
    #expect(place.post.text.hasSuffix("/old.jsonl#post-14"))
    store.stop()
    let more = try write(5_000..<7_000, to: "more.jsonl")
    store = try await open([old, log, more])
    #expect(await row(of: place, in: store) == 3_605)
    store.stop()
    // It moves up, too, and may be gone.
    store = try await open([old, try write(0..<2, to: "few.jsonl")])
    #expect(await row(of: place, in: store) == 5)
    store.stop()
    store = try await open([try write(0..<5, to: "old.jsonl"), log])
    #expect(await row(of: place, in: store) == nil)
    #expect(!store.isSearchingForPlace)
    store.stop()
  }

  @Test func aSearchIsCancelled() async throws {
    let old = try write(0..<20, to: "old.jsonl")
    let log = try write(1_000..<2_600, to: "log.jsonl")
    var store = try await open([old, log])
    let place = try #require(
      store.place(ofRow: 1_605, Place(part: 0, offset: 0), words: "", selectedRow: nil))
    store.stop()
    store = try await open([old, log, try write(5_000..<7_000, to: "more.jsonl")])
    var isReported = false
    store.look(for: place)
    store.onChange = { change in
      switch change {
      case .placeFound, .placeLost: isReported = true
      default: break
      }
    }
    #expect(store.isSearchingForPlace)
    store.cancelPlaceSearch()
    #expect(!store.isSearchingForPlace)
    // A search that starts then has its own result.
    var other = place
    other.row = 0
    isReported = false
    #expect(await row(of: other, in: store) == 3_605)
    #expect(!isReported)
    store.stop()
  }
}
