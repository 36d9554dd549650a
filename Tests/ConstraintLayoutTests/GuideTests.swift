import ConstraintLayout
import Geometry
import Testing

@MainActor struct GuideTests {
  /// Three items with equal gaps, which are guides.
  @Test func guidesAsGaps() {
    let row = LayoutItem(name: "row")
    let items = (0..<3).map { LayoutItem(name: "item\($0)") }
    let gaps = [LayoutGuide(name: "first"), LayoutGuide(name: "second")]
    for item in items { row.addSubitem(item) }
    for gap in gaps { row.addLayoutGuide(gap) }
    for item in items {
      item.width(4)
      item.height(1)
      item.top()
    }
    LayoutConstraint.activate([
      items[0].leadingAnchor.constraint(equalTo: row.leadingAnchor),
      items[2].trailingAnchor.constraint(equalTo: row.trailingAnchor),
      gaps[0].widthAnchor.constraint(equalTo: gaps[1].widthAnchor),
      gaps[0].topAnchor.constraint(equalTo: row.topAnchor),
      gaps[1].topAnchor.constraint(equalTo: row.topAnchor),
      gaps[0].heightAnchor.constraint(equalToConstant: 1),
      gaps[1].heightAnchor.constraint(equalToConstant: 1),
    ])
    for index in 0..<2 {
      LayoutConstraint.activate([
        gaps[index].leadingAnchor.constraint(equalTo: items[index].trailingAnchor),
        gaps[index].trailingAnchor.constraint(equalTo: items[index + 1].leadingAnchor),
      ])
    }
    row.layoutIfNeeded(width: 40, height: 1)
    #expect(items.map(\.frame.minX) == [0, 18, 36])
    #expect(gaps.map(\.solvedFrame.width) == [14, 14])
    #expect(row.layoutAmbiguity() == nil)
    row.removeLayoutGuide(gaps[1])
    row.layoutIfNeeded(width: 40, height: 1)
    #expect(row.layoutAmbiguity()?.items.map(\.guideName) == [nil, "first"])
    #expect(row.activeConstraints.allSatisfy { $0.error == nil })
  }

  /// The baseline of text is in its first row, wherever its bottom is.
  @Test func baselinesMeet() {
    let row = LayoutItem(name: "row")
    let tall = TextItem(name: "tall")
    let low = TextItem(name: "low")
    row.addSubitem(tall)
    row.addSubitem(low)
    tall.letters = 100
    low.letters = 3
    tall.leading()
    tall.width(10)
    tall.top(offset: 2)
    low.trailing()
    low.width(5)
    low.firstBaselineAnchor.constraint(equalTo: tall.firstBaselineAnchor).isActive = true
    row.bottom(to: tall)
    row.layoutIfNeeded(width: 20)
    #expect(tall.frame == Rect(x: 0, y: 2, width: 10, height: 10))
    #expect(low.frame == Rect(x: 15, y: 2, width: 5, height: 1))
    #expect(row.frame.height == 12)
  }
}
