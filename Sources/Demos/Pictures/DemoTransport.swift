import DemoContent
import HTTP
import Synchronization

/// Serves the demos' pictures in this process, each after its own latency and in pieces, as if they
/// came from a remote server. No port is opened.
///
/// ``DemoPicture`` defines the paths; others get a 404, and the first request for a flaky one a
/// 503.
package final class DemoTransport: HTTPTransport {
  private let latency: DemoLatency
  /// The number of pieces that a body is split into; the wait ends with the last one.
  private let pieces: Int
  private let others: (any HTTPTransport)?
  /// Paths of flaky pictures that have already failed once.
  private let failed = Mutex<Set<String>>([])

  /// - Parameters:
  ///   - seed: determines each picture's latency, 100...2,000 ms.
  ///   - others: answers all other addresses; without it they fail as unavailable.
  package convenience init(seed: UInt64, others: (any HTTPTransport)? = nil) {
    self.init(latency: DemoLatency(seed: seed), others: others)
  }

  /// - Parameter clock: the time in which pictures arrive.
  package convenience init(seed: UInt64, clock: DemoClock) {
    self.init(
      latency: DemoLatency(seed: seed, milliseconds: 500...2500) { try await clock.sleep($0) },
      pieces: 6)
  }

  init(latency: DemoLatency, pieces: Int = 3, others: (any HTTPTransport)? = nil) {
    self.latency = latency
    self.pieces = pieces
    self.others = others
  }

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    guard let path = DemoPicture.path(of: request.url) else {
      guard let others else { throw .unavailable(reason: "the demo has no network") }
      return try await others.send(request)
    }
    // The head comes after one share of the wait, and each piece after another share.
    let pause = latency.delay(for: path) / (1 + pieces)
    try await latency.wait(pause)
    let answer = answer(path)
    let headers: HTTPHeaders = [
      "Content-Type": answer.mediaType, "Content-Length": "\(answer.bytes.count)",
    ]
    let size = max(1, (answer.bytes.count + pieces - 1) / pieces)
    return (
      HTTPResponse(status: answer.status, headers: headers, url: request.url),
      HTTPBody(PiecewiseBody(answer.bytes, size: size, pause: pause, latency: latency))
    )
  }

  private func answer(_ path: String) -> (status: Int, mediaType: String, bytes: [UInt8]) {
    func text(_ status: Int, _ reason: String = "") -> (Int, String, [UInt8]) {
      (status, "text/plain; charset=utf-8", Array(reason.utf8))
    }
    do {
      guard let picture = DemoPicture(path: path), let file = try picture.file() else {
        return text(404)
      }
      if picture.isFlaky, failed.withLock({ $0.insert(path).inserted }) { return text(503) }
      return (200, file.mediaType, file.bytes)
    } catch {
      return text(500, "\(error)")
    }
  }
}

/// A body in pieces, each after a pause.
private final class PiecewiseBody: HTTPBodySource {
  private let rest: Mutex<ArraySlice<UInt8>>
  private let size: Int
  private let pause: Duration
  private let latency: DemoLatency

  init(_ bytes: [UInt8], size: Int, pause: Duration, latency: DemoLatency) {
    rest = Mutex(bytes[...])
    (self.size, self.pause, self.latency) = (size, pause, latency)
  }

  func next() async throws(HTTPError) -> [UInt8]? {
    guard rest.withLock({ !$0.isEmpty }) else { return nil }
    try await latency.wait(pause)
    return rest.withLock { rest in
      defer { rest = rest.dropFirst(size) }
      return rest.isEmpty ? nil : Array(rest.prefix(size))
    }
  }

  func cancel() { rest.withLock { $0 = [] } }
}
