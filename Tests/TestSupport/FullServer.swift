import Glibc

/// A port of the loopback interface that takes no more connections: its queue is full, and nobody empties it.
public final class FullServer: Sendable {
  public let port: UInt16
  private let sockets: [Int32]

  public init() throws {
    var sockets: [Int32] = []
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard listener >= 0 else { throw ServerSocketError(call: "socket", code: errno) }
    sockets.append(listener)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listens = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 0) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard listens else {
      let code = errno
      close(listener)
      throw ServerSocketError(call: "listen", code: code)
    }
    port = UInt16(bigEndian: address.sin_port)
    // One connection waits to be taken; what follows gets no answer.
    for _ in 0..<4 {
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      guard client >= 0 else { break }
      sockets.append(client)
      _ = withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, length) }
      }
    }
    self.sockets = sockets
  }

  deinit { for socket in sockets { close(socket) } }

  public var url: String { "http://127.0.0.1:\(port)/" }
}
