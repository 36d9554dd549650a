import Answers
import Feeds
import HTTP

/// The first page with posts of a server's timeline; printing and merging read no further. A
/// collection may begin with a page that only links to its posts.
struct FirstPageReader: Sendable {
  /// The page's description of the timeline, as far as it is read.
  private(set) var info = TimelineInfo()
  /// Where the page ends, as far as it is read.
  private(set) var ending = DocumentEnding.whole
  /// The validators of the answer, if it is the first page; before, those of an earlier one.
  private(set) var validators: HTTPValidators?

  private let form: ContentForm
  private let limit: PostLimit
  private let format: FeedFormat?
  private let transport: any HTTPTransport
  private var link: HTTPLink
  private var answer: AnswerReader?
  private var isEmpty = true
  /// The format of the page before, if there is one.
  private var first: FeedFormat?
  /// The number of pages without posts that may still be skipped.
  private var pagesLeft = 2

  init(
    _ link: HTTPLink, format: FeedFormat?, as form: ContentForm, limit: PostLimit,
    validators: HTTPValidators? = nil, by transport: any HTTPTransport
  ) {
    self.validators = validators
    self.link = link
    self.format = format
    self.form = form
    self.limit = limit
    self.transport = transport
  }

  /// The next posts; `nil` at the end.
  ///
  /// - Throws: `PageFailure`; after that there are no more posts.
  mutating func next() async throws(PageFailure) -> UnparsedPosts? {
    while true {
      let reader: AnswerReader
      let posts: UnparsedPosts?
      do throws(AnswerFailure) {
        if let answer {
          reader = answer
        } else {
          reader = try await AnswerReader.open(
            link, format: format, as: form, isFurther: first != nil, atMost: limit.count,
            validators: first == nil ? validators : nil, by: transport)
          answer = reader
          validators = first == nil ? HTTPValidators(reader.response) : nil
        }
        posts = try await reader.next()
      } catch {
        throw PageFailure(error)
      }
      (info, ending) = await (reader.info, reader.ending)
      if let posts {
        isEmpty = isEmpty && posts.isEmpty
        // A further page in another format is a message from the server.
        if let first, !posts.isEmpty, case let found? = await reader.format, found != first {
          throw PageFailure(reason: .otherFormat(found, first: first))
        }
        return posts
      }
      guard isEmpty, pagesLeft > 0,
        case .address(let next) = NextPage(after: reader.response, info: info, asked: link.url)
      else { return nil }
      pagesLeft -= 1
      first = await reader.format
      link = next
      answer = nil
    }
  }
}
