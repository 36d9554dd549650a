import TerminalApp
import TestSupport
import Testing

@testable import TerminalApp

/// Status messages and their record.
@MainActor @Suite struct StatusMessageTests {
  private struct Row: Identifiable {
    var id: Int
  }

  private final class RowCell: ItemCell<Row> {
    let label = Label(numberOfLines: 1)

    override func setUp() {
      addSubview(label)
      label.edgesToSuperview(insets: Insets(left: 2))
    }

    override func show(_ item: Row) { label.text = StyledText("row \(item.id)") }
  }

  private func screen(rows: Int = 40, width: Int = 80) -> TestScreen {
    TestScreen(List((1...rows).map { Row(id: $0) }, cell: RowCell.self), width: width)
  }

  private func status(_ screen: TestScreen) -> String { screen.lines[12] }

  @Test(
    arguments: [
      ("Q", "Q"), ("zy", "zy"), ("\u{7}", "Ctrl-G"), ("0", "0"), ("é", "é"), ("\n", "Enter"),
    ])
  func uselessKeysAreReported(keys: String, label: String) {
    let screen = screen()
    if keys == "\u{7}" {
      screen.send([.key(.character("g"), .control)])
    } else {
      screen.type(keys)
    }
    #expect(status(screen) == " item 1 of 40 · \(label) does nothing here")
    screen.type("j")
    #expect(status(screen) == " item 2 of 40")
    #expect(screen.application.notices.log.isEmpty, "hints are not recorded")
  }

  @Test func uselessMovesAreReported() {
    let screen = screen()
    for key in ["k", "3k", "g", "K", "b", "zt"] {
      screen.type(key)
      #expect(status(screen).contains(" · "), "\(key): \(status(screen))")
      #expect(screen.lines[0].hasPrefix("▌ row 1 "))
    }
    #expect(screen.type("k").lines[12] == " item 1 of 40 · at the top")
    screen.type("G")
    #expect(status(screen) == " item 40 of 40")
    for key in ["j", "2j", "J", "G", " "] {
      #expect(screen.type(key).lines[12] == " item 40 of 40 · at the end", "\(key)")
    }
    screen.mouse(.wheelDown, 3, 3)
    #expect(status(screen) == " item 40 of 40", "the wheel is no key")
  }

  /// Messages stay visible on narrow screens: the title gives way to all of them, the position only
  /// to refusals and failures.
  @Test(arguments: [StatusMessages.Kind.hint, .information, .refusal, .failure])
  func otherPartsGiveWayToAMessage(kind: StatusMessages.Kind) {
    let list = List((1...40).map { Row(id: $0) }, cell: RowCell.self)
    list.title = "The timeline of a long name"
    let screen = TestScreen(list, width: 46)
    #expect(status(screen) == " The timeline of a long name · item 1 of 40")
    screen.after { screen.application.tell("link copied (wl-copy)", kind) }
    #expect(status(screen) == " item 1 of 40 · link copied (wl-copy)")
    screen.after { screen.application.tell(String(repeating: "long ", count: 9) + "end", kind) }
    let keeps = kind == .hint || kind == .information
    #expect(status(screen).hasPrefix(keeps ? " item 1 of 40 · long long" : " long long long long"))
  }

  @Test func escapeDropsACountSilently() {
    let screen = screen().type("12")
    #expect(status(screen).hasSuffix(" 12"))
    screen.send([.key(.escape)])
    #expect(status(screen) == " item 1 of 40")
    screen.send([.key(.escape)])
    #expect(status(screen).hasSuffix("Esc does nothing here"))
  }

  @Test func aNameOfAKeyCannotDisturbTheScreen() {
    let screen = screen()
    screen.send([.key(.character("\u{202E}")), .key(.character("\u{9B}"))])
    #expect(!status(screen).unicodeScalars.contains { $0.value == 0x202E || $0.value == 0x9B })
  }

  // MARK: The record

  @Test func messagesListsTheRecordNewestFirst() {
    let screen = screen()
    screen.type(":messages\n")
    #expect(status(screen).contains("nothing was told yet"))
    screen.type(":nxet\n:nxet\n").after { screen.application.tell("a picture has come") }
    screen.type(":messages\n")
    let lines = screen.lines.map { String($0.drop { $0 == " " }) }
    #expect(lines[1] == "Messages")
    #expect(lines[3].hasSuffix("a picture has come"))
    #expect(lines[4].hasSuffix("no command is called 'nxet'; nearest: next  2 times"))
    #expect(lines[5].hasSuffix("nothing was told yet"))
    #expect(lines[3].prefix(8).filter { $0 == ":" }.count == 2, "the time of day: \(lines[3])")
    screen.type("q")
    #expect(screen.lines[0].hasPrefix("▌ row 1 "))
  }

  @Test func theRecordIsBoundedInNumberAndLength() {
    var time = 0.0
    let notices = StatusMessages { time }
    for number in 0..<1_000 {
      time += 1
      notices.tell("\(number) " + String(repeating: "x", count: 5_000), .information)
    }
    #expect(notices.log.count == StatusMessages.maximumCount)
    #expect(notices.log.last?.text.hasPrefix("999 x") == true)
    #expect(notices.log.last?.time == 1_000)
    #expect(notices.log.allSatisfy { $0.text.count <= StatusMessages.maximumLength })
  }

  @Test func messagesOfTheContentAreRecordedOnChange() {
    let notices = StatusMessages { 0 }
    for text in ["", "loading failed", "loading failed", "", "loading failed", "\u{1B}[2Jgone"] {
      notices.recordContentMessage(text, isError: true)
    }
    #expect(notices.log.map(\.text) == ["loading failed", "gone"])
    #expect(notices.log.map(\.count) == [2, 1])
    #expect(notices.current == nil)
  }

  @Test func everyShownMessageIsAnnounced() {
    var count = 0
    let notices = StatusMessages(now: { 0 }, onTell: { count += 1 })
    notices.tell("link copied", .information)
    notices.refuse("no link")
    notices.tell("", .hint)
    #expect(count == 3 && notices.current == nil, "an empty message clears the line")
    notices.note("config:3: no command is called 'three'")
    notices.recordContentMessage("loading failed", isError: true)
    notices.clear()
    #expect(count == 3)
  }
}
