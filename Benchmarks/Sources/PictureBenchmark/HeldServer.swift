import Dispatch
import Glibc
import Synchronization
import TerminalSession

/// Hands out pictures on a port of the loopback interface, each but for its last byte, or for all of its
/// bytes, which are sent when they are asked for.
final class HeldServer: Sendable {
  let address: String
  private let listener: Int32
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
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        listener >= 0 && bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isListening else { throw .system(call: "listen", subject: "127.0.0.1", code: errno) }
    address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
    state.withLock { $0.bodies = bodies }
    DispatchQueue(label: "pictures").async { self.serve() }
  }

  /// Ends with the process: nothing is left to close then.
  private func serve() {
    while true {
      let connection = accept(listener, nil, nil)
      if connection >= 0 {
        DispatchQueue.global().async { self.answer(connection) }
      } else if errno != EINTR && errno != ECONNABORTED {
        return
      }
    }
  }

  private func answer(_ connection: Int32) {
    var one: Int32 = 1
    setsockopt(
      connection, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(connection, &buffer, buffer.count, 0)
    let words = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    let path = words.count > 1 ? String(words[1]) : ""
    guard let body = state.withLock({ $0.bodies[path] }) else {
      Self.send(
        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8, connection)
      close(connection)
      return
    }
    let head = """
      HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(body.count)\r\n\
      Connection: close\r\n\r\n
      """
    let start = ContinuousClock.now
    Self.send(Array(head.utf8) + body.dropLast(heldBytes ?? body.count), connection)
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

  private static func send(_ bytes: some Sequence<UInt8>, _ connection: Int32) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private func finish(_ path: String, _ connection: Int32) {
    let last = state.withLock { state in
      state.bodies[path].map { $0.suffix(heldBytes ?? $0.count) } ?? []
    }
    Self.send(last, connection)
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
