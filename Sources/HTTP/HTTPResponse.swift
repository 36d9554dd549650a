/// The head of a server's response.
public struct HTTPResponse: Hashable, Sendable {
  /// The status code, 100...599.
  public let status: Int
  /// As sent by the server, within the limits of ``HTTPHeaders``.
  public let headers: HTTPHeaders
  /// The address of the response, after redirects.
  public let url: String
  /// How far requests to addresses in the response may go.
  public let reach: RequestScope

  /// The responses that redirected the request to this one, in their order.
  package var redirects: [HTTPResponse] = []
  /// Whether any request of the exchange had a name and password.
  package var usedCredentials = false

  /// Creates the head of a response from `url`, for transports.
  public init(
    status: Int, headers: HTTPHeaders, url: String, reach: RequestScope = .publicAddresses
  ) {
    self.status = status
    self.headers = headers
    self.url = url
    self.reach = reach
  }

  /// True for 200...299.
  public var isSuccess: Bool { status >= 200 && status < 300 }

  /// Whether a body may follow: a 204 or 304 has none, whatever length it announces (RFC 9112,
  /// 6.3).
  package var hasBody: Bool { status != 204 && status != 304 }

  /// The target of a redirect as the server wrote it; `nil` if the response is not a redirect,
  /// empty if it is one without a target.
  package var redirection: String? {
    switch status {
    case 301, 302, 303, 307, 308: headers["Location"] ?? ""
    case 300: headers["Location"].flatMap { $0.isEmpty ? nil : $0 }
    default: nil
    }
  }

  /// Whether `Content-Encoding` names an encoding that libcurl never decodes: any but those of
  /// RFC 9110, 8.4.1 (without `compress`), RFC 7932 and RFC 8878.
  package var hasUnknownEncoding: Bool {
    hasBody
      && headers.values(of: "Content-Encoding").contains { value in
        HeaderValue.parts(of: value[...], separator: ",")
          .contains { !$0.isEmpty && !Self.knownEncodings.contains($0.lowercased()) }
      }
  }

  private static let knownEncodings: Set<String> = [
    "identity", "none", "gzip", "x-gzip", "deflate", "br", "zstd",
  ]

  /// Bytes of the body, if there is one and its length is announced and it is not compressed.
  public var expectedLength: Int? {
    guard hasBody else { return nil }
    if let encoding = headers["Content-Encoding"], encoding.lowercased() != "identity" {
      return nil
    }
    guard let length = headers["Content-Length"].flatMap({ Int($0) }), length >= 0 else {
      return nil
    }
    return length
  }

  // MARK: Media type

  /// The media type without its parameters, in lower case.
  public var mediaType: String? {
    guard let value = headers["Content-Type"] else { return nil }
    let end = value.firstIndex(of: ";") ?? value.endIndex
    let type = value[..<end].lowercased().split(whereSeparator: { $0 == " " || $0 == "\t" })
    return type.first.map(String.init)
  }

  /// The `charset` of the media type as written, without quotes; `nil` if it has none.
  package var charset: String? {
    guard let value = headers["Content-Type"] else { return nil }
    let charset = HeaderValue.parts(of: value[...], separator: ";").dropFirst()
      .map(HeaderValue.parameter).first { $0.name == "charset" && $0.value != nil }?.value
    return charset.flatMap { $0.isEmpty ? nil : $0 }
  }

  // MARK: Retrying

  /// Longest delay that is accepted from a server, in seconds: an hour.
  package static let maximumRetryDelay = 3_600.0

  /// The delay in seconds that the server asks for, 0...``maximumRetryDelay``; `nil` if it asks for
  /// none.
  ///
  /// It is in `Retry-After`, in seconds or as a date, or with a 429 in `X-RateLimit-Reset`, the
  /// only one that Mastodon sends. Dates are compared with the server's own.
  ///
  /// - Parameter now: seconds since 1970, for a server that sends no date.
  package func retryDelay(now: Double) -> Double? {
    requestedDelay(now: now).map { min($0, Self.maximumRetryDelay) }
  }

  /// The delay in seconds that the server asks for, without an upper bound; otherwise as
  /// ``retryDelay(now:)``.
  package func requestedDelay(now: Double) -> Double? {
    let present = headers["Date"].flatMap(Self.moment) ?? now
    var delay = headers["Retry-After"].flatMap { Self.delay($0, present: present) }
    if delay == nil, status == 429 {
      delay = headers["X-RateLimit-Reset"].flatMap { Self.delay($0, present: present) }
    }
    return delay.map { max(0, $0) }
  }

  private static func delay(_ text: String, present: Double) -> Double? {
    guard let number = Double(text), number.isFinite else {
      return moment(text).map { $0 - present }
    }
    // Some servers count from 1970.
    return number > 1_000_000_000 ? number - present : number
  }

  /// Whole seconds since 1970 of a date with a time of day.
  private static func moment(_ text: String) -> Double? {
    guard text.utf8.contains(UInt8(ascii: ":")) else { return nil }
    return DateParser.seconds(text)?.rounded(.down)
  }
}
