import Glibc

/// A port of the loopback interface that accepts no more connections: its queue is full and never
/// emptied.
public final class FullServer: Sendable {
  public let port: UInt16
  private let sockets: [Int32]

  public init() throws {
    let listener = try LoopbackListener(backlog: 0)
    port = listener.port
    var address = listener.address
    var sockets = [listener.descriptor]
    // One connection waits to be accepted; further ones get no answer.
    for _ in 0..<4 {
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      guard client >= 0 else { break }
      sockets.append(client)
      _ = withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    self.sockets = sockets
  }

  deinit { for socket in sockets { close(socket) } }

  public var url: String { "http://127.0.0.1:\(port)/" }
}
