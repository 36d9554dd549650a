import FoundationEssentials
import Glibc
import TerminalSession

/// Answers every request on a port of the loopback interface with a small PNG: a square where the
/// address has "author" in it, else one of four proportions, by number.
final class PictureServer: Sendable {
  private let server: LoopbackServer

  var address: String { server.address }

  init() throws(BenchmarkError) {
    server = try LoopbackServer()
    server.start { connection in
      Self.answer(connection)
      close(connection)
    }
  }

  private static func answer(_ connection: Int32) {
    let path = LoopbackServer.requestedPath(on: connection)
    guard !path.isEmpty else { return }
    let picture = picture(at: path)
    let head = """
      HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(picture.count)\r\n\
      Connection: close\r\n\r\n
      """
    LoopbackServer.send(Array(head.utf8) + picture, connection)
  }

  private static func picture(at path: String) -> Data {
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
