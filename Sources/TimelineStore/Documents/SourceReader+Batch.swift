import Feeds
import HTTP

extension SourceReader {
  /// All posts of an answer of a server, as many as may be held.
  func wholeAnswer() async throws(SourceError) -> Batch {
    var held = HeldPosts(limit)
    while !held.isCut, let posts = try await nextUnread() {
      posts.readEach { held.add($0) }
    }
    end(isCut: isCut || held.isCut)
    return Batch(info: info, posts: held.posts)
  }

  /// With what stands in the archive around the posts, and leading as far as a file may.
  func completed(_ batch: Batch) -> Batch {
    var batch = batch
    archive.complete(&batch.info)
    for index in batch.posts.indices { archive.complete(&batch.posts[index]) }
    return batch
  }

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
