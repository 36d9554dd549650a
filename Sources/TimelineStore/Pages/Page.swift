import Feeds
import HTTP

/// One page of a timeline, as a server sent it.
struct Page: Sendable {
  /// Where it came from, after redirects.
  var url: String
  var format: FeedFormat
  var info = TimelineInfo()
  var posts: [Post]
  var next = NextPage.none
  /// How far it may lead.
  var reach = HTTPReach.publicAddresses
  /// Whether it has more posts than are held.
  var isCut = false
}

/// Why a page is not there.
struct PageFailure: Error, Sendable {
  let reason: SourceError.Reason
  /// Seconds for which the server asks to be left alone; nil where it does not.
  var retryDelay: Double?

  /// What to say where nothing asks again by itself: when the server wants to be asked again, too.
  var sourceReason: SourceError.Reason {
    guard case .remote(let error) = reason, let retryDelay, retryDelay > 0 else { return reason }
    return .busy(error, retryDelay: retryDelay)
  }

  var isCancelled: Bool {
    if case .remote(.cancelled) = reason { true } else { false }
  }
}
