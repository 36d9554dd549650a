import ConstraintLayout
import Geometry
import Pictures
import Pixels
import Terminal
import TerminalViews
import TimelineUI

/// A cell made in code, with one picture: one hook sets its views up, and then their constraints.
@MainActor class BaseCell: ListViewCell {
  /// How a cell finds its height.
  enum Measurement: String {
    case constraints
    case sizeThatFits
  }

  let picture: ImageView
  /// What fetches the picture, once layout has given it a frame.
  let slot: PictureSlot

  init(picture: ImageView, store: PictureStore, shape: PictureStore.Shape = .none) {
    self.picture = picture
    slot = PictureSlot(view: picture, store: store, shape: shape)
    super.init(name: "cell")
    // Views first, so that constraints find theirs in one tree.
    setUpViews()
    setUpConstraints()
    slot.onChange = { [weak self] in self?.pictureChanged() }
  }

  func setUpViews() {}
  func setUpConstraints() {}

  /// The picture's size has become known: what a cell does whose layout depends on it.
  func pictureSizeArrived(_ size: PixelSize) {}

  /// The picture could not be had.
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

  // MARK: What `--frames` tells

  var measurement: Measurement { .constraints }

  /// The name of the view whose bottom holds the cell's; "both" where two do at once.
  var activeBottom: String { "none" }

  /// The names of those of `views` whose bottom is one row above the cell's.
  final func holders(among views: [View]) -> String {
    let holding = views.filter { $0.frame.maxY + 1 == frame.height }.map(\.name)
    return holding.count > 1 ? "both" : holding.first ?? "none"
  }
}
