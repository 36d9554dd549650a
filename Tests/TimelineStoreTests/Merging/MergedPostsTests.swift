import Feeds
import Glibc
import HTTPTransport
import Library
import Subscriptions
import TestSupport
import Testing

@testable import TimelineStore

/// Several sources as one timeline.
@MainActor @Suite(.ownThreads) struct MergedPostsTests {
  typealias Step = MisbehavingServer.Step

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func source(_ source: TimelineSource, after count: Int = 0) throws -> MergedSource {
    try MergedSource(source, after: count, format: nil, as: .source, pictures: nil) {
      CurlTransport(userAgent: "tideline/test")
    }
  }

  /// All posts as they are printed.
  private func printed(
    _ sources: [MergedSource], fitting query: PostQuery? = nil
  ) async throws -> [Post] {
    let reader = MergedPrintout(sources, as: .styled, fitting: query)
    #expect(reader.isFiltered == (query != nil))
    var posts: [Post] = []
    while let batch = try await reader.next() { posts += batch.posts }
    return posts
  }

  private func line(_ title: String, _ date: Int?, id: String? = nil) -> String {
    let id = id.map { "\"id\":\"\($0)\"," } ?? ""
    let date = date.map { ",\"date_published\":\"\(2_000 + $0)-01-01T00:00:00Z\"" } ?? ""
    return "{\(id)\"title\":\"\(title)\",\"content_text\":\"tide\"\(date)}\n"
  }

  // MARK: Order

  /// Against a sorted array: files with missing dates, equal dates and repeated ids, in random
  /// orders of arrival.
  @Test(arguments: 1...8) func theOrderIsThatOfASortedArray(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var all: [(date: Double, source: Int, number: Int, title: String)] = []
    var sources: [MergedSource] = []
    for index in 0..<Int.random(in: 2...6, using: &random) {
      var text = ""
      var date = Double.infinity
      for number in 0..<Int.random(in: 1...40, using: &random) {
        let own = Bool.random(using: &random) ? Int.random(in: 0...12, using: &random) : nil
        let id = Bool.random(using: &random) ? "\(Int.random(in: 0...5, using: &random))" : nil
        date = own.map(Double.init) ?? date
        all.append((date, index, number, "\(index).\(number)"))
        text += line("\(index).\(number)", own, id: id)
      }
      let path = try folder.write(text, to: "\(seed)-\(index).jsonl")
      sources.append(try source(.file(path), after: index))
    }
    let sorted = all.sorted { ($1.date, $0.source, $0.number) < ($0.date, $1.source, $1.number) }
    let posts = try await printed(sources)
    #expect(posts.map(\.title.plainText) == sorted.map(\.title), "seed \(seed)")
    #expect(Set(posts.map(\.id)).count == posts.count, "seed \(seed)")
    // The same on a screen, on which parts arrive in any order.
    let merged = try MergedTimeline(sources.map { try source($0.source) })
    try await merged.finishReading()
    let shown = (0..<merged.posts.count).map { merged.posts.post(at: $0).title.plainText }
    #expect(shown == sorted.map(\.title), "seed \(seed)")
    #expect(try merged.library.library.brokenInvariants().isEmpty)
  }

  @Test func idsAreMadeOfAddressesNotOfPositions() async throws {
    let one = try folder.write(line("one", 1, id: "x"), to: "one.jsonl")
    let two = try folder.write(line("two", 2, id: "x"), to: "two.jsonl")
    let ids = try await printed([source(.file(one)), source(.file(two))]).map(\.id)
    #expect(ids == ["\(two)#x", "\(one)#x"])
    #expect(try await printed([source(.file(two)), source(.file(one))]).map(\.id) == ids)
    // One that is named twice is read once.
    #expect(try await printed([source(.file(two)), source(.file(two))]).count == 1)
  }

  /// Printed sources are found by their names, as on a screen.
  @Test(arguments: [
    ("feed:alpha", ["two", "one"]), ("-feed:alpha", ["three"]),
    ("feed:alpha two or feed:beta", ["three", "two"]), ("tide", ["three", "two", "one"]),
    ("feed:none", []),
  ])
  func printedPostsAreFiltered(query: String, titles: [String]) async throws {
    let alpha = try folder.write(line("one", 1) + line("two", 2), to: "alpha.jsonl")
    let beta = try folder.write(line("three", 3), to: "beta.jsonl")
    let missing = MergedSource(
      SourceError(source: .file(folder.path + "/gone.jsonl"), reason: .missing))
    let sources = [
      try source(.file(alpha)), try source(.file(beta), after: 1), missing,
    ]
    let posts = try await printed(sources, fitting: PostQuery(query))
    #expect(posts.map(\.title.plainText) == titles)
  }

  // MARK: Long files

  /// A file that is long enough for its rows to stay there.
  private func longFile(_ name: String, _ rows: Range<Int>) throws -> String {
    let words = String(repeating: "tide ", count: 2_000)
    var text = ""
    for row in rows {
      let day = "\(row / 60 % 60)"
      text +=
        "{\"id\":\"\(row)\",\"title\":\"\(name) \(row)\",\"padding\":\"\(words)\","
        + "\"date_published\":\"2024-01-01T\(row / 3_600 < 10 ? "0" : "")\(row / 3_600):"
        + "\(day.count < 2 ? "0" : "")\(day):\(row % 60 < 10 ? "0" : "")\(row % 60)Z\"}\n"
    }
    return text
  }

  @Test func rowsOfLongFilesStayThere() async throws {
    // Together they have each second of some time, in both directions.
    let up = try folder.write(longFile("up", 0..<500), to: "up.jsonl")
    let down = try folder.write(
      longFile("down", 500..<1_000).split(separator: "\n").reversed().joined(separator: "\n"),
      to: "down.jsonl")
    let merged = try MergedTimeline([source(.file(up)), source(.file(down))])
    #expect(!merged.isImmediate)
    try await merged.finishReading()
    let posts = merged.posts
    #expect(posts.count == 1_000)
    let titles = (0..<1_000).map { posts.post(at: $0).title.plainText }
    let wanted = (0..<1_000).reversed().map { "\($0 < 500 ? "up" : "down") \($0)" }
    #expect(titles == wanted)
    #expect(posts.post(at: 0).source == "down.jsonl" && posts.post(at: 0).id == "\(down)#999")
    try merged.library.library.forEachBody { _, body in
      if case .line = body { Issue.record("a body was copied") }
      return true
    }
    // Searching looks through the files.
    let store = TimelineStore(merging: merged)
    try await store.open()
    store.start()
    store.show(fitting: try PostQuery("\"up 7\" OR feed:down"), around: 0..<10)
    await eventually { store.isComplete }
    #expect(store.count == 500 + titles.count { $0.hasPrefix("up 7") })
    store.stop()
  }

  @Test func aLongFileGrowsAndIsReplaced() async throws {
    let path = try folder.write(String(longFile("old", 0..<500).dropLast()), to: "log.jsonl")
    let small = try folder.write(line("small", 0), to: "small.jsonl")
    let merged = try MergedTimeline([source(.file(path)), source(.file(small))])
    try await merged.finishReading()
    #expect(merged.posts.count == 501)
    let id = merged.posts.rowID(at: 3)
    let more = "\n" + (try longFile("new", 600..<610))
    try #require(FileHandleWriter(path: path)).append(Array(more.utf8))
    await eventually { merged.posts.count == 511 && merged.posts.isComplete }
    #expect(merged.posts.post(at: 0).title.plainText == "new 609")
    #expect(merged.posts.row(of: id) == 13)
    // Another file in its place.
    try folder.write(longFile("other", 0..<450), to: "log.new")
    try #require(rename(folder.path + "/log.new", path) == 0)
    await eventually { merged.posts.count == 451 && merged.posts.isComplete }
    #expect(merged.posts.post(at: 0).title.plainText == "other 449")
    merged.stop()
  }

  /// A long file that another takes the place of just after its reading has begun.
  @Test func aFileThatChangesWhileItIsReadIsReadOnceMore() async throws {
    let path = try folder.write(longFile("old", 0..<3_000), to: "log.jsonl")
    try folder.write(longFile("new", 0..<450), to: "log.new")
    let library = try MergedTimeline.temporaryLibrary()
    let merger = SourceMerger(library, MergedContents(form: .source), clock: .system())
    try await merger.add([source(.file(path))])
    try #require(rename(folder.path + "/log.new", path) == 0)
    await merger.refresh(isLocal: true)
    await merger.finish()
    var count = 0
    try library.forEachBody { _, _ in
      count += 1
      return true
    }
    #expect(count == 450)
  }

  /// Posts of a small file that is written anew keep their rows.
  @Test func aSmallFileIsReadAgain() async throws {
    let path = try folder.write(
      line("a", 3, id: "a") + line("b", 2, id: "b") + line("c", 1), to: "feed.jsonl")
    let other = try folder.write(line("x", 0), to: "other.jsonl")
    let merged = try MergedTimeline([source(.file(path)), source(.file(other))])
    #expect(merged.isImmediate)
    try await merged.finishReading()
    let posts = merged.posts
    let ids = (0..<4).map { posts.rowID(at: $0) }
    try folder.write(
      line("new", 5) + line("a 2", 3, id: "a") + line("c", 1), to: "feed.jsonl")
    await eventually { posts.isComplete && posts.count == 4 && posts.row(of: ids[1]) == nil }
    let titles = (0..<4).map { posts.post(at: $0).title.plainText }
    #expect(titles == ["new", "a 2", "c", "x"])
    #expect(posts.row(of: ids[0]) == 1 && posts.row(of: ids[2]) == 2)
    merged.stop()
  }

  // MARK: Servers

  private func feed(_ title: String, day: Int) -> [UInt8] {
    Array(
      ("<rss><channel><title>The \(title)</title><item><title>Of \(title)</title><guid>g</guid>"
        + "<pubDate>Sat, 0\(day) Mar 2024 08:05:00 GMT</pubDate></item></channel></rss>").utf8)
  }

  /// A source that hangs, one that never ends, and failures hold up nothing.
  @Test func whatIsSlowHoldsUpNothing() async throws {
    let server = try MisbehavingServer()
    let gate = ServerGate()
    server.route("/good", Step.response(type: "application/rss+xml", body: feed("good", day: 1)))
    server.route("/page", Step.response(type: "text/html", body: Array("<html>no".utf8)))
    server.route(
      "/slow",
      [.wait(gate)] + Step.response(type: "application/rss+xml", body: feed("slow", day: 2)))
    server.route("/hanging", [.hang])
    let names = ["/slow", "/missing", "/page", "/good"]
    let merged = try MergedTimeline(names.map { try source(.url(server.url($0))) })
    let monitor = Events(of: merged)
    merged.start()
    await eventually { merged.posts.count == 1 && monitor.failures == 2 }
    #expect(merged.posts.post(at: 0).source == "The good" && !merged.posts.isComplete)
    let first = merged.posts.rowID(at: 0)
    gate.open()
    await eventually { merged.posts.isComplete }
    #expect(merged.posts.count == 2 && merged.posts.row(of: first) == 1)
    #expect(monitor.ended == RefreshProgress(done: 4, total: 4, failed: 2))
    merged.directory.reload()
    await eventually { merged.directory.feeds.count { $0.health.lastError != nil } == 2 }
    #expect(
      merged.directory.feeds.first { $0.address.hasSuffix("/missing") }?.health.lastError?
        .contains("404") == true)
    #expect(merged.posts.failure == nil && merged.posts.capabilities.marking == nil)
    server.stop()
  }

  @Test func aLoneFailureIsThatOfTheTimeline() async throws {
    let server = try MisbehavingServer()
    let merged = try MergedTimeline([
      source(.url(server.url("/a"))), source(.url(server.url("/b"))),
    ])
    await #expect(throws: SourceError.self) { try await merged.finishReading() }
    #expect(merged.posts.failure?.source.name == server.url("/a"))
    await #expect(throws: SourceError.self) {
      try await printed([source(.url(server.url("/a")))])
    }
    server.stop()
  }

  /// What broke off stays, and a later answer completes it. What was read is asked for conditionally.
  @Test func answersAreCompletedAndNotAskedForAgain() async throws {
    let server = try MisbehavingServer()
    let whole = feed("tides", day: 3)
    let long = Array(
      ("{\"items\":[" + line("first", 4, id: "1").dropLast() + "," + line("second", 3, id: "2"))
        .utf8)
    server.route(
      "/whole",
      [
        .head(
          type: "application/rss+xml", length: whole.count, fields: [("ETag", "\"1\"")]),
        .send(whole),
      ])
    server.route("/cut", [.head(length: 9_999), .send(long)])
    let merged = try MergedTimeline([
      source(.url(server.url("/whole"))), source(.url(server.url("/cut"))),
    ])
    let monitor = Events(of: merged)
    merged.start()
    await eventually { merged.posts.isComplete && monitor.ended != nil }
    #expect(monitor.ended?.failed == 1)
    let count = merged.posts.count
    #expect(count >= 2)
    server.route("/whole", Step.response(status: 304))
    server.route(
      "/cut",
      Step.response(
        type: "application/feed+json",
        body: Array("{\"items\":[\(line("first", 4, id: "1"))]}".utf8)))
    monitor.forget()
    #expect(merged.directory.refresher.refresh(.due).isStarted)
    await eventually { monitor.ended != nil && merged.posts.isComplete }
    #expect(monitor.ended?.failed == 0 && merged.posts.count == count)
    let asked = server.seen.heads.filter { $0.contains(" /whole ") }
    #expect(asked.count == 2 && asked[1].contains("If-None-Match: \"1\""))
    #expect(!asked[0].contains("If-None-Match"))
    server.stop()
  }

  /// A list among the sources is replaced by its feeds.
  @Test func aListIsItsFeeds() async throws {
    let server = try MisbehavingServer()
    for (name, day) in [("tides", 5), ("winds", 6)] {
      server.route(
        "/\(name)", Step.response(type: "application/rss+xml", body: feed(name, day: day)))
    }
    let outlines = ["tides", "winds", "none"].map {
      "<outline text=\"My \($0)\" title=\"\($0)\" xmlUrl=\"\(server.url("/\($0)"))\"/>"
    }
    let list = try folder.write(
      "<opml version=\"2.0\"><body>\(outlines.joined())</body></opml>", to: "list.opml")
    let other = try folder.write(line("x", 1), to: "other.jsonl")
    let merged = try MergedTimeline([source(.file(list)), source(.file(other))])
    let monitor = Events(of: merged)
    try await merged.finishReading()
    #expect(
      (0..<merged.posts.count).map { merged.posts.post(at: $0).source }
        == ["My winds", "My tides", "other.jsonl"])
    #expect(monitor.ended?.failed == 1)
    server.stop()
  }

  /// If there are many files, only some of them are open.
  @Test func manyFilesAreOpenedOneByOne() async throws {
    let sources = try (0..<MergedSource.openFiles + 20).map { number in
      let path = try folder.write(line("\(number)", number % 20), to: "\(number)")
      return try source(.file(path), after: number)
    }
    #expect(sources.count { $0.reader != nil } == MergedSource.openFiles)
    #expect(try await printed(sources).count == sources.count)
    #expect(throws: SourceError.self) {
      try source(.file(folder.path + "/missing"), after: 1_000)
    }
  }
}

/// The events of a merge.
@MainActor private final class Events {
  private(set) var failures = 0
  private(set) var ended: RefreshProgress?

  init(of merged: MergedTimeline) {
    merged.directory.refresher.observe { [weak self] event in
      switch event {
      case .failed: self?.failures += 1
      case .ended(let progress): self?.ended = progress
      default: break
      }
    }
  }

  func forget() { (failures, ended) = (0, nil) }
}
