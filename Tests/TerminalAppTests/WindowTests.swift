import Terminal
import TerminalApp
import Testing

/// A view that records its events.
private final class Ear: View, Responder {
  private let says: (String) -> Void
  let canBeFocused = true
  var passes = false
  var takesPointer = true
  private(set) lazy var commands: CommandTable = CommandTable(
    of: self,
    [
      Command("hear", "h", help: "hears") { ear, call in
        ear.says("\(ear.name) h\(call.count.map(String.init) ?? "")")
        return ear.passes ? .passed : .done
      },
      Command("own", KeySequence(stringLiteral: name), help: "") { ear, _ in
        ear.says("\(ear.name) own")
      },
    ])

  init(_ name: String, _ frame: Rect, says: @escaping (String) -> Void) {
    self.says = says
    super.init(name: name)
    self.frame = frame
  }

  func mouse(_ event: MouseEvent) -> Bool {
    guard takesPointer else { return false }
    let kind =
      switch event.kind {
      case .press: "press"
      case .drag: "drag"
      case .release: "release"
      default: "other"
      }
    says("\(name) \(kind) \(event.position.x),\(event.position.y)")
    return true
  }

  var cursor: Cursor? { Cursor(at: Point(x: 1, y: 0), isVisible: true) }
}

@MainActor private final class Ears {
  private(set) var heard: [String] = []
  private(set) lazy var outer = ear("o", Rect(x: 0, y: 0, width: 40, height: 14))
  private(set) lazy var left = ear("l", Rect(x: 2, y: 3, width: 10, height: 4))
  private(set) lazy var right = ear("r", Rect(x: 20, y: 3, width: 10, height: 4))
  let screen: TestScreen

  init() {
    let content = View(name: "content")
    screen = TestScreen(content)
    content.addSubview(outer)
    outer.addSubview(left)
    outer.addSubview(right)
  }

  private func ear(_ name: String, _ frame: Rect) -> Ear {
    Ear(name, frame) { [unowned self] in self.heard.append($0) }
  }

  func hears(_ expected: [String]) -> Bool {
    defer { heard = [] }
    return heard == expected
  }
}

/// A view that could have the focus and does not participate.
private final class Deaf: View, Responder {
  let commands = CommandTable()
  let canBeFocused = true
  override var participates: Bool { false }
}

@MainActor @Suite struct WindowTests {
  @Test func keysGoToTheFocusedViewAndThenUp() {
    let ears = Ears()
    ears.screen.application.window.focus(ears.left)
    ears.screen.type("5h")
    #expect(ears.hears(["l h5"]))
    ears.left.passes = true
    ears.screen.type("5h")
    #expect(ears.hears(["l h5", "o h5"]))
    ears.screen.type("or")
    #expect(ears.hears(["o own"]), "the right one has no focus")
  }

  @Test func onlyViewsThatParticipateAreAsked() {
    let screen = TestScreen(Deaf(name: "deaf"))
    #expect(screen.application.window.focusedResponder == nil)
    #expect(screen.cursor == nil)
    #expect(screen.type("q").application.exitStatus == 0, "the application has its keys")
  }

  @Test func tabMovesTheFocusAndTheCursorFollows() {
    let ears = Ears()
    ears.screen.type("h")
    #expect(ears.hears(["o h"]), "the first that can have it")
    #expect(ears.screen.cursor == Point(x: 1, y: 0))
    for (name, cursor) in [("l", Point(x: 3, y: 3)), ("r", Point(x: 21, y: 3))] {
      ears.screen.send([.key(.tab)]).type("h")
      #expect(ears.hears(["\(name) h"]))
      #expect(ears.screen.cursor == cursor)
    }
    ears.screen.send([.key(.tab), .key(.tab, .shift)]).type("h")
    #expect(ears.hears(["r h"]), "from the last to the first and back")
  }

  @Test func thePointerGoesToTheInnermostViewAndStaysWithIt() {
    let ears = Ears()
    ears.screen.press(21, 4)
    ears.screen.mouse(.drag(.left), 0, 0)
    ears.screen.mouse(.release(.left), 39, 13)
    ears.screen.mouse(.drag(.left), 21, 4)
    #expect(ears.hears(["r press 1,1", "r drag -20,-3", "r release 19,10"]))
    ears.right.takesPointer = false
    ears.screen.press(21, 4)
    #expect(ears.hears(["o press 21,4"]))
    ears.right.isHidden = true
    ears.left.isHidden = true
    ears.screen.press(3, 3)
    #expect(ears.hears(["o press 3,3"]))
  }

  @Test func aModalPanelTakesAll() {
    let ears = Ears()
    var heard: [String] = []
    let panel = Ear("p", .zero) { heard.append($0) }
    ears.screen.after { ears.screen.application.window.present(panel) }
    ears.screen.type("hoq")
    ears.screen.press(21, 4)
    #expect(heard == ["p h", "p press 21,4"])
    #expect(ears.hears([]))
    #expect(ears.screen.application.exitStatus == nil, "q is the panel's")
    ears.screen.after { ears.screen.application.window.dismiss(panel) }
    ears.screen.type("h")
    #expect(ears.hears(["o h"]))
  }

  // MARK: Help

  @Test func theHelpPageListsTheCommandsAndScrolls() {
    let ears = Ears()
    ears.screen.type("?")
    #expect(ears.screen.contains("Keys"))
    #expect(ears.screen.lines.contains { $0.contains("h") && $0.contains("hears") })
    let list = TestScreen(ListPane(), height: 120).type("?")
    #expect(list.contains("Ctrl-L"))
    ears.screen.type("q").type("h")
    #expect(!ears.screen.contains("Keys"))
    #expect(ears.hears(["o h"]))
    let low = TestScreen(ListPane(), height: 6).type("?")
    let top = low.lines
    #expect(low.type("j").lines != top)
    #expect(low.type("k").lines == top)
    let end = low.type("G").lines
    #expect(end.contains { $0.contains("xdg-open") } && end != top)
    #expect(low.type("99999999j").lines == end)
    #expect(low.type("g").lines == top)
  }

  // MARK: Ends

  @Test(
    arguments: [
      (.key(.character("q")), 0), (.key(.character("c"), .control), 130), (.terminate(15), 143),
      (.terminate(1), 129),
    ] as [(InputEvent, Int32)])
  func quits(event: InputEvent, status: Int32) {
    let screen = TestScreen(View(name: "content"))
    screen.send([.key(.character("x")), event])
    #expect(screen.application.exitStatus == status)
    screen.type("j")
    #expect(screen.application.exitStatus == status)
  }

  @Test func controlCMayBeAKeyLikeOthers() {
    let screen = TestScreen(View(name: "content"))
    screen.application.endsOnInterrupt = false
    var count = 0
    let command = Command<TerminalApplication>("copy", "ctrl-c", help: "") { _, _ in count += 1 }
    screen.application.commands.add([command], of: screen.application)
    screen.send([.key(.character("c"), .control)])
    #expect(count == 1 && screen.application.exitStatus == nil)
  }

  @Test func aProgramEndsItselfWithItsOwnStatus() {
    let screen = TestScreen(View(name: "content"))
    screen.application.end(7)
    screen.application.end(9)
    #expect(screen.application.exitStatus == 7)
  }

  // MARK: Layout and frames

  @Test func theContentIsLaidOutByItsConstraintsOrFillsTheScreen() {
    let plain = View(name: "plain")
    _ = TestScreen(plain, width: 30, height: 9)
    #expect(plain.frame == Rect(x: 0, y: 0, width: 30, height: 9))
    let outer = View(name: "outer")
    let label = Label(numberOfLines: 1)
    outer.addSubview(label)
    label.centerX()
    label.bottom(offset: -1)
    label.text = StyledText("middle")
    let screen = TestScreen(outer, width: 30, height: 9)
    #expect(screen.lines[7] == String(repeating: " ", count: 12) + "middle")
    screen.send([.resize(Size(width: 10, height: 4))])
    #expect(screen.lines == ["", "", "  middle", ""])
    screen.after { label.text = StyledText("left") }
    #expect(screen.lines[2] == "   left")
  }

  @Test(arguments: [
    Size(width: 7, height: 9), Size(width: 30, height: 1), Size(width: 0, height: 0),
  ])
  func aScreenTooSmallSaysSo(size: Size) {
    let screen = TestScreen(ListPane())
    screen.send([.resize(size)]).type("jG?q")
    #expect(screen.canvas.size == size)
    #expect(size.width == 0 || screen.lines[0].first == "t")
    screen.send([.resize(Size(width: 40, height: 14))])
    #expect(!screen.contains("too"))
  }
}
