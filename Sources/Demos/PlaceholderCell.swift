import ConstraintLayout
import Geometry
import Pixels
import Terminal
import TerminalViews
import TextLayout
import Timeline

/// A picture above a caption. The picture's height is reserved until it arrives; then a constraint of
/// its own proportions takes the place of the reservation.
@MainActor final class PlaceholderCell: BaseCell, PictureCell {
  static let maximumWidth = 40.0
  static let reservedHeight = 15.0

  private let picture = ImageView(name: "picture", followsPicture: false)
  private let caption = Label(name: "caption", numberOfLines: 1)
  let slot: PictureSlot
  private var reserved: LayoutConstraint?
  private var aspect: LayoutConstraint?
  private var aspectSize: PixelSize?
  /// Called when the picture's size has arrived, to have this cell's row updated.
  var onArrival: ((PlaceholderCell, PixelSize) -> Void)?

  init(pictures: PictureStore) {
    slot = PictureSlot(view: picture, store: pictures)
    super.init(name: "cell")
    slot.onChange = { [weak self] in self?.pictureChanged() }
  }

  override func setUpViews() {
    addSubview(picture)
    addSubview(caption)
  }

  override func setUpConstraints() {
    let widest = picture.widthAnchor.constraint(equalToConstant: Self.maximumWidth)
    widest.priority = .defaultHigh
    let reserved = picture.heightAnchor.constraint(equalToConstant: Self.reservedHeight)
    reserved.priority = LayoutPriority(999)
    reserved.label = "reserved-height"
    self.reserved = reserved
    LayoutConstraint.activate([
      picture.topAnchor.constraint(equalTo: topAnchor),
      picture.leadingAnchor.constraint(equalTo: leadingAnchor, constant: 2),
      picture.widthAnchor.constraint(lessThanOrEqualToConstant: Self.maximumWidth),
      picture.trailingAnchor.constraint(lessThanOrEqualTo: trailingAnchor, constant: -2),
      widest, reserved,
      caption.topAnchor.constraint(equalTo: picture.bottomAnchor),
      caption.leadingAnchor.constraint(equalTo: picture.leadingAnchor),
      caption.trailingAnchor.constraint(lessThanOrEqualTo: trailingAnchor, constant: -2),
      caption.bottomAnchor.constraint(equalTo: bottomAnchor, constant: -1),
    ])
  }

  /// - Parameter size: the picture's, where it arrived before.
  func configure(with item: PlaceholdersDemo.Item, size: PixelSize?) {
    caption.text = StyledText(item.caption, style: TextStyle(role: .secondary))
    setAspect(size)
    slot.show(item.url, declaredSize: size, priority: .near)
  }

  override func prepareForReuse() {
    slot.clear()
    setAspect(nil)
  }

  private func pictureChanged() {
    if case .failed(let reason) = slot.state {
      caption.text = StyledText("✕ \(reason)", style: TextStyle(role: .error))
    }
    guard let size = picture.pixelSize, size != aspectSize else { return }
    setAspect(size)
    onArrival?(self, size)
  }

  /// Replaces the constraint of the last picture; without a size the reserved height holds again.
  private func setAspect(_ size: PixelSize?) {
    guard size != aspectSize else { return }
    aspectSize = size
    aspect?.isActive = false
    aspect = nil
    if let size, size.width > 0, size.height > 0 {
      let rowsPerColumn = Double(size.height) / Double(size.width) * LayoutMetrics.cellAspect
      let constraint = picture.heightAnchor.constraint(
        equalTo: picture.widthAnchor, multiplier: rowsPerColumn)
      constraint.label = "aspect"
      constraint.isActive = true
      aspect = constraint
    }
    setNeedsLayout()
  }

  override func layout(width: Int, height: Int) {
    super.layout(width: width, height: height)
    slot.frameDidChange()
  }

  override var placeProviders: [any PlaceProviding] { [picture, caption] }

  override func draw(in canvas: inout Canvas, at origin: Point) {
    SelectionBar.draw(for: self, in: &canvas, at: origin)
    if picture.image == nil {
      canvas.fill(
        picture.frame.offset(dx: origin.x, dy: origin.y),
        with: CanvasCell(" ", style: Style(background: Theme.standard.placeholder)))
    }
  }
}
