import ConstraintLayout
import Geometry
import Pictures
import Pixels
import Terminal
import TerminalViews
import TextLayout
import TimelineUI

/// A picture above a caption. Its height is reserved until its size is known; then a constraint for
/// its aspect ratio replaces the reservation.
@MainActor final class PlaceholderCell: BaseCell {
  static let maximumWidth = 40.0
  static let reservedHeight = 15.0

  private let caption = Label(name: "caption", numberOfLines: 1)
  private var reserved: LayoutConstraint?
  private var aspect: LayoutConstraint?
  private var bottomEdge: LayoutConstraint?
  private var aspectSize: PixelSize?
  /// Called when the picture's size becomes known.
  var onSize: ((PlaceholderCell, PixelSize) -> Void)?

  init(pictures: PictureStore) {
    super.init(picture: ImageView(name: "picture", followsPicture: false), store: pictures)
  }

  override func setUpViews() {
    addSubview(picture)
    addSubview(caption)
  }

  /// A picture's height is no whole number of rows, a cell's is: the bottom edge, just below
  /// required, absorbs the difference, and the old height that the list imposes at first.
  override func setUpConstraints() {
    picture.top().label = "picture-top"
    picture.leading(offset: 2).label = "picture-leading"
    picture.trailing(offset: -2, relation: .lessThanOrEqual).label = "picture-trailing"
    picture.width(Self.maximumWidth, relation: .lessThanOrEqual).label = "picture-width-most"
    picture.width(Self.maximumWidth, priority: .defaultHigh).label = "picture-width"
    reserved = picture.height(Self.reservedHeight, priority: .required - 2)
      .labeled("reserved-height")
    caption.top(to: picture, edge: .bottom).label = "caption-top"
    caption.leading(to: picture).label = "caption-leading"
    caption.trailing(offset: -2, relation: .lessThanOrEqual).label = "caption-trailing"
    bottomEdge = bottom(to: caption, offset: 1, priority: .required - 1)
    bottomEdge?.label = "caption-to-bottom"
  }

  /// - Parameter size: the picture's size, if it arrived before.
  func configure(with item: PlaceholdersDemo.Item, size: PixelSize?) {
    caption.text = StyledText(item.caption, style: TextStyle(role: .secondary))
    slot.show(item.url, reach: .everywhere, declaredSize: size, priority: .near)
    // The queue may have learned the size for a row that had scrolled away.
    setAspect(picture.pixelSize)
  }

  override func prepareForReuse() {
    super.prepareForReuse()
    onSize = nil
    setAspect(nil)
  }

  override func pictureFailed(_ reason: String) {
    caption.text = StyledText("✕ \(reason)", style: TextStyle(role: .error))
  }

  override func pictureSizeArrived(_ size: PixelSize) {
    guard size != aspectSize else { return }
    setAspect(size)
    onSize?(self, size)
  }

  /// Replaces the last picture's aspect constraint; without a size the reserved height applies.
  private func setAspect(_ size: PixelSize?) {
    guard size != aspectSize else { return }
    aspectSize = size
    aspect?.isActive = false
    aspect = nil
    if let size, size.width > 0, size.height > 0 {
      aspect = picture.aspectRatio(Double(size.width) / Double(size.height))
      aspect?.label = "aspect"
    }
    reserved?.isActive = aspect == nil
    setNeedsLayout()
  }

  override var placeProviders: [any PlaceProviding] { [picture, caption] }

  override func draw(in canvas: inout Canvas, at origin: Point) {
    super.draw(in: &canvas, at: origin)
    guard picture.image == nil else { return }
    canvas.fill(
      picture.frame.offset(dx: origin.x, dy: origin.y),
      with: CanvasCell(" ", style: Style(background: theme.placeholder)))
  }

  override var keyConstraints: [LayoutConstraint] {
    [bottomEdge, reserved, aspect].compactMap { $0 }
  }

  /// Whether the size of its picture is not known yet.
  var awaitsSize: Bool { aspectSize == nil }

  override var layoutNote: String {
    guard let size = aspectSize else { return "reserved until the picture tells its size" }
    return "a picture of \(size.width)x\(size.height) pixels: "
      + "\(picture.frame.height.counted("row")) at \(picture.frame.width) columns"
  }

  override var activeBottom: String { caption.name }
}
