import TerminalApp
import TestSupport
import Testing

@testable import TerminalApp

/// Moves through rows of any height, with and without counts.
@MainActor @Suite struct MovingTests {
  private struct Row: Identifiable {
    var id: Int
    var lines: Int
  }

  private final class RowCell: ItemCell<Row> {
    let label = Label()

    override func setUp() {
      addSubview(label)
      label.edgesToSuperview(insets: Insets(left: 2))
    }

    override func show(_ item: Row) {
      label.text = StyledText(
        (1...item.lines).map { "row \(item.id).\($0)" }.joined(separator: "\n"))
    }
  }

  /// Every fifth row is higher than the screen.
  private func rows(_ count: Int) -> [Row] {
    (1...count).map { Row(id: $0, lines: $0 % 5 == 0 ? 30 : 1 + $0 % 3) }
  }

  private func screen(_ count: Int = 60) -> TestScreen {
    TestScreen(List(rows(count), cell: RowCell.self), width: 60)
  }

  /// The first line of text, without marks.
  private func top(_ screen: TestScreen) -> Substring {
    screen.lines[0].drop { $0 == " " || $0 == "▌" }.prefix { $0 != " " && $0 != "▕" }.isEmpty
      ? "" : screen.lines[0].drop { $0 == " " || $0 == "▌" }.prefix(9)
  }

  /// Without the scroll bar, whose thumb depends on the rows measured so far.
  private func rows(_ screen: TestScreen) -> [Substring] {
    screen.lines.dropLast(2).map { $0.prefix(58) }
  }

  private func isAt(_ screen: TestScreen, row: Int, line: Int = 1) -> Bool {
    top(screen).hasPrefix("row \(row).\(line) ")
  }

  @Test func nextTopWorksWithRowsOfAnyHeight() {
    let screen = screen()
    for row in 2...40 {
      screen.type("J")
      #expect(isAt(screen, row: row), "\(row): \(top(screen))")
      #expect(screen.lines[12].hasPrefix(" item \(row) of 60"))
    }
    for row in (1...39).reversed() {
      screen.type("K")
      #expect(isAt(screen, row: row), "\(row): \(top(screen))")
    }
  }

  @Test func previousTopFirstShowsACutRow() {
    let screen = screen().type("5G").send([.key(.character("e"), .control)]).type("2")
    screen.send([.key(.character("e"), .control)])
    #expect(isAt(screen, row: 5, line: 4))
    #expect(isAt(screen.type("K"), row: 5))
    #expect(isAt(screen.type("K"), row: 4))
    screen.type("5G").type("3").send([.key(.character("e"), .control)])
    #expect(isAt(screen.type("2K"), row: 4), "the cut one counts")
  }

  @Test func countsBeforeMovesAreRows() {
    let screen = screen()
    #expect(screen.type("9j").lines[12].hasPrefix(" item 10 of 60"))
    #expect(isAt(screen, row: 10), "a high one from its first line")
    #expect(screen.type("3j").lines[12].hasPrefix(" item 13 of 60"))
    #expect(screen.type("9k").lines[12].hasPrefix(" item 4 of 60"))
    #expect(screen.type("7J").lines[12].hasPrefix(" item 11 of 60") && isAt(screen, row: 11))
    #expect(screen.type("5K").lines[12].hasPrefix(" item 6 of 60") && isAt(screen, row: 6))
    #expect(screen.type("999999999j").lines[12].hasPrefix(" item 60 of 60"))
    #expect(screen.type("999999999k").lines[12].hasPrefix(" item 1 of 60"))
    #expect(screen.type("12zt").lines[12].hasPrefix(" item 12 of 60") && isAt(screen, row: 12))
    #expect(screen.type("50%").lines[12].hasPrefix(" item 3"))
  }

  @Test func theStatusCountsTheRowThatKeysActOn() {
    let screen = screen().type("3j")
    screen.type("20").send([.key(.character("e"), .control)])
    let number = screen.lines[12].split(separator: " ")[1]
    #expect(isAt(screen.type("J"), row: (Int(number) ?? 0) + 1))
    screen.type("G").type("40").send([.key(.character("y"), .control)])
    let shown = screen.lines[12].split(separator: " ")[1]
    #expect(isAt(screen.type("zt"), row: Int(shown) ?? 0))
  }

  /// After a page has scrolled the selected row away, the row selected instead is reported and
  /// marked.
  @Test func theReportedRowIsTheMarkedOne() {
    var told: [Int] = []
    let list = List(rows(60), cell: RowCell.self)
    list.onSelect = { told.append($0.id) }
    let screen = TestScreen(list, width: 60)
    for keys in [" ", " ", "b", "50%", "j", "G", "b", "30g", "g"] {
      screen.type(keys)
      let marked = screen.lines.filter { $0.hasPrefix("▌") }
      let item = list.selectedItem?.id ?? 0
      #expect(!marked.isEmpty, "\(keys)")
      #expect(marked.allSatisfy { $0.contains("row \(item).") }, "\(keys): \(marked), \(item)")
      #expect(screen.lines[12].hasPrefix(" item \(item) of 60"), "\(keys)")
      #expect(told.last == item, "\(keys): \(told)")
    }
  }

  /// Keys sent together lead to the same place as keys sent one by one.
  @Test(arguments: [UInt64(1), 2, 3])
  func aBurstEndsWhereSingleKeysDo(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let keys = (0..<60).map { _ in
      let count = Bool.random(using: &random) ? "" : "\(Int.random(in: 1...12, using: &random))"
      return count + (["j", "k", "J", "K", " ", "b"].randomElement(using: &random) ?? "j")
    }
    let single = screen()
    for (index, key) in keys.enumerated() {
      single.type(key)
      guard index % 10 == 9 else { continue }
      let burst = screen().type(keys[...index].joined())
      guard rows(burst) != rows(single) else { continue }
      Issue.record("seed \(seed): \(keys[...index].joined()) leads elsewhere than key by key")
      return
    }
  }

  /// Each jump is taken back to the same line, whatever moved since.
  @Test(arguments: ["G", "30g", "50%", "/row 40\n", ":search row 33\n"])
  func jumpsAreTakenBack(jump: String) {
    let list = List(rows(60), cell: RowCell.self)
    list.searchText = { "row \($0.id)" }
    let screen = TestScreen(list, width: 60).type("7j").type("3")
    screen.send([.key(.character("e"), .control)])
    let before = (rows(screen), screen.lines[12])
    screen.type(jump)
    #expect(rows(screen) != before.0)
    screen.type("jj ")
    #expect(rows(screen.type("''")) == before.0 && screen.lines[12] == before.1)
    #expect(screen.type("''").lines[12].contains("no place to go back to"))
  }

  @Test func jumpsAreTakenBackOneByOne() {
    let screen = screen()
    for row in [10, 20, 30] { screen.type("\(row)G") }
    screen.send([.key(.character("o"), .control)])
    #expect(isAt(screen, row: 20))
    screen.type("2''")
    #expect(isAt(screen, row: 1))
    // The places are bounded.
    for row in 1...150 { screen.type("\(1 + row % 60)G") }
    for _ in 0..<150 { screen.type("''") }
    #expect(screen.lines[12].contains("no place to go back to"))
  }

  @Test func aPlaceWhoseRowIsGoneIsNearby() {
    let list = List(rows(60), cell: RowCell.self)
    let screen = TestScreen(list, width: 60)
    screen.type("20GG")
    screen.after { list.items.removeAll { $0.id > 15 && $0.id < 50 } }
    screen.type("''")
    #expect(screen.lines[12].hasPrefix(" item") && !top(screen).isEmpty)
  }

  /// Rows that are left by single presses are reported, not those that counts and jumps pass over.
  @Test func stepsAreReported() {
    let list = List(rows(60), cell: RowCell.self)
    let screen = TestScreen(list, width: 60)
    var left: [Range<Int>] = []
    list.pane.onStepDown = { left.append($0) }
    screen.type("j").send(InputEvent.typing("jj"))
    #expect(left.reduce(0) { $0 + $1.count } == 3 && left.first?.first == 0)
    left = []
    screen.type("2j").type("k").type("G").type("g").type(" ")
    #expect(left.isEmpty)
  }
}
