import Feeds
import HTTP
import System

/// Reads the posts of a server's answer while it arrives.
///
///     body ──▶ unpacked ──┬─▶ short: a document, read whole
///                         └─▶ long ──▶ UTF-8 ──▶ rows, each by itself
///
/// 1. A document of at most ``maximumWholeDocumentBytes`` bytes is read whole, so that its metadata
///    counts even if it follows the posts. Of a longer one only the incomplete row is kept, unless
///    its format can only be read whole: then ``wholeLimit`` is the maximum size.
/// 2. At the first post beyond the maximum, reading stops. Releasing the reader ends the transfer.
/// 3. If a first page breaks off, its posts are returned, followed by one that reports the damage;
///    if no post was returned, `next()` throws instead. A further page that breaks off fails,
///    because it can be requested again.
package actor AnswerReader {
  package nonisolated let response: HTTPResponse
  private let body: AnswerBody
  private let form: ContentForm
  private let isFurther: Bool
  private let keepsRepeatedIDs: Bool
  private var stage = Stage.beginning([])
  /// The number of rows that may still be returned; for a document read whole, the maximum number
  /// of its posts.
  private var left: Int
  /// The number of posts returned.
  private var handedOver = 0
  /// Whether the text is converted from the charset of the answer.
  private var isConverted = false
  /// Detected from the content unless it is given.
  package private(set) var format: FeedFormat?
  /// How the answer ends, as far as it is read.
  package private(set) var ending = DocumentEnding.whole
  /// Whether the answer has more posts than were returned.
  package var isCut: Bool { ending == .atLimit }
  /// The document's description of itself, as far as it is read.
  package private(set) var info = TimelineInfo()

  private enum Stage {
    case beginning([UInt8])
    case document(DocumentReader)
    case rows(RowBatcher)
    case ended
  }

  /// The maximum size in bytes of a document that cannot be read row by row: RSS in JSON, threads
  /// of Bluesky.
  package static let wholeLimit = 24 << 20
  /// The maximum size in bytes of a document that is read whole even if it can be read row by row.
  package static let maximumWholeDocumentBytes = 4 << 20
  /// The number of bytes at the beginning that are checked for a list of feeds; other readers also
  /// detect the format by them.
  package static let beginningBytes = 64 << 10
  /// The maximum number of posts read from a short document at a time, and the maximum size of
  /// their items in bytes.
  package static let slice = (count: 1_024, bytes: 1 << 20)

  /// Reads the body of a successful response.
  ///
  /// - Parameters:
  ///   - isFurther: whether the answer is a further page, which fails if it breaks off, and is not
  ///     checked for a list of feeds.
  ///   - keepsRepeatedIDs: whether posts keep the id of their source even if another post has it.
  ///   - count: the maximum number of posts returned.
  package init(
    _ response: HTTPResponse, _ body: HTTPBody, format: FeedFormat?, as form: ContentForm,
    isFurther: Bool = false, keepsRepeatedIDs: Bool = false, atMost count: Int
  ) {
    self.response = response
    self.body = AnswerBody(body, mayBePartial: !isFurther)
    self.format = format
    self.form = form
    self.isFurther = isFurther
    self.keepsRepeatedIDs = keepsRepeatedIDs
    left = count
  }

  private static let accepted =
    "application/feed+json, application/atom+xml, application/rss+xml, application/json;q=0.9, "
    + "application/xml;q=0.8, text/xml;q=0.8, */*;q=0.5"

  /// The request for `link`, which accepts the formats that can be read.
  package static func request(for link: HTTPLink) -> HTTPRequest {
    var request = HTTPRequest(url: link.url, reach: link.reach)
    request.headers["Accept"] = accepted
    // Decompressed here, in small pieces: libcurl decompresses all that it has received at once.
    request.headers["Accept-Encoding"] = "gzip"
    return request
  }

  /// Sends a request for `link`.
  ///
  /// - Parameters:
  ///   - isFurther: whether the link comes from another page; then https may redirect only to
  ///     https.
  ///   - count: the maximum number of posts returned.
  ///   - validators: those of an earlier answer; if it has not changed, the server answers 304.
  /// - Throws: `AnswerFailure`, also for any status other than 2xx, such as that 304.
  package static func open(
    _ link: HTTPLink, format: FeedFormat?, as form: ContentForm, isFurther: Bool = false,
    atMost count: Int, validators: HTTPValidators? = nil, by transport: any HTTPTransport
  ) async throws(AnswerFailure) -> AnswerReader {
    var request = request(for: link)
    request.validators = validators
    request.redirectsToHTTPSOnly = isFurther && URLReference(link.url).scheme == "https"
    let response: HTTPResponse
    let body: HTTPBody
    do throws(HTTPError) {
      (response, body) = try await transport.send(request)
    } catch {
      throw AnswerFailure(reason: .remote(error))
    }
    guard response.isSuccess else {
      throw AnswerFailure(
        reason: .remote(.status(response.status)),
        retryDelay: response.retryDelay(now: SystemClock.wallTime))
    }
    return AnswerReader(
      response, body, format: format, as: form, isFurther: isFurther, atMost: count)
  }

  /// The next posts; `nil` at the end, or if no more may be returned.
  ///
  /// - Throws: `AnswerFailure`; after that there are no more posts.
  package func next() async throws(AnswerFailure) -> UnparsedPosts? {
    do throws(AnswerFailure) {
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
          guard handedOver > 0 else { throw AnswerFailure(reason: .remote(breakage)) }
          return .posts([mark(of: breakage)])
        }
      }
    } catch {
      stage = .ended
      guard let breakage = body.takeBreakage(), Self.isCausedByTruncation(error) else {
        throw error
      }
      throw AnswerFailure(reason: .remote(breakage))
    }
  }

  /// Whether the failure may result from a truncated answer. A wrong format shows in its first
  /// bytes.
  private static func isCausedByTruncation(_ failure: AnswerFailure) -> Bool {
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

  private func read(_ document: inout DocumentReader) throws(AnswerFailure) -> [Post] {
    do throws(FeedError) {
      var posts = try document.next(atMost: Self.slice.count, within: Self.slice.bytes)
      for index in posts.indices { completion.complete(&posts[index]) }
      return posts
    } catch {
      throw AnswerFailure(reason: .notATimeline(error))
    }
  }

  /// - Returns: `nil` at the end.
  private func read(_ batcher: inout RowBatcher) async throws(AnswerFailure) -> RowBatch? {
    let piece = try await body.next()
    var rows: RowBatch
    if piece.isEmpty {
      do throws(FeedError) { rows = try batcher.finish() } catch {
        throw AnswerFailure(reason: .notATimeline(error))
      }
      if batcher.endsInRow { ending = .insideItem }
    } else {
      rows = batcher.consume(piece)
    }
    info = withReach(batcher.info)
    if rows.count > left {
      ending = .atLimit
      rows = rows.prefix(left)
    } else if !piece.isEmpty {
      stage = .rows(batcher)
    }
    left -= rows.count
    return piece.isEmpty && rows.isEmpty ? nil : rows
  }

  // MARK: Beginning

  /// Reads until the format is known, and whether to read row by row.
  private func begin(with beginning: [UInt8]) async throws(AnswerFailure) {
    stage = .ended
    var bytes = beginning
    let sawEnd = try await body.read(
      into: &bytes, atLeast: Self.maximumWholeDocumentBytes + 1)
    if let charset = response.charset, body.convert(&bytes, from: charset) {
      isConverted = true
      if !sawEnd { try await body.read(into: &bytes, atLeast: 1) }
    }
    if !isFurther, format?.isXML ?? true,
      FeedList.begins(Array(bytes.prefix(Self.beginningBytes)))
    {
      if !sawEnd { try await body.read(into: &bytes, atLeast: FeedList.longest + 1) }
      if let breakage = body.breakage { throw AnswerFailure(reason: .remote(breakage)) }
      throw AnswerFailure(reason: .listOfFeeds(FeedList(bytes), reach: response.reach))
    }
    guard !sawEnd else { return try open(bytes) }
    if body.convert(&bytes) { try await body.read(into: &bytes, atLeast: 1) }
    let format = try detected(bytes)
    guard FeedReader.isReadByRows(bytes, format: format) else {
      guard try await body.read(into: &bytes, atLeast: Self.wholeLimit + 1) else {
        throw AnswerFailure(reason: .tooLarge(limit: Self.wholeLimit))
      }
      return try open(bytes)
    }
    let bomLength = FeedReader.byteOrderMark(of: bytes)
    var batcher = RowBatcher(format: format, offset: bomLength, baseURL: response.url, as: form)
    batcher.completion = completion
    body.putBack(bomLength == 0 ? bytes : Array(bytes[bomLength...]))
    stage = .rows(batcher)
  }

  private func open(_ bytes: [UInt8]) throws(AnswerFailure) {
    let format = try detected(bytes)
    do throws(FeedError) {
      var document = try FeedReader.open(
        bytes, format: format, baseURL: response.url, as: form, atMost: left)
      document.keepsRepeatedIDs = keepsRepeatedIDs
      ending = document.ending
      info = withReach(document.info)
      stage = .document(document)
    } catch {
      throw AnswerFailure(reason: .notATimeline(error))
    }
  }

  private func detected(_ bytes: [UInt8]) throws(AnswerFailure) -> FeedFormat {
    do throws(FeedError) {
      let found = if let format { format } else { try FeedReader.detect(bytes) }
      format = found
      return found
    } catch {
      throw AnswerFailure(reason: .notATimeline(error))
    }
  }

  private func withReach(_ info: TimelineInfo) -> TimelineInfo {
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
    // The id of a damage mark is a position or "damage at the end": not unique among pages.
    if post.id.hasPrefix("damage ") { post.id = "\(post.id) of \(url)" }
    post.reach = reach
    if isConverted { post.markReplacements() }
  }
}
