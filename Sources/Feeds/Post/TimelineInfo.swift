import HTTP

/// What a source says about itself.
public struct TimelineInfo: Hashable, Sendable {
  public var title: String
  public var homePage: String?
  public var feedURL: String?
  /// Where older posts are.
  public var nextPage: String?
  /// What to ask the same server for to get older posts, where it gives no address for them but a
  /// `cursor` parameter (Bluesky).
  public var nextCursor: String?
  public var icon: String?
  public var language: String?
  /// As ``Post/reach``.
  public var reach = HTTPReach.publicAddresses

  public init(title: String = "") { self.title = title }
}
