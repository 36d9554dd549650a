import Feeds
import HTTP
import HTTPTransport
import Library
import Subscriptions
import TestSupport
import Testing

@testable import TimelineStore

/// Web pages among merged sources.
@MainActor @Suite(.ownThreads) struct MergedPageTests {
  typealias Step = MisbehavingServer.Step

  private let folder: TemporaryFolder
  private let server: MisbehavingServer

  init() throws {
    folder = try TemporaryFolder()
    server = try MisbehavingServer()
    for name in ["tides", "winds"] {
      let feed =
        "<rss><channel><title>The \(name)</title><item><title>Of \(name)</title></item></channel></rss>"
      server.route(
        "/\(name)", Step.response(type: "application/rss+xml", body: Array(feed.utf8)))
    }
    for (page, text) in [("/page", Self.page(naming: "/tides")), ("/none", "<html>Hi")] {
      server.route(page, Step.response(type: "text/html", body: Array(text.utf8)))
    }
  }

  private static func page(naming feed: String) -> String {
    "<html><link rel=\"alternate\" type=\"application/rss+xml\" href=\"\(feed)\">"
  }

  private func source(_ source: TimelineSource) throws -> MergedSource {
    try MergedSource(
      source, after: 0, format: nil, as: .source, pictures: nil
    ) { CurlTransport(userAgent: "tideline/test") }
  }

  private func expectFeeds(
    of sources: [TimelineSource], named names: [String], failed: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let merged = try MergedTimeline(sources.map(source))
    var notices: [String] = []
    var ended: RefreshProgress?
    merged.directory.refresher.observe { event in
      if case .noticed(let text) = event { notices.append(text) }
      if case .ended(let progress) = event { ended = progress }
    }
    try await merged.finishReading()
    await eventually { merged.posts.isComplete }
    let posts = merged.posts
    let shown = (0..<posts.count).compactMap { posts.post(at: $0).source }
    #expect(shown.sorted() == names, sourceLocation: sourceLocation)
    #expect(ended?.failed == failed, sourceLocation: sourceLocation)
    #expect(
      notices.count == 1 && notices[0].hasPrefix("reading \(server.url("/tides")), named by "),
      sourceLocation: sourceLocation)
    // Printing says the same.
    let reader = MergedPrintout(try sources.map(source), as: .styled)
    var printed: [Post] = []
    while let batch = try await reader.next() { printed += batch.posts }
    #expect(printed.count == names.count + failed, sourceLocation: sourceLocation)
    #expect(await reader.omission() == notices.first, sourceLocation: sourceLocation)
  }

  @Test func aPageIsTheFeedThatItNames() async throws {
    let winds = TimelineSource(argument: server.url("/winds"))
    let page = TimelineSource(argument: server.url("/page"))
    try await expectFeeds(of: [page, winds], named: ["The tides", "The winds"])
    // Named twice, it is read once.
    let tides = TimelineSource(argument: server.url("/tides"))
    try await expectFeeds(of: [tides, page], named: ["The tides"])
    server.stop()
  }

  @Test func aFileIsTheFeedThatItNames() async throws {
    let page = try folder.write(Self.page(naming: server.url("/tides")), to: "page.html")
    let winds = TimelineSource(argument: server.url("/winds"))
    try await expectFeeds(of: [.file(page), winds], named: ["The tides", "The winds"])
    server.stop()
  }

  /// Such an entry of a list keeps its name. A page without a feed is a failure of its own.
  @Test func aPageInAListIsTheFeedThatItNames() async throws {
    let outlines = ["page", "none", "winds"].map {
      "<outline text=\"My \($0)\" title=\"\($0)\" xmlUrl=\"\(server.url("/\($0)"))\"/>"
    }
    let list = try folder.write(
      "<opml version=\"2.0\"><body>\(outlines.joined())</body></opml>", to: "list.opml")
    try await expectFeeds(of: [.file(list)], named: ["My page", "My winds"], failed: 1)
    server.stop()
  }
}
