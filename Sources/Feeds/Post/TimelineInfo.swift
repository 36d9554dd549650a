import HTTP

/// The metadata of a source.
public struct TimelineInfo: Hashable, Sendable {
  /// The title; empty if the source has none.
  public var title: String
  /// The web page to which the feed belongs.
  public var homePage: String?
  /// The feed's address, as the source gives it.
  public var feedURL: String?
  /// The address of the page with older posts.
  public var nextPage: String?
  /// The cursor for older posts, if the server expects it as a `cursor` parameter instead of giving
  /// an address (Bluesky).
  public var nextCursor: String?
  /// The address of the source's icon.
  public var icon: String?
  /// The language of posts that name none.
  public var language: String?
  /// When the source asks to be read again.
  package var schedule = FeedSchedule()
  /// How far requests to its addresses may reach, as ``Post/reach``.
  public var reach = RequestScope.publicAddresses

  /// The metadata of a source of which at most the title is known.
  public init(title: String = "") { self.title = title }
}
