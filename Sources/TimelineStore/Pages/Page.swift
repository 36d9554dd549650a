import Answers
import Feeds
import HTTP

/// One page of a timeline, as a server sent it.
struct Page: Sendable {
  /// The address of the page, after redirects.
  var url: String
  var format: FeedFormat
  var info = TimelineInfo()
  var posts: [Post]
  var next = NextPage.none
  /// The reach of the page's links.
  var reach = RequestScope.publicAddresses
  /// Whether the page has more posts than are held.
  var isCut = false
  /// Those of the answer; `nil` if it has none, or broke off.
  var validators: HTTPValidators?
}

/// Why a page could not be loaded.
struct PageFailure: Error, Sendable {
  let reason: SourceError.Reason
  /// The seconds that the server asks to wait; `nil` if it does not.
  var retryDelay: Double?

  /// The reason to report if there is no retry, with the time after which the server may be asked
  /// again.
  var sourceReason: SourceError.Reason {
    guard case .remote(let error) = reason, let retryDelay, retryDelay > 0 else { return reason }
    return .busy(error, retryDelay: retryDelay)
  }

  var isCancelled: Bool {
    if case .remote(.cancelled) = reason { true } else { false }
  }
}

extension PageFailure {
  init(_ failure: AnswerFailure) {
    retryDelay = failure.retryDelay
    reason =
      switch failure.reason {
      case .remote(let error): .remote(error)
      case .notATimeline(let error): .notATimeline(error)
      case .tooLarge(let limit): .tooLarge(limit: limit)
      case .listOfFeeds(let list, let reach): .listOfFeeds(list, reach: reach)
      }
  }
}
