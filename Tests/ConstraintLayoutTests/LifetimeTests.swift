import Geometry
import Testing

@testable import ConstraintLayout

/// What points back at something that has ended points nowhere.
@MainActor @Suite struct LifetimeTests {
  private func tree() -> (root: LayoutItem, child: LayoutItem) {
    let root = LayoutItem(name: "root")
    let child = LayoutItem(name: "child")
    root.addSubitem(child)
    return (root, child)
  }

  @Test func anItemOutlivesItsSuperitem() {
    var root: LayoutItem?
    let child: LayoutItem
    (root, child) = tree()
    LayoutConstraint.activate([child.widthAnchor.constraint(equalToConstant: 3)])
    root?.layoutIfNeeded(width: 10)
    #expect(child.frame.width == 3)
    #expect(child.superitem === root)
    root = nil
    #expect(child.superitem == nil)
    #expect(child.root === child)
    child.invalidateIntrinsicContentSize()
    child.setNeedsLayout()
    let other = LayoutItem(name: "other")
    other.addSubitem(child)
    other.layoutIfNeeded(width: 20)
    #expect(child.superitem === other && child.frame.width == 3)
  }

  @Test func whatIsLeftOfATreeIsInactive() {
    let left: [LayoutConstraint] = {
      let (root, child) = tree()
      let constraints = [
        child.widthAnchor.constraint(equalToConstant: 3),
        child.leftAnchor.constraint(equalTo: root.leftAnchor, constant: 1),
        root.heightAnchor.constraint(equalToConstant: 5),
      ]
      LayoutConstraint.activate(constraints)
      root.layoutIfNeeded(width: 10, height: 4)
      #expect(constraints.allSatisfy { $0.isActive })
      return constraints
    }()
    for constraint in left {
      #expect(!constraint.isActive)
      #expect(constraint.first.item == nil)
      constraint.constant += 1
      constraint.deactivate()
      #expect(throws: LayoutError.self) { try constraint.activate() }
    }
  }

  @Test func aGuideOutlivesItsOwner() {
    let guide = LayoutGuide(name: "guide")
    do {
      let root = LayoutItem(name: "root")
      root.addLayoutGuide(guide)
      #expect(guide.owner === root)
    }
    #expect(guide.owner == nil)
    let other = LayoutItem(name: "other")
    other.addLayoutGuide(guide)
    #expect(guide.owner === other)
  }

  @Test func constraintsThatAreGoneAreKnownNoMore() {
    let item = LayoutItem(name: "item")
    let kept = item.widthAnchor.constraint(equalToConstant: 1)
    for width in 2...20 { _ = item.widthAnchor.constraint(equalToConstant: Double(width)) }
    #expect(item.box.made.all.map(\.constant) == [1])
    let later = item.widthAnchor.constraint(equalToConstant: 30)
    #expect(item.box.made.all.map(\.constant) == [1, 30])
    _ = (kept, later)
  }
}
