import Foundation
import FoundationNetworking
import HTTP
import Synchronization

/// HTTP by Foundation's URLSession: proxies and trusted roots come from the system. Keeps no
/// cookies, no cache and no credentials.
///
/// The session is made with the first request, since it costs 7 MB and some milliseconds.
public final class URLSessionTransport: HTTPTransport {
  private let userAgent: String
  private let connectionsPerHost: Int
  private let session = Mutex<URLSession?>(nil)
  private let delegate = SessionDelegate()

  /// - Parameter connectionsPerHost: At most so many at once to one host. 6 by default.
  public init(userAgent: String, connectionsPerHost: Int = 6) {
    self.userAgent = userAgent
    self.connectionsPerHost = connectionsPerHost
  }

  deinit {
    session.withLock { $0?.invalidateAndCancel() }
  }

  public func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    let exchange = Exchange(request)
    let task = sessionInUse().dataTask(with: try urlRequest(for: request))
    delegate.add(exchange, for: task)
    let result = await withTaskCancellationHandler {
      exchange.start(task)
      return await exchange.response()
    } onCancel: {
      exchange.fail(.cancelled)
    }
    return (try result.get(), HTTPBody(exchange))
  }

  private func sessionInUse() -> URLSession {
    session.withLock { session in
      if let session { return session }
      let configuration = URLSessionConfiguration.default
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.urlCache = nil
      configuration.urlCredentialStorage = nil
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.httpMaximumConnectionsPerHost = connectionsPerHost
      // `Exchange` keeps the time itself; the session's own timers must not end it sooner.
      configuration.timeoutIntervalForRequest = 86_400
      let made = URLSession(
        configuration: configuration, delegate: delegate, delegateQueue: DelegateQueue())
      session = made
      return made
    }
  }

  private func urlRequest(for request: HTTPRequest) throws(HTTPError) -> URLRequest {
    guard let url = URL(string: request.url), let scheme = url.scheme else {
      throw .invalidURL(request.url)
    }
    guard SessionDelegate.isWebScheme(scheme) else { throw .unsupportedScheme(scheme) }
    guard let host = url.host, !host.isEmpty else { throw .invalidURL(request.url) }
    var urlRequest = URLRequest(url: url)
    urlRequest.timeoutInterval = 86_400
    urlRequest.httpShouldHandleCookies = false
    urlRequest.setValue(userAgent, forHTTPHeaderField: "User-Agent")
    for field in request.headers.fields {
      urlRequest.setValue(field.value, forHTTPHeaderField: field.name)
    }
    return urlRequest
  }
}
