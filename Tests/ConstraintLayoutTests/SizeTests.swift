import ConstraintLayout
import Geometry
import Testing

/// As in UIKit no width or height is negative.
@MainActor @Suite struct SizeTests {
  private func labels(_ widths: [Double]) -> (row: LayoutItem, labels: [FixedItem]) {
    let row = LayoutItem(name: "row")
    let labels = widths.enumerated().map { FixedItem(name: "label\($0)", width: $1) }
    for label in labels { row.addSubitem(label) }
    row.stack(labels, along: .horizontal, spacing: 1)
    return (row, labels)
  }

  /// Two labels that do not fit: the one that resists less gives way, down to nothing.
  @Test(arguments: [1, 2, 4, 5, 6, 11, 12, 14, 15])
  func labelsThatDoNotFitGiveWay(width: Int) {
    let (row, labels) = labels([10, 4])
    labels[0].setContentCompressionResistancePriority(.defaultHigh - 1, for: .horizontal)
    row.layoutIfNeeded(width: width, height: 1)
    let second = min(4, width - 1)
    #expect(labels.map(\.frame.width) == [width - 1 - second, second])
    #expect(labels[1].frame.minX == labels[0].frame.maxX + 1)
    #expect(row.brokenConstraints.isEmpty)
  }

  /// No room even for the gap: the clash names the widths that would be negative.
  @Test func aNegativeSizeIsNamedInAConflict() {
    var found: [LayoutConflict] = []
    LayoutConflict.onConflict = { found.append($0) }
    defer { LayoutConflict.onConflict = nil }
    let (row, labels) = labels([10, 4])
    row.layoutIfNeeded(width: 0, height: 1)
    #expect(found.count == 1)
    let names = found.first?.clashing.map(\.description) ?? []
    #expect(names.contains("'size not negative' label0.width >= 0"))
    #expect(names.contains("'size not negative' label1.width >= 0"))
    #expect(labels.allSatisfy { $0.solvedFrame.width >= 0 })
    // The gap holds again where there is room for it.
    row.layoutIfNeeded(width: 1, height: 1)
    #expect(row.brokenConstraints.isEmpty)
    let item = LayoutItem(name: "item")
    let height = item.height(-3)
    item.layoutIfNeeded(width: 3)
    #expect(height.isBroken)
    #expect(item.frame.height == 0)
  }
}

/// Content of a known size.
@MainActor final class FixedItem: LayoutItem {
  private let size: IntrinsicSize
  /// Rows from the top to the first baseline.
  var firstBaseline = 1.0

  init(name: String, width: Double, height: Double = 1) {
    size = IntrinsicSize(width: width, height: height)
    super.init(name: name)
  }

  override var intrinsicContentSize: IntrinsicSize { size }
  override var firstBaselineOffset: Double { firstBaseline }
}
