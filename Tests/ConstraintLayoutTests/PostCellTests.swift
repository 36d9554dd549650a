import ConstraintLayout
import Geometry
import TestSupport
import Testing

@MainActor struct PostCellTests {
  /// Rows of the text at a width of the cell.
  private func textHeight(_ letters: Int, _ cell: PostCell) -> Int {
    let width = cell.label.frame.width
    return width > 0 ? (letters + width - 1) / width : 0
  }

  @Test func iconLeftAndTextRight() {
    let cell = PostCell()
    cell.label.letters = 100
    cell.layoutIfNeeded(width: 80)
    #expect(cell.icon.frame == Rect(x: 1, y: 1, width: 20, height: 10))
    #expect(cell.label.frame == Rect(x: 22, y: 1, width: 57, height: 2))
    #expect(cell.frame == Rect(x: 0, y: 0, width: 80, height: 12))
    #expect(cell.iconBottom.isActive)
    #expect(!cell.labelBottom.isActive)
    #expect(cell.brokenConstraints.isEmpty)
  }

  /// At every width the bottom goes over exactly where the text passes the icon, up and down.
  @Test(arguments: [20, 33, 40, 57, 80, 96, 120])
  func switchesWhereTheTextPassesTheIcon(width: Int) {
    let cell = PostCell()
    cell.layoutIfNeeded(width: width)
    let rows = cell.icon.frame.height
    let column = cell.label.frame.width
    for lines in Array(0...(rows + 3)) + Array((0...(rows + 3)).reversed()) {
      cell.label.letters = lines * column
      cell.layoutIfNeeded(width: width)
      #expect(cell.label.frame.height == lines)
      #expect(cell.iconBottom.isActive == (rows > lines), "width \(width), \(lines) lines")
      #expect(cell.labelBottom.isActive != cell.iconBottom.isActive)
      #expect(cell.frame.height == max(rows, lines) + 2, "width \(width), \(lines) lines")
      let fitting = cell.systemLayoutSizeFitting(width: width)
      #expect(fitting == Size(width: width, height: max(rows, lines) + 2))
    }
    #expect(cell.brokenConstraints.isEmpty)
  }

  /// A cell that is used again is only edited: no constraint of its own is made or added.
  @Test func reuseBuildsNothing() {
    let seed: UInt64 = 5
    var generator = SeededGenerator(seed: seed)
    let cell = PostCell()
    cell.label.letters = 10
    cell.layoutIfNeeded(width: 80)
    let built = cell.layoutStatistics
    for step in 0..<200 {
      cell.label.letters = Int.random(in: 0...2000, using: &generator)
      cell.layoutIfNeeded(width: 80)
      let rows = max(10, textHeight(cell.label.letters, cell))
      #expect(cell.frame.height == rows + 2, "seed \(seed) step \(step)")
    }
    let reused = cell.layoutStatistics
    #expect(reused.builds == 1)
    // Each switch adds the one bottom constraint that takes over, and nothing else.
    #expect(reused.additions - built.additions <= 200)
    #expect(reused.pivots - built.pivots < 200 * 6)
    #expect(cell.activeConstraints.count(where: { $0.origin == .code }) == 8)
  }

  @Test func nothingChangedNothingDone() {
    let cell = PostCell()
    cell.label.letters = 300
    cell.layoutIfNeeded(width: 80)
    let before = cell.layoutStatistics
    let asked = cell.label.askedForHeights
    let calls = cell.hookCalls
    for _ in 0..<5 { cell.layoutIfNeeded(width: 80) }
    #expect(cell.layoutStatistics == before)
    #expect(cell.label.askedForHeights == asked)
    #expect(cell.hookCalls == calls)
  }

  @Test func mirroredInRightToLeft() {
    let cell = PostCell()
    cell.label.letters = 100
    cell.layoutIfNeeded(width: 80)
    let icon = cell.icon.frame
    let label = cell.label.frame
    cell.layoutDirection = .rightToLeft
    cell.layoutIfNeeded(width: 80)
    #expect(cell.icon.frame.minX == 80 - icon.maxX)
    #expect(cell.label.frame.minX == 80 - label.maxX)
    #expect(cell.icon.frame.size == icon.size)
    #expect(cell.label.frame.size == label.size)
    cell.layoutDirection = nil
    cell.layoutIfNeeded(width: 80)
    #expect(cell.icon.frame == icon)
    #expect(cell.label.frame == label)
  }

  /// Where the required gaps alone are wider than the cell, one of them is given up: as in UIKit no
  /// width is negative.
  @Test(arguments: [0, 1, 2, 3, 4, 5])
  func tinyWidthsDoNotCrash(width: Int) {
    let cell = PostCell()
    cell.label.letters = 30
    cell.layoutIfNeeded(width: width)
    #expect(cell.frame.width == width)
    #expect(cell.icon.solvedFrame.width >= 0 && cell.label.solvedFrame.width >= 0)
    let isTooNarrow = 3 + 0.25 * Double(width) > Double(width)
    #expect(cell.brokenConstraints.isEmpty != isTooNarrow)
    #expect(cell.brokenConstraints.allSatisfy { $0.first.item === cell.label })
  }
}
