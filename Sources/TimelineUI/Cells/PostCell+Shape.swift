import ConstraintLayout
import Feeds
import TerminalViews

extension PostCell {
  /// Has `list` make cells of these shapes.
  static func register(_ shapes: Set<Shape>, _ context: Context, in list: ListView) {
    for shape in shapes {
      // Cells copy the engine of the first of their kind. Posts hardly repeat, so no layout is
      // kept.
      let kind = LayoutClass(name: shape.reuseIdentifier)
      list.register(
        {
          let cell = PostCell(shape, context: context)
          cell.layoutClass = kind
          return cell
        }, forCellReuseIdentifier: shape.reuseIdentifier)
    }
  }

  /// Which views a cell has, so that cells serve all posts that need the same.
  ///
  /// Most posts with pictures have them below one text. Where a picture has a place in the text,
  /// there is a text before and after each picture: of these views most posts would never use any.
  struct Shape: Hashable {
    /// How many pictures it shows, at most `Post.maximumPictures`.
    let pictureCount: Int
    /// Whether there is a text before and after each of those that do not stand side by side.
    let isInterleaved: Bool
    /// How many stand side by side, behind the others: more than two that have no place in the
    /// text.
    let tiledCount: Int

    /// - Parameters:
    ///   - attachedCount: those without a place in the text.
    ///   - limit: how many are shown.
    init(pictureCount: Int, attachedCount: Int, atMost limit: Int = Post.maximumPictures) {
      self.pictureCount = max(0, min(pictureCount, limit))
      let placedCount = max(0, min(pictureCount - attachedCount, self.pictureCount))
      isInterleaved = placedCount > 0
      let attachedCount = self.pictureCount - placedCount
      tiledCount = attachedCount > 2 ? attachedCount : 0
    }

    /// What `post` needs, also for pictures that it hides: revealed they come into the same cell.
    ///
    /// - Parameter limit: pictures that are shown; further ones are named.
    init(of post: Post, showsPictures: Bool, atMost limit: Int = Post.maximumPictures) {
      self.init(
        pictureCount: showsPictures ? post.pictures.count : 0,
        attachedCount: post.pictures.count { $0.place == nil }, atMost: limit)
    }

    var textCount: Int { isInterleaved ? pictureCount - tiledCount + 1 : 1 }

    /// Every shape there is.
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
