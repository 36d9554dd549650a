import Feeds
import HTTP

extension SourceReader {
  /// Some posts of a source, in its order.
  public struct Batch: Sendable {
    /// What the source says about itself, as far as it is read.
    public var info: TimelineInfo
    /// In the source's order.
    public var posts: [Post]
    /// All rows, where these are the first of a document and others follow.
    var pending: PendingRows?

    /// A batch of these posts.
    public init(info: TimelineInfo, posts: [Post]) {
      self.info = info
      self.posts = posts
    }

    /// The same, whose addresses may lead so far.
    ///
    /// - Complexity: O(posts).
    public func reaching(_ reach: HTTPReach) -> Batch {
      var batch = self
      // A source that says nothing about itself keeps saying so.
      if info != TimelineInfo() { batch.info.reach = reach }
      for index in posts.indices { batch.posts[index].reach = reach }
      return batch
    }
  }
}
