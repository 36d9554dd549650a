import HTTP
import System

/// Reads heads line by line as libcurl hands them over: one after the other where the server sends
/// interim answers, which libcurl goes past by itself.
struct ResponseHead {
  enum Event: Equatable {
    /// There is more to come of this head, or another head after it.
    case more
    /// The head of the answer is complete.
    case complete
    /// Not a head of HTTP.
    case malformed
  }

  /// 0 before the first status line.
  private(set) var status = 0
  private(set) var headers = HTTPHeaders()
  private var isInside = false

  /// Takes one line with its line break; the empty one ends a head.
  mutating func take(_ line: some Collection<UInt8>) -> Event {
    let text = String(decoding: line, as: UTF8.self)
      .trimmed { $0 == "\r" || $0 == "\n" || $0 == "\r\n" }
    guard isInside else { return begin(text) }
    if text.isEmpty {
      isInside = false
      return status < 200 ? .more : .complete
    }
    // What has no name is no field: continuations, which RFC 9112 has abolished, among them.
    if let colon = text.firstIndex(of: ":"), colon > text.startIndex, text.first != " " {
      let value = text[text.index(after: colon)...].trimmed { $0 == " " || $0 == "\t" }
      headers.append(String(text[..<colon]), String(value))
    }
    return .more
  }

  private mutating func begin(_ line: Substring) -> Event {
    let parts = line.split(separator: " ")
    guard line.hasPrefix("HTTP/"), parts.count >= 2, let code = Int(parts[1]),
      (100...999).contains(code)
    else { return .malformed }
    status = code
    headers = HTTPHeaders()
    isInside = true
    return .more
  }
}
