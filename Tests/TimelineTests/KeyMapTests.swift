import Geometry
import Terminal
import Testing
import TimelineUI

@Suite struct KeyMapTests {
  private func commands(_ events: [InputEvent]) -> [Command] {
    var map = KeyMap()
    return events.compactMap { map.command(for: $0) }
  }

  private func typed(_ text: String) -> [InputEvent] { text.map { .key(.character($0)) } }

  @Test(
    arguments: [
      ("j", Command.selectNext(1)), ("k", .selectPrevious(1)), ("5j", .selectNext(5)),
      ("12G", .goToRow(12)), ("50%", .goToPercent(50)), ("G", .goToEnd), ("g", .goToTop),
      ("3g", .goToRow(3)), (" ", .pages(1)), ("2b", .pages(-2)), ("zt", .alignSelection(.top)),
      ("zz", .alignSelection(.middle)), ("zb", .alignSelection(.bottom)), ("?", .help),
      ("q", .back), (".", .showNewRows), ("r", .reload), ("10j", .selectNext(10)),
      ("x", .toggleCover),
      ("250%", .goToPercent(100)),
    ] as [(String, Command)])
  func typedKeysGiveTheirCommand(keys: String, command: Command) {
    #expect(commands(typed(keys)) == [command])
  }

  @Test(
    arguments: [
      ("e" as Character, Command.scrollLines(1)), ("y", .scrollLines(-1)), ("d", .halfPages(1)),
      ("u", .halfPages(-1)), ("z", .suspend), ("c", .interrupt), ("l", .redraw),
    ] as [(Character, Command)])
  func controlKeysGiveTheirCommand(key: Character, command: Command) {
    #expect(commands([.key(.character(key), .control)]) == [command])
  }

  @Test func countsApplyToControlKeysToo() {
    #expect(commands(typed("7") + [.key(.character("e"), .control)]) == [.scrollLines(7)])
  }

  @Test func aCountIsForgottenAfterItsCommand() {
    #expect(commands(typed("5jj")) == [.selectNext(5), .selectNext(1)])
  }

  @Test func aCountIsForgottenAfterAnUnknownKey() {
    #expect(commands(typed("5&j")) == [.selectNext(1)])
  }

  @Test func aZeroAloneIsNoCount() {
    #expect(commands(typed("0j")) == [.selectNext(1)])
  }

  @Test func aCountOfAnyLengthDoesNotOverflow() {
    let digits = String(repeating: "9", count: 100)
    #expect(commands(typed(digits + "j")) == [.selectNext(999_999_999)])
  }

  @Test func anUnfinishedPairGivesNothingAndIsForgotten() {
    #expect(commands(typed("zxj")) == [.selectNext(1)])
  }

  @Test func percentWithoutACountGivesNothing() {
    #expect(commands(typed("%")) == [])
  }

  @Test func escapeForgetsWhatWasTypedAndNeverQuits() {
    var map = KeyMap()
    for event in typed("12") { #expect(map.command(for: event) == nil) }
    #expect(map.pending == "12")
    #expect(map.command(for: .key(.escape)) == .dismiss)
    #expect(map.pending == "")
  }

  @Test func theWheelScrollsAndTheLeftButtonSelects() {
    let point = Point(x: 3, y: 4)
    #expect(
      commands([
        .mouse(MouseEvent(.wheelDown, at: point)), .mouse(MouseEvent(.wheelUp, at: point)),
        .mouse(MouseEvent(.press(.left), at: point)), .mouse(MouseEvent(.press(.right), at: point)),
      ]) == [.scrollLines(3), .scrollLines(-3), .mouseDown(point)])
  }
}
