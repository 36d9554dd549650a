/// A response that redirected the request.
package struct HTTPRedirect: Hashable, Sendable {
  package let status: Int
  package let headers: HTTPHeaders

  package init(status: Int, headers: HTTPHeaders) {
    self.status = status
    self.headers = headers
  }
}

/// The head of a server's response.
public struct HTTPResponse: Hashable, Sendable {
  /// 100...599.
  public let status: Int
  /// As sent by the server, within the limits of ``HTTPHeaders``.
  public let headers: HTTPHeaders
  /// The address of the response, after redirects.
  public let url: String
  /// The reach of addresses in the response.
  public let reach: RequestScope

  /// The redirects that led to the response, in their order.
  package var redirects: [HTTPRedirect] = []
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

  /// Whether a body may follow: these two have none, whatever length they announce (RFC 9112, 6.3).
  package var hasBody: Bool { status != 204 && status != 304 }

  /// The target of a redirect as the server wrote it; `nil` if the response is no redirect, empty
  /// if it is one without a target.
  package var redirection: String? {
    switch status {
    case 301, 302, 303, 307, 308: headers["Location"] ?? ""
    case 300: headers["Location"].flatMap { $0.isEmpty ? nil : $0 }
    default: nil
    }
  }

  /// Whether `Content-Encoding` names an encoding that is not registered (RFC 9110, 8.4.1; RFC 7932;
  /// RFC 8878).
  package var hasUnknownEncoding: Bool {
    hasBody
      && headers.values(of: "Content-Encoding").contains { value in
        value.split(separator: ",").contains { name in
          let name = name.lowercased().filter { $0 != " " && $0 != "\t" }
          return !name.isEmpty && !Self.knownEncodings.contains(name)
        }
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
}
