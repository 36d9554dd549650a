/// The items of a library that belong to a timeline.
package enum FeedScope: Hashable, Sendable {
  case everything
  case feed(FeedID)
  case saved
}
