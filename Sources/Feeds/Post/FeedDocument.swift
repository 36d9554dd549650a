/// A timeline read whole.
public struct FeedDocument: Hashable, Sendable {
  /// What it was written in.
  public var format: FeedFormat
  /// What it says about itself.
  public var info: TimelineInfo
  /// In the order of the source, with ids that differ from each other.
  public var posts: [Post]

  /// A timeline; without posts unless they are given.
  public init(format: FeedFormat, info: TimelineInfo = TimelineInfo(), posts: [Post] = []) {
    self.format = format
    self.info = info
    self.posts = posts
  }
}
