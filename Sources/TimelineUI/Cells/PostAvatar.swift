import ConstraintLayout
import Feeds
import Geometry
import ImageLoading
import Pictures
import TerminalViews
import TextLayout
import TimelineStore

/// The picture of a post's author at the left of a cell, or the initials that stand for it. If
/// there is neither, or if the cell is narrow, it has no size and the text begins in its place.
@MainActor final class PostAvatar {
  static let size = Size(width: 6, height: 3)
  /// The least width of a cell that shows it.
  private static let minimumCellWidth = 36

  let view = ImageView(name: "icon", followsPicture: false)
  let presenter: ImagePresenter
  private var indent: LayoutConstraint?
  private var width: LayoutConstraint?
  private var height: LayoutConstraint?
  private var textIndent: LayoutConstraint?

  init(store: PictureStore) {
    presenter = ImagePresenter(view: view, store: store, shape: .circle)
  }

  func makeConstraints(beside name: Label) {
    indent = view.leading(offset: 2)
    view.top(to: name)
    width = view.width(0)
    height = view.height(0)
    textIndent = name.leading(to: view, edge: .trailing, offset: 2)
  }

  /// Shows the author's picture, else the timeline's; the author's initials if it cannot be loaded.
  /// A post without a picture has an empty place for it in sources whose posts usually have one:
  /// posts of accounts, or of several sources. So all texts are aligned.
  func show(of post: Post, named name: StyledText, info: TimelineInfo, priority: ImagePriority) {
    let picture = post.author?.avatar
    let url = picture ?? info.icon
    let isReserved = url != nil || post.author?.handle.isEmpty == false || post.source != nil
    view.badge =
      isReserved
      ? post.author.flatMap(Initials.badge(of:)) ?? Initials.badge(ofName: name.plainText) : nil
    guard let url else { return presenter.clear() }
    presenter.show(url, reach: picture == nil ? info.reach : post.reach, priority: priority)
  }

  func clear() {
    presenter.clear()
    view.badge = nil
  }

  /// Call this before the cell is laid out at a width of `columns`.
  ///
  /// - Parameters:
  ///   - indent: the columns by which the whole post is indented.
  ///   - hasMarks: whether there is a column for a mark, two columns left of the text. Beside an
  ///     avatar it costs the text nothing: the avatar moves to the left.
  /// - Returns: the columns that remain for the text of a post that is not indented.
  func adapt(toWidth columns: Int, indent: Int, hasMarks: Bool) -> Int {
    let shift = hasMarks ? 1 : 0
    self.indent?.constant = Double(2 - shift + min(indent, max(0, (columns - 40) / 2)))
    let isShown =
      (presenter.url != nil || view.badge != nil) && columns >= Self.minimumCellWidth
    width?.constant = isShown ? Double(Self.size.width) : 0
    height?.constant = isShown ? Double(Self.size.height) : 0
    textIndent?.constant = Double(isShown ? 2 + shift : 2 * shift)
    return columns - (isShown ? Self.size.width + 5 : 3 + shift)
  }
}
