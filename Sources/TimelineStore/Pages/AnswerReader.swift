import Feeds
import FoundationEssentials
import HTTP

/// Reads the posts of a server's answer while it arrives.
///
///     body ──▶ unpacked ──┬─▶ short: a document, read whole
///                         └─▶ long ──▶ UTF-8 ──▶ rows, each by itself
///
/// 1. A document of ``SourceReader/maximumWholeDocumentBytes`` bytes is read whole, so that its description of
///    itself counts wherever that is. Of a longer one only the incomplete row is held, unless its
///    format has to be read whole: then it may have ``wholeLimit`` bytes.
/// 2. After as many posts as may be held nothing more is read, and the transfer ends.
/// 3. If a first page breaks off, its posts are returned, followed by a marked one that says so. A
///    further page is read to its end or not at all, because it can be requested again.
actor AnswerReader {
  nonisolated let response: HTTPResponse
  private let body: AnswerBody
  private let form: ContentForm
  private let isFurther: Bool
  private var stage = Stage.beginning([])
  /// The number of posts that may still be returned.
  private var left: Int
  /// The number of posts returned.
  private var handedOver = 0
  /// Whether the text is converted from the charset of the answer.
  private var isConverted = false
  /// Detected from the content unless it is given.
  private(set) var format: FeedFormat?
  /// Whether the answer has more posts than were returned.
  private(set) var isCut = false
  /// The document's description of itself, as far as it is read.
  private(set) var info = TimelineInfo()

  private enum Stage {
    case beginning([UInt8])
    case document(DocumentReader)
    case rows(RowBatcher)
    case ended
  }

  /// The maximum size in bytes of a document that cannot be read row by row: RSS in JSON, threads
  /// of Bluesky.
  static let wholeLimit = SourceReader.documentLimit
  /// The number of posts of a short document that are read at a time, and the size of their items
  /// in bytes.
  static let slice = (count: 1_024, bytes: 1 << 20)

  private init(
    _ response: HTTPResponse, _ body: HTTPBody, format: FeedFormat?, as form: ContentForm,
    isFurther: Bool, atMost count: Int
  ) {
    self.response = response
    self.body = AnswerBody(body, mayBePartial: !isFurther)
    self.format = format
    self.form = form
    self.isFurther = isFurther
    left = count
  }

  private static let accepted =
    "application/feed+json, application/atom+xml, application/rss+xml, application/json;q=0.9, "
    + "application/xml;q=0.8, text/xml;q=0.8, */*;q=0.5"

  /// Sends a request for `link`.
  ///
  /// - Parameters:
  ///   - isFurther: whether another page names the link; then https may redirect only to https.
  ///   - count: the maximum number of posts returned.
  /// - Throws: `PageFailure`, also for an answer without success.
  static func open(
    _ link: HTTPLink, format: FeedFormat?, as form: ContentForm, isFurther: Bool = false,
    atMost count: Int, by transport: any HTTPTransport
  ) async throws(PageFailure) -> AnswerReader {
    var request = HTTPRequest(url: link.url, reach: link.reach)
    request.headers["Accept"] = accepted
    // Decompressed here, in small pieces: libcurl decompresses all that it has received at once.
    request.headers["Accept-Encoding"] = "gzip"
    request.redirectsToHTTPSOnly = isFurther && URLReference(link.url).scheme == "https"
    let response: HTTPResponse
    let body: HTTPBody
    do throws(HTTPError) {
      (response, body) = try await transport.send(request)
    } catch {
      throw PageFailure(reason: .remote(error))
    }
    guard response.isSuccess else {
      throw PageFailure(
        reason: .remote(.status(response.status)),
        retryDelay: response.retryDelay(now: Date().timeIntervalSince1970))
    }
    return AnswerReader(
      response, body, format: format, as: form, isFurther: isFurther, atMost: count)
  }

  /// The next posts; `nil` at the end, or if no more may be returned.
  ///
  /// - Throws: `PageFailure`; after that there are no more posts.
  func next() async throws(PageFailure) -> UnparsedPosts? {
    do throws(PageFailure) {
      while true {
        switch stage {
        case .beginning(let bytes): try await begin(with: bytes)
        case .document(var document):
          stage = .ended
          let posts = try read(&document)
          if !document.isAtEnd { stage = .document(document) }
          handedOver += posts.count
          return .posts(posts)
        case .rows(var batcher):
          stage = .ended
          guard let rows = try await read(&batcher) else { continue }
          handedOver += rows.count
          return .rows(rows)
        case .ended:
          guard let breakage = body.takeBreakage() else { return nil }
          guard handedOver > 0 else { throw PageFailure(reason: .remote(breakage)) }
          return .posts([mark(of: breakage)])
        }
      }
    } catch {
      stage = .ended
      guard let breakage = body.takeBreakage(), Self.isCausedByTruncation(error) else {
        throw error
      }
      throw PageFailure(reason: .remote(breakage))
    }
  }

  /// Whether the failure may result from a truncated answer. A wrong format shows in its first
  /// bytes.
  private static func isCausedByTruncation(_ failure: PageFailure) -> Bool {
    guard case .notATimeline(let error) = failure.reason else { return false }
    return switch error.kind {
    case .empty, .nothingReadable: true
    default: false
    }
  }

  private func mark(of breakage: HTTPError) -> Post {
    var post = Post(id: "damage at the end")
    post.damage = "the answer is incomplete: \(breakage)"
    completion.complete(&post)
    return post
  }

  private func read(_ document: inout DocumentReader) throws(PageFailure) -> [Post] {
    do throws(FeedError) {
      var posts = try document.next(atMost: Self.slice.count, within: Self.slice.bytes)
      for index in posts.indices { completion.complete(&posts[index]) }
      return posts
    } catch {
      throw PageFailure(reason: .notATimeline(error))
    }
  }

  /// - Returns: `nil` at the end.
  private func read(_ batcher: inout RowBatcher) async throws(PageFailure) -> RowBatch? {
    let piece = try await body.next()
    var rows: RowBatch
    if piece.isEmpty {
      do throws(FeedError) { rows = try batcher.finish() } catch {
        throw PageFailure(reason: .notATimeline(error))
      }
    } else {
      rows = batcher.consume(piece)
    }
    info = reaching(batcher.info)
    if rows.count > left {
      isCut = true
      rows = rows.prefix(left)
    } else if !piece.isEmpty {
      stage = .rows(batcher)
    }
    left -= rows.count
    return piece.isEmpty && rows.isEmpty ? nil : rows
  }

  // MARK: Beginning

  /// Reads until the format is known, and whether to read row by row.
  private func begin(with beginning: [UInt8]) async throws(PageFailure) {
    stage = .ended
    var bytes = beginning
    let sawEnd = try await body.read(
      into: &bytes, upTo: SourceReader.maximumWholeDocumentBytes + 1)
    if let charset = response.charset, body.convert(&bytes, from: charset) {
      isConverted = true
      if !sawEnd { try await body.read(into: &bytes, upTo: 1) }
    }
    if !isFurther, format?.isXML ?? true,
      FeedList.begins(Array(bytes.prefix(SourceReader.firstChunk)))
    {
      if !sawEnd { try await body.read(into: &bytes, upTo: FeedList.longest + 1) }
      if let breakage = body.breakage { throw PageFailure(reason: .remote(breakage)) }
      throw PageFailure(reason: .listOfFeeds(FeedList(bytes), reach: response.reach))
    }
    guard !sawEnd else { return try open(bytes) }
    if body.convert(&bytes) { try await body.read(into: &bytes, upTo: 1) }
    let format = try detected(bytes)
    guard FeedReader.isReadByRows(bytes, format: format) else {
      guard try await body.read(into: &bytes, upTo: Self.wholeLimit + 1) else {
        throw PageFailure(reason: .tooLarge(limit: Self.wholeLimit))
      }
      return try open(bytes)
    }
    let mark = FeedReader.byteOrderMark(of: bytes)
    var batcher = RowBatcher(format: format, offset: mark, baseURL: response.url, as: form)
    batcher.completion = completion
    body.putBack(mark == 0 ? bytes : Array(bytes[mark...]))
    stage = .rows(batcher)
  }

  private func open(_ bytes: [UInt8]) throws(PageFailure) {
    let format = try detected(bytes)
    do throws(FeedError) {
      let document = try FeedReader.open(
        bytes, format: format, baseURL: response.url, as: form, atMost: left)
      isCut = document.isCut
      info = reaching(document.info)
      stage = .document(document)
    } catch {
      throw PageFailure(reason: .notATimeline(error))
    }
  }

  private func detected(_ bytes: [UInt8]) throws(PageFailure) -> FeedFormat {
    do throws(FeedError) {
      let found = if let format { format } else { try FeedReader.detect(bytes) }
      format = found
      return found
    } catch {
      throw PageFailure(reason: .notATimeline(error))
    }
  }

  private func reaching(_ info: TimelineInfo) -> TimelineInfo {
    var info = info
    info.reach = response.reach
    return info
  }

  private var completion: AnswerCompletion {
    AnswerCompletion(url: response.url, reach: response.reach, isConverted: isConverted)
  }
}

/// Completes posts with properties of the answer that contained them.
private struct AnswerCompletion: RowCompletion {
  let url: String
  let reach: RequestScope
  let isConverted: Bool

  var names: [String] { [] }

  func complete(_ post: inout Post) {
    // The id of a damage mark is its position, which is not unique among pages.
    if post.id.hasPrefix("damage ") { post.id = "\(post.id) of \(url)" }
    post.reach = reach
    if isConverted { post.markReplacements() }
  }
}
