import ConstraintLayout
import Geometry
import Testing

@MainActor struct RoundingTests {
  /// Parts of a row that share its width meet at every width, without gap or overlap, nested or
  /// not.
  @Test(arguments: [1, 2, 3, 7, 10, 79, 80, 121])
  func neighboursAlwaysMeet(width: Int) {
    let row = LayoutItem(name: "row")
    let parts = (0..<7).map { LayoutItem(name: "part\($0)") }
    for (index, part) in parts.enumerated() {
      row.addSubitem(part)
      part.edgesOfRow(after: index == 0 ? nil : parts[index - 1])
      part.width(to: row, multiplier: 1 / 7)
      let inner = LayoutItem(name: "inner\(index)")
      part.addSubitem(inner)
      inner.edgesToSuperview()
    }
    row.layoutIfNeeded(width: width, height: 1)
    #expect(parts[0].frame.minX == 0)
    #expect(parts[6].frame.maxX == width)
    for (left, right) in zip(parts, parts.dropFirst()) {
      #expect(left.frame.maxX == right.frame.minX)
    }
    for part in parts {
      #expect(part.subitems[0].frame == Rect(origin: .zero, size: part.frame.size))
    }
  }

  @Test func edgesAreRoundedNotSizes() {
    let root = LayoutItem(name: "root")
    let box = LayoutItem(name: "box")
    root.addSubitem(box)
    box.leading(offset: 0.5)
    box.width(2)
    box.top(offset: 0.4)
    box.height(1.2)
    root.layoutIfNeeded(width: 10, height: 10)
    #expect(box.frame == Rect(x: 1, y: 0, width: 2, height: 2))
    #expect(box.solvedFrame == FractionalRect(x: 0.5, y: 0.4, width: 2, height: 1.2))
  }
}

extension LayoutItem {
  fileprivate func edgesOfRow(after previous: LayoutItem?) {
    top()
    bottom()
    if let previous {
      leading(to: previous, edge: .trailing)
    } else {
      leading()
    }
  }
}
