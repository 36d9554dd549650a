import Feeds
import HTTP
import HTTPTransport
import Library
import TestSupport
import Testing

@testable import Subscriptions

/// Requests and answers of a transport in this process.
@Suite struct FeedFetchTests {
  private static let url = "https://tide.example/feed"
  private let transport = TableTransport()

  private func answer(
    _ answer: TableTransport.Answer, validators: HTTPValidators? = nil
  ) async -> FetchAnswer {
    transport.set(Self.url, answer)
    return await FeedFetch(transport: transport).answer(
      of: Self.url, validators: validators, at: 1_000)
  }

  private func document(_ answer: TableTransport.Answer) async -> FetchedDocument? {
    if case .document(let document) = await self.answer(answer).result { document } else { nil }
  }

  private func failure(
    _ answer: TableTransport.Answer, validators: HTTPValidators? = nil
  ) async -> FetchFailure? {
    if case .failed(let failure) = await self.answer(answer, validators: validators).result {
      failure
    } else {
      nil
    }
  }

  private func lines(_ document: FetchedDocument?) -> [String] {
    document?.items.map { item in
      if case .line(let bytes) = item.body { String(decoding: bytes, as: UTF8.self) } else { "" }
    } ?? []
  }

  // MARK: Requests

  @Test func aRequestIsPolite() async throws {
    _ = await answer(.text(Sample.rss()))
    let request = try #require(transport.requests.first)
    #expect(request.headers["Accept-Encoding"] == "gzip")
    #expect(request.headers["Accept"]?.contains("application/atom+xml") == true)
    for name in ["Cookie", "Referer", "If-None-Match", "If-Modified-Since"] {
      #expect(request.sentHeaders[name] == nil)
    }
    #expect(request.limits.totalSeconds <= 60 && request.limits.maximumBytes <= 32_000_000)
    #expect(request.reach == .privateAddresses)
  }

  @Test func validatorsAreSentVerbatimToTheirAddress() async throws {
    let validators = HTTPValidators(
      address: "HTTPS://tide.example:443/feed#x", entityTag: "W/\"a\\\"b\"",
      lastModified: "yesterday")
    let answer = await answer(.status(304), validators: validators)
    let sent = try #require(transport.requests.first).sentHeaders
    #expect(sent["If-None-Match"] == "W/\"a\\\"b\"")
    #expect(sent["If-Modified-Since"] == "yesterday")
    guard case .notModified = answer.result else {
      Issue.record("\(answer.result)")
      return
    }
    for other in ["https://tide.example/", "http://tide.example/feed", "https://b.example/feed"] {
      #expect(validators.fields(for: other).fields.isEmpty)
    }
  }

  @Test func anAnswer304WithoutAQuestionIsAFailure() async {
    #expect(await failure(.status(304))?.reason == .status(304))
  }

  // MARK: Items

  @Test func itemsAreTheLinesThatAreExported() async throws {
    let text = Sample.rss(channel: "<ttl>60</ttl>")
    let document = await document(
      .text(text, fields: [("ETag", "\"x\""), ("Last-Modified", "z")]))
    let found = try #require(document)
    #expect(found.title == "Tides" && found.schedule.period == 3_600 && found.omission == nil)
    #expect(
      found.validators
        == HTTPValidators(address: Self.url, entityTag: "\"x\"", lastModified: "z"))
    let posts = try FeedReader.read(Array(text.utf8), baseURL: Self.url, as: .source).posts
    #expect(lines(found) == posts.map(PostWriter.jsonItem))
    #expect(found.items.map(\.guid) == ["ebb", "flood"])
    #expect(found.items.map(\.link) == ["https://tide.example/ebb", "https://tide.example/flood"])
    #expect(found.items.map(\.title) == ["ebb", "flood"])
    let packed = TableTransport.Answer(body: TestArchive.gzip(Array(text.utf8)))
    #expect(lines(await self.document(packed)) == lines(found))
  }

  @Test func onlyIDsOfTheSourceAreGUIDs() async {
    let rss =
      "<rss><channel><title>T</title><item><title>no id</title></item>"
      + "<item><title>link</title><link>https://tide.example/1</link></item>"
      + "<item><guid>0123456789abcdef</guid><link>https://tide.example/2</link></item>"
      + "<item><guid>https://tide.example/3</guid></item></channel></rss>"
    let items = await document(.text(rss))?.items ?? []
    #expect(items.map(\.guid) == [nil, nil, "0123456789abcdef", nil])
    #expect(
      items.map(\.link)[1...] == [
        "https://tide.example/1", "https://tide.example/2", "https://tide.example/3",
      ])
    let json =
      "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[{\"content_text\":\"x\"}]}"
    #expect(await document(.text(json))?.items.map(\.guid) == [nil])
    #expect(await document(.text(Sample.status))?.items.map(\.guid) == ["1"])
  }

  /// The place of an item among others with its guid is no part of its identity.
  @Test func repeatedGUIDsStayAsTheyAre() async {
    let item = { (link: String) in
      "<item><guid isPermaLink=\"false\">g</guid><link>https://tide.example/\(link)</link></item>"
    }
    let feed = { (links: [String]) in
      "<rss><channel>\(links.map(item).joined())</channel></rss>"
    }
    let before = await document(.text(feed(["1", "2"])))
    let after = await document(.text(feed(["3", "1", "2"])))
    #expect(before?.items.map(\.guid) == ["g", "g"])
    #expect(after?.items.map(\.guid) == ["g", "g", "g"])
    #expect(lines(before)[1] == lines(after)[2])
    #expect(lines(after).allSatisfy { !$0.contains("\"g#2\"") })
  }

  @Test func anItemThatIsSentTwiceStaysOne() async throws {
    let item =
      "<item><guid isPermaLink=\"false\">g</guid><link>https://tide.example/1</link></item>"
    let document = await document(.text("<rss><channel>\(item)\(item)\(item)</channel></rss>"))
    #expect(Set(lines(document)).count == 1)
  }

  @Test func damageIsNoItem() async {
    let cut = Sample.rss().prefix(while: { $0 != "!" }).dropLast(30)
    let document = await document(.text(String(cut)))
    #expect(document?.items.map(\.guid) == ["ebb"])
    #expect(lines(document).allSatisfy { !$0.contains("damage") })
    var broken = TableTransport.Answer.text(Sample.rss(), fields: [("ETag", "x")])
    broken.breaksOff = .truncated(expected: 9_999, received: 200)
    let partial = await self.document(broken)
    #expect(partial?.items.count == 2 && partial?.validators == nil)
    #expect(partial?.omission?.contains("incomplete") == true)
  }

  /// A server that stores what it received itself sends a part of a document as a whole answer. Half
  /// an item would have another identity than the whole one, or replace it.
  @Test func aDocumentThatEndsInsideAnItemIsIncomplete() async {
    let rss = """
      <rss><channel><item><guid>a</guid><title>Ebb &bogus; flow</title></item>\
      <item><guid>b</guid><title>Slack</title><description>Still water
      """
    let json = """
      {"version": "https://jsonfeed.org/version/1.1", "title": "Tides", "items": [\
      {"id": "a", "content_text": "Ebb"}, {"id": "b", "content_text": "Still wa
      """
    for text in [rss, json] {
      let partial = await document(.text(text, fields: [("ETag", "x")]))
      #expect(partial?.items.map(\.guid) == ["a"])
      #expect(partial?.validators == nil)
      #expect(partial?.omission?.hasPrefix("its last item is incomplete: ") == true)
    }
    // Damage in the middle is no sign of it.
    let whole = await document(
      .text(
        rss + "</description></item><item><guid>c</guid></item></channel></rss>",
        fields: [("ETag", "x")]))
    #expect(whole?.items.count == 3 && whole?.validators != nil && whole?.omission == nil)
    // A damaged last item that ends is an item.
    let last = await document(
      .text("<rss><channel><item><guid>a</guid><title>Ebb <b>flow</title></item></channel></rss>"))
    #expect(last?.items.map(\.guid) == ["a"] && last?.omission != nil)
  }

  /// Wherever a document ends, its items are those of the whole one.
  @Test func everyBeginningOfADocumentHasOnlyWholeItems() async {
    let documents = [
      """
      <?xml version="1.0"?><rss version="2.0"><channel><title>Tides</title>\
      <item><title>Ebb &amp; flow</title><link>https://tide.example/1</link><guid>first</guid>\
      <description><![CDATA[<p>Still <b>water</b></p>]]></description></item>\
      <item><title>No guid</title><link>https://tide.example/2</link></item>\
      <item><title>Only a title</title></item></channel></rss>
      """,
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><title>Tides</title>\
      <entry><id>urn:1</id><title>Ebb</title><link href="https://tide.example/1"/></entry>\
      <entry><title>Slack</title><content type="xhtml"><div>Still <b>water</b></div></content>\
      </entry></feed>
      """,
      """
      {"version": "https://jsonfeed.org/version/1.1", "title": "Tides", "items": [\
      {"id": "one", "url": "https://tide.example/1", "title": "Ebb", "content_html": "<p>a</p>"},\
      {"id": "two", "content_text": "Slack", "tags": ["a", "b"]}]}
      """,
      """
      {"id": "one", "url": "https://tide.example/1", "title": "Ebb", "content_text": "a"}
      {"title": "Slack", "content_text": "Still water"}
      {"id": "three", "content_text": "Flood"}

      """,
    ]
    for text in documents {
      let bytes = Array(text.utf8)
      let whole = await document(.text(text))
      let items = Set(lines(whole))
      #expect(items.count >= 2)
      for count in bytes.indices {
        let part = await document(TableTransport.Answer(body: Array(bytes[..<count])))
        let strange = lines(part).filter { !items.contains($0) }
        #expect(strange.isEmpty, "the first \(count) bytes of \(text)")
      }
    }
  }

  @Test func aDocumentIsBounded() async {
    for count in [50, 60] {
      let items = (0..<count).map { "<item><guid>\($0)</guid></item>" }.joined()
      transport.set(Self.url, .text("<rss><channel>\(items)</channel></rss>"))
      let answer = await FeedFetch(transport: transport, maximumItems: 50).answer(
        of: Self.url, at: 0)
      guard case .document(let document) = answer.result else {
        Issue.record("\(answer.result)")
        return
      }
      #expect(document.items.count == 50)
      #expect(document.omission == (count > 50 ? "only its first 50 items were read" : nil))
    }
  }

  // MARK: Failures

  @Test func whatIsNoFeedIsAFailure() async {
    let cases: [(TableTransport.Answer, String)] = [
      (.text(Sample.page("<form>Log in</form>"), type: "text/html"), "log in"),
      (.text("Service unavailable"), "text, not a feed"), (.text(""), "empty"),
      (.text("<opml><body/></opml>"), "a list of feeds"), (.text("{\"error\":1}"), "JSON"),
      (.status(404), "404"), (.failure(.timeout(seconds: 3)), "timed out after 3 s"),
      (.text("<rss><channel><item"), "nothing readable"),
    ]
    for (answer, words) in cases {
      let failure = await failure(answer)
      #expect(failure?.description.contains(words) == true, "\(String(describing: failure))")
    }
  }

  @Test func aServersWishIsPassedOn() async {
    for (fields, wish) in [
      ([("Retry-After", "7200")], 7_200.0),
      ([("Retry-After", "Thu, 01 Jan 1970 01:00:00 GMT")], 2_600),
      ([("X-RateLimit-Reset", "90")], 90), ([("Retry-After", "-5")], 0),
    ] {
      let failure = await failure(.status(429, fields))
      #expect(failure?.requestedDelay == wish && failure?.host == "tide.example")
    }
    #expect(await failure(.status(429))?.requestedDelay == nil)
  }

  @Test func freshnessIsCountedFromNow() async {
    for (fields, seconds) in [
      ([("Cache-Control", "public, max-age=600")], 600.0),
      ([("Cache-Control", "max-age=600"), ("Age", "200")], 400),
      ([("Cache-Control", "max-age=600"), ("Age", "9999")], 0),
      ([("Cache-Control", "max-age=600"), ("Age", "nan")], 600),
    ] {
      #expect(await answer(.text(Sample.rss(), fields: fields)).maxAge == seconds)
    }
    #expect(await answer(.text(Sample.rss())).maxAge == nil)
  }

  @Test func onlyPermanentRedirectsTellANewAddress() async {
    var moved = TableTransport.Answer.text(Sample.rss())
    moved.url = "https://new.example/"
    for (statuses, target) in [
      ([], nil), ([301], "https://new.example/"), ([308, 301], "https://new.example/"),
      ([301, 302], nil), ([307], nil),
    ] as [([Int], String?)] {
      moved.redirects = statuses
      #expect(await answer(moved).permanentTarget == target)
    }
  }
}

/// The same on a server of this machine.
@Suite(.ownThreads) struct FeedFetchServerTests {
  private let server: MisbehavingServer

  init() throws { server = try MisbehavingServer() }

  private func fetch(
    _ path: String, validators: HTTPValidators? = nil, limits: HTTPLimits = FeedFetch.standardLimits
  ) async -> FetchAnswer {
    let transport = CurlTransport(userAgent: "tideline/test (+here)")
    return await FeedFetch(transport: transport, limits: limits, maximumItems: 100).answer(
      of: server.url(path), validators: validators, at: 0)
  }

  private func feed(_ fields: [(String, String)] = []) -> [MisbehavingServer.Step] {
    let body = Array(Sample.rss().utf8)
    return [.head(length: body.count, fields: fields), .send(body)]
  }

  /// The fields of a request with a path, by name in lower case.
  private func fields(of path: String) -> [String: String] {
    let head = server.seen.heads.last { $0.contains(" \(path) ") } ?? ""
    var fields: [String: String] = [:]
    for line in head.split(separator: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      fields[parts[0].lowercased()] = parts[1].trimmingPrefix(" ").description
    }
    return fields
  }

  @Test func validatorsGoNowhereElse() async throws {
    server.route("/a", MisbehavingServer.Step.redirect(to: "/b"))
    server.route("/b", feed([("ETag", "\"one\""), ("Last-Modified", "x")]))
    guard case .document(let document) = await fetch("/a").result else {
      Issue.record("no document")
      return
    }
    let validators = try #require(document.validators)
    #expect(validators.address == server.url("/b"))
    server.route("/b", [.head(status: 304)])
    guard case .notModified = await fetch("/a", validators: validators).result else {
      Issue.record("not confirmed")
      return
    }
    #expect(fields(of: "/a")["if-none-match"] == nil)
    #expect(fields(of: "/b")["if-none-match"] == "\"one\"")
    #expect(fields(of: "/b")["if-modified-since"] == "x")
    #expect(fields(of: "/a")["user-agent"] == "tideline/test (+here)")
    #expect(fields(of: "/a")["referer"] == nil && fields(of: "/b")["cookie"] == nil)
    server.stop()
  }

  @Test func endlessAndSlowAnswersEnd() async {
    let item = Array("<item><title>x</title></item>".utf8)
    server.route(
      "/endless", [.head(), .send(Array("<rss><channel>".utf8)), .sendForever(item)])
    guard case .document(let endless) = await fetch("/endless").result else {
      Issue.record("no document")
      return
    }
    #expect(endless.items.count == 100 && endless.omission != nil)
    server.route("/silent", [.hang])
    let limits = HTTPLimits(totalSeconds: 60, headSeconds: 0.2)
    guard case .failed(let failure) = await fetch("/silent", limits: limits).result else {
      Issue.record("no failure")
      return
    }
    #expect(failure.reason == .exchange(.timeout(seconds: 0.2)))
    server.stop()
  }

  @Test func aRefusedConnectionIsNoAnswer() async {
    // The port of a server that was stopped may be another test's by now.
    server.stop()
    let answer = await FeedFetch(transport: CurlTransport(userAgent: "tideline/test")).answer(
      of: "http://127.0.0.1:1/", at: 0)
    guard case .failed(let refused) = answer.result else {
      Issue.record("no failure")
      return
    }
    #expect(refused.isWithoutAnswer)
  }

  @Test func redirectsInCirclesFail() async {
    server.route("/r", MisbehavingServer.Step.redirect(to: "/r", status: 301))
    guard case .failed(let failure) = await fetch("/r").result else {
      Issue.record("no failure")
      return
    }
    #expect(failure.description.contains("redirected more than"))
    #expect(server.seen.paths.count == 11)
    server.stop()
  }
}
