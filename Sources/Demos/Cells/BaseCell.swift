import ConstraintLayout
import Geometry
import Pictures
import Pixels
import Terminal
import TerminalViews
import TimelineUI

/// A cell made in code, with one picture; one hook adds its views, then another their constraints.
@MainActor class BaseCell: ListViewCell {
  let picture: ImageView
  /// Fetches the picture once layout has given it a frame.
  let slot: ImagePresenter

  init(picture: ImageView, store: PictureStore, shape: PictureStore.Shape = .none) {
    self.picture = picture
    slot = ImagePresenter(view: picture, store: store, shape: shape)
    super.init(name: "cell")
    // Views first, so that constraints connect views of one tree.
    setUpViews()
    setUpConstraints()
    slot.onChange = { [weak self] in self?.pictureChanged() }
  }

  func setUpViews() {}
  func setUpConstraints() {}

  /// Called when the picture's size becomes known; for cells whose layout depends on it.
  func pictureSizeArrived(_ size: PixelSize) {}

  /// Called when the picture could not be loaded.
  func pictureFailed(_ reason: String) {}

  private func pictureChanged() {
    if case .failed(let reason) = slot.state { pictureFailed(reason) }
    if let size = picture.pixelSize { pictureSizeArrived(size) }
  }

  override func prepareForReuse() { slot.clear() }

  override func layout(width: Int, height: Int) {
    super.layout(width: width, height: height)
    slot.frameDidChange()
  }

  override var selectionMarkWidth: Int { SelectionBar.width }

  override func drawSelectionMark(in canvas: inout Canvas, at origin: Point) {
    SelectionBar.draw(for: self, in: &canvas, at: origin)
  }

  // MARK: Reported by `--frames`

  /// What computes the cell's height.
  var measuredBy: String { "constraints" }

  /// The name of the view that determines the cell's bottom; "both" if two views do.
  var activeBottom: String { "none" }

  /// The name of the view among `views` whose bottom is one row above the cell's, "both" or "none".
  final func holders(among views: [View]) -> String {
    let holding = views.filter { $0.frame.maxY + 1 == frame.height }.map(\.name)
    return holding.count > 1 ? "both" : holding.first ?? "none"
  }
}
