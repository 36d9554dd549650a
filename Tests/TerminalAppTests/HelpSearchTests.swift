import Geometry
import Terminal
import TerminalViews
import Testing
import TextLayout

@testable import TerminalApp

/// Searching the help page.
@Suite @MainActor struct HelpSearchTests {
  private func help(height: Int = 16) -> TestScreen {
    TestScreen(ListPane(), width: 90, height: height).type("?")
  }

  /// The marked texts, row by row; none begins or ends with a blank.
  private func marked(_ screen: TestScreen) -> [String] {
    (0..<screen.canvas.size.height - 1).compactMap { y in
      let cells = (0..<screen.canvas.size.width).map { screen.canvas[$0, y] }
      let text = String(
        String.UnicodeScalarView(
          cells.filter { $0.style.attributes.contains(.reverse) }.flatMap(\.unicodeScalars)))
      #expect(text.first != " " && text.last != " ")
      return text.isEmpty ? nil : text.filter { $0 != " " }
    }
  }

  @Test func matchesAreMarkedAndShown() {
    let screen = help()
    let top = screen.lines
    screen.type("/half a page")
    #expect(marked(screen) == ["halfapage", "halfapage"])
    screen.type("\n")
    #expect(screen.contains("half a page down"))
    screen.type("/suspend\n")
    #expect(marked(screen).contains("suspend") && screen.lines != top)
    screen.type("/no such thing\n")
    #expect(screen.contains("not found: no such thing"))
    screen.send([.key(.escape)])
    #expect(marked(screen).isEmpty)
    screen.type("g")
    #expect(screen.lines == top)
  }

  @Test func matchesWrapInBothDirections() {
    let screen = help(height: 10)
    screen.type("/the end\n")
    var seen = 0
    for _ in 0..<40 where !screen.contains("search wrapped") {
      seen += 1
      screen.type("n")
    }
    #expect(screen.contains("search wrapped to the top") && seen < 40)
    screen.type("N")
    #expect(screen.contains("search wrapped to the end"))
  }

  /// Keys are searched as they are bound, although they are not part of the text.
  @Test func keysAreFoundToo() {
    let screen = TestScreen(ListPane(), width: 90, height: 12)
    screen.type(":bind ctrl-t top\n?/Ctrl-T\n")
    #expect(marked(screen).contains { $0.contains("Ctrl-T") })
    #expect(screen.contains("the top; with a count, that row"))
  }

  @Test func leavingThePromptGoesBack() {
    let screen = help()
    screen.type("5j")
    let before = screen.lines
    screen.type("/suspend")
    #expect(screen.lines != before)
    screen.send([.key(.escape)])
    #expect(screen.lines == before && marked(screen).isEmpty)
    screen.type("n")
    #expect(screen.contains("no search is active · / begins one"))
    screen.send([.key(.escape)])
    #expect(!screen.contains("half a page"), "Esc closes the page")
  }

  @Test func selectingWithTheMouseIsMentioned() {
    let screen = help(height: 120)
    #expect(screen.lines.contains { $0.contains("Shift-mouse") && $0.contains("set mouse off") })
  }

  @Test func groupsOfCommandsHaveHeadings() {
    let pane = ListPane()
    func command(_ name: String) -> Command<ListPane> {
      Command(name, help: "does \(name)") { _, _ in }
    }
    let table = CommandTable(of: pane, [command("ebb")])
    table.add([command("flow"), command("slack")], of: pane, below: .screen)
    table.add([command("calm")], of: pane)
    table.add([command("race")], of: pane, below: .move)
    let first = [CommandTable.HelpLine(keys: "e", text: "ebb")]
    let page = HelpPage.sections(title: "tides", notes: [], firstKeys: first, lines: table.help)
    let last = page.map { section in
      section.plainText.split(separator: "\n").map {
        String($0.split(separator: " ").last ?? "")
      }
    }
    #expect(
      last == [
        ["tides", "keys", "ebb"], ["Keys", "ebb", "calm"], ["Move", "race"],
        ["Screen", "flow", "slack"],
      ], "\(page.map(\.plainText))")
  }

  private func sections(lines: [Int]) -> [StyledText] {
    lines.enumerated().map { index, count in
      var text = StyledText()
      for line in 0..<count {
        text.beginParagraph(.init())
        text.append("\(index).\(line) word")
      }
      return text
    }
  }

  @Test func aWidePageHasTwoColumnsOfNearlyTheSameHeight() {
    let sections = sections(lines: [3, 2, 2, 4])
    let narrow = HelpColumns(sections, width: 100)
    #expect(narrow.frames.count == 1)
    let wide = HelpColumns(sections, width: 120)
    #expect(wide.frames.count == 2)
    #expect(wide.lineCount < narrow.lineCount)
    #expect(wide.frames.map { ($0.lines.count + 1) / 2 } == [5, 6])
    #expect(wide.distance > 100 / 2)
    let matches = wide.places { frame, line in !frame.lines[line].isSpacing }
    #expect(matches.count == 11 && matches == matches.sorted())
  }

  @Test func matchesOfBothColumnsAreFound() {
    let screen = TestScreen(ListPane(), width: 130, height: 16).type("?")
    #expect(screen.contains("half a page down") && screen.contains("redraw the screen"))
    screen.type("/suspend\n")
    #expect(marked(screen).contains("suspend") && screen.contains("suspend"))
    screen.type("/the end\n")
    #expect(marked(screen).contains { $0.contains("theend") })
  }
}
