import DemoContent

/// What the demo server says to a request.
struct DemoServerAnswer: Equatable {
  enum Status: Int {
    case ok = 200
    case badRequest = 400
    case notFound = 404
    case notAllowed = 405
    case internalError = 500
    case unavailable = 503

    fileprivate var phrase: String {
      switch self {
      case .ok: "OK"
      case .badRequest: "Bad Request"
      case .notFound: "Not Found"
      case .notAllowed: "Method Not Allowed"
      case .internalError: "Internal Server Error"
      case .unavailable: "Service Unavailable"
      }
    }
  }

  let status: Status
  let mediaType: String
  let body: [UInt8]

  init(_ status: Status, reason: String = "") {
    self.status = status
    mediaType = "text/plain; charset=utf-8"
    body = Array(reason.utf8)
  }

  init(_ picture: DemoContent.Picture) {
    status = .ok
    mediaType = picture.mediaType
    body = picture.bytes
  }

  /// What stands at `path`.
  ///
  /// - Complexity: O(pixels) where the picture has to be made first.
  init(path: String, failures: DemoServerFailures) {
    do {
      guard let content = DemoServerContent(path: path), let picture = try content.picture() else {
        self.init(.notFound)
        return
      }
      if content.isFlaky, failures.begins(with: path) {
        self.init(.unavailable)
      } else {
        self.init(picture)
      }
    } catch {
      self.init(.internalError, reason: "\(error)")
    }
  }

  /// Head and body. `staysOpen` says whether another request may follow.
  func bytes(staysOpen: Bool) -> [UInt8] {
    var lines = [
      "HTTP/1.1 \(status.rawValue) \(status.phrase)", "Content-Type: \(mediaType)",
      "Content-Length: \(body.count)", "Connection: \(staysOpen ? "keep-alive" : "close")",
    ]
    if status == .notAllowed { lines.append("Allow: GET") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }
}
