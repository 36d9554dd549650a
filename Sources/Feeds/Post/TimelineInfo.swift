import HTTP

/// What a source says about itself.
public struct TimelineInfo: Hashable, Sendable {
  /// Its name; empty where it has none.
  public var title: String
  /// The page whose feed it is.
  public var homePage: String?
  /// Its own address, as it says.
  public var feedURL: String?
  /// Where older posts are.
  public var nextPage: String?
  /// What to ask the same server for to get older posts, where it gives no address for them but a
  /// `cursor` parameter (Bluesky).
  public var nextCursor: String?
  /// The address of a picture that stands for it.
  public var icon: String?
  /// The language of posts that name none.
  public var language: String?
  /// As ``Post/reach``.
  public var reach = HTTPReach.publicAddresses

  /// A source of which no more is known.
  public init(title: String = "") { self.title = title }
}
