import Geometry
import Terminal
import Testing

@testable import TerminalApp

@MainActor @Suite struct KeyReaderTests {
  private func calls(_ events: [InputEvent]) -> [String] { CommandRecorder().calls(events) }
  private func typed(_ text: String) -> [InputEvent] { CommandRecorder.typed(text) }

  @Test(
    arguments: [
      ("j", "next"), ("k", "previous"), ("5j", "next 5"), ("12G", "end 12"), ("50%", "percent 50"),
      ("G", "end"), ("g", "top"), ("3g", "top 3"), (" ", "page-down"), ("2b", "page-up 2"),
      ("zt", "align-top"), ("zz", "align-middle"), ("zb", "align-bottom"), ("?", "help"),
      ("q", "back"), (".", "show-new"), ("10j", "next 10"),
    ])
  func typedKeysGiveTheirCommand(keys: String, call: String) {
    #expect(calls(typed(keys)) == [call])
  }

  @Test(
    arguments: [
      ("e", "line-down"), ("y", "line-up"), ("d", "half-page-down"), ("u", "half-page-up"),
      ("b", "page-up"), ("n", "next"), ("p", "previous"), ("z", "suspend"),
      ("l", "redraw"),
    ] as [(Character, String)])
  func controlKeysGiveTheirCommand(key: Character, call: String) {
    #expect(calls([.key(.character(key), .control)]) == [call])
  }

  @Test(
    arguments: [
      (.down, "next"), (.up, "previous"), (.pageDown, "page-down"), (.pageUp, "page-up"),
      (.home, "top"), (.end, "end"), (.function(1), "help"), (.tab, "next-view"),
      (.enter, "activate"),
    ] as [(Key, String)])
  func namedKeysGiveTheirCommand(key: Key, call: String) {
    #expect(calls([.key(key)]) == [call])
  }

  @Test func unboundModifiersAreIgnored() {
    #expect(calls([.key(.down, .shift), .key(.character("j"), .alt)]) == ["next", "next"])
    #expect(calls([.key(.tab, .shift)]) == ["previous-view"])
    #expect(calls([.key(.character("j"), .control)]) == [])
  }

  @Test func countsApplyToControlKeysToo() {
    #expect(calls(typed("7") + [.key(.character("e"), .control)]) == ["line-down 7"])
  }

  @Test func aCountIsForgottenAfterItsCommand() {
    #expect(calls(typed("5jj")) == ["next 5", "next"])
  }

  @Test func aCountIsForgottenAfterAnUnknownKey() {
    #expect(calls(typed("5&j")) == ["next"])
  }

  @Test func aZeroAloneIsNoCount() {
    #expect(calls(typed("0j")) == ["next"])
  }

  @Test func aCountOfAnyLengthDoesNotOverflow() {
    #expect(calls(typed(String(repeating: "9", count: 100) + "j")) == ["next 999999999"])
  }

  @Test func anUnfinishedSequenceIsDropped() {
    #expect(calls(typed("zxj")) == ["next"])
    #expect(calls(typed("z5j")) == ["next"])
  }

  @Test func pendingKeysAreShownUntilEscape() {
    let recorder = CommandRecorder()
    #expect(recorder.calls(typed("12z")) == [])
    #expect(recorder.keys.pending == "12z")
    #expect(recorder.calls([.key(.escape)]) == [])
    #expect(recorder.keys.pending == "")
    #expect(recorder.calls(typed("j")) == ["next"])
  }

  @Test func theWheelIgnoresCounts() {
    let point = Point(x: 3, y: 4)
    #expect(
      calls(
        typed("5") + [
          .mouse(MouseEvent(.wheelDown, at: point)), .mouse(MouseEvent(.wheelUp, at: point)),
        ]) == ["line-down 3", "line-up 3"])
  }

  // MARK: Names

  @Test(
    arguments: [
      ("j", "j"), ("G", "G"), ("ctrl-e", "Ctrl-E"), ("page-down", "PgDn"), ("space", "Space"),
      ("shift-tab", "Shift-Tab"), ("f12", "F12"), ("z t", "zt"), ("-", "-"), ("ctrl--", "Ctrl--"),
      ("alt-ctrl-left", "Ctrl-Alt-←"),
    ])
  func keysHaveNames(name: String, label: String) {
    #expect(KeySequence(name)?.label == label)
  }

  @Test(arguments: ["", " ", "jj", "ctrl-", "f0", "f100", "page", "z pageup", "ctrl-wheel-up"])
  func badKeyNamesAreRefused(name: String) {
    #expect(KeySequence(name) == nil)
  }

  @Test func keysCanBeBoundToAnyCommandByName() {
    let recorder = CommandRecorder()
    #expect(recorder.pane.commands.bind("J", toCommand: "page-down"))
    #expect(recorder.pane.commands.bind("z z z", toCommand: "top"))
    #expect(!recorder.pane.commands.bind("Q", toCommand: "no-such-command"))
    #expect(recorder.calls(typed("3J")) == ["page-down 3"])
    #expect(recorder.calls(typed("Q")) == [])
  }

  @Test func everyListCommandHasAHelpLine() {
    let help = CommandRecorder().pane.commands.help
    #expect(help.contains { $0.keys == "j ↓ Ctrl-N" })
    #expect(help.contains { $0.keys == "Space PgDn" && $0.text == "a page down" })
    #expect(help.contains { $0.keys == "zt" })
    #expect(help.allSatisfy { !$0.text.isEmpty && !$0.text.contains("\n") })
  }
}

@MainActor @Suite struct CommandJoiningTests {
  private func joined(_ first: String, _ second: String) -> String? {
    let recorder = CommandRecorder()
    func call(_ keys: String) -> CommandCall? {
      CommandRecorder.typed(keys).compactMap { recorder.call(for: $0) }.first
    }
    guard let first = call(first), let second = call(second) else { return nil }
    return first.joined(with: second).map(CommandRecorder.text)
  }

  @Test func equalMovesAreJoined() {
    #expect(joined("j", "j") == "next 2")
    #expect(joined("2j", "5j") == "next 7")
    #expect(joined("2k", "1k") == "previous 3")
    #expect(joined("1 ", "2 ") == "page-down 3")
  }

  @Test func movesThatDependOnOrderAreNotJoined() {
    #expect(joined("j", "k") == nil)
    #expect(joined(" ", "j") == nil)
    #expect(joined("g", "g") == nil)
    #expect(joined("G", "5G") == nil)
  }

  @Test func countsDoNotJoinPresses() {
    #expect(joined("j", "5j") == nil)
    #expect(joined("2k", "k") == nil)
  }

  @Test func overflowingCountsAreNotJoined() throws {
    let recorder = CommandRecorder()
    var call = try #require(recorder.call(for: .key(.character("j"))))
    call.count = .max
    #expect(call.joined(with: call) == nil)
  }
}
