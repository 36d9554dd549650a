import Feeds
import TimelineStore

/// The line between new posts and those from before the last visit: it stands above the first post
/// that is not new, if there are new ones above that.
@MainActor final class NewPostsLine {
  private let store: TimelineStore
  private let clock: PostClock
  /// The row below the line and the line's text; `nil` until they are computed.
  private var known: (row: Int?, text: String)?

  /// With this number of new posts above it, or more, there is no line. `10_000`
  static let maximumRows = 10_000

  init(of store: TimelineStore, clock: PostClock) { (self.store, self.clock) = (store, clock) }

  /// Call this when rows or marks have changed.
  func invalidate() { known = nil }

  /// The row below the line; `nil` if there is none.
  ///
  /// - Complexity: O(n log m) for n new posts above the line, after a change of m rows.
  var row: Int? { line?.row }

  /// The line's text: `"new since Tue 14:05"`.
  var text: String { line?.text ?? "" }

  private var line: (row: Int?, text: String)? {
    if let known { return known }
    guard let marks = store.marks else { return nil }
    let found: (row: Int?, text: String)
    if let since = marks.newSince, marks.newCount > 0 {
      var row = 0
      let end = min(store.count, Self.maximumRows)
      while row < end, marks.marks(ofRow: row).contains(.new) { row += 1 }
      let moment = RelativeTime.moment(since, now: clock.now, style: .reader)
      found = (row > 0 && row < end ? row : nil, "new since \(moment)")
    } else {
      found = (nil, "")
    }
    known = found
    return found
  }
}
