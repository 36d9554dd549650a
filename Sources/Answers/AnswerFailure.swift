import Feeds
import HTTP

/// Why a server's answer cannot be read as posts.
package struct AnswerFailure: Error, Sendable {
  /// The kind of the failure.
  package enum Reason: Sendable {
    /// The exchange failed, or ended without success.
    case remote(HTTPError)
    case notATimeline(FeedError)
    /// The answer has to be read whole, and is larger than the limit in bytes.
    case tooLarge(limit: Int)
    /// A list of feeds, and the reach of its addresses.
    case listOfFeeds(FeedList, reach: RequestScope)
  }

  package let reason: Reason
  /// The seconds that the server asks to wait; `nil` if it does not.
  package var retryDelay: Double?

  package init(reason: Reason, retryDelay: Double? = nil) {
    self.reason = reason
    self.retryDelay = retryDelay
  }
}
