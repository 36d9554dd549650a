import DemoContent
import FlyingFox
import FoundationEssentials

/// Serves the demos' pictures over HTTP on the loopback interface, each after a wait of its own, as
/// if they came from far away.
///
/// - `/pictures/NAME`: a bundled picture.
/// - `/generated/WIDTHxHEIGHT/SEED.png` or `.jpeg`: a picture made up on the spot, at most
///   ``DemoServerPicture/longestEdge`` pixels each way.
///
/// Everything else is answered with 404. FlyingFox logs to standard output, which is the terminal,
/// unless its logger is disabled.
public actor DemoServer {
  private let server: HTTPServer
  private let latency: DemoServerLatency
  private var running: Task<Void, any Error>?

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
      try await server.waitUntilListening()
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
    let latency = latency
    await server.appendRoute("GET /*") { request in
      let path = request.path
      try await latency.wait(for: path)
      guard let picture = try Self.picture(at: path) else {
        return HTTPResponse(statusCode: .notFound)
      }
      return HTTPResponse(
        statusCode: .ok, headers: [.contentType: picture.mediaType], body: Data(picture.bytes))
    }
  }

  /// What stands at `path`, or nil where nothing does.
  private static func picture(at path: String) throws -> DemoContent.Picture? {
    let parts = path.split(separator: "/").map(String.init)
    switch parts.first {
    case "pictures" where parts.count == 2:
      guard try DemoContent.pictureNames().contains(parts[1]) else { return nil }
      return try DemoContent.picture(named: parts[1])
    case "generated" where parts.count == 3:
      return try DemoServerPicture(size: parts[1], file: parts[2])?.encoded()
    default:
      return nil
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
