import Dispatch
import Glibc

/// A port of the loopback interface on which something is answered as long as the process lives.
package struct LoopbackServer: Sendable {
  /// Where it listens, as the beginning of an address.
  package let address: String
  private let listener: Int32

  /// Listens; connections wait until ``start(_:)``.
  package init() throws(BenchmarkError) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        listener >= 0 && bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isListening else { throw .system(call: "listen", subject: "127.0.0.1", code: errno) }
    self.listener = listener
    address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
  }

  /// Has `answer` called with each connection, one after the other, on a thread of its own: whoever
  /// is called closes it. Ends with the process: nothing is left to close then.
  package func start(_ answer: @escaping @Sendable (Int32) -> Void) {
    DispatchQueue(label: "server").async {
      while true {
        let connection = accept(listener, nil, nil)
        if connection >= 0 {
          answer(connection)
        } else if errno != EINTR && errno != ECONNABORTED {
          return
        }
      }
    }
  }

  /// The path that the request asks for; empty where it is none.
  package static func requestedPath(on connection: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(connection, &buffer, buffer.count, 0)
    let words = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    return words.count > 1 ? String(words[1]) : ""
  }

  /// Sends all of `bytes`, as far as the other side takes them.
  package static func send(_ bytes: some Sequence<UInt8>, _ connection: Int32) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
