import HTTP
import System

/// Reads response heads line by line as libcurl delivers them: several in a row if the server sends
/// interim (1xx) responses before the final one.
struct ResponseHead {
  enum Event: Equatable {
    /// More lines of this head, or another head, follow.
    case more
    /// The head of the response is complete.
    case complete
    /// Not an HTTP head.
    case malformed
    /// The heads so far are longer than allowed.
    case tooLong
  }

  /// The status of the latest head; 0 before the first status line.
  private(set) var status = 0
  private(set) var headers = HTTPHeaders()
  private var isInside = false
  private var byteCount = 0
  private let maximumBytes: Int

  /// - Parameter maximumBytes: the maximum length of all heads together.
  init(maximumBytes: Int = .max) { self.maximumBytes = maximumBytes }

  /// Takes one line with its line break; an empty line ends a head.
  mutating func take(_ line: some Collection<UInt8>) -> Event {
    byteCount += line.count
    guard byteCount <= maximumBytes else { return .tooLong }
    let text = String(decoding: line, as: UTF8.self)
      .trimmed { $0 == "\r" || $0 == "\n" || $0 == "\r\n" }
    guard isInside else { return begin(text) }
    if text.isEmpty {
      isInside = false
      return status < 200 ? .more : .complete
    }
    // Ignores lines without a field name, and those that continue the line before after a blank:
    // RFC 9112 has deprecated such folding.
    if let colon = text.firstIndex(of: ":"), colon > text.startIndex,
      text.first != " ", text.first != "\t"
    {
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
