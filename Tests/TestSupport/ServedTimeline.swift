import Synchronization

/// A timeline in pages on a server, newest first, which can grow on top while it is read.
///
/// Post n is `{"id": "pn", "title": "Post n", …}`, dated n minutes after 1970-01-01T01:00Z.
public final class ServedTimeline: Sendable {
  public enum Form: Sendable {
    /// JSON Feed with `next_url`; a page holds the posts older than a post.
    case jsonFeed
    /// A bare array of items with a `Link` header; a page begins after a number of posts, and new
    /// posts shift it.
    case linkHeader
  }

  private struct State {
    var posts: [Int]
    var highest: Int
    /// One-time answers in place of a page, by its path.
    var instead: [String: [MisbehavingServer.Step]] = [:]
  }

  public let path: String
  private let form: Form
  private let pageSize: Int
  private let state: Mutex<State>

  /// Posts 1...`count`, served at `path` of `server`.
  public init(
    _ count: Int, pageSize: Int = 40, form: Form = .jsonFeed, at path: String = "/timeline",
    of server: MisbehavingServer
  ) {
    (self.path, self.form, self.pageSize) = (path, form, pageSize)
    state = Mutex(State(posts: Array((1...count).reversed()), highest: count))
    server.answer { [self] in answer($0) }
  }

  public func add(_ count: Int) {
    state.withLock { state in
      let new = state.highest + 1..<state.highest + 1 + count
      state.posts = new.reversed() + state.posts
      state.highest += count
    }
  }

  /// Answers the next request of that page with these steps instead.
  public func answer(page: Int, once steps: [MisbehavingServer.Step]) {
    let path = path(ofPage: page)
    state.withLock { $0.instead[path] = steps }
  }

  /// The path of page `number`, counted from 1, before posts are added.
  public func path(ofPage number: Int) -> String {
    guard number > 1 else { return path }
    let passed = (number - 1) * pageSize
    switch form {
    case .jsonFeed: return "\(path)?before=\(state.withLock { $0.highest } - passed + 1)"
    case .linkHeader: return "\(path)?skip=\(passed)"
    }
  }

  private func answer(_ asked: String) -> [MisbehavingServer.Step]? {
    let parts = asked.split(separator: "?", maxSplits: 1)
    guard parts.first.map(String.init) == path else { return nil }
    let value = parts.dropFirst().first?.split(separator: "=").last.flatMap { Int($0) }
    return state.withLock { state in
      if let steps = state.instead.removeValue(forKey: asked) { return steps }
      let start =
        switch form {
        case .jsonFeed: value.map { bound in state.posts.firstIndex { $0 < bound } ?? 0 } ?? 0
        case .linkHeader: min(value ?? 0, state.posts.count)
        }
      let page = state.posts[start..<min(state.posts.count, start + pageSize)]
      return steps(for: page, hasMore: page.endIndex < state.posts.count)
    }
  }

  private func steps(for page: ArraySlice<Int>, hasMore: Bool) -> [MisbehavingServer.Step] {
    let items = "[" + page.map(Self.item).joined(separator: ",") + "]"
    var fields: [(String, String)] = []
    var body = items
    switch form {
    case .linkHeader:
      if hasMore {
        fields = [("Link", "<\(path)?skip=\(page.endIndex)>; rel=\"next\"")]
      }
    case .jsonFeed:
      let next = hasMore ? "\"next_url\":\"\(path)?before=\(page.last ?? 0)\"," : ""
      body =
        "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"Served\",\(next)"
        + "\"items\":\(items)}"
    }
    return [
      .head(type: "application/json", length: body.utf8.count, fields: fields),
      .send(Array(body.utf8)),
    ]
  }

  private static func item(_ number: Int) -> String {
    let two = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
    let (day, minute) = (number / 1380 % 28 + 1, number % 60)
    let date =
      "\(1970 + number / 1380 / 28)-01-\(two(day))T\(two(number / 60 % 23 + 1)):\(two(minute)):00Z"
    let text = String(repeating: "Words at the gauge. ", count: number % 7 + 1)
    return
      "{\"id\":\"p\(number)\",\"title\":\"Post \(number)\",\"content_text\":\"\(text)\","
      + "\"date_published\":\"\(date)\"}"
  }
}
