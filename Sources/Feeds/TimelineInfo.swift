/// What a source says about itself.
public struct TimelineInfo: Hashable, Sendable {
  public var title: String
  public var homePage: String?
  public var feedURL: String?
  /// Where older posts are.
  public var nextPage: String?
  public var icon: String?
  public var language: String?

  public init(title: String = "") { self.title = title }
}
