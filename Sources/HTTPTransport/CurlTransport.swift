import HTTP

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// HTTP by the system's libcurl, which is opened with the first request: HTTP/2 where TLS offers it,
/// proxies from the environment, the system's trusted roots (or those of `SSL_CERT_FILE`), whatever
/// compression the library knows. Keeps connections, but no cookies, no cache and no credentials.
///
/// All transfers of one transport share a thread, which sleeps where nothing is under way. A body
/// that is not read holds at most ``Exchange/bufferLimit`` bytes and then makes its server wait;
/// neither limit on time counts that.
public final class CurlTransport: HTTPTransport {
  let thread: TransferThread

  /// - Parameter connectionsPerHost: At most so many at once to one host. 6 by default.
  public convenience init(userAgent: String, connectionsPerHost: Int = 6) {
    self.init(
      userAgent: userAgent, connectionsPerHost: connectionsPerHost, libraries: CurlLibrary.names)
  }

  /// - Parameter libraries: Names of libcurl; the first that is there is used.
  init(userAgent: String, connectionsPerHost: Int, libraries: [String]) {
    thread = TransferThread(
      TransferSettings(
        userAgent: userAgent, connectionsPerHost: connectionsPerHost, libraries: libraries,
        noProxy: Self.noProxy(Self.environment("no_proxy") ?? Self.environment("NO_PROXY")),
        certificateFile: Self.environment("SSL_CERT_FILE")))
  }

  deinit { thread.close() }

  public func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    try Self.checkScheme(of: request.url)
    let exchange = Exchange(request, thread: thread)
    let result = await withTaskCancellationHandler {
      thread.begin(exchange)
      return await exchange.response()
    } onCancel: {
      exchange.cancel()
    }
    return (try result.get(), HTTPBody(exchange))
  }

  /// The rest of an address is libcurl's to judge.
  private static func checkScheme(of url: String) throws(HTTPError) {
    let scheme = url.prefix { $0 != ":" }
    let isScheme =
      scheme.endIndex < url.endIndex && scheme.first?.isLetter == true
      && scheme.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
          UInt8(ascii: "."):
          true
        default: false
        }
      }
    guard isScheme, !url.utf8.contains(0) else { throw .invalidURL(url) }
    let lower = scheme.lowercased()
    guard lower == "http" || lower == "https" else { throw .unsupportedScheme(String(scheme)) }
  }

  /// What is not asked of a proxy: the user's list, and this machine, which no proxy reaches.
  private static func noProxy(_ list: String?) -> String {
    let own = "localhost,127.0.0.1,::1"
    guard let list, !list.isEmpty else { return own }
    return list == "*" ? list : "\(own),\(list)"
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// What all transfers of one transport have in common.
struct TransferSettings: Sendable {
  let userAgent: String
  let connectionsPerHost: Int
  let libraries: [String]
  let noProxy: String
  let certificateFile: String?
}
