import TerminalApp
import TestSupport
import Testing

private struct Note: Identifiable, Equatable {
  var id: String
  var text: String

  init(_ id: String, _ text: String? = nil) {
    self.id = id
    self.text = text ?? "note \(id)"
  }
}

private final class NoteCell: ItemCell<Note> {
  let label = Label()

  override func setUp() {
    addSubview(label)
    label.edgesToSuperview(insets: Insets(left: 2))
  }

  override func show(_ item: Note) { label.text = StyledText(item.text) }
}

private final class HeadingCell: ItemCell<Note> {
  let label = Label(numberOfLines: 1)

  override func setUp() {
    addSubview(label)
    label.edgesToSuperview(insets: Insets(left: 2, bottom: 1))
  }

  override func show(_ item: Note) { label.text = StyledText("== \(item.text)") }
}

@MainActor @Suite struct ListTests {
  private func notes(_ ids: some Sequence<Int>) -> [Note] { ids.map { Note("\($0)") } }

  /// The visible rows above the status lines, without marks and the scroll bar.
  private func rows(_ screen: TestScreen) -> [String] {
    screen.lines.dropLast(2).map { line in
      line.prefix(screen.canvas.size.width - 1).trimmingPrefix { $0 == " " || $0 == "▌" }
        .split(separator: " ").joined(separator: " ")
    }
  }

  @Test func itemsAreShownAndCounted() {
    let list = List(notes(1...3), cell: NoteCell.self)
    list.title = "notes"
    list.itemName = "note"
    let screen = TestScreen(list, width: 70)
    #expect(screen.lines[0] == "▌ note 1")
    #expect(rows(screen).prefix(4) == ["note 1", "note 2", "note 3", ""])
    #expect(screen.lines[12].hasPrefix(" notes · note 1 of 3"))
    #expect(screen.contains("? help"))
  }

  /// A cell has no superview, but its views can still request frames, for example for a picture's
  /// pixels.
  @Test func viewsInCellsKnowTheApplication() throws {
    final class Cell: ItemCell<Note> {
      static var byRow: [String: Label] = [:]
      let label = Label()
      override func setUp() {
        addSubview(label)
        label.edgesToSuperview(insets: Insets(left: 2))
      }
      override func show(_ item: Note) {
        label.text = StyledText(item.text)
        Cell.byRow[item.id] = label
      }
    }
    let screen = TestScreen(List(notes(1...3), cell: Cell.self))
    let label = try #require(Cell.byRow["1"])
    #expect(label.superview?.superview == nil)
    #expect(label.application === screen.application)
    #expect(Cell().label.application == nil)
  }

  @Test func renderingIsTheSameAsRunning() {
    let canvas = TerminalApplication.render(
      List(notes(1...50), cell: NoteCell.self), size: Size(width: 40, height: 14),
      events: InputEvent.typing("5jzt"))
    let screen = TestScreen(List(notes(1...50), cell: NoteCell.self)).type("5jzt")
    #expect(canvas.cells == screen.canvas.cells)
    #expect(screen.lines[0].hasPrefix("▌ note 6"))
  }

  @Test func aBurstEndsWhereSingleKeysDo() {
    let keys = "jjj5jkk G3k  bzb12Gjj"
    let burst = TestScreen(List(notes(1...200), cell: NoteCell.self)).type(keys)
    let single = TestScreen(List(notes(1...200), cell: NoteCell.self))
    for key in keys { single.type(String(key)) }
    #expect(burst.lines == single.lines)
  }

  @Test func anEmptyListSaysSoAndTakesAllKeys() {
    let screen = TestScreen(List([Note](), cell: NoteCell.self)).type("jkG g5j50%zt.")
    #expect(screen.contains("no items"))
    screen.send([.key(.enter)])
    #expect(screen.application.exitStatus == nil)
  }

  // MARK: Selection

  @Test func selectionIsReported() {
    let list = List(notes(1...30), cell: NoteCell.self)
    var selected: [String] = []
    var activated: [String] = []
    list.onSelect = { selected.append($0.id) }
    list.onActivate = { activated.append($0.id) }
    let screen = TestScreen(list).type("jj")
    screen.type("G").type("G").type("g")
    screen.send([.key(.enter)])
    screen.press(3, 4)
    screen.mouse(.release(.left), 3, 4)
    screen.send([.key(.enter)])
    #expect(selected == ["3", "30", "1", "5"])
    #expect(activated == ["1", "5"])
    #expect(list.selectedItem?.id == "5")
    list.selectedItem = Note("7")
    #expect(list.selectedItem?.id == "7")
    #expect(selected.count == 4, "the program's own choice is not the user's")
    list.selectedItem = Note("no such note")
    #expect(list.selectedItem?.id == "7")
  }

  @Test func theWheelScrollsAndTheBarDrags() {
    let screen = TestScreen(List(notes(1...100), cell: NoteCell.self))
    screen.mouse(.wheelDown, 3, 3)
    #expect(rows(screen)[0] == "note 4")
    screen.press(39, 0)
    screen.mouse(.drag(.left), 20, 11)
    screen.mouse(.release(.left), 20, 11)
    #expect(rows(screen).contains("note 100"))
    screen.mouse(.drag(.left), 39, 0)
    #expect(rows(screen).contains("note 100"), "nothing is held any more")
  }

  // MARK: Changes

  @Test func changesKeepThePlaceAndTheSelection() {
    let list = List(notes(10...60), cell: NoteCell.self)
    let screen = TestScreen(list).type("20Gjj")
    let before = rows(screen)
    #expect(list.selectedItem?.id == "31")
    screen.after { list.items = notes(1...60).filter { $0.id != "12" } + [Note("new")] }
    #expect(rows(screen).dropFirst() == before.dropFirst())
    #expect(rows(screen)[0] == "note 29 9 new · .")
    #expect(list.selectedItem?.id == "31")
    screen.after { list.items.removeAll { $0.id == "31" } }
    #expect(!screen.contains("note 31"))
    #expect(list.selectedItem?.id == "32")
    screen.after { list.items = [] }
    #expect(screen.contains("no items"))
    screen.after { list.items = notes(1...3) }
    #expect(rows(screen).prefix(3) == ["note 1", "note 2", "note 3"])
  }

  @Test func changedItemsAreShownOnAndOffScreen() {
    let list = List(notes(1...40), cell: NoteCell.self)
    let screen = TestScreen(list)
    screen.after {
      list.items = list.items.map { Note($0.id, "now \($0.id)\nof two lines") }
    }
    #expect(rows(screen).prefix(3) == ["now 1", "of two lines", "now 2"])
    screen.type("G")
    #expect(rows(screen).suffix(2) == ["now 40", "of two lines"])
    screen.type("g")
    #expect(rows(screen)[0] == "now 1")
  }

  @Test func appendedRowsMoveNothing() {
    let list = List(notes(1...20), cell: NoteCell.self)
    let screen = TestScreen(list).type("5j")
    let before = rows(screen)
    screen.after { list.append(notes(21...400)) }
    #expect(rows(screen) == before)
    #expect(screen.contains("item 6 of 400"))
  }

  @Test func appendedRowsShowWhileFollowing() {
    let list = List(notes(1...20), cell: NoteCell.self)
    let screen = TestScreen(list).type("G")
    screen.after { list.append([Note("21"), Note("22")]) }
    #expect(rows(screen).last == "note 22")
    screen.type("k").type("k").type("b")
    screen.after { list.append([Note("23")]) }
    #expect(!screen.contains("note 23"))
    screen.after { list.scrollToEnd() }
    #expect(rows(screen).last == "note 23")
  }

  @Test func requestsBeforeTheFirstFrameAreKept() {
    let list = List(notes(1...50), cell: NoteCell.self)
    list.selectedItem = Note("48")
    #expect(rows(TestScreen(list))[0] == "note 1")
    #expect(list.selectedItem?.id == "48")
    let other = List(notes(1...50), cell: NoteCell.self)
    other.scrollToEnd()
    let screen = TestScreen(other)
    #expect(rows(screen).last == "note 50")
    screen.after { other.append([Note("51")]) }
    #expect(rows(screen).last == "note 51")
  }

  @Test func newRowsAboveAreCounted() {
    let list = List(notes(100...200), cell: NoteCell.self)
    let screen = TestScreen(list).type("10j ")
    let before = rows(screen)
    screen.after { list.items = notes(95...99) + list.items }
    #expect(rows(screen).dropFirst() == before.dropFirst())
    #expect(screen.lines[0].contains("5 new"))
    let column = screen.lines[0].distance(
      from: screen.lines[0].startIndex,
      to: screen.lines[0].firstIndex(of: "5") ?? screen.lines[0].startIndex)
    screen.press(column, 0)
    #expect(rows(screen)[0] == "note 95")
    #expect(!screen.contains(" new"))
  }

  @Test func itemsWithEqualIDsKeepTheirOrder() {
    let twins = [Note("a", "first"), Note("a", "second"), Note("b")]
    let list = List(twins, cell: NoteCell.self)
    let screen = TestScreen(list)
    #expect(rows(screen).prefix(3) == ["first", "second", "note b"])
    screen.after { list.items = [Note("b")] + twins }
    #expect(rows(screen).prefix(4) == ["note b", "first", "second", "note b"])
  }

  @Test func cellTypesCanDiffer() {
    let list = List(notes(1...6)) { note in
      note.id == "1" || note.id == "4" ? HeadingCell.self : NoteCell.self
    }
    let screen = TestScreen(list)
    #expect(
      rows(screen).prefix(8) == [
        "== note 1", "", "note 2", "note 3", "== note 4", "", "note 5", "note 6",
      ])
    // An item can change its type of cell.
    screen.after { list.items = notes([2, 1, 3]) }
    #expect(rows(screen).prefix(4) == ["note 2", "== note 1", "", "note 3"])
  }

  /// The rows show the items after any sequence of changes.
  @Test(arguments: Rounds.seeds(6)) func randomChangesShowTheItems(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let list = List(notes(1...30), cell: NoteCell.self)
    let screen = TestScreen(list, width: 30, height: 12)
    var next = 1_000
    for _ in 0..<60 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        let count = Int.random(in: 1...5, using: &random)
        screen.after { list.append(notes(next..<next + count)) }
        next += count
      case 1:
        var items = list.items.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
        items.insert(Note("\(next)"), at: Int.random(in: 0...items.count, using: &random))
        next += 1
        screen.after { list.items = items }
      case 2:
        let items = list.items.shuffled(using: &random)
        screen.after { list.items = items }
      case 3:
        let items = list.items.map {
          Note($0.id, Bool.random(using: &random) ? "long \($0.id)\nline" : $0.text)
        }
        screen.after { list.items = items }
      case 4:
        let size = Size(
          width: Int.random(in: 12...50, using: &random),
          height: Int.random(in: 4...20, using: &random))
        screen.send([.resize(size)])
      default:
        screen.type(["j", "5k", "G", "g", " ", "b", "zt"].randomElement(using: &random) ?? "j")
      }
    }
    screen.send([.resize(Size(width: 30, height: 12))]).type("g")
    let expected = list.items.flatMap { $0.text.split(separator: "\n").map(String.init) }.prefix(10)
    #expect(Array(rows(screen).prefix(expected.count)) == Array(expected), "seed \(seed)")
  }
}
