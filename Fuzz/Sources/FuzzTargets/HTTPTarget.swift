@testable import HTTP
@testable import HTTPTransport
@testable import ImageLoading

extension FuzzTarget {
  /// Heads of answers, line by line, and what is read from their fields; also pictures inside URLs.
  static let http = FuzzTarget(
    "http", modules: ["HTTP", "HTTPTransport", "ImageLoading"], longestInput: 2_048,
    briefRuns: 15000,
    seeds: httpSeeds.map { Array($0.utf8) }
  ) { bytes in
    var head = ResponseHead()
    for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
      if case .malformed = head.take(Array(line) + [10]) { break }
    }
    let fields = head.headers.fields
    try require(fields.count <= HTTPHeaders.maximumFields, "\(fields.count) fields")
    for field in fields {
      try require(
        !(field.name + field.value).utf8.contains { $0 == 13 || $0 == 10 || $0 == 0 },
        "a field of several lines")
      // A cut character may become one of three bytes.
      try require(
        field.value.utf8.count <= HTTPHeaders.maximumValueLength + 8, "a value that is too long")
    }
    let response = HTTPResponse(
      status: head.status, headers: head.headers, url: "https://tideline.example/a?b")
    for now in [0, 1_700_000_000, -1e300, 1e300] {
      let delay = response.retryDelay(now: now) ?? 0
      try require(
        (0...HTTPResponse.maximumRetryDelay).contains(delay), "a delay of \(delay)")
    }
    try require((response.expectedLength ?? 0) >= 0, "a length below 0")
    try require(response.mediaType?.isEmpty != true, "a media type without a name")
    _ = (response.link("next"), response.link("prev"))
    try checkDataURL(bytes)
  }

  private static func checkDataURL(_ bytes: [UInt8]) throws(Finding) {
    let url = "data:" + String(decoding: bytes, as: UTF8.self)
    do throws(ImageError) {
      let data = try DataURL(url, maximumBytes: 100)
      try limit(data.bytes.count)
    } catch {
      try require(!error.description.isEmpty, "an error without words")
    }
  }

  private static func limit(_ count: Int) throws(ImageError) {
    if count > 100 { preconditionFailure("\(count) bytes, over the limit") }
  }

  private static let httpSeeds = [
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 429 Slow\r\nRetry-After: 99999999999999999999\r\nDate: x\r\n\r\n",
    "HTTP/2 301\r\nLocation: /b\r\nContent-Length: -1\r\n\r\n",
    "HTTP/1.1 200 OK\nContent-Length: 9223372036854775808\nContent-Type: ; TEXT/html;x\nLink: <a>; rel=\"next\", <b>;rel=prev;anchor=x\n\n",
    "HTTP/1.1 503 \r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\nDate: Sun, 06 Nov 1994 08:48:37 GMT\r\nContent-Encoding: gzip\r\n\r\n",
    "HTTP/1.1 429 x\nX-RateLimit-Reset: 1994-11-06T08:49:37.5Z\n folded\n:no name\nRetry-After: nan\n\n",
    "image/png;base64,iVBORw0KGgo=", ",%41%zz", "text/plain;charset=x,a%20b", ";base64,====",
  ]
}
