import Dispatch
import Glibc
import Synchronization
import TerminalSession

/// Feeds of made-up items on hosts of the loopback interface, from 127.0.0.2 on.
///
/// It answers conditional requests for what it has with 304, and closes each connection after one
/// answer. Each host takes a thread until `stop()`.
final class FeedServer: Sendable {
  /// The requests so far.
  struct Counts: Hashable {
    var requests = 0
    /// Those that had validators.
    var conditional = 0
  }

  let feeds: MadeFeeds
  /// Those made beforehand, of all feeds or of none.
  private let documents: [[UInt8]]
  private let counts = Mutex(Counts())
  private let addresses: [String]
  private let listeners: [Int32]

  /// - Parameters:
  ///   - hosts: the number of hosts among which the feeds are divided; 1 to 200.
  ///   - isPrepared: makes all documents beforehand, as a server of files has them: those whose time is
  ///     measured do not share the processors with their making.
  init(_ feeds: MadeFeeds, hosts: Int, isPrepared: Bool = false) throws(BenchmarkError) {
    self.feeds = feeds
    documents = isPrepared ? (0..<feeds.count).map(feeds.document) : []
    let listeners = try (0..<hosts).map { index throws(BenchmarkError) in
      try Self.listener(on: UInt32(2 + index))
    }
    self.listeners = listeners.map(\.socket)
    addresses = listeners.enumerated().map { "http://127.0.0.\(2 + $0.offset):\($0.element.port)" }
    for (socket, _) in listeners {
      DispatchQueue(label: "server").async { self.serve(socket) }
    }
  }

  var requestCounts: Counts { counts.withLock { $0 } }

  /// The list of the feeds (OPML).
  var list: String {
    let outlines = (0..<feeds.count).map {
      "<outline type=\"rss\" text=\"Feed \($0)\" xmlUrl=\"\(address(of: $0))\"/>"
    }
    return "<opml version=\"2.0\"><body>\n\(outlines.joined(separator: "\n"))\n</body></opml>\n"
  }

  func address(of feed: Int) -> String {
    "\(addresses[feed % addresses.count])/\(feed).xml"
  }

  private static func listener(
    on host: UInt32
  ) throws(BenchmarkError) -> (socket: Int32, port: UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = (UInt32(0x7F00_0000) + host).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        listener >= 0 && bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isListening else {
      throw .system(call: "listen", subject: "127.0.0.\(host)", code: errno)
    }
    return (listener, UInt16(bigEndian: name.sin_port))
  }

  /// Ends its threads.
  func stop() {
    for listener in listeners { shutdown(listener, Int32(SHUT_RDWR)) }
  }

  private func serve(_ listener: Int32) {
    defer { close(listener) }
    // Of this thread: servers take no processor of their readers.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
    while true {
      let connection = accept(listener, nil, nil)
      if connection >= 0 {
        answer(connection)
        close(connection)
      } else if errno != EINTR && errno != ECONNABORTED {
        return
      }
    }
  }

  private func answer(_ connection: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let received = recv(connection, &buffer, buffer.count, 0)
    let request = String(decoding: buffer.prefix(max(0, received)), as: UTF8.self)
    let path = request.split(separator: " ", maxSplits: 2).dropFirst().first ?? ""
    guard let feed = Int(path.dropFirst().prefix { $0 != "." }), (0..<feeds.count).contains(feed)
    else {
      let head = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
      return LoopbackServer.send(head.utf8, connection)
    }
    let isConditional = request.lowercased().contains("\r\nif-none-match:")
    counts.withLock {
      $0.requests += 1
      $0.conditional += isConditional ? 1 : 0
    }
    let fields = "ETag: \"\(feed)\"\r\nConnection: close\r\n"
    guard !isConditional else {
      return LoopbackServer.send("HTTP/1.1 304 Not Modified\r\n\(fields)\r\n".utf8, connection)
    }
    let body = documents.isEmpty ? feeds.document(feed) : documents[feed]
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n\(fields)"
      + "Content-Length: \(body.count)\r\n\r\n"
    LoopbackServer.send(Array(head.utf8) + body, connection)
  }
}
