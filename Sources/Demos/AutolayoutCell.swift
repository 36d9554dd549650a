import ConstraintLayout
import TerminalViews
import TextLayout
import Timeline

/// Icon left, label right; the cell is as high as the one of them that reaches lower.
@MainActor final class AutolayoutCell: BaseCell {
  private let area: AutolayoutView
  private var ownWidth: LayoutConstraint?

  private let ownWidthPriority: LayoutPriority

  /// - Parameter ownWidthPriority: how much the cell wants to be as wide as the screen.
  init(pictures: PictureStore, ownWidthPriority: LayoutPriority = .defaultHigh) {
    self.ownWidthPriority = ownWidthPriority
    let icon = ImageView(name: "icon", followsPicture: false)
    area = AutolayoutView(icon: icon)
    super.init(slot: PictureSlot(view: icon, store: pictures, shape: .circle))
  }

  override func setUpViews() { addSubview(area) }

  override func setUpConstraints() {
    for edge in area.edgesToSuperview(usingSafeArea: true) {
      edge.label = "area-\(edge.first.attribute.rawValue)"
    }
    area.icon.width(to: self, multiplier: 0.25).label = "icon-width"
    let ownWidth = width(0, priority: ownWidthPriority)
    ownWidth.label = "own-width"
    self.ownWidth = ownWidth
  }

  func configure(with item: AutolayoutDemo.Item) {
    area.label.text = item.text
    slot.show(item.icon, priority: .near)
  }

  override func heightThatFits(width: Int) -> Int {
    // The cell wants to be as wide as the screen, of which the scroll bar takes a column.
    ownWidth?.constant = Double(width + 1)
    layoutIfNeeded(width: width, height: nil)
    area.chooseBottom()
    return super.heightThatFits(width: width)
  }

  override var placeProviders: [any PlaceProviding] { [area.label] }

  override var switchedConstraints: [LayoutConstraint] {
    [area.bottomToIcon, area.bottomToLabel].compactMap { $0 }
  }

  override var activeBottom: String {
    switch (area.bottomToIcon?.isActive, area.bottomToLabel?.isActive) {
    case (true, true): "both"
    case (true, _): area.icon.name
    case (_, true): area.label.name
    default: "none"
    }
  }

  /// What the engine reports where a cell's own width is required instead.
  ///
  /// The report goes nowhere else: the conflict is made for it alone.
  static func reportOfRequiredWidth(pictures: PictureStore) -> String {
    let handler = LayoutConflict.onConflict
    defer { LayoutConflict.onConflict = handler }
    var report = ""
    LayoutConflict.onConflict = { report = $0.report }
    let cell = AutolayoutCell(pictures: pictures, ownWidthPriority: .required)
    _ = cell.heightThatFits(width: 79)
    return report
  }
}
