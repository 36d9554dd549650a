import Feeds
import FoundationEssentials
import HTTP
import System

/// Fetches pages and reads them, off the main actor. A page is read whole or not at all.
struct PageReader: Sendable {
  /// Told by content where it is nil.
  let format: FeedFormat?
  var form = ContentForm.styled

  private static let accepted =
    "application/feed+json, application/atom+xml, application/rss+xml, application/json;q=0.9, "
    + "application/xml;q=0.8, text/xml;q=0.8, */*;q=0.5"

  /// The page at `link`.
  ///
  /// - Parameter first: the format of the timeline's first page where this one goes on from it: a
  ///   page in another is none of it, but a note of the server's.
  /// - Throws: `PageFailure`, also for an answer that is no success.
  func page(
    at link: HTTPLink, following first: FeedFormat? = nil, by transport: any HTTPTransport
  ) async throws(PageFailure) -> Page {
    try await withTaskExecutorPreference(WorkerThreads.pages) { () throws(PageFailure) in
      try await fetched(from: link, following: first, by: transport)
    }
  }

  private func fetched(
    from link: HTTPLink, following first: FeedFormat?, by transport: any HTTPTransport
  ) async throws(PageFailure) -> Page {
    var request = HTTPRequest(url: link.url, reach: link.reach)
    request.headers["Accept"] = Self.accepted
    request.redirectsToHTTPSOnly = first != nil && URLReference(link.url).scheme == "https"
    let response: HTTPResponse
    var bytes: [UInt8] = []
    do throws(HTTPError) {
      let body: HTTPBody
      (response, body) = try await transport.send(request)
      if response.isSuccess {
        for try await chunk in body { bytes += chunk }
      }
    } catch {
      throw PageFailure(reason: .remote(error))
    }
    guard response.isSuccess else {
      throw PageFailure(
        reason: .remote(.status(response.status)),
        retryDelay: response.retryDelay(now: Date().timeIntervalSince1970))
    }
    if GzipReader.begins(bytes),
      let unpacked = GzipReader.unpacked(bytes, limit: SourceReader.documentLimit)
    {
      bytes = unpacked
    }
    if first == nil, format?.isXML ?? true, FeedList.begins(bytes) {
      let feeds = FeedList.addresses(in: Array(bytes.prefix(FeedList.longest)))
      throw PageFailure(reason: .listOfFeeds(feeds, reach: response.reach))
    }
    return try page(bytes, from: response, asked: link.url, following: first)
  }

  private func page(
    _ bytes: [UInt8], from response: HTTPResponse, asked: String, following first: FeedFormat?
  ) throws(PageFailure) -> Page {
    let document: FeedDocument
    do throws(FeedError) {
      let format = if let format { format } else { try FeedReader.detect(bytes) }
      document = try FeedReader.read(
        bytes, format: format, baseURL: response.url, as: form)
    } catch {
      throw PageFailure(reason: .notATimeline(error))
    }
    // An empty list may be one of anything.
    if let first, first != document.format, !document.posts.isEmpty {
      throw PageFailure(reason: .otherFormat(document.format, first: first))
    }
    var posts = document.posts
    // Marks of damage are told apart by where they stand, and every page has a first line.
    for index in posts.indices where posts[index].id.hasPrefix("damage ") {
      posts[index].id = "\(posts[index].id) of \(response.url)"
    }
    for index in posts.indices { posts[index].reach = response.reach }
    var info = document.info
    info.reach = response.reach
    return Page(
      url: response.url, format: document.format, info: info, posts: posts,
      next: NextPage(after: response, info: document.info, asked: asked),
      reach: response.reach)
  }
}
