import ImageLoading

/// What the fetch queue is doing, as the status line says it.
public enum PictureActivity {
  /// `"↓ 3 pictures"`; empty when nothing is under way.
  public static func text(of activity: ImageActivity) -> String {
    let count = activity.queued + activity.inFlight
    guard count > 0 else { return "" }
    return "↓ \(count) \(count == 1 ? "picture" : "pictures")"
  }
}
