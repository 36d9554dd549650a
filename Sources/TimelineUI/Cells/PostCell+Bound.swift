import Feeds
import HTTP
import Pictures
import TerminalViews

/// The largest height that a post's cell can have, computed without a cell.
extension PostCell {
  /// The columns beside the text: the avatar with the space around it, and the right margin.
  static let columnsBesideText = 11
  /// Below this width the layout drops decoration, and no bound is certain.
  private static let narrowest = 60
  /// The most columns of the text that says why a picture is missing; it may contain an address.
  private static let failureColumns = 260

  /// The most lines that a post of this extent can take; `nil` if no bound is certain.
  ///
  /// A post with fields for other texts and pictures has no `RowSizeBound`. If you add a view to
  /// the cell for a field that `RowSizeBound` covers, count its lines here.
  ///
  /// - Parameter rowsAbove: the lines above the post, such as the one that separates it from new
  ///   posts.
  /// - Complexity: O(pictures).
  static func heightBound(
    of extent: RowSizeBound, width: Int, screenHeight: Int, pictures: PictureStore,
    maximumTextWidth: Int = ReadingWidth.usual, rowsAbove: Int = 0
  ) -> Int? {
    guard width >= narrowest, extent.pictures.count <= Post.maximumPictures else { return nil }
    let textWidth = min(maximumTextWidth, width - columnsBesideText)
    // A picture beside the text leaves fewer columns for the reason that it is missing; all other
    // parts take no more lines than with the picture in the text.
    let reasonWidth =
      SidePictures.columns(of: width - columnsBesideText, textWidth: textWidth) ?? textWidth
    let gap = 1
    // The line with the name, and the blank line after the post.
    var height = rowsAbove + 1 + 1
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
      let picture = isKnown ? max(3, screenHeight * 2 / 3) : CaptionedPicture.reservedHeight
      let hasFailed = RequestScope.allCases.contains {
        pictures.loader.knownFailure(of: url, reach: $0) != nil
      }
      let reason = hasFailed ? RowSizeBound.Text(columns: Self.failureColumns) : RowSizeBound.Text()
      height += gap + max(picture, reason.lines(width: min(reasonWidth, textWidth)))
    }
    height += gap + footer.lines(width: textWidth)
    return max(height, rowsAbove + PostAvatar.size.height + 1)
  }
}
