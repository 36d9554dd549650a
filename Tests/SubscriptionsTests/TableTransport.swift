import HTTP
import Synchronization

/// A transport that answers from a table, in this process. Anything else is a 404.
final class TableTransport: HTTPTransport {
  struct Answer: Sendable {
    var status = 200
    var headers: HTTPHeaders = [:]
    var body: [UInt8] = []
    /// The address of the answer, if redirects with these statuses led to it.
    var url: String?
    var redirects: [Int] = []
    /// Fails with this error, before the head or after the body.
    var error: HTTPError?
    var breaksOff: HTTPError?

    static func text(_ text: String, type: String? = nil, fields: [(String, String)] = []) -> Answer
    {
      var answer = Answer(body: Array(text.utf8))
      if let type { answer.headers.append("Content-Type", type) }
      for (name, value) in fields { answer.headers.append(name, value) }
      return answer
    }

    static func status(_ status: Int, _ fields: [(String, String)] = []) -> Answer {
      var answer = Answer(status: status)
      for (name, value) in fields { answer.headers.append(name, value) }
      return answer
    }

    static func failure(_ error: HTTPError) -> Answer { Answer(error: error) }
  }

  private final class Body: HTTPBodySource {
    private let left: Mutex<[UInt8]?>
    private let error: HTTPError?

    init(_ bytes: [UInt8], _ error: HTTPError?) {
      left = Mutex(bytes.isEmpty ? nil : bytes)
      self.error = error
    }

    func next() async throws(HTTPError) -> [UInt8]? {
      let bytes = left.withLock { left in
        defer { left = nil }
        return left
      }
      if bytes == nil, let error { throw error }
      return bytes
    }

    func cancel() {}
  }

  private struct State {
    var answers: [String: @Sendable (HTTPRequest) async throws(HTTPError) -> Answer] = [:]
    var requests: [HTTPRequest] = []
  }

  private let state = Mutex(State())

  init(_ answers: [String: Answer] = [:]) {
    for (url, answer) in answers { set(url, answer) }
  }

  /// The requests so far.
  var requests: [HTTPRequest] { state.withLock { $0.requests } }
  var urls: [String] { requests.map(\.url) }

  func set(_ url: String, _ answer: Answer) {
    self.answer(url) { _ throws(HTTPError) in answer }
  }

  func answer(
    _ url: String, _ answer: @escaping @Sendable (HTTPRequest) async throws(HTTPError) -> Answer
  ) {
    state.withLock { $0.answers[url] = answer }
  }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    let answer = state.withLock { state in
      state.requests.append(request)
      return state.answers[request.url]
    }
    guard let found = try await answer?(request) else {
      return (
        HTTPResponse(status: 404, headers: [:], url: request.url), HTTPBody(Body([], nil))
      )
    }
    if let error = found.error { throw error }
    var response = HTTPResponse(
      status: found.status, headers: found.headers, url: found.url ?? request.url,
      reach: min(request.reach, .privateAddresses))
    response.redirects = found.redirects.map { HTTPResponse(status: $0, headers: [:], url: "") }
    return (response, HTTPBody(Body(found.body, found.breaksOff)))
  }
}

/// Documents of feeds.
enum Sample {
  static func rss(
    _ items: [String] = ["ebb", "flood"], title: String = "Tides", channel: String = ""
  ) -> String {
    let all = items.map {
      "<item><guid>\($0)</guid><title>\($0)</title><link>https://tide.example/\($0)</link></item>"
    }
    return "<rss version=\"2.0\"><channel><title>\(title)</title>\(channel)\(all.joined())"
      + "</channel></rss>"
  }

  static func page(_ head: String) -> String {
    "<!DOCTYPE html><html><head><title>Gauge</title>\(head)</head><body><p>Hi</p></body></html>"
  }

  static func alternate(
    _ href: String, _ type: String = "application/rss+xml", title: String = ""
  ) -> String {
    "<link rel=\"alternate\" type=\"\(type)\" title=\"\(title)\" href=\"\(href)\">"
  }

  static let status =
    "[{\"id\":\"1\",\"created_at\":\"2024-01-01T00:00:00Z\",\"content\":\"x\","
    + "\"account\":{\"acct\":\"marit\"}}]"
}
