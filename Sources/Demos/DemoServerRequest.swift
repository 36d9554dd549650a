/// The head of a request, as far as the demo server cares.
struct DemoServerRequest: Equatable {
  enum Parsing: Equatable {
    /// There is more to come.
    case incomplete
    /// No request of HTTP/1, or longer than ``DemoServerRequest/limit``.
    case nonsense
    /// And how many bytes it took.
    case request(DemoServerRequest, length: Int)
  }

  /// Bytes a head may take, its empty line included: 8 kB.
  static let limit = 8192

  let method: String
  /// Without the query, as the client encoded it.
  let path: String
  /// Whether another request may follow on the connection.
  let staysOpen: Bool

  /// Reads the request that `bytes` begin with.
  ///
  /// - Complexity: O(``limit``)
  static func parse(_ bytes: [UInt8]) -> Parsing {
    let head = bytes.prefix(limit)
    guard let end = head.firstRange(of: Array("\r\n\r\n".utf8)) else {
      return head.count < limit ? .incomplete : .nonsense
    }
    // Split as bytes: a carriage return and the line feed after it are one Character.
    let lines = head[..<end.lowerBound].split(separator: UInt8(ascii: "\n")).map { line in
      String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
    guard let words = lines.first?.split(separator: " ", omittingEmptySubsequences: false),
      words.count == 3, !words[0].isEmpty, words[0].allSatisfy({ $0.isASCII && $0.isUppercase }),
      words[1].hasPrefix("/"), words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0"
    else { return .nonsense }
    var staysOpen = words[2] == "HTTP/1.1"
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return .nonsense }
      switch line[..<colon].lowercased() {
      case "connection": if line[colon...].lowercased().contains("close") { staysOpen = false }
      // A body is not read, so nothing can follow it.
      case "content-length", "transfer-encoding": staysOpen = false
      default: break
      }
    }
    let path = words[1].prefix { $0 != "?" && $0 != "#" }
    return .request(
      DemoServerRequest(method: String(words[0]), path: String(path), staysOpen: staysOpen),
      length: end.upperBound)
  }
}
