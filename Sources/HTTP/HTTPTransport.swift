/// The access to the network; a protocol, so that everything above it can be tested without one.
public protocol HTTPTransport: Sendable {
  /// Sends the request, follows redirects, and returns when the head of the response has arrived,
  /// with any status; the body streams after it. Both keep the request's limits and throw
  /// `HTTPError` if they fail. Cancelling the task ends the exchange with `.cancelled`.
  func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody)
}

extension HTTPTransport {
  /// The whole body of a successful response; any other status is thrown as `HTTPError.status`.
  ///
  /// - Complexity: O(bytes), all of which are held in memory.
  public func fetch(
    _ request: HTTPRequest
  ) async throws(HTTPError) -> (HTTPResponse, [UInt8]) {
    let (response, body) = try await send(request)
    guard response.isSuccess else { throw .status(response.status) }
    var bytes: [UInt8] = []
    if let length = response.expectedLength {
      bytes.reserveCapacity(Swift.min(length, request.limits.maximumBytes))
    }
    for try await chunk in body { bytes.append(contentsOf: chunk) }
    return (response, bytes)
  }
}
