#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A descriptor that never blocks, is not inherited, and is closed with this object.
final class DemoServerDescriptor: Sendable {
  enum Transfer {
    case bytes(Int)
    /// Nothing now; later.
    case wouldBlock
    /// The other side has gone.
    case gone
  }

  let number: Int32

  init?(_ number: Int32) {
    guard number >= 0 else { return nil }
    self.number = number
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(number) }

  /// Appends what there is to `bytes`, at most `limit` bytes.
  func receive(into bytes: inout [UInt8], limit: Int) -> Transfer {
    withUnsafeTemporaryAllocation(byteCount: max(1, limit), alignment: 1) { buffer in
      let count = read(number, buffer.baseAddress, buffer.count)
      if count > 0 { bytes.append(contentsOf: buffer.prefix(count)) }
      return Self.transfer(count)
    }
  }

  func transmit(_ bytes: ArraySlice<UInt8>) -> Transfer {
    bytes.withUnsafeBytes { bytes in
      #if canImport(Glibc)
        // A client that left is no reason to end by SIGPIPE.
        Self.transfer(send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)))
      #else
        Self.transfer(send(number, bytes.baseAddress, bytes.count, 0))
      #endif
    }
  }

  private static func transfer(_ count: Int) -> Transfer {
    if count > 0 { return .bytes(count) }
    if count < 0, errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR { return .wouldBlock }
    return .gone
  }
}

/// A port of the system's choice on the loopback interface, reachable from this machine alone.
struct DemoServerListener {
  let descriptor: DemoServerDescriptor
  let port: UInt16

  init() throws(DemoServerError) {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    guard let descriptor = DemoServerDescriptor(socket(AF_INET, stream, 0)) else {
      throw Self.error()
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listens = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor.number, address, length) == 0 && listen(descriptor.number, 128) == 0
          && getsockname(descriptor.number, address, &length) == 0
      }
    }
    guard listens else { throw Self.error() }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
  }

  /// A client that waits; nil where there is none, or has gone again.
  func accept() -> DemoServerDescriptor? {
    #if canImport(Glibc)
      return DemoServerDescriptor(Glibc.accept(descriptor.number, nil, nil))
    #else
      let client = DemoServerDescriptor(Darwin.accept(descriptor.number, nil, nil))
      var on: Int32 = 1
      if let client {
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(client.number, SOL_SOCKET, SO_NOSIGPIPE, &on, size)
      }
      return client
    #endif
  }

  /// What the system says of its last failure.
  static func error() -> DemoServerError { .cannotListen(String(cString: strerror(errno))) }
}
