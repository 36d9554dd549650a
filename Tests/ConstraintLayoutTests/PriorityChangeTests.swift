import ConstraintLayout
import Geometry
import Testing

@MainActor struct PriorityChangeTests {
  @Test func optionalOnesChangeWhileActive() {
    let root = LayoutItem(name: "root")
    let low = root.height(4, priority: .defaultLow)
    let high = root.height(9, priority: .defaultHigh)
    root.layoutIfNeeded(width: 10)
    #expect(root.frame.height == 9)
    low.priority = LayoutPriority(999)
    root.layoutIfNeeded(width: 10)
    #expect(root.frame.height == 4)
    low.priority = LayoutPriority(1)
    root.layoutIfNeeded(width: 10)
    #expect(root.frame.height == 9)
    #expect(low.error == nil && high.error == nil)
  }

  /// As in UIKit: required and optional are two kinds, and an active constraint is of one of them.
  @Test func requiredAndOptionalDoNotChangeWhileActive() {
    let root = LayoutItem(name: "root")
    let optional = root.height(4, priority: .defaultHigh)
    let required = root.width(10)
    optional.priority = .required
    #expect(optional.priority == .defaultHigh)
    #expect(
      optional.error
        == .requiredPriorityChange(constraint: optional.description, from: 750, to: 1000))
    required.priority = .defaultLow
    #expect(required.priority == .required)
    #expect(
      required.error
        == .requiredPriorityChange(constraint: required.description, from: 1000, to: 250))
    optional.isActive = false
    optional.priority = .required
    optional.isActive = true
    #expect(optional.priority == .required)
    #expect(optional.error == nil)
    root.layoutIfNeeded(width: 10)
    #expect(root.frame.height == 4)
  }

  /// Taking out what is not there does nothing and harms nothing.
  @Test func removalOfWhatIsNotThere() {
    let root = LayoutItem(name: "root")
    let item = LayoutItem(name: "item")
    let height = root.height(4)
    root.layoutIfNeeded(width: 10)
    height.isActive = false
    height.isActive = false
    LayoutConstraint.deactivate([height, item.heightAnchor.constraint(equalToConstant: 1)])
    item.removeFromSuperitem()
    root.removeLayoutGuide(LayoutGuide())
    root.layoutIfNeeded(width: 10)
    #expect(root.frame.height == 0)
    #expect(root.brokenConstraints.isEmpty)
  }

  /// A circle of required constraints is a conflict, not a hang; one of them goes.
  @Test func requiredCircles() {
    let root = LayoutItem(name: "root")
    let items = (0..<3).map { LayoutItem(name: "item\($0)") }
    for item in items { root.addSubitem(item) }
    for item in items { item.height(2) }
    let circle = (0..<3).map { items[$0].top(to: items[($0 + 1) % 3], edge: .bottom, offset: 1) }
    root.layoutIfNeeded(width: 10, height: 30)
    #expect(root.brokenConstraints.map { $0 === circle[2] } == [true])
    #expect(items.allSatisfy { $0.frame.height == 2 })
    #expect(items[0].frame.minY == items[1].frame.maxY + 1)
    #expect(items[1].frame.minY == items[2].frame.maxY + 1)
  }
}
