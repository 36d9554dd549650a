import ConstraintLayout
import Geometry
import Testing

@MainActor struct TreeTests {
  private func stack(_ count: Int) -> (LayoutItem, [LayoutItem]) {
    let root = LayoutItem(name: "root")
    let items = (0..<count).map { LayoutItem(name: "item\($0)") }
    for (index, item) in items.enumerated() {
      root.addSubitem(item)
      item.leading()
      item.trailing()
      item.height(Double(index + 1))
      if index > 0 { item.top(to: items[index - 1], edge: .bottom) } else { item.top() }
    }
    return (root, items)
  }

  @Test func itemsCanGoAndComeBack() {
    let (root, items) = stack(3)
    let bottom = root.bottom(to: items[2])
    root.layoutIfNeeded(width: 20)
    #expect(root.frame.height == 6)
    items[2].removeFromSuperitem()
    #expect(!bottom.isActive)
    // Its height is its own, and goes with it.
    #expect(items[2].constraints.count == 1)
    root.bottom(to: items[1])
    root.layoutIfNeeded(width: 20)
    #expect(root.frame.height == 3)
    root.addSubitem(items[2])
    items[2].top(to: items[1], edge: .bottom)
    items[2].leading()
    items[2].trailing()
    root.layoutIfNeeded(width: 20)
    #expect(items[2].frame == Rect(x: 0, y: 3, width: 20, height: 3))
    #expect(root.layoutStatistics.builds == 1)
  }

  /// A tree that was laid out by itself becomes part of another, with its constraints.
  @Test func aRootCanJoinAnotherTree() {
    let (inner, items) = stack(2)
    inner.bottom(to: items[1])
    inner.layoutIfNeeded(width: 10)
    let outer = LayoutItem(name: "outer")
    outer.layoutIfNeeded(width: 30)
    outer.addSubitem(inner)
    inner.edgesToSuperview(insets: Insets(top: 1, left: 2, bottom: 1, right: 2))
    outer.layoutIfNeeded(width: 30)
    #expect(outer.frame.height == 5)
    #expect(inner.frame == Rect(x: 2, y: 1, width: 26, height: 3))
    #expect(items[1].frame == Rect(x: 0, y: 1, width: 26, height: 2))
    inner.removeFromSuperitem()
    inner.layoutIfNeeded(width: 12)
    #expect(items[1].frame == Rect(x: 0, y: 1, width: 12, height: 2))
  }

  @Test func unrelatedTreesAreRefused() {
    let first = LayoutItem(name: "first")
    let second = LayoutItem(name: "second")
    let constraint = first.topAnchor.constraint(equalTo: second.topAnchor)
    #expect(throws: LayoutError.unrelatedTrees(first: "first", second: "second")) {
      try constraint.activate()
    }
    constraint.isActive = true
    #expect(!constraint.isActive)
    #expect(constraint.error == .unrelatedTrees(first: "first", second: "second"))
    first.addSubitem(second)
    constraint.isActive = true
    #expect(constraint.isActive)
    #expect(constraint.error == nil)
  }

  @Test func badNumbersAreRefused() {
    let item = LayoutItem(name: "item")
    let good = item.height(4)
    for value in [Double.nan, .infinity, -.infinity, 1e300] {
      let bad = item.height(value)
      #expect(!bad.isActive)
      #expect(bad.error != nil)
      good.constant = value
      #expect(good.constant == 4)
    }
    let ratio = item.aspectRatio(0)
    #expect(!ratio.isActive)
    let priority = item.width(3, priority: LayoutPriority(1001))
    #expect(!priority.isActive)
    good.priority = LayoutPriority(0)
    #expect(good.priority == .required)
    item.layoutIfNeeded(width: 10)
    #expect(item.frame.height == 4)
  }

  @Test func leftAndLeadingDoNotMix() {
    let root = LayoutItem(name: "root")
    let item = LayoutItem(name: "item")
    root.addSubitem(item)
    let constraint = item.leadingAnchor.constraint(equalTo: root.leftAnchor)
    #expect(throws: LayoutError.self) { try constraint.activate() }
    #expect(!constraint.isActive)
  }

  @Test func moreItemsThanTheLimit() {
    let root = LayoutItem(name: "root")
    var refused = 0
    for index in 0..<300 {
      let item = LayoutItem(name: "item\(index)")
      root.addSubitem(item)
      item.height(1)
      item.top(offset: Double(index))
    }
    LayoutConstraint.onError = { _, _ in refused += 1 }
    root.layoutIfNeeded(width: 10)
    LayoutConstraint.onError = nil
    #expect(refused > 0)
    #expect(root.subitems[100].frame.minY == 100)
  }

  @Test func safeAreaIsAnEdit() {
    let root = LayoutItem(name: "root")
    let item = LayoutItem(name: "item")
    root.addSubitem(item)
    item.edgesToSuperview(usingSafeArea: true)
    root.safeAreaInsets = Insets(top: 0, left: 0, bottom: 1, right: 2)
    root.layoutIfNeeded(width: 20, height: 10)
    #expect(item.frame == Rect(x: 0, y: 0, width: 18, height: 9))
    let before = root.layoutStatistics
    root.safeAreaInsets = Insets(top: 2)
    root.layoutIfNeeded(width: 20, height: 10)
    #expect(item.frame == Rect(x: 0, y: 2, width: 20, height: 8))
    #expect(root.layoutStatistics.additions == before.additions)
  }

  @Test func everyAnchor() {
    let root = LayoutItem(name: "root")
    let a = LayoutItem(name: "a")
    let b = LayoutItem(name: "b")
    root.addSubitem(a)
    root.addSubitem(b)
    LayoutConstraint.activate([
      a.centerXAnchor.constraint(equalTo: root.centerXAnchor),
      a.centerYAnchor.constraint(equalTo: root.centerYAnchor, constant: 1),
      a.widthAnchor.constraint(equalTo: root.widthAnchor, multiplier: 0.5),
      a.heightAnchor.constraint(equalTo: a.widthAnchor, multiplier: 1.0 / 5),
      b.rightAnchor.constraint(equalTo: a.leftAnchor, constant: -1),
      b.leftAnchor.constraint(greaterThanOrEqualTo: root.leftAnchor, constant: 2),
      b.widthAnchor.constraint(lessThanOrEqualToConstant: 30),
      b.widthAnchor.constraint(equalToConstant: 30).withPriority(.defaultLow),
      b.firstBaselineAnchor.constraint(equalTo: a.firstBaselineAnchor, constant: 2),
      b.heightAnchor.constraint(greaterThanOrEqualToConstant: 2),
      b.heightAnchor.constraint(equalToConstant: 0).withPriority(.defaultLow),
    ])
    root.layoutIfNeeded(width: 40, height: 20)
    #expect(a.frame == Rect(x: 10, y: 9, width: 20, height: 4))
    #expect(b.frame == Rect(x: 2, y: 11, width: 7, height: 2))
  }

  /// Whole numbers and simple fractions as they are, other numbers with four decimals that matter.
  @Test(arguments: [
    (0.30730478589420657, "0.3073"), (0.25, "0.25"), (0.015625, "0.015625"), (1.0 / 3, "0.3333"),
    (12.3456789, "12.3457"), (0.000123456, "0.0001235"), (2.0, "2"), (-1.99999999, "-2"),
  ])
  func aDescriptionSaysNumbersShortly(multiplier: Double, text: String) {
    let root = LayoutItem(name: "root")
    let item = LayoutItem(name: "item")
    root.addSubitem(item)
    let constraint = item.widthAnchor.constraint(
      equalTo: root.heightAnchor, multiplier: multiplier, constant: multiplier)
    // Without the line that made it.
    let equation = constraint.description.prefix { $0 != "(" }
    #expect(equation.contains("== \(text) * root.height"))
    #expect(equation.hasSuffix(text.replacing("-", with: "") + " "))
  }
}
