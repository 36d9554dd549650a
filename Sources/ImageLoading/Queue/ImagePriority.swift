/// How soon a picture is wanted.
public enum ImagePriority: Int, Comparable, CaseIterable, Sendable {
  /// Some time.
  case idle
  /// Its row is near the screen, and the reader moves away from it.
  case near
  /// Its row comes on screen next if the reader goes on.
  case ahead
  /// Its row is on screen.
  case visible

  public static func < (a: ImagePriority, b: ImagePriority) -> Bool { a.rawValue < b.rawValue }
}
