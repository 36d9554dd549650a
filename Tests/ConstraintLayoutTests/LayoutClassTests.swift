import ConstraintLayout
import Geometry
import TestSupport
import Testing

@MainActor struct LayoutClassTests {
  private func frames(_ cell: PostCell) -> [Rect] {
    [cell.frame, cell.icon.frame, cell.label.frame]
  }

  /// The second cell of a class is a copy: it hands the solver nothing that the first one had.
  @Test func aSecondCellIsACopy() {
    let kind = LayoutClass(name: "post")
    let first = PostCell()
    first.layoutClass = kind
    first.label.letters = 5000
    first.layoutIfNeeded(width: 80)
    #expect(first.layoutStatistics.copies == 0)
    let second = PostCell()
    second.layoutClass = kind
    second.label.letters = 4000
    second.layoutIfNeeded(width: 80)
    #expect(second.layoutStatistics.copies == 1)
    #expect(second.layoutStatistics.additions == 0)
    #expect(second.label.frame.height == (4000 + 56) / 57)
    #expect(second.frame.height == second.label.frame.height + 2)
    #expect(first.label.frame.height == (5000 + 56) / 57)
  }

  /// With a class, through copies, frames are what a cell by itself gets; so are the active
  /// bottoms.
  @Test(arguments: [1, 2, 3, 4])
  func sharingChangesNoFrame(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let kind = LayoutClass()
    var cells: [PostCell] = []
    for step in 0..<150 {
      let isNew = cells.isEmpty || Int.random(in: 0..<12, using: &generator) == 0
      let cell = isNew ? PostCell() : cells[Int.random(in: 0..<cells.count, using: &generator)]
      if isNew {
        cell.layoutClass = kind
        if Bool.random(using: &generator) {
          cell.labelBottom.isActive = false
          cell.iconBottom.isActive = true
        }
        cells.append(cell)
      }
      if Int.random(in: 0..<8, using: &generator) == 0 {
        cell.layoutDirection = Bool.random(using: &generator) ? .rightToLeft : nil
      }
      let width = [40, 41, 80].randomElement(using: &generator) ?? 40
      let letters = Int.random(in: 0..<12, using: &generator) * 100
      cell.label.letters = letters
      let alone = PostCell()
      alone.layoutDirection = cell.layoutDirection
      alone.label.letters = letters
      alone.layoutIfNeeded(width: width)
      if Bool.random(using: &generator) {
        let fitting = cell.systemLayoutSizeFitting(width: width)
        #expect(fitting.width == width, "seed \(seed) step \(step)")
      }
      cell.layoutIfNeeded(width: width)
      #expect(frames(cell) == frames(alone), "seed \(seed) step \(step)")
      #expect(cell.iconBottom.isActive == alone.iconBottom.isActive, "seed \(seed) step \(step)")
      #expect(cell.brokenConstraints.isEmpty, "seed \(seed) step \(step)")
    }
    #expect(cells.dropFirst().allSatisfy { $0.layoutStatistics.copies == 1 })
  }

  /// A cell that differs from its class still lays out right: what is missing is added, what is too
  /// much is taken out.
  @Test func cellsMayDifferFromTheirClass() {
    let kind = LayoutClass()
    let first = PostCell()
    first.layoutClass = kind
    first.label.letters = 100
    first.layoutIfNeeded(width: 80)
    let other = PostCell()
    other.layoutClass = kind
    other.icon.height(20, priority: .defaultHigh)
    other.icon.constraints.first { $0.relation == .equal }?.isActive = false
    other.label.letters = 100
    other.layoutIfNeeded(width: 80)
    #expect(other.layoutStatistics.copies == 1)
    // Its height, and the bottom that the first cell had switched, there and back.
    #expect(other.layoutStatistics.additions == 3)
    #expect(other.icon.frame.height == 20)
    let grown = PostCell()
    grown.layoutClass = kind
    grown.label.letters = 100
    grown.layoutIfNeeded(width: 80)
    let badge = LayoutItem(name: "badge")
    grown.addSubitem(badge)
    badge.height(2)
    badge.top(to: grown.icon, edge: .bottom)
    grown.layoutIfNeeded(width: 80)
    #expect(badge.frame.height == 2)
    #expect(first.icon.frame.height == 10)
  }
}
