import HTTP
import Testing

/// How long a response is fresh, by the clauses of RFC 9111 and RFC 5861.
@Suite struct StoredResponseTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  private static let epoch = 784_111_777.0
  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let dayBefore = "Sat, 05 Nov 1994 08:49:37 GMT"
  private static let hourAfter = "Sun, 06 Nov 1994 09:49:37 GMT"

  private func request(_ headers: HTTPHeaders = ["Accept": "image/png"]) -> HTTPRequest {
    HTTPRequest(url: "http://x/1", headers: headers)
  }

  private func stored(
    _ fields: [(String, String)], status: Int = 200, redirects: [HTTPResponse] = [],
    usedCredentials: Bool = false, request: HTTPRequest? = nil, delay: Double = 0
  ) -> StoredResponse? {
    var headers = HTTPHeaders()
    for (name, value) in fields { headers.append(name, value) }
    var response = HTTPResponse(status: status, headers: headers, url: "http://x/1")
    response.redirects = redirects
    response.usedCredentials = usedCredentials
    return StoredResponse(
      response, to: request ?? self.request(), requestTime: Self.epoch - delay,
      responseTime: Self.epoch)
  }

  /// Seconds after which it is no longer fresh; `nil` if it is not stored.
  private func freshFor(_ fields: [(String, String)]) -> Double? {
    guard let stored = stored(fields) else { return nil }
    guard stored.use(at: Self.epoch) == .fresh else { return 0 }
    var (low, high) = (0.0, 4e9)
    while high - low > 0.5 {
      let middle = (low + high) / 2
      if stored.use(at: Self.epoch + middle) == .fresh { low = middle } else { high = middle }
    }
    return high.rounded()
  }

  @Test func lifetimes() {
    let tag = ("ETag", "\"1\"")
    let cases: [([(String, String)], Double?)] = [
      ([("Cache-Control", "max-age=60")], 60),
      ([("cache-control", "public, Max-Age = 60 , immutable")], 60),
      ([("Cache-Control", "max-age=\"60\"")], 60),
      ([("Cache-Control", "private, max-age=60, s-maxage=5")], 60),
      // The stricter of two.
      ([("Cache-Control", "max-age=60"), ("Cache-Control", "max-age=30")], 30),
      ([("Cache-Control", "max-age=60"), ("Age", "20")], 40),
      ([("Cache-Control", "max-age=60"), ("Age", "garbage")], 60),
      ([("Cache-Control", "max-age=60"), ("Expires", "0")], 60),
      ([("Cache-Control", "max-age=99999999999999999999999")], 3_155_760_000),
      ([("Expires", Self.hourAfter), ("Date", Self.date)], 3_600),
      // Created a day ago by its server's clock.
      ([("Cache-Control", "max-age=90000"), ("Date", Self.dayBefore)], 3_600),
      // A tenth of the time since its last change.
      ([("Last-Modified", Self.dayBefore), ("Date", Self.date)], 8_640),
      ([("Last-Modified", "Mon, 01 Jan 1990 00:00:00 GMT")], 604_800),
      // Not stored.
      ([], nil),
      ([("Expires", "0")], nil),
      ([("Cache-Control", "max-age=0")], nil),
      ([("Cache-Control", "max-age=-5")], nil),
      ([("Cache-Control", "no-store, max-age=60"), tag], nil),
      ([("Cache-Control", "max-age=60, no-store")], nil),
      ([("Vary", "*"), ("Cache-Control", "max-age=60")], nil),
      // Revalidated each time.
      ([tag], 0),
      ([("Cache-Control", "no-cache, max-age=60"), tag], 0),
      ([("Cache-Control", "no-cache=\"Set-Cookie\", max-age=60"), tag], 0),
      ([("Pragma", "no-cache"), ("Expires", Self.hourAfter), tag], 0),
      ([("Pragma", "no-cache"), ("Cache-Control", "max-age=60")], 60),
      ([("Expires", "Thu, 01 Jan 1970 00:00:00 GMT"), tag], 0),
    ]
    for (fields, seconds) in cases { #expect(freshFor(fields) == seconds, "\(fields)") }
  }

  @Test func isNotStored() {
    let fresh = [("Cache-Control", "max-age=60")]
    #expect(stored(fresh, usedCredentials: true) == nil)
    #expect(stored(fresh, request: request(["Authorization": "Basic x"])) == nil)
    for status in [201, 204, 206, 301, 304, 403, 500, 503] {
      #expect(stored(fresh, status: status) == nil, "\(status)")
    }
    // A missing resource is stored only for an explicit lifetime.
    #expect(stored(fresh, status: 404) != nil && stored(fresh, status: 410) != nil)
    #expect(stored([("Last-Modified", Self.dayBefore)], status: 404) == nil)
    #expect(stored([("ETag", "\"1\"")], status: 404) == nil)
  }

  @Test func transitTimeCounts() {
    let slow = stored([("Cache-Control", "max-age=60"), ("Age", "10")], delay: 5)
    #expect(slow?.use(at: Self.epoch + 44) == .fresh)
    #expect(slow?.use(at: Self.epoch + 46) == .stale)
  }

  @Test func aClockSetBackMakesResponsesStale() {
    let stored = stored([("Cache-Control", "max-age=60")])
    #expect(stored?.use(at: Self.epoch - 30) == .fresh)
    #expect(stored?.use(at: Self.epoch - 86_400) == .stale)
  }

  @Test func staleAnswers() {
    let lenient = stored([
      ("Cache-Control", "max-age=60, stale-while-revalidate=30, stale-if-error=300")
    ])
    #expect(lenient?.use(at: Self.epoch + 59) == .fresh)
    #expect(lenient?.use(at: Self.epoch + 89) == .whileRevalidating)
    #expect(lenient?.use(at: Self.epoch + 91) == .stale)
    #expect(lenient?.canReplaceError(at: Self.epoch + 359, isDisconnected: false) == true)
    #expect(lenient?.canReplaceError(at: Self.epoch + 361, isDisconnected: false) == false)
    #expect(lenient?.canReplaceError(at: Self.epoch + 9_999, isDisconnected: true) == true)
    for strict in ["must-revalidate", "no-cache"] {
      let stored = stored([
        ("ETag", "\"1\""),
        ("Cache-Control", "max-age=60, \(strict), stale-while-revalidate=30, stale-if-error=300"),
      ])
      #expect(stored?.use(at: Self.epoch + 70) == .stale, "\(strict)")
      for isDisconnected in [true, false] {
        #expect(
          stored?.canReplaceError(at: Self.epoch + 70, isDisconnected: isDisconnected) == false)
      }
    }
  }

  @Test func vary() {
    let fields = [("Cache-Control", "max-age=60"), ("Vary", "Accept , accept-encoding,Cookie")]
    let stored = stored(fields)
    #expect(stored?.varied.fields.map(\.value) == ["image/png"])
    #expect(stored?.answers(request()) == true)
    #expect(stored?.answers(request(["accept": "image/png", "X-Other": "1"])) == true)
    #expect(stored?.answers(request(["Accept": "image/webp"])) == false)
    #expect(stored?.answers(request([:])) == false)
    #expect(stored?.answers(request(["Accept": "image/png", "Cookie": "a=1"])) == false)
    #expect(stored?.answers(HTTPRequest(url: "http://x/2", headers: request().headers)) == false)
  }

  @Test func validators() {
    let both = stored([("ETag", "W/\"1\""), ("Last-Modified", Self.dayBefore)])
    let fields = both?.validators?.fields(for: "http://x/1")
    #expect(fields?["If-None-Match"] == "W/\"1\"")
    #expect(fields?["If-Modified-Since"] == Self.dayBefore)
    #expect(stored([("Cache-Control", "max-age=60")])?.validators == nil)
    #expect(stored([("Cache-Control", "max-age=60"), ("Last-Modified", "x")])?.validators == nil)
  }

  @Test func redirectsLimitLifetime() {
    func hop(_ status: Int, _ control: String?) -> HTTPResponse {
      HTTPResponse(
        status: status, headers: control.map { ["Cache-Control": $0] } ?? [:], url: "http://x/0")
    }
    let fresh = [("Cache-Control", "max-age=600"), ("ETag", "\"1\"")]
    // A temporary redirect without a lifetime: the next request may be sent elsewhere.
    #expect(stored(fresh, redirects: [hop(302, nil)])?.use(at: Self.epoch) != .fresh)
    let limited = stored(fresh, redirects: [hop(301, nil), hop(302, "max-age=60")])
    #expect(limited?.use(at: Self.epoch + 59) == .fresh)
    #expect(limited?.use(at: Self.epoch + 61) == .stale)
    #expect(limited?.validators == nil)
    #expect(stored(fresh, redirects: [hop(301, "no-store")]) == nil)
    #expect(stored(fresh, redirects: [hop(308, nil)])?.use(at: Self.epoch + 599) == .fresh)
  }

  @Test func notModifiedIsMerged() throws {
    let stored = try #require(
      self.stored([
        ("Cache-Control", "max-age=60"), ("ETag", "\"1\""), ("Content-Type", "image/png"),
        ("Content-Length", "9"), ("Age", "50"), ("X-Kept", "a"),
      ]))
    #expect(stored.use(at: Self.epoch + 11) == .stale)
    let answer = HTTPResponse(
      status: 304,
      headers: [
        "Cache-Control": "max-age=100", "Content-Length": "0", "Content-Type": "text/plain",
        "X-New": "b",
      ], url: "http://x/1")
    let fresh = stored.freshened(
      by: answer, requestTime: Self.epoch + 19, responseTime: Self.epoch + 20)
    #expect(fresh.use(at: Self.epoch + 20 + 98) == .fresh)
    #expect(fresh.use(at: Self.epoch + 20 + 101) == .stale)
    #expect(fresh.headers["Content-Length"] == "9" && fresh.headers["Content-Type"] == "image/png")
    #expect(fresh.headers["X-New"] == "b" && fresh.headers["X-Kept"] == "a")
    #expect(fresh.headers["ETag"] == "\"1\"" && fresh.status == 200)
  }
}
