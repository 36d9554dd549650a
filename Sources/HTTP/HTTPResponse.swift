/// An answer that sent the request elsewhere.
package struct HTTPRedirect: Hashable, Sendable {
  package let status: Int
  package let headers: HTTPHeaders

  package init(status: Int, headers: HTTPHeaders) {
    self.status = status
    self.headers = headers
  }
}

/// The head of a server's answer.
public struct HTTPResponse: Hashable, Sendable {
  /// 100...599.
  public let status: Int
  /// As the server sent them, within the limits of ``HTTPHeaders``.
  public let headers: HTTPHeaders
  /// Where the answer came from, after redirects.
  public let url: String
  /// How far what it says may lead.
  public let reach: HTTPReach

  /// The answers on the way here, in their order.
  package var redirects: [HTTPRedirect] = []
  /// Whether any request on the way had a name and password.
  package var usedCredentials = false

  /// The head of an answer from `url`, as a transport makes it.
  public init(
    status: Int, headers: HTTPHeaders, url: String, reach: HTTPReach = .publicAddresses
  ) {
    self.status = status
    self.headers = headers
    self.url = url
    self.reach = reach
  }

  /// True for 200...299.
  public var isSuccess: Bool { status >= 200 && status < 300 }

  /// Whether a body may come: these two have none, whatever length they claim (RFC 9112, 6.3).
  package var hasBody: Bool { status != 204 && status != 304 }

  /// Where the server sends us instead, as it wrote it; nil where it does not. An empty text: it
  /// says that it does, and not where.
  package var redirection: String? {
    switch status {
    case 301, 302, 303, 307, 308: headers["Location"] ?? ""
    case 300: headers["Location"].flatMap { $0.isEmpty ? nil : $0 }
    default: nil
    }
  }

  /// Whether the body comes in an encoding that nobody has: none of those in use (RFC 9110, 8.4.1;
  /// RFC 7932; RFC 8878).
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

  /// Bytes the body is to have, where there is one and the server said and did not compress it.
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
