import ConstraintLayout
import Testing

/// Why an edge is where it is: the constraints that fix it, from the constants to the edge.
@MainActor struct LayoutReasonsTests {
  /// A box of 4 rows below one of `rows`, and a root that ends below the lower one of them.
  private func stacked(rows: Double) -> (root: LayoutItem, upper: LayoutItem, lower: LayoutItem) {
    let (root, upper, lower) = (
      LayoutItem(name: "root"), LayoutItem(name: "upper"), LayoutItem(name: "lower")
    )
    root.addSubitem(upper)
    root.addSubitem(lower)
    upper.top(offset: 1).label = "upper-top"
    upper.leading().label = "upper-leading"
    upper.width(10).label = "upper-width"
    upper.height(rows).label = "upper-height"
    lower.top(to: upper, edge: .bottom, offset: 2).label = "lower-top"
    lower.leading(to: upper, edge: .trailing).label = "lower-leading"
    lower.trailing().label = "lower-trailing"
    lower.height(4).label = "lower-height"
    root.bottom(to: lower, offset: 1).label = "bottom"
    root.layoutIfNeeded(width: 30)
    return (root, upper, lower)
  }

  private func labels(_ item: LayoutItem, _ attribute: LayoutAttribute) -> [String] {
    item.layoutReasons(for: attribute)?.chain.compactMap(\.label) ?? []
  }

  @Test func theChainGoesFromTheConstantsToTheEdge() throws {
    let (root, _, lower) = stacked(rows: 3)
    let chain = labels(root, .bottom)
    #expect(
      Set(chain) == ["upper-top", "upper-height", "lower-top", "lower-height", "bottom"])
    #expect(chain.last == "bottom")
    let place = { (label: String) in try #require(chain.firstIndex(of: label)) }
    #expect(try place("upper-top") < place("lower-top"))
    #expect(try place("upper-height") < place("lower-top"))
    #expect(try #require(root.layoutReasons(for: .bottom)).isOpen == false)
    #expect(Set(labels(lower, .left)) == ["upper-leading", "upper-width", "lower-leading"])
    #expect(labels(lower, .height) == ["lower-height"])
  }

  /// A centre does not depend on the size of its item.
  @Test func aCentreHasReasonsOfItsOwn() {
    let root = LayoutItem(name: "root")
    let item = LayoutItem(name: "item")
    root.addSubitem(item)
    let across = item.centerXAnchor.constraint(equalTo: root.centerXAnchor)
    let down = item.centerYAnchor.constraint(equalTo: root.topAnchor, constant: 4)
    (across.label, down.label) = ("across", "down")
    LayoutConstraint.activate([across, down])
    item.width(10).label = "width"
    item.height(2).label = "height"
    root.layoutIfNeeded(width: 30)
    let rootWidth = "Encapsulated-Layout-Width"
    #expect(labels(item, .centerX) == [rootWidth, "across"])
    #expect(labels(item, .centerY) == ["down"])
    #expect(Set(labels(item, .right)) == [rootWidth, "across", "width"])
    #expect(Set(labels(item, .bottom)) == ["down", "height"])
  }

  /// A wall in the way fixes what was pulled towards it: the pull is no longer a reason.
  @Test func whatIsMissedIsNoReason() {
    let (root, upper, _) = stacked(rows: 3)
    upper.height(7, priority: .defaultHigh).label = "wish"
    root.layoutIfNeeded(width: 30)
    #expect(!labels(root, .bottom).contains("wish"))
    #expect(labels(upper, .height) == ["upper-height"])
  }

  @Test func anOpenEdgeSaysSo() throws {
    let (root, upper, _) = stacked(rows: 3)
    let loose = LayoutItem(name: "loose")
    root.addSubitem(loose)
    loose.height(1)
    loose.topAnchor.constraint(greaterThanOrEqualTo: upper.topAnchor).isActive = true
    root.layoutIfNeeded(width: 30)
    let reasons = try #require(loose.layoutReasons(for: .bottom))
    #expect(reasons.isOpen || loose.hasAmbiguousLayout)
    #expect(LayoutItem(name: "alone").layoutReasons(for: .top) == nil)
  }

  @Test func askingMovesNothing() {
    let (root, _, lower) = stacked(rows: 3)
    let (statistics, frame) = (root.layoutStatistics, lower.solvedFrame)
    _ = root.layoutReasons(for: .bottom)
    #expect(root.layoutStatistics == statistics)
    #expect(lower.solvedFrame == frame)
  }
}
