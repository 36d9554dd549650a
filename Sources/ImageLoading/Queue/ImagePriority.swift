/// How soon a picture is wanted.
public enum ImagePriority: Int, Comparable, CaseIterable, Sendable {
  /// Some time.
  case idle
  /// Its row may come on screen soon.
  case near
  /// Its row is on screen.
  case visible

  public static func < (a: ImagePriority, b: ImagePriority) -> Bool { a.rawValue < b.rawValue }
}
