import Dispatch
import FoundationEssentials
import Glibc
import TerminalSession

/// Answers every request on a port of the loopback interface with a small PNG: a square where the
/// address has "author" in it, else one of four proportions, by number.
final class PictureServer: Sendable {
  let address: String
  private let listener: Int32

  init() throws(BenchmarkError) {
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
    DispatchQueue(label: "pictures").async { Self.serve(listener) }
  }

  /// Ends with the process: nothing is left to close then.
  private static func serve(_ listener: Int32) {
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

  private static func answer(_ connection: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(connection, &buffer, buffer.count, 0)
    guard count > 0 else { return }
    let words = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
    let picture = picture(at: words.count > 1 ? words[1] : "")
    var answer = Array(
      """
      HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(picture.count)\r\n\
      Connection: close\r\n\r\n
      """.utf8)
    answer += picture
    // What fits into the socket's buffer is taken at once.
    _ = send(connection, answer, answer.count, 0)
  }

  private static func picture(at path: Substring) -> Data {
    if path.contains("author") { return square }
    let number = path.filter(\.isWholeNumber)
    return proportions[(Int(number) ?? 0) % proportions.count]
  }

  private static func decoded(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }

  /// 64x64 pixels in two colours.
  private static let square = decoded(
    """
    iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQMAAACQp+OdAAAABlBMVEWBw9cvZpCVBDMhAAAAE0lEQVR42mNgGAUDDf5D\
    wVBkAADLz6dZBQ5v/wAAAABJRU5ErkJggg==
    """)

  /// 480x270, 480x320, 320x320 and 300x400 pixels: two thirds sky, one third land.
  private static let proportions = [
    """
    iVBORw0KGgoAAAANSUhEUgAAAeAAAAEOAQMAAABrVFYkAAAABlBMVEXyplodTolIiu0BAAAANklEQVR42u3LMQ0AAAwD\
    oPo3vYno18BPAgAAAAAAAAAAAABLriDLsizLsizLsizLsizLsryWH8ESyFG0PYaEAAAAAElFTkSuQmCC
    """,
    """
    iVBORw0KGgoAAAANSUhEUgAAAeAAAAFAAQMAAABeBj04AAAABlBMVEWGu9gvSFiHePtvAAAAPElEQVR42u3LsQ0AAAgD\
    oP7/tB7RxRjYSQAAAAAAAAAAAAAAAOCsKciyLMuyLMuyLMuyLMuyLMuyLL/MC7VQwJG2/IUUAAAAAElFTkSuQmCC
    """,
    """
    iVBORw0KGgoAAAANSUhEUgAAAUAAAAFAAQMAAAD3XjfpAAAABlBMVEX2ri0zZYrIKbvKAAAAMElEQVR42u3KsQ0AAAjA\
    oP7/tL7gagIzBQAAAAAAAAAAzZEoiqIoiqIoiqIoiuK7uCH+gGFASfqtAAAAAElFTkSuQmCC
    """,
    """
    iVBORw0KGgoAAAANSUhEUgAAASwAAAGQAQMAAAAuu884AAAABlBMVEXZ3NYWYIhBWT9CAAAANUlEQVR42u3KoQEAAAgD\
    oP3/tL6wYhIyCQAAAAAAAAAAAMClqWiapmmapmmapmmapmma9rMtRZ6rYLyL2G0AAAAASUVORK5CYII=
    """,
  ].map(decoded)
}
