import ConstraintLayout
import Testing

@MainActor @Suite struct LayoutInspectionTests {
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
}
