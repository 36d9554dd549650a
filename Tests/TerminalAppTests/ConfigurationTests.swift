import TestSupport
import Testing

@testable import TerminalApp

/// Key bindings, after `:` and in a file.
@MainActor @Suite struct ConfigurationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A list's keys after `text` was loaded, and the problems in `text`.
  private func load(_ text: String) throws -> (recorder: CommandRecorder, problems: [String]) {
    let recorder = CommandRecorder()
    let file = ConfigurationFile(path: try folder.write(text, to: "config"))
    let problems = recorder.application.load(file)
    recorder.keys.bindings = recorder.application.dispatcher.bindings
    return (recorder, problems.map { String($0.dropFirst(folder.path.count + 1)) })
  }

  @Test(
    arguments: [
      ("bind J page-down", "3J", ["page-down 3"]),
      ("bind J page-down\nbind J end", "J", ["end"]),
      ("bind j end", "jk", ["end", "previous"]),
      ("  bind\tJ   page-down  ", "J", ["page-down"]),
      ("bind zx top", "zxzt", ["top", "align-top"]),
      ("bind z x top", "zx", ["top"]),
      ("bind zt end", "ztzz", ["end", "align-middle"]),
      // The first keys of a bound sequence wait for more; a single bound key does not.
      ("bind gg end", "gggxg", ["end"]),
      ("bind z end", "zt", ["end"]),
      ("bind z end\nbind zx top", "zx", ["end"]),
      ("bind gg end\nunbind gg", "g", ["top"]),
      ("bind a b c d top", "abcd", ["top"]),
      ("bind space end", " ", ["end"]), ("bind Space end", " ", ["end"]),
      ("bind # end", "#", ["end"]), ("bind # end # the end", "#", ["end"]),
      ("bind : end", ":", ["end"]),
      ("unbind j", "jk", ["previous"]), ("unbind zt", "ztzz", ["align-middle"]),
      ("unbind j\nbind j end", "j", ["end"]),
      ("unbind J", "J", []),
      ("# bind j end", "j", ["next"]), ("bind j end # down", "j", ["end"]),
      ("\n\n  # nothing\n\n", "j", ["next"]), ("", "j", ["next"]),
      ("\u{FEFF}bind j end\r\nbind k top\r\n", "jk", ["end", "top"]),
      ("bind 0 top", "0j", ["top", "next"]),
      ("bind q percent", "5q", ["percent 5"]),
    ])
  func keysCallTheBoundCommands(text: String, keys: String, calls: [String]) throws {
    let (recorder, problems) = try load(text)
    #expect(problems == [])
    #expect(recorder.calls(CommandRecorder.typed(keys)) == calls)
  }

  @Test(
    arguments: [
      ("ctrl-t", .key(.character("t"), .control)), ("Ctrl-T", .key(.character("t"), .control)),
      ("alt-j", .key(.character("j"), .alt)), ("f5", .key(.function(5))),
      ("F12", .key(.function(12))), ("page-down", .key(.pageDown)), ("PgDn", .key(.pageDown)),
      ("enter", .key(.enter)), ("escape", .key(.escape)), ("Esc", .key(.escape)),
      ("↓", .key(.down)), ("Ctrl-←", .key(.left, .control)),
      ("tab", .key(.tab)), ("shift-tab", .key(.tab, .shift)), ("shift-g", .key(.character("G"))),
      ("backspace", .key(.backspace)), ("ctrl-left", .key(.left, .control)),
      ("wheel-down", .mouse(MouseEvent(.wheelDown, at: .zero))), ("é", .key(.character("é"))),
    ] as [(String, InputEvent)])
  func bindAcceptsTheHelpPagesNames(name: String, event: InputEvent) throws {
    let (recorder, problems) = try load("bind \(name) align-middle")
    #expect(problems == [])
    #expect(recorder.calls([event]).first?.hasPrefix("align-middle") == true)
  }

  /// A command that takes a text may be bound with one.
  @Test(arguments: [
    ("bind X pipe mail -s 'a  post'", "X", "pipe", "mail -s 'a  post'"),
    ("bind zx pipe  end ", "zx", "pipe", "end"), ("bind X pipe", "X", "pipe", ""),
    ("bind space q pipe j", " q", "pipe", "j"), ("bind X set theme dark", "X", "set", "theme dark"),
  ])
  func textsAreBoundWithCommands(
    line: String, keys: String, name: String, argument: String
  ) throws {
    let recorder = CommandRecorder()
    let pipe = Command<ListPane>("pipe", "|", argument: "PROGRAM", help: "hand over") { _, _ in
      .done
    }
    recorder.pane.commands.add([pipe], of: recorder.pane)
    let file = ConfigurationFile(path: try folder.write(line + "\n", to: "config"))
    #expect(recorder.application.load(file) == [])
    recorder.keys.bindings = recorder.application.dispatcher.bindings
    let calls = CommandRecorder.typed(keys).compactMap { recorder.call(for: $0) }
    #expect(calls.map(\.name) == [name] && calls.map(\.argument) == [argument])
    let lines = recorder.application.help
    let label = keys == " q" ? "Spaceq" : keys
    if argument.isEmpty {
      #expect(lines.contains { $0.keys == "| X" && $0.text == "hand over" })
    } else {
      #expect(lines.contains { $0.keys == label && $0.text == "\(name) \(argument)" }, "\(lines)")
    }
  }

  @Test(
    arguments: [
      ("bind j nxet", "1: no command is called 'nxet'; nearest: next"),
      ("bind s pipe mail", "1: no command is called 'pipe'"),
      ("bind zs nxet 5 times", "1: no command is called 'nxet'; nearest: next"),
      ("bind ctrl-x save all posts", "1: no command is called 'save'"),
      ("bind z s next 5", "1: next is bound without words behind it: '5'"),
      ("bind pipe mail", "1: no key is called 'pipe'"),
      ("# one\n\nbind pagedown next", "3: no key is called 'pagedown'; nearest: page-down"),
      ("bind zt5 next", "1: no key is called 'zt5'"),
      ("bind z5 next", "1: no key is called 'z5'"),
      ("map j next", "1: no command is called 'map'"),
      ("bnid j next", "1: no command is called 'bnid'; nearest: bind"),
      ("next", "1: 'next' is for keys and ':'; a file takes bind, opener, set, theme, unbind"),
      ("bind", "1: it takes keys and a command: bind zt align-top, unbind zt"),
      ("bind next", "1: it takes keys and a command: bind zt align-top, unbind zt"),
      ("set opener", "1: 'set opener' lacks a value"),
      ("opener audio", "1: 'opener audio' lacks a value"),
      ("unbind", "1: it takes keys and a command: bind zt align-top, unbind zt"),
      ("bind a b c d e top", "1: at most 4 keys are bound together"),
      ("bind ctrl-c next", "1: Ctrl-C cannot be bound"),
      ("unbind Ctrl-C", "1: Ctrl-C cannot be bound"),
      ("bind z ctrl-c next", "1: Ctrl-C cannot be bound"),
      ("bind shift-1 next", "1: no key is called 'shift-1'"),
      ("bind \u{1B}[31mx next", "1: no key is called '"),
    ])
  func aBadLineIsReportedAndSkipped(text: String, problem: String) throws {
    let (recorder, problems) = try load(text + "\nbind J end\n")
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("config:\(problem)") == true, "\(problems)")
    #expect(problems.first?.contains("\u{1B}") == false)
    #expect(recorder.calls(CommandRecorder.typed("Jj")) == ["end", "next"])
    #expect(recorder.application.notices.current?.text == problems.first)
  }

  @Test func theStatusLineCountsFurtherProblems() throws {
    let (recorder, problems) = try load("one\ntwo\nthree\n")
    #expect(problems.count == 3)
    #expect(
      recorder.application.notices.current?.text
        == "config:1: no command is called 'one' (2 more in :messages)")
    #expect(
      recorder.application.notices.log.map(\.text)
        == [
          "config:3: no command is called 'three'; nearest: theme",
          "config:2: no command is called 'two'",
          "config:1: no command is called 'one' (2 more in :messages)",
        ])
  }

  // MARK: Files

  @Test func theUsersFileIsFoundAndMayBeMissing() throws {
    let home = folder.path
    func path(_ environment: [String: String]) -> String? {
      ConfigurationFile(of: "gauge", environment: environment)?.path
    }
    #expect(path(["HOME": home]) == home + "/.config/gauge/config")
    #expect(path(["HOME": home, "XDG_CONFIG_HOME": "/etc/xdg"]) == "/etc/xdg/gauge/config")
    #expect(path(["HOME": home, "XDG_CONFIG_HOME": "here"]) == home + "/.config/gauge/config")
    #expect(path([:]) == nil && path(["HOME": ""]) == nil)
    let file = try #require(ConfigurationFile(of: "gauge", environment: ["HOME": home]))
    #expect(CommandRecorder().application.load(file) == [])
    try folder.write("bind J nowhere", to: ".config/gauge/config")
    #expect(CommandRecorder().application.load(file).count == 1)
  }

  @Test func invalidFilesAreReported() throws {
    func problem(_ path: String) -> String? {
      CommandRecorder().application.load(ConfigurationFile(path: path)).first
    }
    let missing = folder.path + "/missing"
    #expect(problem(missing) == "\(missing): No such file or directory")
    #expect(problem(folder.path) == "\(folder.path): not a file")
    #expect(problem("/dev/zero") == "/dev/zero: not a file")
    let line = "bind J end\n"
    let most = ConfigurationFile.maximumBytes
    let full = String(repeating: line, count: most / line.count)
    #expect(problem(try folder.write(full, to: "full")) == nil)
    let large = try folder.write(full + line, to: "large")
    #expect(
      problem(large)
        == "\(large): larger than 64 KiB: what stands after line \(most / line.count) is not read")
    let garbage = (0..<most).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    #expect(problem(try folder.write(garbage, to: "garbage")) != nil)
    let keys = "bind " + String(repeating: "a ", count: most / 2 - 8) + "end"
    #expect(problem(try folder.write(keys, to: "keys"))?.contains("at most 4 keys") == true)
  }

  // MARK: In programs

  private func help(_ settings: String) throws -> [String] {
    let screen = TestScreen(ListPane(), width: 100, height: 60)
    screen.application.load(ConfigurationFile(path: try folder.write(settings, to: "config")))
    return screen.type("?").lines.map { String($0.trimmingPrefix(while: { $0 == " " })) }
  }

  @Test func theHelpPageShowsBindings() throws {
    let plain = try help("")
    let next = "next; what goes on below the screen is shown first"
    #expect(plain.contains("g Home the top; with a count, that row"))
    #expect(plain.contains("j ↓ Ctrl-N \(next)") && !plain.contains { $0.hasSuffix("activate") })
    let bound = try help(
      "bind gg top\nunbind j\nbind ctrl-j next\nunbind %\nbind X activate\nbind b end")
    #expect(bound.contains("Home gg the top; with a count, that row"))
    #expect(bound.contains("↓ Ctrl-N Ctrl-J \(next)"))
    #expect(bound.contains(":percent with a count: so far into the list"))
    #expect(bound.contains("Enter X activate"))
    #expect(bound.contains("PgUp Ctrl-B a page up"))
    #expect(bound.contains { $0.hasPrefix("G End b the end") })
  }

  @Test func aPageWithoutTheCommandKeepsItsKeys() throws {
    let screen = TestScreen(ListPane(), width: 70, height: 20)
    let settings = "bind q next-view\nbind ? end\nbind ctrl-u top"
    screen.application.load(ConfigurationFile(path: try folder.write(settings, to: "config")))
    screen.type("q")
    #expect(screen.application.exitStatus == nil)
    screen.send([.key(.function(1))])
    #expect(screen.contains("Move"))
    screen.type("q")
    #expect(!screen.contains("Keys"), "q closes it")
    // In a text field, keys are still text, and editing keys still edit.
    screen.type(":q?").send([.key(.character("u"), .control)])
    #expect(screen.lines.last == " :")
  }

  @Test func keysAreBoundAfterAColon() {
    let screen = TestScreen(ListPane(), width: 70, height: 20)
    screen.type(":bind J quit\n:bind ctrl-c next\n")
    #expect(screen.lines.last == " Ctrl-C cannot be bound")
    screen.type(":unbind q\nq")
    #expect(screen.application.exitStatus == nil)
    screen.type("J")
    #expect(screen.application.exitStatus == 0)
  }
}
