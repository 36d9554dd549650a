import HTTP
import Testing

/// Addresses, links and dates as servers write them.
@Suite struct AddressTests {
  /// The examples of RFC 3986, 5.4, in the author's own order of parts.
  @Test func referencesAreResolved() {
    let base = URLReference("http://a/b/c/d;p?q")
    let examples = [
      "g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/",
      "/g": "http://a/g", "//g": "http://g", "?y": "http://a/b/c/d;p?y",
      "g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d;p?q#s", "g?y#s": "http://a/b/c/g?y#s",
      ";x": "http://a/b/c/;x", "": "http://a/b/c/d;p?q", ".": "http://a/b/c/",
      "./": "http://a/b/c/", "..": "http://a/b/", "../g": "http://a/b/g", "../..": "http://a/",
      "../../../g": "http://a/g", "/./g": "http://a/g", "/../g": "http://a/g",
      "g.": "http://a/b/c/g.", "..g": "http://a/b/c/..g", "./g/.": "http://a/b/c/g/",
      "g/../h": "http://a/b/c/h", "g?y/../x": "http://a/b/c/g?y/../x", " g\n": "http://a/b/c/g",
    ]
    for (reference, address) in examples {
      #expect(URLReference(reference).resolved(against: base).description == address)
    }
    let bare = URLReference("https://a.example")
    #expect(URLReference("g").resolved(against: bare).description == "https://a.example/g")
  }

  @Test func spellingsOfOneAddressAreTheSame() {
    let address = URLReference("HTTPS://me@Tides.Example:443/a/../b?c#d")
    #expect(address.normalized == URLReference("https://tides.example/b?c"))
    #expect(address.host == "tides.example" && address.isWeb)
    #expect(URLReference("http://a.example:8080").host == "a.example:8080")
    #expect(URLReference("http://a.example").normalized.path == "/")
    for text in ["file:///etc/passwd", "http://", "//a.example/b", "mailto:a@b.example", ""] {
      #expect(!URLReference(text).isWeb, "\(text)")
    }
  }

  @Test func normalizingIsIdempotent() {
    for text in [
      "http://a.example:80:80/", "https://a.example::443", "http://a.example:::",
      "http://a.example:80:", "x:",
    ] {
      let once = URLReference(text).normalized
      #expect(once.normalized == once, "\(text)")
    }
  }

  /// One address may be a document of some megabytes. Rewriting the whole for each mark in it would
  /// take hours for these.
  @Test(.timeLimit(.minutes(1))) func addressesOfManyMarksAreReadInOnePass() {
    let many = 100_000
    let users = "http://" + String(repeating: "a@/", count: many)
    let (address, user) = URLReference.separatingUserInfo(users)
    #expect(address.utf8.count == "http://".utf8.count + many)
    #expect(user?.utf8.count == 2 * many - 1)
    let ports = URLReference("http://tide.example" + String(repeating: ":80", count: many))
    #expect(ports.host == "tide.example")
  }

  @Test func aParameterIsSetAndOthersStay() {
    let address = URLReference("https://a.example/x?limit=3&cursor=old&b")
    #expect(
      address.setting(parameter: "cursor", to: "a&b=ü").description
        == "https://a.example/x?limit=3&b&cursor=a%26b%3D%C3%BC")
    #expect(
      URLReference("https://a.example/x").setting(parameter: "cursor", to: "1").description
        == "https://a.example/x?cursor=1")
  }

  private func next(_ fields: String..., from url: String = "https://a.example/b/c") -> String? {
    var headers = HTTPHeaders()
    for field in fields { headers.append("link", field) }
    return HTTPResponse(status: 200, headers: headers, url: url).link("next")
  }

  @Test func linksAreFoundInHeaders() {
    let address = "https://a.example/next?max_id=1,2;3"
    #expect(next("<\(address)>; rel=\"next\"") == address)
    #expect(next("<\(address)>; rel=next, <x>; rel=prev") == address)
    #expect(
      next("<x>; title=\"a, <b>; rel=next\"; rel=prev, <\(address)>;REL=\"last NEXT\"") == address)
    #expect(next("<x>; rel=\"https://api.w.org/\"", "<d?e>; rel=next") == "https://a.example/b/d?e")
    #expect(next("<x>; rel=prev; rel=next") == nil)
    #expect(next("<x>; rel=next; anchor=\"#y\"") == nil)
    for damaged in ["", "<", "<x", "x; rel=next", "<x>; rel=\"prev", "<x>;;rel", "<x> rel=next"] {
      #expect(next(damaged) == nil, "\(damaged)")
    }
  }

  private func delay(_ headers: HTTPHeaders, status: Int = 503, now: Double = 0) -> Double? {
    HTTPResponse(status: status, headers: headers, url: "").retryDelay(now: now)
  }

  @Test func retryDelaysAreRead() {
    #expect(delay(["Retry-After": "120"]) == 120)
    #expect(delay(["Retry-After": "-5"]) == 0)
    #expect(delay(["Retry-After": "1e99"]) == HTTPResponse.maximumRetryDelay)
    #expect(delay(["Retry-After": "soon"]) == nil && delay([:]) == nil)
    // 784,111,777 is the standard's own example of a date.
    for date in [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun Nov  6 08:49:37 1994",
    ] {
      #expect(delay(["Retry-After": date], now: 784_111_700) == 77)
    }
    #expect(
      delay(
        [
          "Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT",
          "Date": "Sun, 06 Nov 1994 08:49:07 GMT",
        ], now: 5) == 30)
    let reset: HTTPHeaders = ["X-RateLimit-Reset": "1994-11-06T08:50:00.123456Z"]
    #expect(delay(reset, status: 429, now: 784_111_777) == 23)
    #expect(delay(reset, status: 200, now: 784_111_777) == nil)
    #expect(delay(["X-RateLimit-Reset": "1700000100"], status: 429, now: 1_700_000_000) == 100)
    for text in [
      "Sun, 31 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994", "1994-13-06T08:50:00Z", "a b c d e",
    ] {
      #expect(delay(["Retry-After": text]) == nil, "\(text)")
    }
  }
}
