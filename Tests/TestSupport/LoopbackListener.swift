import Glibc

/// A socket that listens on an unused port of the loopback interface. Its creator must close it.
struct LoopbackListener {
  let descriptor: Int32
  let address: sockaddr_in

  var port: UInt16 { UInt16(bigEndian: address.sin_port) }

  /// - Parameter backlog: connections that may wait to be accepted.
  init(backlog: Int32) throws(ServerSocketError) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw ServerSocketError(call: "socket", code: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listens = withUnsafeMutablePointer(to: &address) { [descriptor] address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && listen(descriptor, backlog) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard listens else {
      let code = errno
      close(descriptor)
      throw ServerSocketError(call: "listen", code: code)
    }
    self.address = address
  }
}

/// A failed system call.
public struct ServerSocketError: Error {
  public let call: String
  public let code: Int32
}
