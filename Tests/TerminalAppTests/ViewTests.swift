import TerminalApp
import Testing

@MainActor @Suite struct ViewTests {
  /// The lines of a view that fills the screen.
  private func lines(_ view: View, width: Int = 20, height: Int = 6) -> [String] {
    TestScreen(view, width: width, height: height).lines
  }

  private final class Scribble: View {
    override func draw(in canvas: inout Canvas, at origin: Point) {
      for y in -3..<10 { canvas.draw("abc潮潮", at: origin.offset(dx: -2, dy: y)) }
      canvas.fill(
        Rect(x: origin.x + 3, y: origin.y - 5, width: 40, height: 40), with: CanvasCell("#"))
    }
  }

  // MARK: Clipping

  @Test func viewsAreClippedToTheirFrames() {
    let outer = View(name: "outer")
    let inner = Scribble(name: "inner")
    outer.addSubview(inner)
    inner.frame = Rect(x: 5, y: 2, width: 4, height: 2)
    #expect(lines(outer, width: 12, height: 5) == ["", "", "     c潮#", "     c潮#", ""])
    // A wide character that is cut in half is not drawn.
    inner.frame = Rect(x: 5, y: 2, width: 2, height: 1)
    #expect(lines(outer, width: 12, height: 5)[2] == "     c")
  }

  @Test func viewsAreClippedToTheirSuperviews() {
    let (outer, middle, inner) = (View(), View(), Scribble())
    outer.addSubview(middle)
    middle.addSubview(inner)
    middle.frame = Rect(x: 2, y: 1, width: 4, height: 2)
    inner.frame = Rect(x: 2, y: 1, width: 20, height: 20)
    #expect(lines(outer, width: 12, height: 5) == ["", "", "    c", "", ""])
    middle.frame = .zero
    #expect(lines(outer, width: 12, height: 5).allSatisfy { $0.isEmpty })
  }

  // MARK: Labels

  @Test(
    arguments: [
      (.left, ["one two", "three"]), (.center, [" one two", "  three"]),
      (.right, ["   one two", "     three"]),
    ] as [(Label.Alignment, [String])])
  func labelsAlignTheirLines(alignment: Label.Alignment, expected: [String]) {
    let label = Label()
    label.text = StyledText("one two three")
    label.alignment = alignment
    #expect(Array(lines(label, width: 10).prefix(2)) == expected)
  }

  @Test func aLabelsStyleIsTheDefault() {
    let label = Label()
    var text = StyledText("plain ")
    text.append("tag", style: TextStyle(role: .tag))
    label.text = text
    label.style = Style(
      foreground: .palette(2), background: .palette(4), attributes: .underline)
    let canvas = TestScreen(label, width: 20, height: 4).canvas
    #expect(canvas[0, 0].style == label.style)
    #expect(canvas[6, 0].style.foreground == Theme.standard.accent)
    #expect(canvas[6, 0].style.background == .palette(4))
    #expect(canvas[19, 3].style.background == .palette(4), "the whole frame has it")
  }

  // MARK: Stacks, borders, bars

  private func label(_ text: String) -> Label {
    let label = Label(numberOfLines: 1)
    label.text = StyledText(text)
    return label
  }

  @Test func aStackGivesFlexibleViewsTheRest() {
    let filler = View(name: "filler")
    let stack = Stack(.vertical, spacing: 1, [label("top"), filler, label("bottom")])
    #expect(lines(stack, height: 8) == ["top", "", "", "", "", "", "", "bottom"])
    #expect(filler.frame == Rect(x: 0, y: 2, width: 20, height: 4))
    stack.insertSubitem(label("second"), at: 1)
    #expect(lines(stack, height: 8)[2] == "second")
    filler.removeFromSuperitem()
    #expect(lines(stack, height: 8)[4].contains("bottom") || stack.subitems.count == 3)
  }

  @Test func anEvenStackDividesItsSpace() {
    let views = (0..<3).map { _ in View() }
    _ = lines(Stack(.horizontal, isEven: true, views), width: 20)
    #expect(views.map(\.frame.minX) == [0, 7, 13])
    #expect(views.last?.frame.maxX == 20)
    #expect(views.allSatisfy { $0.frame.height == 6 })
  }

  @Test func aBorderStandsAroundItsView() {
    let border = Border(label("inside"), title: "a title")
    #expect(
      lines(border, width: 16, height: 4) == [
        "┌─ a title ────┐", "│inside        │", "│              │", "└──────────────┘",
      ])
    #expect(lines(border, width: 8, height: 2) == ["┌─ a… ─┐", "└──────┘"])
    border.title = "\u{1B}[31mred\n"
    #expect(!lines(border, width: 20, height: 3)[0].contains("\u{1B}"))
  }

  @Test(
    arguments: [
      (0.0, ""), (1.0, "████████"), (0.5, "████"), (0.515, "████▏"), (2.0, "████████"), (-1.0, ""),
      (.nan, ""), (.infinity, "████████"),
    ] as [(Double, String)])
  func aBarFillsByEighths(progress: Double, expected: String) {
    #expect(lines(ProgressView(progress), width: 8, height: 2)[0] == expected)
  }
}

@MainActor @Suite struct TextFieldTests {
  private let field = TextField(placeholder: "write here")
  private let screen: TestScreen

  init() { screen = TestScreen(field, width: 12, height: 3) }

  private func keys(_ keys: (Key, KeyModifiers)...) { screen.send(keys.map { .key($0, $1) }) }

  @Test func typedTextShowsBeforeTheCursor() {
    #expect(screen.lines[0] == "write here")
    #expect(screen.cursor == Point(x: 0, y: 0))
    screen.type("q?5j")
    #expect(field.text == "q?5j")
    #expect(screen.lines[0] == "q?5j")
    #expect(screen.cursor == Point(x: 4, y: 0))
    #expect(screen.application.exitStatus == nil)
  }

  @Test func editingKeysEdit() {
    screen.type("one two three")
    keys((.left, []), (.left, []), (.backspace, []))
    #expect(field.text == "one two thee")
    keys((.home, []), (.delete, []), (.character("f"), .alt), (.character("k"), .control))
    #expect(field.text == "ne")
    keys((.end, []), (.character(" "), []), (.character("x"), []), (.character("w"), .control))
    #expect(field.text == "ne ")
    screen.type("last")
    keys((.left, .control), (.character("u"), .control))
    #expect(field.text == "last")
    keys((.backspace, []), (.left, []), (.character("d"), .control), (.right, []), (.delete, []))
    #expect(field.text == "at")
  }

  @Test func wideAndJoinedCharactersAreOneStep() {
    screen.type("潮e\u{301}👍🏽x")
    #expect(field.text.count == 4)
    keys((.left, []), (.left, []), (.left, []))
    #expect(screen.cursor == Point(x: 2, y: 0))
    keys((.backspace, []))
    #expect(field.text == "e\u{301}👍🏽x")
    keys((.delete, []))
    #expect(field.text == "👍🏽x")
  }

  @Test func theCursorStaysInSight() {
    screen.type("潮位は午後三時に最大となります")
    let cursor = screen.cursor?.x ?? -1
    #expect((0..<12).contains(cursor))
    #expect(screen.lines[0].hasSuffix("ます"))
    keys((.home, []))
    #expect(screen.cursor == Point(x: 0, y: 0))
    #expect(screen.lines[0].hasPrefix("潮位"))
    screen.send([.resize(Size(width: 8, height: 3)), .key(.end)])
    #expect((0..<8).contains(screen.cursor?.x ?? -1))
  }

  @Test func enterSubmitsAndTheHistoryComesBack() {
    var submitted: [String] = []
    var changes = 0
    field.onSubmit = { submitted.append($0) }
    field.onChange = { _ in changes += 1 }
    screen.type("first\nsecond\nsecond\n")
    #expect(submitted == ["first", "second", "second"])
    #expect(field.text == "" && field.history == ["first", "second"])
    screen.type("draft")
    keys((.up, []), (.up, []), (.up, []))
    #expect(field.text == "first")
    keys((.down, []), (.down, []), (.down, []))
    #expect(field.text == "draft")
    #expect(changes > 0)
  }

  @Test func pastedTextIsOneSanitizedLine() {
    screen.send([.paste("two\nlines \u{1B}[2J\u{7}of\ttext")])
    #expect(!field.text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x1B })
    #expect(field.text.contains("two") && field.text.contains("text"))
    field.text = "a\u{202E}b\n"
    #expect(!field.text.unicodeScalars.contains { $0.value == 0x202E || $0.value == 10 })
  }

  @Test func aClickSetsTheCursor() {
    screen.type("潮位 level")
    screen.press(3, 0)
    #expect(screen.cursor == Point(x: 2, y: 0))
    screen.press(11, 0)
    #expect(screen.cursor == Point(x: 10, y: 0))
  }

  /// The result does not depend on how keys are batched.
  @Test func aBurstEqualsSingleKeys() {
    let text = "a long enough text with spaces"
    screen.type(text)
    let other = TextField()
    let single = TestScreen(other, width: 12, height: 3)
    for character in text { single.type(String(character)) }
    #expect(field.text == other.text && screen.lines == single.lines)
  }
}
