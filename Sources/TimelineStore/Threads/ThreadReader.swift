import Feeds
import HTTP
import System

/// Requests the conversation of a post from its server, if that needs no token: Mastodon and
/// compatible servers, and Bluesky.
///
/// The requested address is made from the address of the post, so its reach is no greater
/// (``Post/reach``). A call sends at most one request.
package struct ThreadReader: Sendable {
  private let transport: any HTTPTransport
  private let limit: PostLimit

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - transport: sends the requests.
  ///   - limit: the limit of a conversation; posts beyond it are left out.
  package init(transport: any HTTPTransport, limit: PostLimit = PostThread.limit) {
    self.transport = transport
    self.limit = limit
  }

  /// A request, and the key by which its answer names the post.
  struct Question: Hashable {
    var link: HTTPLink
    var format: FeedFormat
    var key: String?
  }

  /// The server that is asked for the conversation; `nil` if none can be.
  package static func server(of post: Post) -> String? {
    question(about: post).flatMap { URLReference($0.link.url).host }
  }

  static func question(about post: Post) -> Question? {
    let address = post.url ?? post.id
    if let uri = blueskyURI(of: address) ?? blueskyURI(of: post.id) {
      let escaped = uri.replacing("#", with: "%23").replacing("&", with: "%26")
      return Question(
        link: HTTPLink(
          "https://public.api.bsky.app/xrpc/app.bsky.feed.getPostThread?uri=\(escaped)"
            + "&depth=10&parentHeight=80", reach: min(post.reach, .publicAddresses)),
        format: .bluesky, key: uri)
    }
    let reference = URLReference(address)
    guard let origin = reference.origin, let id = statusID(in: reference.path) else {
      return nil
    }
    return Question(
      link: HTTPLink("\(origin)/api/v1/statuses/\(id)/context", reach: post.reach),
      format: .mastodon, key: id)
  }

  /// The ID in `/@name/123`, `/users/name/statuses/123` or `/notice/Abc`.
  private static func statusID(in path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let last = parts.last, (1...64).contains(last.utf8.count),
      last.utf8.allSatisfy({ $0.isAlphanumeric })
    else { return nil }
    let isNumber = last.utf8.allSatisfy { $0 < 0x3A }
    let isStatus =
      switch parts.count {
      case 2: isNumber && parts[0].hasPrefix("@") || parts[0] == "notice"
      case 4: isNumber && parts[0] == "users" && parts[2] == "statuses"
      default: false
      }
    return isStatus ? String(last) : nil
  }

  /// The URI `at://…/app.bsky.feed.post/…`, also for `https://bsky.app/profile/…/post/…`.
  private static func blueskyURI(of address: String) -> String? {
    let parts: [Substring]
    if address.hasPrefix("at://") {
      parts = address.dropFirst(5).split(separator: "/")
      guard parts.count == 3, parts[1] == "app.bsky.feed.post" else { return nil }
    } else {
      let reference = URLReference(address)
      guard reference.origin == "https://bsky.app" else { return nil }
      let path = reference.path.split(separator: "/")
      guard path.count == 4, path[0] == "profile", path[2] == "post" else { return nil }
      parts = [path[1], "app.bsky.feed.post", path[3]]
    }
    let isPlain = parts.allSatisfy { part in
      part.utf8.count <= 256
        && part.utf8.allSatisfy { $0.isAlphanumeric || ".:-_".utf8.contains($0) }
    }
    return isPlain ? "at://" + parts.joined(separator: "/") : nil
  }

  /// The conversation of `post`; `nil` if no server can be asked.
  ///
  /// - Throws: `SourceError` if the request fails, the server refuses, or its answer is not valid.
  package func thread(of post: Post) async throws(SourceError) -> PostThread? {
    guard let question = Self.question(about: post) else { return nil }
    return try await withTaskExecutorPreference(WorkerThreads.pages) {
      () async throws(SourceError) -> PostThread in
      do throws(PageFailure) {
        let page = try await PageReader(format: question.format).page(
          at: question.link, limit: limit, by: transport)
        var thread = PostThread(of: post, key: question.key, among: page.posts, isWhole: true)
        thread.isCut = page.isCut
        return thread
      } catch {
        throw SourceError(source: .url(question.link.url), reason: error.sourceReason)
      }
    }
  }
}
