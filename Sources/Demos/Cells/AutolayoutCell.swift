import ConstraintLayout
import Pictures
import TerminalViews
import TextLayout
import TimelineUI

/// Icon left, label right; the cell ends below the one that reaches lower.
///
/// Two bottom constraints are stored. After the text is set and the label laid out, the rounded
/// bottoms are compared; the icon's constraint is active only if the icon ends strictly lower.
@MainActor final class AutolayoutCell: BaseCell {
  private let icon: IconView
  private let label = Label(name: "label")
  private var bottomToIcon: LayoutConstraint?
  private var bottomToLabel: LayoutConstraint?
  private var ownWidth: LayoutConstraint?
  private let ownWidthPriority: LayoutPriority
  private let pictures: PictureStore
  /// Shows the same text at other widths, so that this cell stays unchanged.
  private lazy var probe = AutolayoutCell(pictures: pictures)
  /// The width from which on the icon holds the bottom, once computed for the present text; none if
  /// the same view holds it at any width.
  private var cachedSwitch: [Int]?

  /// - Parameter ownWidthPriority: the priority of the cell's own width, that of the screen.
  init(pictures: PictureStore, ownWidthPriority: LayoutPriority = .defaultHigh) {
    self.ownWidthPriority = ownWidthPriority
    self.pictures = pictures
    let icon = IconView(name: "icon")
    self.icon = icon
    super.init(picture: icon.picture, store: pictures, shape: .circle)
  }

  override func setUpViews() {
    addSubview(icon)
    addSubview(label)
  }

  /// All edges are pinned to the safe area.
  override func setUpConstraints() {
    let area = safeAreaLayoutGuide
    let toIcon = area.bottomAnchor.constraint(equalTo: icon.bottomAnchor, constant: 1)
    let toLabel = area.bottomAnchor.constraint(equalTo: label.bottomAnchor, constant: 1)
    bottomToIcon = toIcon.labeled("bottom-to-icon").withPriority(.defaultHigh)
    bottomToLabel = toLabel.labeled("bottom-to-label").withPriority(.defaultHigh)
    toLabel.isActive = true
    icon.top(to: area, offset: 1).label = "icon-top"
    icon.leading(to: area, offset: 1).label = "icon-leading"
    icon.width(to: self, multiplier: 0.25).label = "icon-width"
    icon.aspectRatio(1).label = "icon-square"
    label.top(to: icon).label = "label-top"
    label.leading(to: icon, edge: .trailing, offset: 2).label = "label-leading"
    label.trailing(to: area, offset: -1).label = "label-trailing"
    ownWidth = width(0, priority: ownWidthPriority).labeled("own-width")
  }

  func configure(with item: AutolayoutDemo.Item) {
    label.text = item.text
    cachedSwitch = nil
    slot.show(item.icon, reach: .everywhere, priority: .near)
  }

  override func heightThatFits(width: Int) -> Int {
    // The cell's own width is the screen's; the list leaves a column for the scroll bar.
    ownWidth?.constant = Double(width + 1)
    layoutIfNeeded(width: width, height: nil)
    chooseBottom()
    return super.heightThatFits(width: width)
  }

  /// Deactivates one constraint before activating the other, so that both are never active at once.
  private func chooseBottom() {
    let isIconBelowLabel = icon.frame.maxY > label.frame.maxY
    guard bottomToIcon?.isActive != isIconBelowLabel else { return }
    (isIconBelowLabel ? bottomToLabel : bottomToIcon)?.isActive = false
    (isIconBelowLabel ? bottomToIcon : bottomToLabel)?.isActive = true
  }

  override var placeProviders: [any PlaceProviding] { [label] }

  override var keyConstraints: [LayoutConstraint] {
    [bottomToIcon, bottomToLabel].compactMap { $0 }
  }

  override var layoutNote: String {
    guard let width = switchWidth else { return "the \(activeBottom) holds it at any width" }
    return "the label takes over below \(width) columns; now \(frame.width)"
  }

  /// The width from which on the icon holds the bottom; `nil` if there is none.
  var switchWidth: Int? {
    if let cachedSwitch { return cachedSwitch.first }
    let widths = HeightChanges.widths
    var (low, high) = (widths.lowerBound, widths.upperBound)
    let switches = !isIconBelowLabel(atWidth: low) && isIconBelowLabel(atWidth: high)
    while switches, low + 1 < high {
      let middle = (low + high) / 2
      if isIconBelowLabel(atWidth: middle) { high = middle } else { low = middle }
    }
    cachedSwitch = switches ? [high] : []
    return cachedSwitch?.first
  }

  private func isIconBelowLabel(atWidth width: Int) -> Bool {
    _ = height(atWidth: width)
    return probe.bottomToIcon?.isActive == true
  }

  private func height(atWidth width: Int) -> Int {
    probe.label.text = label.text
    return probe.heightThatFits(width: width)
  }

  /// The width of the switch, and on its far side the nearest one at which the height changes.
  override var switchWidths: [Int] {
    let width = frame.width
    let others = HeightChanges.nearest(to: width, of: height(atWidth:))
    guard let switchWidth else { return [others.narrower, others.wider].compactMap { $0 } }
    return [switchWidth, width < switchWidth ? others.narrower : others.wider].compactMap { $0 }
  }

  /// Narrower than the switch, and so much that the row is at least two lines lower from there on.
  override var widestInspectedWidth: Int? {
    guard let switchWidth else { return nil }
    let end = height(atWidth: switchWidth)
    return stride(from: switchWidth - 1, through: HeightChanges.widths.lowerBound, by: -1)
      .first { height(atWidth: $0) >= end + 2 }
  }

  override var activeBottom: String {
    switch (bottomToIcon?.isActive, bottomToLabel?.isActive) {
    case (true, true): "both"
    case (true, _): icon.name
    case (_, true): label.name
    default: "none"
    }
  }

  /// The engine's conflict report for a cell whose own width is required.
  ///
  /// The conflict is created for this report alone, which no other handler receives.
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
