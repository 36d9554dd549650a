import ImageLoading

/// What the fetch queue is doing, as the status line says it.
package enum PictureActivity {
  /// `"↓ 3 pictures"`; empty when nothing is under way.
  package static func text(of activity: ImageActivity) -> String {
    let count = activity.queued + activity.inFlight
    guard count > 0 else { return "" }
    return "↓ \(count) \(count == 1 ? "picture" : "pictures")"
  }
}
