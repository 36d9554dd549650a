import System

/// The reason why an exchange failed. `description` is one clause, to be written behind the
/// source's name.
public enum HTTPError: Error, Hashable, Sendable {
  /// The text is not a URL with a host.
  case invalidURL(String)
  /// The scheme of the address or of a redirect is neither http nor https.
  case unsupportedScheme(String)
  /// No connection to that host and port, or it broke before a response; the reason in a few words.
  case unreachable(host: String, reason: String)
  /// Nothing arrived for that many seconds, or not everything arrived within them.
  case timeout(seconds: Double)
  /// The body arrived more slowly than that rate for that many seconds.
  case tooSlow(bytesPerSecond: Int, seconds: Double)
  /// The host has this IP address, which the source of the URL may not request (`RequestScope`).
  case outOfReach(host: String, IPAddress)
  /// No trusted connection to that host; the reason in a few words.
  case tls(host: String, reason: String)
  /// A status other than 200...299 where success was required.
  case status(Int)
  /// The body is larger than that many bytes.
  case tooLarge(limit: Int)
  /// The body ended early; `expected` is `nil` if the server announced no length.
  case truncated(expected: Int?, received: Int)
  /// More than that many redirects.
  case tooManyRedirects(limit: Int)
  /// The response is not valid HTTP, or its body cannot be decompressed; the reason in a few words.
  case malformed(reason: String)
  /// The post's archive has no such file, or does not give it out.
  case notInArchive(path: String)
  /// Nothing can be fetched on this system; the reason in a few words.
  case unavailable(reason: String)
  /// The caller cancelled the exchange.
  case cancelled
}

extension HTTPError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalidURL(""): "it has no address"
    case .invalidURL(let text):
      "not a URL: \(URLReference.separatingUserInfo(text).address.prefix(200))"
    case .unsupportedScheme(let scheme):
      "“\(scheme.prefix(40)):” cannot be fetched, only http: and https: can"
    case .unreachable(let host, let reason):
      "cannot reach \(host): \(reason)"
    case .timeout(let seconds):
      "timed out after \(seconds.formatted) s"
    case .tooSlow(let rate, let seconds):
      "slower than \(rate) bytes a second for \(seconds.formatted) s"
    case .outOfReach(let host, let address):
      "not fetched: \(Self.named(host, address)) (--allow-private-addresses)"
    case .tls(let host, let reason):
      "no secure connection to \(host): \(reason)"
    case .status(let code):
      "HTTP status \(code)\(Self.phrase(code).map { " (\($0))" } ?? "")"
    case .tooLarge(let limit):
      "larger than the limit of \(limit.formattedBytes)"
    case .truncated(let expected?, let received):
      "ended after \(received) of \(expected) bytes"
    case .truncated(nil, let received):
      "broke off after \(received) \(received == 1 ? "byte" : "bytes")"
    case .tooManyRedirects(let limit):
      "redirected more than \(limit) times"
    case .malformed(let reason):
      "not a valid HTTP answer: \(reason)"
    case .notInArchive(let path):
      "not in the archive: \(path.prefix(200))"
    case .unavailable(let reason):
      "nothing can be fetched here: \(reason)"
    case .cancelled:
      "cancelled"
    }
  }

  /// `"127.0.0.1 is a loopback address"`, `"tide.example is 127.0.0.1, a loopback address"`.
  private static func named(_ host: String, _ address: IPAddress) -> String {
    let bare = host.hasPrefix("[") ? host.dropFirst().prefix { $0 != "]" } : host[...]
    return bare == address.description
      ? "\(bare) is \(address.kind.text)"
      : "\(host.prefix(100)) is \(address), \(address.kind.text)"
  }

  /// The usual phrases (RFC 9110, 15; RFC 6585; RFC 7725) of statuses that users meet.
  private static func phrase(_ code: Int) -> String? {
    switch code {
    case 300: "multiple choices"
    case 304: "not modified"
    case 400: "bad request"
    case 401: "unauthorized"
    case 403: "forbidden"
    case 404: "not found"
    case 406: "not acceptable"
    case 410: "gone"
    case 429: "too many requests"
    case 451: "unavailable for legal reasons"
    case 500: "internal server error"
    case 502: "bad gateway"
    case 503: "service unavailable"
    case 504: "gateway timeout"
    default: nil
    }
  }
}

extension Double {
  fileprivate var formatted: String {
    self == rounded() && abs(self) < 1e9 ? String(Int(self)) : String(self)
  }
}
