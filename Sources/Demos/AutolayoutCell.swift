import ConstraintLayout
import Geometry
import Terminal
import TerminalViews
import TextLayout
import Timeline

/// Icon left, label right; the cell is as high as the one of them that reaches lower.
///
/// Two bottom constraints are stored. After the text is set the label is laid out, the rounded bottoms
/// are compared, and the icon's constraint is active only where it lies strictly lower.
@MainActor final class AutolayoutCell: BaseCell, PictureCell {
  private let icon = ImageView(name: "icon", followsPicture: false)
  private let label = Label(name: "label")
  let slot: PictureSlot
  private var bottomToIcon: LayoutConstraint?
  private var bottomToLabel: LayoutConstraint?

  init(pictures: PictureStore) {
    slot = PictureSlot(view: icon, store: pictures, shape: .circle)
    super.init(name: "cell")
  }

  override func setUpViews() {
    addSubview(icon)
    addSubview(label)
  }

  override func setUpConstraints() {
    let area = safeAreaLayoutGuide
    let bottomToIcon = bottomAnchor.constraint(equalTo: icon.bottomAnchor, constant: 1)
    let bottomToLabel = bottomAnchor.constraint(equalTo: label.bottomAnchor, constant: 1)
    bottomToIcon.label = "bottom-to-icon"
    bottomToLabel.label = "bottom-to-label"
    bottomToIcon.priority = .defaultHigh
    bottomToLabel.priority = .defaultHigh
    (self.bottomToIcon, self.bottomToLabel) = (bottomToIcon, bottomToLabel)
    LayoutConstraint.activate([
      icon.topAnchor.constraint(equalTo: area.topAnchor, constant: 1),
      icon.leadingAnchor.constraint(equalTo: area.leadingAnchor, constant: 1),
      icon.widthAnchor.constraint(equalTo: widthAnchor, multiplier: 0.25),
      icon.heightAnchor.constraint(
        equalTo: icon.widthAnchor, multiplier: LayoutMetrics.cellAspect),
      label.topAnchor.constraint(equalTo: icon.topAnchor),
      label.leadingAnchor.constraint(equalTo: icon.trailingAnchor, constant: 2),
      label.trailingAnchor.constraint(equalTo: area.trailingAnchor, constant: -1),
      bottomToLabel,
    ])
  }

  func configure(with item: AutolayoutDemo.Item) {
    label.text = item.text
    slot.show(item.icon, priority: .near)
  }

  override func prepareForReuse() { slot.clear() }

  override func heightThatFits(width: Int) -> Int {
    layoutIfNeeded(width: width, height: nil)
    chooseBottom()
    return super.heightThatFits(width: width)
  }

  /// Never both at once: the one that goes is switched off first.
  private func chooseBottom() {
    let iconHolds = icon.frame.maxY > label.frame.maxY
    guard bottomToIcon?.isActive != iconHolds else { return }
    (iconHolds ? bottomToLabel : bottomToIcon)?.isActive = false
    (iconHolds ? bottomToIcon : bottomToLabel)?.isActive = true
  }

  override func layout(width: Int, height: Int) {
    super.layout(width: width, height: height)
    slot.frameDidChange()
  }

  override var placeProviders: [any PlaceProviding] { [label] }

  override func draw(in canvas: inout Canvas, at origin: Point) {
    SelectionBar.draw(for: self, in: &canvas, at: origin)
  }
}
