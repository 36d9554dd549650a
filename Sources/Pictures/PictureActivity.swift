import ImageLoading
import TextLayout

/// The activity of the fetch queue, as text for the status line.
package enum PictureActivity {
  /// `"↓ 3 pictures"`, `"1 picture waits for a retry"`; empty when nothing is under way.
  package static func text(of activity: ImageActivity) -> String {
    let (count, waiting) = (activity.queued + activity.inFlight, activity.waiting)
    if count > 0 { return "↓ \(count.counted("picture"))" }
    guard waiting > 0 else { return "" }
    return "\(waiting.counted("picture")) \(waiting == 1 ? "waits" : "wait") for a retry"
  }
}
