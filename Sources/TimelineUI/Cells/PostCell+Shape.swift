import ConstraintLayout
import Feeds
import TerminalViews

extension PostCell {
  /// Registers cells of these shapes with `list`.
  static func register(_ shapes: Set<Shape>, _ context: Context, in list: ListView) {
    for shape in shapes {
      // Cells copy the engine of the first cell of their shape. Layouts are not kept, as posts
      // hardly repeat.
      let kind = LayoutClass(name: shape.reuseIdentifier)
      list.register(
        {
          let cell = PostCell(shape, context: context)
          cell.layoutClass = kind
          return cell
        }, forCellReuseIdentifier: shape.reuseIdentifier)
    }
  }

  /// The set of views in a cell, so that cells are shared by all posts with equal needs.
  ///
  /// Most posts with pictures have them below a single text. If a picture has a place in the text,
  /// there is a text before and after each picture; most posts would never use these views.
  struct Shape: Hashable {
    /// The number of pictures, at most `Post.maximumPictures` unless a higher limit is given.
    let pictureCount: Int
    /// Whether there is a text before and after each picture that is not a tile.
    let isInterleaved: Bool
    /// The number of pictures shown as tiles, after the others: those without a place in the text,
    /// if there are more than two.
    let tiledCount: Int

    /// - Parameters:
    ///   - attachedCount: the number of pictures without a place in the text.
    ///   - limit: the largest number of pictures shown.
    init(pictureCount: Int, attachedCount: Int, atMost limit: Int = Post.maximumPictures) {
      self.pictureCount = max(0, min(pictureCount, limit))
      let placedCount = max(0, min(pictureCount - attachedCount, self.pictureCount))
      isInterleaved = placedCount > 0
      let attachedCount = self.pictureCount - placedCount
      tiledCount = attachedCount > 2 ? attachedCount : 0
    }

    /// The shape for `post`, including hidden pictures: they are revealed in the same cell.
    ///
    /// - Parameter limit: the number of pictures shown; further ones are named in the text.
    init(of post: Post, showsPictures: Bool, atMost limit: Int = Post.maximumPictures) {
      self.init(
        pictureCount: showsPictures ? post.pictures.count : 0,
        attachedCount: post.pictures.count { $0.place == nil }, atMost: limit)
    }

    var textCount: Int { isInterleaved ? pictureCount - tiledCount + 1 : 1 }

    /// Every possible shape with the default limit.
    static let all: Set<Shape> = {
      let counts = 0...Post.maximumPictures
      return Set(
        counts.flatMap { count in
          (0...count).map { Shape(pictureCount: count, attachedCount: $0) }
        })
    }()

    var reuseIdentifier: String {
      guard isInterleaved else { return "post+\(pictureCount)" }
      let tiles = tiledCount > 0 ? "+\(tiledCount)" : ""
      return "post+\(pictureCount - tiledCount) in text\(tiles)"
    }
  }
}
