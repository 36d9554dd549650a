import Feeds
import Geometry
import HTTP
import ImageLoading
import Pictures
import Pixels
import TerminalViews
import TextLayout

/// A picture of a post and the caption below it: its description, or why it is missing.
@MainActor final class CaptionedPicture {
  /// The rows that a picture of unknown size takes.
  static let reservedHeight = 4

  let view: ImageView
  let caption: Label
  let presenter: ImagePresenter
  private let context: PostCell.Context
  /// The picture, and the text after it; `nil` if nothing is shown.
  private var shown: (picture: Post.Picture, textBelow: StyledText)?

  /// - Parameter number: distinguishes the views of a cell by name.
  init(number: Int, context: PostCell.Context) {
    self.context = context
    view = ImageView(name: "picture \(number)")
    caption = Label(name: "caption \(number)")
    presenter = ImagePresenter(view: view, store: context.pictures)
    view.reservedHeight = Self.reservedHeight
    presenter.onChange = { [weak self] in self?.updateCaption() }
  }

  func show(
    _ picture: Post.Picture, above textBelow: StyledText, reach: RequestScope, maximumSize: Size,
    priority: ImagePriority
  ) {
    shown = (picture, textBelow)
    view.maximumSize = maximumSize
    presenter.show(
      picture.url, reach: reach, declaredSize: picture.declaredSize, blurHash: picture.blurHash,
      priority: priority)
    updateCaption()
  }

  /// Whether a picture is shown, or will be.
  var isShown: Bool { shown != nil }

  func clear() {
    prepareForReuse()
    caption.text = StyledText()
  }

  /// Cancels the request.
  func prepareForReuse() {
    presenter.clear()
    shown = nil
  }

  /// The caption includes the failure of a picture that does not keep its size; one that does shows
  /// the failure in its place.
  private func updateCaption() {
    guard let shown else { return }
    var failure: String?
    if case .failed(let reason) = presenter.state, !view.keepsSizeOnFailure { failure = reason }
    caption.text = context.marked(
      PostText.caption(of: shown.picture, failure: failure, textBelow: shown.textBelow))
  }
}

extension Post.Picture {
  /// The size that the source declares, if it is valid.
  fileprivate var declaredSize: PixelSize? {
    guard let width, let height, width > 0, height > 0, width <= 1 << 16, height <= 1 << 16 else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }
}
