import Feeds
import HTTP
import Pictures
import TerminalViews

/// How high a post's cell can be at most, told without one.
extension PostCell {
  /// Columns that are not text's: the avatar with the space around it, and the right margin.
  static let columnsBesideText = 11
  /// In less room decoration gives way to text, and nothing is certain.
  private static let narrowest = 60
  /// Columns of a line that says why a picture is missing, at most: its reason and an address in
  /// it.
  private static let failureColumns = 260

  /// The lines of a post of this extent at most, at least 1; nil where that is not certain.
  ///
  /// What a cell shows beyond these texts and pictures comes of fields that a `RowExtent` is not
  /// made for; a view that is added to the cell for those it is made for has to be counted here.
  /// - Complexity: O(pictures).
  static func heightBound(
    of extent: RowExtent, width: Int, screenHeight: Int, pictures: PictureStore,
    maximumTextWidth: Int = ReadingWidth.usual
  ) -> Int? {
    guard width >= narrowest, extent.pictures.count <= Post.maximumPictures else { return nil }
    let textWidth = min(maximumTextWidth, width - columnsBesideText)
    let gap = 1
    // The line of names, and the blank one after the post.
    var height = 1 + 1
    height += extent.title.lines(width: textWidth) + extent.damage.lines(width: textWidth)
    height += gap + extent.body.lines(width: textWidth)
    var footer = extent.tags
    for url in extent.pictures {
      guard pictures.showsPictures else {
        footer.columns += url.utf8.count + 2
        footer.breaks += 1
        continue
      }
      let isKnown = pictures.loader.knownSize(of: url) != nil
      let picture = isKnown ? max(3, screenHeight * 2 / 3) : pictureReserve
      let hasFailed = HTTPReach.allCases.contains {
        pictures.loader.knownFailure(of: url, reach: $0) != nil
      }
      let reason = hasFailed ? RowExtent.Text(columns: Self.failureColumns) : RowExtent.Text()
      height += gap + max(picture, reason.lines(width: textWidth))
    }
    height += gap + footer.lines(width: textWidth)
    return max(height, avatarSize.height + 1)
  }
}
