import ConstraintLayout
import Geometry
import Testing

/// Rules of UIKit that are easy to miss.
@MainActor @Suite struct UIKitRuleTests {
  /// A tree of three levels, the box at (10, 4) in the root, 20 by 8.
  private func nested() -> (
    root: LayoutItem, box: LayoutItem, first: LayoutItem, second: LayoutItem
  ) {
    let root = LayoutItem(name: "root")
    let box = LayoutItem(name: "box")
    let first = LayoutItem(name: "first")
    let second = LayoutItem(name: "second")
    root.addSubitem(box)
    box.addSubitem(first)
    box.addSubitem(second)
    box.left(offset: 10)
    box.top(offset: 4)
    for (item, width, height) in [(box, 20.0, 8.0), (first, 2, 2), (second, 4, 4)] {
      item.width(width)
      item.height(height)
    }
    return (root, box, first, second)
  }

  /// `first.centerX = 0.5 · box.centerX`: a quarter of the box, wherever the box is.
  @Test func multipliersOfPositionsCountFromTheCommonAncestor() {
    let (root, box, first, second) = nested()
    LayoutConstraint.activate([
      first.centerXAnchor.constraint(equalTo: box.centerXAnchor, multiplier: 0.5),
      first.centerYAnchor.constraint(equalTo: box.centerYAnchor, multiplier: 0.5),
      second.rightAnchor.constraint(equalTo: first.rightAnchor, multiplier: 2),
      second.bottomAnchor.constraint(equalTo: first.bottomAnchor, multiplier: 2, constant: 1),
    ])
    root.layoutIfNeeded(width: 60, height: 20)
    // In the box: first's centre is at (5, 2), its corner at (4, 1).
    #expect(first.frame == Rect(x: 4, y: 1, width: 2, height: 2))
    #expect(second.frame == Rect(x: 8, y: 3, width: 4, height: 4))
    let required = root.layoutInspection.constraints.filter { $0.constraint.priority == .required }
    #expect(required.allSatisfy { abs($0.slack ?? 0) < 1e-9 })
  }

  @Test func multipliersOfPositionsAreMirrored() {
    let (root, box, first, _) = nested()
    root.layoutDirection = .rightToLeft
    LayoutConstraint.activate([
      first.leadingAnchor.constraint(equalTo: box.trailingAnchor, multiplier: 0.25),
      first.topAnchor.constraint(equalTo: box.topAnchor),
    ])
    root.layoutIfNeeded(width: 60, height: 20)
    // A quarter of the box from its right edge.
    #expect(first.frame.maxX == 15)
  }

  /// Not a constraint to the root, and not silently nothing.
  @Test func theSuperitemHasToBeThere() {
    var errors: [LayoutError] = []
    LayoutConstraint.onError = { errors.append($1) }
    defer { LayoutConstraint.onError = nil }
    let item = LayoutItem(name: "item")
    let early = [item.top(), item.leading(offset: 2), item.centerX()] + item.edgesToSuperview()
    #expect(early.allSatisfy { !$0.isActive })
    #expect(errors == Array(repeating: .noSuperitem(item: "item"), count: 7))
    let root = LayoutItem(name: "root")
    root.addSubitem(item)
    early[0].isActive = true
    #expect(!early[0].isActive)
    item.edgesToSuperview()
    root.layoutIfNeeded(width: 9, height: 3)
    #expect(item.frame == root.frame)
  }

  @Test func prioritiesOutOfRangeAreErrors() {
    var errors = 0
    LayoutConstraint.onError = { _, _ in errors += 1 }
    defer { LayoutConstraint.onError = nil }
    let item = LayoutItem(name: "item")
    for value: Float in [0, -1, 1000.5, 1001, .nan, .infinity] {
      let constraint = item.width(4, isActive: false).withPriority(LayoutPriority(value))
      #expect(constraint.priority == .required)
      constraint.isActive = true
      #expect(!constraint.isActive)
      #expect(constraint.error != nil)
      #expect(!item.height(4, priority: LayoutPriority(value)).isActive)
      constraint.priority = .defaultLow
      constraint.isActive = true
      #expect(constraint.isActive && constraint.error == nil)
      constraint.isActive = false
      item.setContentHuggingPriority(LayoutPriority(value), for: .vertical)
      #expect(item.contentHuggingPriority(for: .vertical) == .defaultLow)
    }
    #expect(errors == 6 * 4)
  }

  @Test func prioritiesBetweenWholeNumbers() {
    let root = LayoutItem(name: "root")
    root.height(4, priority: LayoutPriority(250.25))
    let other = root.height(9, priority: LayoutPriority(250.5))
    root.layoutIfNeeded(width: 3)
    #expect(root.frame.height == 9)
    other.priority = LayoutPriority(250.125)
    root.layoutIfNeeded(width: 3)
    #expect(root.frame.height == 4)
    #expect(other.description.contains("@250.125"))
  }

  /// What clashed with a constraint that is changed, removed or itself given up may hold.
  @Test func brokenOnesAreTriedAgain() {
    LayoutConflict.onConflict = { _ in }
    defer { LayoutConflict.onConflict = nil }
    let root = LayoutItem(name: "root")
    let low = root.height(4)
    let high = root.height(6)
    let limit = root.height(5, relation: .greaterThanOrEqual)
    root.layoutIfNeeded(width: 9, height: 4)
    #expect(!low.isBroken && high.isBroken && limit.isBroken)
    // Nobody touches `low`: the height that is imposed has it given up.
    root.layoutIfNeeded(width: 9, height: 6)
    #expect(low.isBroken && !high.isBroken && !limit.isBroken)
    root.layoutIfNeeded(width: 9, height: 4)
    #expect(!low.isBroken && high.isBroken && limit.isBroken)
    low.isActive = false
    root.layoutIfNeeded(width: 9)
    #expect(!high.isBroken && !limit.isBroken)
    #expect(root.frame.height == 6)
    // The one edited last gives way, and no other.
    limit.constant = 7
    root.layoutIfNeeded(width: 9)
    #expect(limit.isBroken && !high.isBroken)
    high.constant = 8
    root.layoutIfNeeded(width: 9)
    #expect(root.brokenConstraints.isEmpty)
    #expect(root.frame.height == 8)
  }

  @Test func baselinesMayChange() {
    let root = LayoutItem(name: "root")
    let large = FixedItem(name: "large", width: 3, height: 3)
    let small = FixedItem(name: "small", width: 3)
    for item in [large, small] { root.addSubitem(item) }
    large.top()
    small.firstBaselineAnchor.constraint(equalTo: large.firstBaselineAnchor).isActive = true
    root.layoutIfNeeded(width: 9, height: 9)
    #expect(small.frame.minY == 0)
    large.firstBaseline = 3
    large.invalidateIntrinsicContentSize()
    root.layoutIfNeeded(width: 9, height: 9)
    #expect(small.frame.minY == 2)
  }

  /// A safe area that was removed is given out again; who holds the old guide holds nothing.
  @Test func aRemovedSafeAreaIsMadeAnew() {
    let root = LayoutItem(name: "root")
    let item = LayoutItem(name: "item")
    root.addSubitem(item)
    root.safeAreaInsets = Insets(top: 1)
    let old = root.safeAreaLayoutGuide
    item.edgesToSuperview(usingSafeArea: true)
    root.layoutIfNeeded(width: 9, height: 9)
    #expect(item.frame.minY == 1)
    root.removeLayoutGuide(old)
    #expect(old.owner == nil)
    LayoutConstraint.onError = { _, _ in }
    #expect(!item.top(to: old).isActive)
    LayoutConstraint.onError = nil
    root.safeAreaInsets = Insets(top: 2)
    #expect(root.safeAreaLayoutGuide !== old)
    item.edgesToSuperview(usingSafeArea: true)
    root.layoutIfNeeded(width: 9, height: 9)
    #expect(item.frame == Rect(x: 0, y: 2, width: 9, height: 7))
  }

  @Test func marginsAreAnEdit() {
    let root = LayoutItem(name: "root")
    let item = LayoutItem(name: "item")
    root.addSubitem(item)
    root.layoutMargins = Insets(top: 1, left: 2, bottom: 1, right: 2)
    let margins = root.layoutMarginsGuide
    item.left(to: margins)
    item.right(to: margins)
    item.top(to: margins)
    item.bottom(to: margins)
    root.layoutIfNeeded(width: 20, height: 6)
    #expect(item.frame == Rect(x: 2, y: 1, width: 16, height: 4))
    let before = root.layoutStatistics
    root.layoutMargins = Insets(left: 5)
    root.layoutIfNeeded(width: 20, height: 6)
    #expect(item.frame == Rect(x: 5, y: 0, width: 15, height: 6))
    #expect(root.layoutStatistics.additions == before.additions)
  }

  /// Asks for an update of its constraints in its first layout, and widens in the second update.
  private final class LateItem: LayoutItem {
    private(set) var updates = 0
    private var asksForUpdate = true
    var column: LayoutConstraint?

    override func updateConstraints() {
      updates += 1
      column?.constant = Double(updates * 3)
    }

    override func layoutSubitems() {
      guard asksForUpdate else { return }
      asksForUpdate = false
      setNeedsUpdateConstraints()
    }
  }

  /// The next pass of the same layout updates the constraints.
  @Test func anUpdateRequestedDuringALayoutIsMade() {
    let root = LayoutItem(name: "root")
    let item = LateItem(name: "item")
    root.addSubitem(item)
    item.left()
    item.top()
    item.height(1)
    item.column = item.width(0)
    root.layoutIfNeeded(width: 20, height: 6)
    #expect(item.updates == 2 && item.frame.width == 6)
    root.layoutIfNeeded(width: 20, height: 6)
    #expect(item.updates == 2)
  }
}
