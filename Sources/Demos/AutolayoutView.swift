import ConstraintLayout
import TerminalViews

/// Icon left, label right; of two bottom constraints the one to the lower of them is active.
@MainActor final class AutolayoutView: BaseView {
  let icon: ImageView
  let label = Label(name: "label")
  private(set) var bottomToIcon: LayoutConstraint?
  private(set) var bottomToLabel: LayoutConstraint?

  init(icon: ImageView) {
    self.icon = icon
    super.init(name: "area")
  }

  override func setUpViews() {
    addSubview(icon)
    addSubview(label)
  }

  override func setUpConstraints() {
    icon.top(offset: 1).label = "icon-top"
    icon.leading(offset: 1).label = "icon-leading"
    icon.aspectRatio(1).label = "icon-square"
    label.top(to: icon).label = "label-top"
    label.leading(to: icon, edge: .trailing, offset: 1).label = "label-leading"
    label.trailing(offset: -1).label = "label-trailing"
    let toIcon = bottom(to: icon, offset: 1, priority: .defaultHigh, isActive: false)
    let toLabel = bottom(to: label, offset: 1, priority: .defaultHigh)
    toIcon.label = "bottom-to-icon"
    toLabel.label = "bottom-to-label"
    (bottomToIcon, bottomToLabel) = (toIcon, toLabel)
  }

  /// Lets the icon hold the bottom where its rounded bottom lies strictly lower than the label's,
  /// else the label. Never both at once: the one that goes is switched off first.
  func chooseBottom() {
    let iconHolds = icon.frame.maxY > label.frame.maxY
    guard bottomToIcon?.isActive != iconHolds else { return }
    (iconHolds ? bottomToLabel : bottomToIcon)?.isActive = false
    (iconHolds ? bottomToIcon : bottomToLabel)?.isActive = true
  }
}
