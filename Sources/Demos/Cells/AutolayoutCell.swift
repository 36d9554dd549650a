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
  /// The switch widths for the present text, once computed.
  private var cachedSwitchWidths: [Int]?
  /// The range of widths that is searched for the switch.
  private static let widths = 12...240

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
    cachedSwitchWidths = nil
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
    guard let width = switchWidths.first else { return "the \(activeBottom) holds it at any width" }
    return "the label takes over below \(width) columns; now \(frame.width)"
  }

  /// Computed with another cell that shows the same text, so that this one stays unchanged.
  override var switchWidths: [Int] {
    if let cachedSwitchWidths { return cachedSwitchWidths }
    let probe = AutolayoutCell(pictures: pictures)
    probe.label.text = label.text
    func isIconBelowLabel(_ width: Int) -> Bool {
      _ = probe.heightThatFits(width: width)
      return probe.bottomToIcon?.isActive == true
    }
    var (low, high) = (Self.widths.lowerBound, Self.widths.upperBound)
    let switches = !isIconBelowLabel(low) && isIconBelowLabel(high)
    while switches, low + 1 < high {
      let middle = (low + high) / 2
      if isIconBelowLabel(middle) { high = middle } else { low = middle }
    }
    cachedSwitchWidths = switches ? [high] : []
    return cachedSwitchWidths ?? []
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
