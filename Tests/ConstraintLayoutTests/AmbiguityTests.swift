import ConstraintLayout
import Geometry
import Testing

@MainActor struct AmbiguityTests {
  @Test func aWholeLayoutIsNotAmbiguous() {
    for letters in [0, 10, 600, 5000] {
      let cell = PostCell()
      cell.label.letters = letters
      cell.layoutIfNeeded(width: 80)
      #expect(cell.layoutAmbiguity() == nil)
      #expect(!cell.label.hasAmbiguousLayout)
    }
  }

  @Test func namesTheOpenItemsAndShowsASecondSolution() {
    let root = LayoutItem(name: "root")
    let held = LayoutItem(name: "held")
    let loose = LayoutItem(name: "loose")
    root.addSubitem(held)
    root.addSubitem(loose)
    held.edgesToSuperview()
    loose.leading(offset: 2)
    loose.width(4)
    loose.height(1)
    loose.topAnchor.constraint(greaterThanOrEqualTo: root.topAnchor, constant: 1).isActive = true
    loose.bottomAnchor.constraint(lessThanOrEqualTo: root.bottomAnchor).isActive = true
    root.layoutIfNeeded(width: 20, height: 10)
    let ambiguity = root.layoutAmbiguity()
    #expect(ambiguity?.items.map(\.item.name) == ["loose"])
    guard let entry = ambiguity?.items.first else { return }
    #expect(entry.axes == [.vertical])
    #expect(entry.frame == FractionalRect(x: 2, y: loose.solvedFrame.y, width: 4, height: 1))
    #expect(entry.alternative.y != entry.frame.y)
    #expect(entry.alternative.y >= 1 && entry.alternative.y + 1 <= 10)
    #expect(entry.alternative.height == 1)
    #expect(ambiguity?.report.hasPrefix("loose is ambiguous down: (2, ") == true)
    #expect(loose.hasAmbiguousLayout && !held.hasAmbiguousLayout)
    // Asking moved nothing.
    root.layoutIfNeeded(width: 20, height: 10)
    #expect(loose.solvedFrame == entry.frame)
    loose.top(offset: 1)
    root.layoutIfNeeded(width: 20, height: 10)
    #expect(root.layoutAmbiguity() == nil)
  }

  /// Two contents of equal hugging in a row too wide for both: nobody says which of them grows.
  @Test func equalHuggingIsAmbiguous() {
    let row = LayoutItem(name: "row")
    let left = TextItem(name: "left")
    let right = TextItem(name: "right")
    row.addSubitem(left)
    row.addSubitem(right)
    left.letters = 10
    right.letters = 10
    left.leading()
    left.top()
    right.leading(to: left, edge: .trailing)
    right.trailing()
    right.top()
    row.layoutIfNeeded(width: 40, height: 3)
    #expect(row.layoutAmbiguity()?.items.map(\.item.name) == ["left", "right"])
    right.setContentHuggingPriority(.defaultLow + 1, for: .horizontal)
    row.layoutIfNeeded(width: 40, height: 3)
    #expect(row.layoutAmbiguity() == nil)
    #expect(right.frame.width == 10)
  }
}
