import ImageLoading

/// The activity of the fetch queue, as text for the status line.
package enum PictureActivity {
  /// `"↓ 3 pictures"`, `"1 picture is tried again"`; empty when nothing is under way.
  package static func text(of activity: ImageActivity) -> String {
    let count = activity.queued + activity.inFlight
    if count > 0 { return "↓ \(count) \(count == 1 ? "picture" : "pictures")" }
    switch activity.waiting {
    case 0: return ""
    case 1: return "1 picture is tried again"
    case let waiting: return "\(waiting) pictures are tried again"
    }
  }
}
