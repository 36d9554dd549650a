import Dispatch
import Glibc
import Synchronization
import TerminalSession

/// Hands out pictures on a port of the loopback interface, each but for its last byte, or for all
/// of its bytes, which are sent when they are asked for.
final class HeldServer: Sendable {
  private let server: LoopbackServer
  /// Bytes of each picture that are held back; nil for all.
  private let heldBytes: Int?
  private let state = Mutex(State())

  private struct State {
    var bodies: [String: [UInt8]] = [:]
    /// Connections that wait for what is held back of a picture, by its path.
    var held: [String: Int32] = [:]
    /// Whose bytes may all go at once.
    var free: Set<String> = []
    /// From the request to the last byte that the system has taken.
    var times: [String: Duration] = [:]
  }

  init(_ bodies: [String: [UInt8]], holdsAll: Bool = false) throws(BenchmarkError) {
    heldBytes = holdsAll ? nil : 1
    server = try LoopbackServer()
    state.withLock { $0.bodies = bodies }
    server.start { connection in
      DispatchQueue.global().async { self.answer(connection) }
    }
  }

  var address: String { server.address }

  private func answer(_ connection: Int32) {
    var one: Int32 = 1
    setsockopt(
      connection, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    let path = LoopbackServer.requestedPath(on: connection)
    guard let body = state.withLock({ $0.bodies[path] }) else {
      LoopbackServer.send(
        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8, connection)
      close(connection)
      return
    }
    let head = """
      HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(body.count)\r\n\
      Connection: close\r\n\r\n
      """
    let start = ContinuousClock.now
    LoopbackServer.send(Array(head.utf8) + body.dropLast(heldBytes ?? body.count), connection)
    let isHeld = state.withLock { state in
      if state.free.contains(path) { return false }
      state.held[path] = connection
      return true
    }
    guard !isHeld else { return }
    finish(path, connection)
    state.withLock { $0.times[path] = .now - start }
  }

  /// How long it took to send a picture that was free; nil where it was not.
  func time(of path: String) -> Duration? { state.withLock { $0.times[path] } }

  private func finish(_ path: String, _ connection: Int32) {
    let last = state.withLock { state in
      state.bodies[path].map { $0.suffix(heldBytes ?? $0.count) } ?? []
    }
    LoopbackServer.send(last, connection)
    close(connection)
  }

  /// Whether the picture was asked for, and all has been sent that is not held back.
  func holds(_ path: String) -> Bool { state.withLock { $0.held[path] != nil } }

  /// Sends what is held back of the picture, and all of this one from now on at once.
  ///
  /// - Returns: the moment before that was sent.
  @discardableResult func release(_ path: String) -> ContinuousClock.Instant {
    let connection = state.withLock { state in
      state.free.insert(path)
      return state.held.removeValue(forKey: path)
    }
    let now = ContinuousClock.now
    if let connection { finish(path, connection) }
    return now
  }
}
