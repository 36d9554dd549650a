import ConstraintLayout
import Geometry
import Testing

@MainActor @Suite(.serialized) struct LayoutInspectionTests {
  @Test func whoHoldsTheBottomAndByHowMuch() {
    let cell = NoteCell(note: 10)
    cell.layoutIfNeeded(width: 40)
    let short = cell.layoutInspection.edge(.bottom, of: cell)
    #expect(short.holding.map { $0.constraint.second?.item === cell.picture } == [true])
    // One row of text, four of picture.
    #expect(short.others.first?.constraint.second?.item === cell.note)
    #expect(short.margin == 3)
    cell.note.letters = 29 * 9
    cell.layoutIfNeeded(width: 40)
    let long = cell.layoutInspection.edge(.bottom, of: cell)
    #expect(long.holding.map { $0.constraint.second?.item === cell.note } == [true])
    #expect(long.margin == 5)
  }

  @Test func everyConstraintWithItsState() {
    let cell = PostCell()
    cell.label.letters = 10
    cell.layoutIfNeeded(width: 80)
    let second = cell.icon.width(3).labeled("too narrow")
    cell.layoutIfNeeded(width: 80)
    let rows = cell.layoutInspection.constraints
    #expect(rows.count { $0.state == .broken } == 1)
    #expect(rows.first { $0.state == .broken }?.constraint === second)
    #expect(rows.first { $0.state == .broken }?.slack == -17)
    let inactive = rows.filter { $0.state == .inactive }
    #expect(inactive.map { $0.constraint === cell.labelBottom } == [true])
    // Ten rows of picture, one of text.
    #expect(inactive.first?.slack == -9)
    let sources = rows.filter { $0.constraint.origin == .code }.compactMap(\.constraint.source)
    #expect(sources.count == rows.count { $0.constraint.origin == .code })
    #expect(sources.allSatisfy { $0.file.hasPrefix("PostCell") || $0.file.hasPrefix("Layout") })
    second.isActive = false
    #expect(cell.layoutInspection.constraints.allSatisfy { $0.state != .broken })
  }

  @Test func wishesAndResults() {
    let cell = PostCell()
    cell.label.letters = 570
    cell.layoutIfNeeded(width: 80)
    let items = cell.layoutInspection.items
    #expect(items.map(\.item.name) == ["cell", "icon", "label"])
    #expect(items.map(\.depth) == [0, 1, 1])
    #expect(items[2].intrinsicWidth == 570)
    #expect(items[2].intrinsicHeight == 10)
    #expect(items[2].solved == FractionalRect(x: 22, y: 1, width: 57, height: 10))
    #expect(items[1].intrinsicHeight == nil)
  }
}
