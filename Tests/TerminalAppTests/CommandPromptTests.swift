import TestSupport
import Testing

@testable import TerminalApp

private struct Item: Identifiable { let id: Int }

private final class Cell: ItemCell<Item> {
  let label = Label(numberOfLines: 1)

  override func setUp() {
    addSubview(label)
    label.edgesToSuperview(insets: Insets(left: 2))
  }

  override func show(_ item: Item) { label.text = StyledText("row \(item.id)") }
}

/// A field above a list, and no status lines.
private final class Form: View, Responder {
  let field = TextField()
  let pane = ListPane()
  var greetings: [String] = []
  private(set) lazy var commands: CommandTable = CommandTable(
    of: self,
    [
      Command("greet", argument: "NAME", help: "says hello") { form, call in
        guard !call.argument.isEmpty else { return .refused("greet whom?") }
        form.greetings.append(call.argument)
        return .done
      },
      Command("next-view-of-form", "x", help: "") { _, _ in },
    ])

  init() {
    super.init(name: "form")
    addSubview(field)
    addSubview(pane)
  }

  override var frame: Rect {
    didSet {
      field.frame = Rect(x: 0, y: 0, width: frame.width, height: 1)
      pane.frame = Rect(x: 0, y: 1, width: frame.width, height: max(0, frame.height - 1))
    }
  }
}

/// Commands entered by name after `:`.
@MainActor @Suite struct CommandPromptTests {
  private let list = List((1...40).map { Item(id: $0) }, cell: Cell.self)

  private func screen(width: Int = 70, height: Int = 14) -> TestScreen {
    TestScreen(list, width: width, height: height)
  }

  private func status(_ screen: TestScreen) -> String { screen.lines[screen.lines.count - 2] }
  private func hint(_ screen: TestScreen) -> String { screen.lines[screen.lines.count - 1] }

  @Test(
    arguments: [
      (":next\n", 2), (":5 next\n", 6), (":next 5\n", 6), (":  5   next  \n", 6), (":5next\n", 6),
      ("5:next\n", 6), (":end\n", 40), (":12 top\n", 12), ("9j:top\n", 1),
      (":next 99999999999999999999\n", 40), ("j:next\njj", 5), (":50 percent\n", 21),
    ])
  func typedCommandsActLikeTheirKeys(keys: String, row: Int) {
    let screen = screen().type(keys)
    #expect(status(screen).contains("item \(row) of 40"), "\(status(screen))")
  }

  @Test(
    arguments: [
      (":nxet\n", "no command is called 'nxet'; nearest: next"),
      (":pag\n", "no command is called 'pag'; nearest: page-down, page-up"),
      (":quux-ember\n", "no command is called 'quux-ember'"),
      (":next week\n", "next is followed by a number at most: 'week'"),
      (":5 next 5\n", "next is followed by a number at most: '5'"),
      (":0 next\n", "counts begin with 1"),
      (":12\n", "a number goes with a command, as in 5 next"),
      (":percent\n", "a number goes before it, as in 50 percent"),
      (":activate\n", "nothing to do here for activate"),
      (":show-new\n", "nothing new"), (":\n", ""), (":   \n", ""),
    ])
  func refusalsAreShownInOneLine(keys: String, message: String) {
    let screen = screen().type(keys)
    #expect(status(screen).hasSuffix(message), "\(status(screen))")
    #expect(screen.lines[0].hasPrefix("▌ row 1 "))
    screen.type("j")
    #expect(status(screen) == " item 2 of 40")
  }

  @Test func aLongRefusalTakesTheWholeStatusLine() {
    let screen = screen(width: 44).type(":nxet\n")
    #expect(status(screen) == " no command is called 'nxet'; nearest: next")
  }

  @Test func unpromptedMessagesShareTheLine() {
    let screen = screen(width: 44)
    let text = "the harbour gauge has not been heard of today"
    screen.after { screen.application.tell(text) }
    #expect(status(screen).hasPrefix(" item 1 of 40 · the harbour gauge"))
    screen.type(":nxet\n").after { screen.application.tell(text) }
    #expect(status(screen).hasPrefix(" item 1 of 40 · the harbour gauge"))
  }

  @Test func pastedTextCannotDisturbTheScreen() {
    let screen = screen(width: 60)
    screen.type(":").send([.paste("\u{1B}[2J\n" + String(repeating: "潮", count: 4_000))])
    screen.send([.key(.enter)])
    #expect(status(screen).contains("no command is called '"))
    #expect(screen.lines[0].hasPrefix("▌ row 1 "))
  }

  @Test func thePromptAndCursorAreInTheStatusLine() {
    let screen = screen()
    #expect(screen.cursor == nil)
    screen.type("3:")
    #expect(status(screen) == " :3")
    #expect(screen.cursor == Point(x: 4, y: 12))
    #expect(hint(screen).hasPrefix(" Tab completes"))
    #expect(screen.lines[11].hasPrefix("  row 12 "), "the list still shows")
    screen.type("nex")
    #expect(status(screen) == " :3 nex" && screen.cursor == Point(x: 7, y: 12))
    #expect(hint(screen) == " next   next-top   next-view")
    screen.type("t-v")
    #expect(screen.lines.last == " next-view")
    screen.send([.resize(Size(width: 50, height: 9))])
    #expect(screen.lines[8] == " :3 next-v")
    screen.send([.key(.escape)]).type("j")
    #expect(screen.lines[8] == " item 2 of 40" && screen.cursor == nil)
  }

  @Test func tabCompletesAndCyclesThroughNames() {
    let screen = screen().type(":pa")
    for expected in ["page-", "page-down", "page-up", "page-down"] {
      screen.send([.key(.tab)])
      #expect(status(screen) == " :\(expected)")
    }
    #expect(hint(screen) == " page-down   page-up")
    screen.send([.key(.tab, .shift), .key(.tab, .shift), .key(.tab, .shift)])
    #expect(status(screen) == " :page-up")
    screen.send([.key(.character("u"), .control)]).type("7 red").send([.key(.tab)])
    #expect(status(screen) == " :7 redraw")
    #expect(hint(screen) == " redraw: redraw the screen")
    screen.send([.key(.character("u"), .control)]).type("zebra").send([.key(.tab)])
    #expect(status(screen) == " :zebra" && hint(screen) == "")
    screen.type(" next").send([.key(.tab)])
    #expect(status(screen) == " :zebra next")
    screen.send([.key(.character("u"), .control)]).type("bind J")
    #expect(hint(screen) == " bind KEYS COMMAND: have keys ask for a command")
  }

  @Test func upRecallsCommands() {
    let screen = screen().type(":next 3\n:top\n:nonsense\n:")
    for expected in ["nonsense", "top", "next 3", "next 3"] {
      screen.send([.key(.up)])
      #expect(status(screen) == " :\(expected)")
    }
    screen.send([.key(.enter)])
    #expect(status(screen).contains("item 4 of 40"))
    for row in 1...120 { screen.type(":\(row) top\n") }
    #expect(screen.application.dispatcher.promptHistory.count == 100)
  }

  @Test func quitEndsTheProgramAndControlCAlwaysDoes() {
    #expect(screen().type(":quit\n").application.exitStatus == 0)
    #expect(screen().type(":q\n").application.exitStatus == nil)
    let open = screen().type(":nex").send([.key(.character("c"), .control)])
    #expect(open.application.exitStatus == 130)
  }

  @Test func helpOpensByNameAndCommandsAreListedThere() {
    let screen = TestScreen(list, width: 70, height: 50).type(":help\n")
    #expect(screen.lines.contains { $0.hasSuffix(" : command by name") })
    #expect(screen.lines.contains { $0.contains(" :bind KEYS COMMAND have keys") })
  }

  @Test func thePromptOpensOverTheHelpPage() {
    let screen = screen().type("?")
    let help = screen.lines
    screen.type(":")
    #expect(screen.lines[..<12] == help[..<12] && status(screen) == " :")
    #expect(hint(screen).hasPrefix(" Tab completes"))
    screen.type(":")
    #expect(status(screen) == " ::", "there is one prompt at a time")
    screen.send([.key(.character(":"), .alt), .key(.escape)])
    #expect(screen.lines == help)
    screen.type(":end\n")
    #expect(screen.lines[..<12] != help[..<12])
    screen.type(":top\n")
    #expect(screen.lines == help)
    screen.type(":percent\n")
    #expect(status(screen).contains("no command is called 'percent'"))
    screen.type(":close\n:next\n")
    #expect(status(screen).contains("item 2 of 40"))
    #expect(screen.type("?:quit\n").application.exitStatus == 0)
  }

  // MARK: Without status lines

  @Test func thePromptRestoresTheFocus() {
    let form = Form()
    let screen = TestScreen(form, width: 40, height: 9)
    screen.type(":x")
    #expect(form.field.text == ":x", "where text is typed it is no prompt")
    screen.send([.key(.tab)]).type(":")
    #expect(screen.lines[8] == " :" && screen.cursor == Point(x: 2, y: 8))
    // A click on the prompt keeps the focus there; one elsewhere has no effect.
    screen.press(5, 8)
    screen.press(3, 0)
    screen.type("greet you all\n")
    #expect(form.greetings == ["you all"])
    #expect(screen.application.window.focusedResponder === form.pane)
    screen.type(":").send([.key(.escape)])
    #expect(screen.application.window.focusedResponder === form.pane)
    #expect(screen.lines[8] == "")
  }

  @Test func messagesTakeALineUntilTheNextKey() {
    let screen = TestScreen(Form(), width: 40, height: 9).send([.key(.tab)])
    screen.type(":greet\n")
    #expect(screen.lines[8] == " greet whom?")
    // Redrawing the screen keeps the message.
    screen.send([.key(.character("l"), .control)])
    #expect(screen.lines[8] == " greet whom?")
    screen.send([.key(.tab)])
    #expect(screen.lines[8] == "")
  }

  @Test(arguments: [
    Size(width: 8, height: 2), Size(width: 9, height: 3), Size(width: 20, height: 4),
  ])
  func theSmallestScreensHaveAPrompt(size: Size) {
    let screen = screen(width: size.width, height: size.height).type(":12")
    #expect(screen.lines[size.height - 1] == " :12")
    screen.type(" top\n")
    #expect(list.pane.currentRow == 11)
  }

  @Test func randomInputDoesNoHarm() {
    let seed = UInt64.random(in: .min ... .max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let screen = screen()
    let events: [InputEvent] =
      InputEvent.typing(":: 059nextbpg-du?#\n") + [
        .key(.tab), .key(.tab, .shift), .key(.escape), .key(.up), .key(.down), .key(.left),
        .key(.backspace), .key(.delete), .paste("page-down 3\n"),
        .mouse(MouseEvent(.wheelDown, at: .zero)),
        .mouse(MouseEvent(.press(.left), at: Point(x: 4, y: 12))),
        .resize(Size(width: 40, height: 10)), .resize(Size(width: 9, height: 3)),
      ]
    for _ in 0..<600 {
      screen.send((0..<3).compactMap { _ in events.randomElement(using: &random) })
    }
    screen.send([.resize(Size(width: 70, height: 14))])
    for _ in 0..<3 { screen.send([.key(.escape)]) }
    screen.type("g")
    #expect(status(screen).contains("item 1 of 40"), "seed \(seed)")
  }
}
