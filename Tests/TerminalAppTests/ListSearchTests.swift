import TerminalApp
import Testing

private struct Line: Identifiable {
  let id: Int
  var text: String { "line \(id)\(id % 700 == 650 ? " with a Café" : "")" }
}

private final class LineCell: ItemCell<Line> {
  let label = Label(numberOfLines: 1)

  override func setUp() {
    addSubview(label)
    label.edgesToSuperview(insets: Insets(left: 2))
  }

  override func show(_ item: Line) { label.text = StyledText(item.text) }
}

/// Searching a `List`.
@Suite @MainActor struct ListSearchTests {
  private func list(_ count: Int = 2_000) -> List<Line> {
    let list = List((0..<count).map { Line(id: $0) }, cell: LineCell.self)
    list.searchText = { $0.text }
    return list
  }

  @Test func searchStartsAtTheReadersRow() {
    let list = list()
    let screen = TestScreen(list, width: 70)
    screen.type("/cafe\n")
    #expect(list.selectedItem?.id == 650 && screen.contains("line 650 with a Café"))
    screen.type("n")
    #expect(list.selectedItem?.id == 1_350 && !screen.contains("wrapped"))
    screen.type("n")
    #expect(list.selectedItem?.id == 650 && screen.contains("search wrapped to the top"))
    screen.type("N")
    #expect(list.selectedItem?.id == 1_350 && screen.contains("search wrapped to the end"))
    screen.type("g/\n")
    #expect(list.selectedItem?.id == 650, "the last one again")
    screen.type(":search line 1999\n")
    #expect(list.selectedItem?.id == 1_999)
  }

  /// Matches are marked in all visible and later rows until the search ends.
  @Test func matchesAreMarked() {
    let list = list()
    let screen = TestScreen(list, width: 70)
    #expect(screen.marked.isEmpty)
    screen.type("/LINE 64\n".lowercased())
    #expect(list.selectedItem?.id == 64 && screen.marked.contains("line 64"))
    screen.type("n")
    #expect(list.selectedItem?.id == 640)
    screen.type("4j")
    #expect(screen.marked == (640...644).map { _ in "line 64" }, "\(screen.marked)")
    screen.type("/cafe\n")
    #expect(screen.marked == ["Café"])
    screen.send([.key(.escape)])
    #expect(screen.marked.isEmpty)
    screen.type("n")
    #expect(screen.contains("no search is active · / begins one") && screen.marked.isEmpty)
  }

  @Test func aFailedSearchMovesNothing() {
    let list = list(30)
    let screen = TestScreen(list, width: 70)
    screen.type("jj")
    screen.type("n")
    #expect(screen.contains("no search is active · / begins one"))
    screen.type("/no such thing\n")
    #expect(screen.contains("not found: no such thing") && list.selectedItem?.id == 2)
    screen.type("/line 9").send([.key(.escape)])
    #expect(list.selectedItem?.id == 2)
  }

  @Test func typingSearchesAndEscGoesBack() {
    let list = list()
    let screen = TestScreen(list, width: 70)
    screen.type("3j/cafe")
    #expect(list.selectedItem?.id == 650 && screen.marked == ["Café"])
    screen.type(" au lait")
    #expect(list.selectedItem?.id == 3 && screen.marked.isEmpty)
    screen.send([.key(.escape)])
    #expect(list.selectedItem?.id == 3 && !screen.contains("not found"))
    screen.type("n")
    #expect(screen.contains("no search is active · / begins one"))
  }

  @Test func aCountSkipsMatches() {
    let list = list()
    let screen = TestScreen(list, width: 70)
    screen.type("/cafe\n2n")
    #expect(list.selectedItem?.id == 650 && screen.contains("search wrapped to the top"))
    screen.type("3N")
    #expect(list.selectedItem?.id == 1_350)
  }

  @Test func withoutSearchTextThereIsNoSearchKey() {
    let plain = List([Line(id: 0)], cell: LineCell.self)
    let screen = TestScreen(plain, width: 70, height: 60).type("?")
    #expect(!screen.contains("next match"))
    let searched = TestScreen(list(3), width: 70, height: 60).type("?")
    #expect(searched.contains("next match"))
  }
}
