import TerminalApp
import Testing

/// A panel that draws `#` beyond its frame and records its events.
private final class Note: View, Responder {
  var heard: [String] = []
  private(set) lazy var commands: CommandTable = CommandTable(
    of: self,
    [
      Command("hear", "h", "wheel-down", help: "") { note, _ in note.heard.append("h") },
      Command("close", "escape", help: "") { note, _ in
        note.application?.window.dismiss(note)
      },
    ])

  func mouse(_ event: MouseEvent) -> Bool {
    heard.append("\(event.position.x),\(event.position.y)")
    return true
  }

  override func draw(in canvas: inout Canvas, at origin: Point) {
    canvas.fill(
      Rect(x: origin.x - 9, y: origin.y - 9, width: 99, height: 99), with: CanvasCell("#"))
  }
}

/// Rows of dots that count keys and pointer events.
private final class Dots: View, Responder {
  var heard = 0
  var dot: Unicode.Scalar = "."
  let canBeFocused = true
  private(set) lazy var commands: CommandTable = CommandTable(
    of: self, [Command("hear", "h", "wheel-down", help: "") { dots, _ in dots.heard += 1 }])

  func mouse(_ event: MouseEvent) -> Bool {
    heard += 1
    return true
  }

  override func draw(in canvas: inout Canvas, at origin: Point) {
    canvas.fill(Rect(origin: origin, size: frame.size), with: CanvasCell(dot))
  }
}

/// Modal panels that cover only a part of the screen.
@MainActor @Suite struct PanelTests {
  private let dots = Dots(name: "dots")

  private func opened(
    _ placement: PanelPlacement, title: String = "", width: Int = 12, height: Int = 7
  ) -> (TestScreen, Note) {
    let screen = TestScreen(dots, width: width, height: height)
    let note = Note(name: "note")
    screen.after { screen.application.window.present(note, at: placement, title: title) }
    return (screen, note)
  }

  @Test(
    arguments: [
      (
        .centered(Size(width: 6, height: 3)), Size(width: 12, height: 5),
        ["............", "...┌────┐...", "...│####│...", "...└────┘...", "............"]
      ),
      (
        .centered(Size(width: 5, height: 4)), Size(width: 8, height: 5),
        [".┌───┐..", ".│###│..", ".│###│..", ".└───┘..", "........"]
      ),
      (
        .bottom(rows: 3), Size(width: 8, height: 4),
        ["........", "┌──────┐", "│######│", "└──────┘"]
      ),
      // Limited by the screen.
      (
        .centered(Size(width: 99, height: .max)), Size(width: 8, height: 3),
        ["┌──────┐", "│######│", "└──────┘"]
      ),
      (.bottom(rows: 99), Size(width: 8, height: 3), ["┌──────┐", "│######│", "└──────┘"]),
      (.centered(Size(width: -4, height: 3)), Size(width: 8, height: 2), ["........", "........"]),
      (.bottom(rows: .min), Size(width: 8, height: 2), ["........", "........"]),
    ] as [(PanelPlacement, Size, [String])])
  func aPanelCoversOnlyItsPart(placement: PanelPlacement, size: Size, lines: [String]) {
    let (screen, _) = opened(placement, width: size.width, height: size.height)
    #expect(screen.lines == lines)
  }

  @Test func contentBelowIsDrawnWithoutInput() {
    let (screen, note) = opened(.centered(Size(width: 6, height: 3)), title: "a title")
    screen.type("h")
    screen.press(4, 3)
    screen.press(0, 0)
    screen.mouse(.wheelDown, 0, 0)
    #expect(note.heard == ["h", "0,0", "h"] && dots.heard == 0)
    screen.after {
      dots.dot = ":"
      dots.setNeedsDisplay()
    }
    #expect(screen.lines[0] == "::::::::::::" && screen.lines[3] == ":::│####│:::")
    screen.send([.resize(Size(width: 10, height: 5))])
    #expect(screen.lines[2] == "::│####│::")
    screen.send([.key(.escape)])
    #expect(screen.lines.allSatisfy { $0 == "::::::::::" })
    screen.type("h")
    #expect(dots.heard == 1)
  }

  @Test func panelsCanBeStacked() {
    let (screen, note) = opened(.bottom(rows: 3))
    let upper = Note(name: "upper")
    let window = screen.application.window
    screen.after { window.present(upper, at: .centered(Size(width: 4, height: 3)), title: "long") }
    #expect(screen.lines[3] == "....│##│....")
    #expect(screen.lines[4] == "┌───└──┘───┐")
    screen.type("h")
    #expect(upper.heard == ["h"] && note.heard.isEmpty)
    screen.after { window.present(Note(name: "full")) }
    #expect(screen.lines.allSatisfy { $0 == "############" })
    screen.send([.key(.escape), .key(.escape)])
    #expect(screen.lines[4] == "┌──────────┐" && window.modalPanel === note)
  }

  @Test func wideCharactersAtItsEdgesAreNotTorn() {
    let label = Label()
    label.text = StyledText(String(repeating: "潮", count: 30))
    let screen = TestScreen(label, width: 12, height: 5)
    let before = screen.lines
    let note = Note(name: "note")
    screen.after {
      screen.application.window.present(note, at: .centered(Size(width: 6, height: 3)))
    }
    #expect(screen.lines[2] == "潮 │####│ 潮")
    screen.send([.key(.escape)])
    #expect(screen.lines == before)
  }
}
