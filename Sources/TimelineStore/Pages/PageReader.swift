import Answers
import Feeds
import HTTP
import System

/// Fetches and reads pages, off the main actor. A page is read up to the limit of its posts, or not
/// at all.
struct PageReader: Sendable {
  /// Detected from the content if it is `nil`.
  let format: FeedFormat?

  /// The page at `link`.
  ///
  /// - Parameters:
  ///   - first: the format of the timeline's first page, if this is a further one: a page in
  ///     another format is not part of the timeline, but a message from the server.
  ///   - limit: posts beyond it are omitted, and not waited for.
  ///   - validators: those of an earlier answer; if it has not changed, the failure is 304.
  /// - Throws: `PageFailure`, also for an answer without success.
  func page(
    at link: HTTPLink, following first: FeedFormat? = nil, limit: PostLimit = .standard,
    validators: HTTPValidators? = nil, by transport: any HTTPTransport
  ) async throws(PageFailure) -> Page {
    try await withTaskExecutorPreference(WorkerThreads.pages) {
      () async throws(PageFailure) -> Page in
      let answer: AnswerReader
      var held = LimitedPosts(limit)
      do throws(AnswerFailure) {
        answer = try await AnswerReader.open(
          link, format: format, as: .styled, isFurther: first != nil, atMost: limit.count,
          validators: validators, by: transport)
        while !held.isCut, let posts = try await answer.next() {
          posts.readEach { held.add($0) }
        }
      } catch {
        throw PageFailure(error)
      }
      let (format, info, isCut) = await (answer.format, answer.info, answer.isCut)
      let found = format ?? .text
      // An empty list does not show its format.
      if let first, first != found, !held.posts.isEmpty {
        throw PageFailure(reason: .otherFormat(found, first: first))
      }
      let response = answer.response
      let isWhole = held.posts.last?.id.hasPrefix("damage ") != true
      return Page(
        url: response.url, format: found, info: info, posts: held.posts,
        next: NextPage(after: response, info: info, asked: link.url), reach: response.reach,
        isCut: isCut || held.isCut, validators: isWhole ? HTTPValidators(response) : nil)
    }
  }
}
