import HTTP
import System

/// HTTP by the system's libcurl, which is opened on the first request: HTTP/2 if the server offers
/// it over TLS, proxies from the environment, the system's trusted roots (or `SSL_CERT_FILE`),
/// every compression that the library supports. It keeps connections open, but no cookies and no
/// cache: a cookie set by a redirect is sent along the rest of that chain, as in RFC 6265, and then
/// dropped. Names and passwords are those passed to it, each for its own origin, never those in a
/// URL.
///
///     send ──▶ exchange ──▶ thread of its reach ──▶ response ──▶ redirect? ──▶ send, with the
///                                                                              responder's reach
///
/// 1. Transfers of one reach share a thread, which sleeps while there are none, and its
///    connections: one that was opened for a wider reach is never used for a narrower one.
/// 2. If the body is not read, about `Exchange.bufferLimit` bytes are buffered. Then the transfer
///    is paused, and the pause counts toward no time limit.
public final class CurlTransport: HTTPTransport {
  /// One thread per reach, the narrowest reach first.
  private let threads: [TransferThread]
  private let logins: [String: HTTPLogin]
  private let allowsPrivateAddresses: Bool

  /// Creates a transport without connections; the first request of each reach starts a thread.
  ///
  /// - Parameters:
  ///   - userAgent: the name that is sent to servers.
  ///   - connectionsPerHost: the maximum number of connections to one host. 6 by default.
  ///   - logins: names and passwords, each for its origin.
  ///   - allowsPrivateAddresses: whether every request may go anywhere, whatever the source of its
  ///     address.
  public convenience init(
    userAgent: String, connectionsPerHost: Int = 6, logins: [HTTPLogin] = [],
    allowsPrivateAddresses: Bool = false
  ) {
    self.init(
      TransferSettings(userAgent: userAgent, connectionsPerHost: connectionsPerHost),
      logins: logins, allowsPrivateAddresses: allowsPrivateAddresses)
  }

  init(
    _ settings: TransferSettings, logins: [HTTPLogin] = [], allowsPrivateAddresses: Bool = false
  ) {
    threads = RequestScope.allCases.map { _ in TransferThread(settings) }
    self.logins = Dictionary(logins.map { ($0.origin, $0) }) { first, _ in first }
    self.allowsPrivateAddresses = allowsPrivateAddresses
  }

  deinit { for thread in threads { thread.close() } }

  /// The thread for requests of a reach.
  func thread(for reach: RequestScope) -> TransferThread { threads[reach.rawValue] }

  public func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    try Self.checkScheme(of: request.url)
    let start = SuspendingClock.Instant.now
    var hop = request
    if allowsPrivateAddresses { hop.reach = .everywhere }
    var redirects: [HTTPResponse] = []
    var usedCredentials = false
    var cookies = CurlCookies()
    while true {
      var response: HTTPResponse
      let body: HTTPBody
      let received: CurlCookies
      do throws(HTTPError) {
        (response, body, received) = try await sendOnce(hop, cookies, start: start)
      } catch .invalidURL where !redirects.isEmpty {
        throw Self.invalidRedirectTarget
      }
      usedCredentials = usedCredentials || login(for: hop) != nil
      guard let target = response.redirection else {
        // Browsers ignore an unknown encoding, but libcurl refuses the body: ask for none.
        if response.isSuccess, response.hasUnknownEncoding, hop.headers["Accept-Encoding"] == nil {
          hop.headers["Accept-Encoding"] = "identity"
          continue
        }
        response.redirects = redirects
        response.usedCredentials = usedCredentials
        return (response, body)
      }
      guard !target.isEmpty else {
        throw .malformed(reason: "it redirects without saying where")
      }
      redirects.append(response)
      guard redirects.count <= request.limits.maximumRedirects else {
        throw .tooManyRedirects(limit: max(0, request.limits.maximumRedirects))
      }
      await Self.drain(body, of: response)
      cookies = received
      hop = try Self.request(hop, redirectedTo: target, by: response)
    }
  }

  private func sendOnce(
    _ request: HTTPRequest, _ cookies: CurlCookies, start: SuspendingClock.Instant
  ) async throws(HTTPError) -> (HTTPResponse, HTTPBody, CurlCookies) {
    let thread = thread(for: request.reach)
    let exchange = Exchange(
      request, login: login(for: request), cookies: cookies, start: start, thread: thread)
    let result = await withTaskCancellationHandler {
      thread.begin(exchange)
      return await exchange.response()
    } onCancel: {
      exchange.cancel()
    }
    let response = try result.get()
    let received = exchange.receivedCookies
    guard allowsPrivateAddresses else { return (response, HTTPBody(exchange), received) }
    let freed = HTTPResponse(
      status: response.status, headers: response.headers, url: response.url, reach: .everywhere)
    return (freed, HTTPBody(exchange), received)
  }

  private func login(for request: HTTPRequest) -> HTTPLogin? {
    URLReference(request.url).origin.flatMap { logins[$0] }
  }

  // MARK: Redirects

  private static let invalidRedirectTarget =
    HTTPError.malformed(reason: "it redirects to an invalid address")

  /// The request that a redirect demands: for its target, with the reach of the server that
  /// responded.
  private static func request(
    _ request: HTTPRequest, redirectedTo target: String, by response: HTTPResponse
  ) throws(HTTPError) -> HTTPRequest {
    let next = URLReference(target).resolved(against: URLReference(response.url))
    let host = URLReference(response.url).host ?? ""
    guard let scheme = next.scheme, scheme == "http" || scheme == "https" else {
      throw .unsupportedScheme(next.scheme ?? "")
    }
    if request.redirectsToHTTPSOnly, scheme != "https" {
      throw .tls(host: host, reason: "it redirects to http")
    }
    guard HTTPAddress(next.description).problem == nil else {
      throw invalidRedirectTarget
    }
    var redirected = HTTPRequest(
      url: next.description, reach: response.reach, headers: request.headers,
      limits: request.limits, redirectsToHTTPSOnly: request.redirectsToHTTPSOnly)
    redirected.validators = request.validators
    return redirected
  }

  /// Reads a small body of known length to its end, so that its connection can be reused; any other
  /// is dropped with its connection. Errors do not matter: the redirect has been received. The
  /// bytes are counted, because a chunked body may be longer than its `Content-Length`.
  private static func drain(_ body: HTTPBody, of response: HTTPResponse) async {
    let most = 16_384
    guard let length = response.expectedLength, length <= most else { return }
    var received = 0
    do {
      for try await chunk in body {
        received += chunk.count
        guard received <= most else { return }
      }
    } catch {}
  }

  /// libcurl checks the rest of the URL.
  private static func checkScheme(of url: String) throws(HTTPError) {
    guard let scheme = URLReference.scheme(of: url), !url.utf8.contains(0) else {
      throw .invalidURL(url)
    }
    guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme(scheme) }
  }
}

/// The settings that all transfers of a transport share.
struct TransferSettings: Sendable {
  var userAgent: String
  var connectionsPerHost = 6
  /// File names of libcurl; the first that is installed is used.
  var libraries = CurlLibrary.names
  var proxies = ProxySettings.system
  var certificateFile = getenv("SSL_CERT_FILE").map { String(cString: $0) }
    .flatMap { $0.isEmpty ? nil : $0 }
  /// Hosts with fixed addresses, as `"host:port:address"`; they are not looked up.
  var places: [String] = []
  /// Whether a socket may be opened to an address within the request's reach. Tests use it to stay
  /// on this machine.
  var isConnectionAllowed: @Sendable (IPAddress) -> Bool = { _ in true }
}
