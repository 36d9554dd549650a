import Feeds

extension SourceReader {
  /// Some posts of a source, in its order.
  public struct Batch: Sendable {
    /// The source's description of itself, as far as it is read.
    public var info: TimelineInfo
    /// The posts, in the source's order.
    public var posts: [Post]
    /// All rows of the document, if these posts are its first and others follow.
    var pending: PendingRows?

    /// Creates a batch of these posts.
    public init(info: TimelineInfo, posts: [Post]) {
      self.info = info
      self.posts = posts
    }
  }
}
