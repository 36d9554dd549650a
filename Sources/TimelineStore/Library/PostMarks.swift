/// The marks that a row shows beside its post.
public struct PostMarks: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let unread = PostMarks(rawValue: 1)
  public static let saved = PostMarks(rawValue: 2)
  /// First seen after the last visit at the top of the timeline.
  public static let new = PostMarks(rawValue: 4)
}
