import ConstraintLayout
import Geometry
import Testing

@MainActor private final class Content: LayoutItem {
  var size = IntrinsicSize.none { didSet { invalidateIntrinsicContentSize() } }
  override var intrinsicContentSize: IntrinsicSize { size }
}

@MainActor struct ContentSizeTests {
  /// Two contents side by side in a row that is wider or narrower than both.
  private func row() -> (LayoutItem, Content, Content) {
    let row = LayoutItem(name: "row")
    let name = Content(name: "name")
    let time = Content(name: "time")
    row.addSubitem(name)
    row.addSubitem(time)
    name.leading()
    name.top()
    time.leading(to: name, edge: .trailing, offset: 1)
    time.top()
    time.trailing()
    row.bottom(to: name)
    name.size = IntrinsicSize(width: 10, height: 1)
    time.size = IntrinsicSize(width: 4, height: 1)
    return (row, name, time)
  }

  @Test func huggingDecidesWhoGrows() {
    let (row, name, time) = row()
    time.setContentHuggingPriority(.defaultLow + 1, for: .horizontal)
    row.layoutIfNeeded(width: 40)
    #expect(time.frame == Rect(x: 36, y: 0, width: 4, height: 1))
    #expect(name.frame == Rect(x: 0, y: 0, width: 35, height: 1))
    #expect(row.frame.height == 1)
    time.setContentHuggingPriority(.defaultLow - 1, for: .horizontal)
    row.layoutIfNeeded(width: 40)
    #expect(name.frame.width == 10)
  }

  @Test func resistanceDecidesWhoShrinks() {
    let (row, name, time) = row()
    time.setContentCompressionResistancePriority(.defaultHigh + 1, for: .horizontal)
    row.layoutIfNeeded(width: 10)
    #expect(time.frame.width == 4)
    #expect(name.frame.width == 5)
    time.setContentCompressionResistancePriority(.defaultHigh - 1, for: .horizontal)
    row.layoutIfNeeded(width: 12)
    #expect(name.frame.width == 10)
    #expect(time.frame.width == 1)
  }

  @Test func sizesComeChangeAndGo() {
    let (row, name, _) = row()
    row.layoutIfNeeded(width: 40)
    name.size = IntrinsicSize(width: 12, height: 3)
    row.layoutIfNeeded(width: 40)
    #expect(row.frame.height == 3)
    name.size = .none
    row.layoutIfNeeded(width: 40)
    #expect(row.frame.height == 0)
    #expect(row.activeConstraints.count { $0.first.item === name && $0.origin == .content } == 0)
    name.size = IntrinsicSize(height: 2)
    row.layoutIfNeeded(width: 40)
    #expect(row.frame.height == 2)
  }

  @Test func fittingLeavesFramesAlone() {
    let (row, name, _) = row()
    row.layoutIfNeeded(width: 40, height: 6)
    #expect(row.frame.height == 6)
    name.size = IntrinsicSize(width: 10, height: 2)
    #expect(row.systemLayoutSizeFitting(width: 30) == Size(width: 30, height: 2))
    #expect(row.frame == Rect(x: 0, y: 0, width: 40, height: 6))
  }
}
