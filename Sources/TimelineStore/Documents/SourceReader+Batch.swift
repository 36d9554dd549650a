import Feeds

extension SourceReader {
  /// Some posts of a source, in its order.
  package struct Batch: Sendable {
    /// The source's title and other metadata, as far as they have been read.
    package var info: TimelineInfo
    /// The posts, in the source's order.
    package var posts: [Post]
    /// All rows of the document, if these posts are only its first ones; `nil` otherwise.
    var pending: PendingRows?

    /// Creates a batch of these posts.
    package init(info: TimelineInfo, posts: [Post]) {
      self.info = info
      self.posts = posts
    }
  }
}
