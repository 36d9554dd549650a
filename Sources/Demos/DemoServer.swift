import DemoContent
import FlyingFox
import FoundationEssentials

/// Serves the demos' pictures over HTTP on the loopback interface, each after a wait of its own, as
/// if they came from far away.
///
/// What there is says ``DemoServerContent``; everything else is answered with 404, and what is
/// flaky with 503 the first time. FlyingFox logs to standard output, which is the terminal, unless
/// its logger is disabled.
public actor DemoServer {
  private let server: HTTPServer
  private let latency: DemoServerLatency
  private var running: Task<Void, any Error>?
  private let failures = DemoServerFailures()

  public init(latency: DemoServerLatency) throws(DemoServerError) {
    do {
      server = HTTPServer(
        address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
    } catch {
      throw .cannotListen("\(error)")
    }
    self.latency = latency
  }

  /// - Parameter seed: fixes how long each picture takes, 100...2,000 ms.
  public init(seed: UInt64) throws(DemoServerError) {
    try self.init(latency: DemoServerLatency(seed: seed))
  }

  /// Begins to serve and returns the address that paths are appended to, such as
  /// `"http://127.0.0.1:40123"`. A server that runs already returns its address again.
  ///
  /// - Throws: `DemoServerError.cannotListen`.
  public func start() async throws(DemoServerError) -> String {
    do {
      if running == nil {
        await addRoutes()
        running = Task { [server] in try await server.run() }
      }
      try await server.waitUntilListening(timeout: 30)
    } catch {
      running?.cancel()
      running = nil
      throw .cannotListen("\(error)")
    }
    guard case .ip4(let host, let port) = await server.listeningAddress else {
      throw .cannotListen("the server has no address")
    }
    return "http://\(host):\(port)"
  }

  /// Stops serving; requests under way are cut off.
  public func stop() async {
    await server.stop()
    running?.cancel()
    running = nil
  }

  private func addRoutes() async {
    // The routes outlive this object, which nobody has to keep while the server runs.
    let (latency, failures) = (latency, failures)
    await server.appendRoute("GET /*") { request in
      let path = request.path
      try await latency.wait(for: path)
      guard let content = DemoServerContent(path: path), let picture = try content.picture() else {
        return HTTPResponse(statusCode: .notFound)
      }
      if content.isFlaky, failures.begins(with: path) {
        return HTTPResponse(statusCode: .serviceUnavailable)
      }
      return HTTPResponse(
        statusCode: .ok, headers: [.contentType: picture.mediaType], body: Data(picture.bytes))
    }
  }

}

/// Why the demos' pictures cannot be served.
public enum DemoServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No port could be opened; what the system says.
  case cannotListen(String)
  /// A made-up picture of this size could not be encoded; what the codec says.
  case cannotEncode(width: Int, height: Int, reason: String)

  public var description: String {
    switch self {
    case .cannotListen(let reason): "the demo's picture server cannot listen: \(reason)"
    case .cannotEncode(let width, let height, let reason):
      "a demo picture of \(width)x\(height) cannot be encoded: \(reason)"
    }
  }
}
