/// The urgency of a picture.
public enum ImagePriority: Int, Comparable, CaseIterable, Sendable {
  /// Needed at some time.
  case idle
  /// Its row is near the screen, but the user scrolls away from it.
  case near
  /// Its row is the next one on screen if the user scrolls on.
  case ahead
  /// Its row is on screen.
  case visible

  public static func < (a: ImagePriority, b: ImagePriority) -> Bool { a.rawValue < b.rawValue }
}
