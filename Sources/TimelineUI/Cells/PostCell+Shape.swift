import Feeds

extension PostCell {
  /// Which views a cell has, so that cells serve all posts that need the same.
  ///
  /// Most posts with pictures have them below one text. Where a picture has a place in the text, there
  /// is a text before and after each picture: of these views most posts would never use any.
  struct Shape: Hashable {
    /// How many pictures it shows, at most `Post.maximumPictures`.
    let pictureCount: Int
    /// Whether there is a text before and after each of them.
    let isInterleaved: Bool

    init(pictureCount: Int, isInterleaved: Bool = false) {
      self.pictureCount = max(0, min(pictureCount, Post.maximumPictures))
      self.isInterleaved = isInterleaved && self.pictureCount > 0
    }

    /// What `post` needs, also for pictures that it hides: revealed they come into the same cell.
    init(of post: Post, showsPictures: Bool) {
      self.init(
        pictureCount: showsPictures ? post.pictures.count : 0,
        isInterleaved: post.pictures.first?.place != nil)
    }

    /// Whether they stand side by side: more than two that have no place in the text.
    var isTiled: Bool { !isInterleaved && pictureCount > 2 }

    var textCount: Int { isInterleaved ? pictureCount + 1 : 1 }

    var reuseIdentifier: String { "post+\(pictureCount)\(isInterleaved ? " in text" : "")" }

    /// Every shape there is.
    static let all =
      (0...Post.maximumPictures).map { Shape(pictureCount: $0) }
      + (1...Post.maximumPictures).map { Shape(pictureCount: $0, isInterleaved: true) }
  }
}
