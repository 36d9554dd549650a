import HTTP
import Testing

@Suite struct HTTPValuesTests {
  @Test func headersCompareWithoutCaseAndAreBounded() {
    var headers: HTTPHeaders = ["Content-Type": "text/html", "X-Two": "a"]
    #expect(headers["content-TYPE"] == "text/html" && headers["Content-Typ"] == nil)
    headers["x-two"] = "b\r\nInjected: c\0"
    #expect(headers["X-Two"] == "bInjected: c" && headers.fields.count == 2)
    headers["x-two"] = nil
    #expect(headers.fields.count == 1)
    headers.append("Long", String(repeating: "x", count: HTTPHeaders.maximumValueLength + 5))
    #expect(headers["long"]?.utf8.count == HTTPHeaders.maximumValueLength)
    for index in 0..<500 { headers.append("N\(index)", "") }
    #expect(headers.fields.count == HTTPHeaders.maximumFields)
  }

  @Test func responseReadsLengthAndType() {
    func response(_ headers: HTTPHeaders) -> HTTPResponse {
      HTTPResponse(status: 200, headers: headers, url: "http://a.example/")
    }
    #expect(response(["Content-Length": "12"]).expectedLength == 12)
    #expect(response(["Content-Length": "-1"]).expectedLength == nil)
    #expect(response(["Content-Length": "12", "Content-Encoding": "gzip"]).expectedLength == nil)
    #expect(response(["Content-Type": " Image/PNG ; q=1"]).mediaType == "image/png")
    #expect(response(["Content-Type": ";"]).mediaType == nil)
  }

  @Test(arguments: [
    ("text/xml; charset=utf-8", "utf-8"), ("text/xml;charset=\"KOI8-R\"", "KOI8-R"),
    ("text/xml; CHARSET = 'x' ; y=z", "x"), ("a/b; x=\"; charset=no\"; charset=yes", "yes"),
    ("a/b; charset=\"a\\\"b\"", "a\"b"), ("a/b; charset=one; charset=two", "one"),
    ("a/b; charset=", nil), ("a/b; charset", nil), ("a/b; charset=\"\"", nil), ("a/b", nil),
    ("charset=utf-8", nil), ("a/b; xcharset=utf-8", nil), ("a/b; charset=\"open", "open"),
  ])
  func aCharsetIsAParameter(type: String, charset: String?) {
    let response = HTTPResponse(status: 200, headers: ["content-type": type], url: "")
    #expect(response.charset == charset)
  }

  @Test func impossibleLengthsAreIgnored() {
    for text in ["9223372036854775808", "99999999999999999999", "1e3", "0x10", "", "12, 12", "NaN"]
    {
      let response = HTTPResponse(status: 200, headers: ["Content-Length": text], url: "")
      #expect(response.expectedLength == nil, "\(text)")
    }
    for status in [204, 304] {
      let headers: HTTPHeaders = ["Content-Length": "9223372036854775807"]
      let response = HTTPResponse(status: status, headers: headers, url: "")
      #expect(response.expectedLength == nil && !response.hasBody)
    }
  }

  @Test(arguments: ["nan", "inf", "-inf", "1e999", "-1e999", "99999999999999999999", "-5", "0x1p9"])
  func aDelayIsWithinAnHour(text: String) {
    let headers: HTTPHeaders = ["Retry-After": text, "X-RateLimit-Reset": text, "Date": text]
    let response = HTTPResponse(status: 429, headers: headers, url: "")
    let delay = response.retryDelay(now: 1_700_000_000)
    #expect((0...HTTPResponse.maximumRetryDelay).contains(delay ?? 0))
  }

  @Test func errorsAreOneClause() {
    let clauses: [HTTPError: String] = [
      .status(404): "HTTP status 404 (not found)",
      .status(599): "HTTP status 599",
      .tooLarge(limit: 20_000_000): "larger than the limit of 20 MB",
      .tooLarge(limit: 2_500_000): "larger than the limit of 2.5 MB",
      .tooLarge(limit: 512 << 20): "larger than the limit of 512 MiB",
      .tooLarge(limit: 1234): "larger than the limit of 1234 bytes",
      .truncated(expected: 10, received: 3): "ended after 3 of 10 bytes",
      .truncated(expected: nil, received: 3): "broke off after 3 bytes",
      .timeout(seconds: 20): "timed out after 20 s",
      .tooManyRedirects(limit: 5): "redirected more than 5 times",
      .unreachable(host: "a.example", reason: "no such host"):
        "cannot reach a.example: no such host",
    ]
    for (error, clause) in clauses { #expect(error.description == clause) }
  }
}
