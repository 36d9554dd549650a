/// A timeline that was read at once, up to the requested number of posts.
public struct FeedDocument: Hashable, Sendable {
  /// The format of the source.
  public var format: FeedFormat
  /// The timeline's title, addresses and other metadata.
  public var info: TimelineInfo
  /// The posts in source order, with unique ids.
  public var posts: [Post]

  /// A timeline, by default without posts.
  public init(format: FeedFormat, info: TimelineInfo = TimelineInfo(), posts: [Post] = []) {
    self.format = format
    self.info = info
    self.posts = posts
  }
}
