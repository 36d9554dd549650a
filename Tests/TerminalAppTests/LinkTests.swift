import Synchronization
import System
import TerminalApp
import TestSupport
import Testing

@testable import TerminalApp

/// A starter that starts no programs and returns the configured results.
final class FakePrograms: Sendable {
  private struct State {
    var started: [[String]] = []
    var inputs: [String] = []
    var waiting: [CheckedContinuation<System.ChildProcess.Ending, Never>] = []
    var killed: [String] = []
  }

  private let state = Mutex(State())
  private let answers: [String: Result<System.ChildProcess.Ending, SystemFailure>]
  /// What programs print, by their names.
  private let outputs: [String: CapturedProcess.Output]
  /// Programs that do not end by themselves.
  private let hanging: Set<String>

  init(
    _ answers: [String: Result<System.ChildProcess.Ending, SystemFailure>],
    hanging: Set<String> = [], outputs: [String: CapturedProcess.Output] = [:]
  ) {
    self.answers = answers
    self.outputs = outputs
    self.hanging = hanging
  }

  var started: [[String]] { state.withLock(\.started) }
  var inputs: [String] { state.withLock(\.inputs) }
  /// The names of the killed programs.
  var killed: [String] { state.withLock(\.killed) }

  /// The number of hanging programs that are waited for.
  var waitingCount: Int { state.withLock(\.waiting.count) }

  /// Ends the hanging programs.
  func end(_ ending: System.ChildProcess.Ending = .status(0)) {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: ending) }
  }

  var starter: ProgramStarter {
    var starter = ProgramStarter { [self] words, input in start(words, input) }
    starter.startCapturing = { [self] words, input, _, _ in
      start(words, input).map { program in
        let output = outputs[words[0]] ?? CapturedProcess.Output()
        return ProgramStarter.Capture(
          report: { (await program.ending(), output) }, kill: program.kill)
      }
    }
    return starter
  }

  private func start(
    _ words: [String], _ input: [UInt8]
  ) -> Result<ProgramStarter.Running, SystemFailure> {
    state.withLock {
      $0.started.append(words)
      $0.inputs.append(String(decoding: input, as: UTF8.self))
    }
    if hanging.contains(words[0]) {
      return .success(
        ProgramStarter.Running(
          ending: {
            await withCheckedContinuation { continuation in
              self.state.withLock { $0.waiting.append(continuation) }
            }
          }, kill: { self.state.withLock { $0.killed.append(words[0]) } }))
    }
    switch answers[words[0]] ?? .failure(SystemFailure(code: ENOENT)) {
    case .success(let ending):
      return .success(
        ProgramStarter.Running(
          ending: { ending }, kill: { self.state.withLock { $0.killed.append(words[0]) } }))
    case .failure(let failure): return .failure(failure)
    }
  }
}

@MainActor @Suite struct LinkTests {
  private final class Page: View, Responder {
    let commands = CommandTable()
    let label = Label()

    init(_ links: [(text: String, address: String)]) {
      super.init(name: "page")
      var text = StyledText()
      for link in links {
        text.beginParagraph()
        let number = text.addLink(link.address)
        text.append(link.text, style: TextStyle(role: .link, link: number))
      }
      label.text = text
      addSubview(label)
    }

    override var frame: Rect {
      didSet { label.frame = Rect(origin: .zero, size: frame.size) }
    }
  }

  private func screen(
    _ links: [(text: String, address: String)] = [("words", "https://example.org/a")],
    _ programs: FakePrograms = FakePrograms(["xdg-open": .success(.status(0))]),
    environment: [String: String] = ["DISPLAY": ":0"]
  ) -> TestScreen {
    TestScreen(Page(links), width: 70, environment: environment, starter: programs.starter)
  }

  private func told(_ screen: TestScreen) -> String {
    screen.application.notices.current?.text ?? ""
  }

  private func wait(_ screen: TestScreen, for text: String) async {
    await screen.wait { told(screen).contains(text) }
    #expect(told(screen).contains(text), "\(screen.application.notices.log.map(\.text))")
  }

  // MARK: The pointer

  @Test func aClickShowsTheAddressBehindOtherText() async {
    let programs = FakePrograms(["xdg-open": .success(.status(0))])
    let screen = screen([("words", "https://example.org/a")], programs)
    screen.press(2, 0)
    #expect(screen.contains("This link leads to"))
    #expect(screen.contains("https://example.org/a"))
    #expect(programs.started.isEmpty)
    screen.send([.key(.escape)])
    #expect(!screen.contains("This link leads to"))
    screen.press(2, 0)
    screen.send([.key(.enter)])
    await screen.wait { programs.started.count == 1 }
    #expect(programs.started == [["xdg-open", "https://example.org/a"]])
    screen.press(2, 0)
    screen.press(5, 12)
    await screen.wait { programs.started.count == 2 }
    #expect(programs.started.count == 2, "a second click on it opens, too")
  }

  @Test func aClickOnAnAddressOpensIt() async {
    let programs = FakePrograms(["xdg-open": .success(.status(0))])
    let screen = screen([("example.org/a", "https://example.org/a")], programs)
    screen.press(30, 0)
    #expect(screen.application.notices.log.isEmpty, "beside it is nothing")
    screen.press(2, 0)
    await screen.wait { !programs.started.isEmpty }
    #expect(programs.started == [["xdg-open", "https://example.org/a"]])
    await wait(screen, for: "xdg-open opens https://example.org/a")
  }

  @Test(
    arguments: [
      ("javascript:alert(1)", "not opened: javascript: addresses are not followed"),
      ("file:///etc/passwd", "not opened: file: addresses are not followed"),
      ("https://" + String(repeating: "x", count: 20_000), "bytes"),
    ])
  func refusedLinksAreReported(address: String, reason: String) {
    let programs = FakePrograms(["xdg-open": .success(.status(0))])
    let screen = screen([("words", address)], programs)
    screen.press(2, 0)
    #expect(told(screen).contains(reason), "\(told(screen))")
    #expect(programs.started.isEmpty && screen.lines[13].contains("not opened"))
  }

  // MARK: What opens

  @Test func browsersOfTheEnvironmentAreTriedInOrder() async {
    let programs = FakePrograms(
      ["second": .success(.status(4)), "third": .success(.status(0))])
    let screen = screen(
      programs, environment: ["BROWSER": "first:second --url='%s':third -n %%:fourth"])
    screen.application.open(Link("https://example.org/a"))
    await screen.wait { programs.started.count == 3 }
    #expect(
      programs.started == [
        ["first", "https://example.org/a"], ["second", "--url=https://example.org/a"],
        ["third", "-n", "%", "https://example.org/a"],
      ])
    #expect(!told(screen).contains("not opened"))
  }

  private func screen(
    _ programs: FakePrograms, environment: [String: String] = ["DISPLAY": ":0"]
  ) -> TestScreen {
    screen([("words", "https://example.org/a")], programs, environment: environment)
  }

  @Test func aFailureIsShown() async {
    let missing = screen(FakePrograms([:]))
    missing.application.open(Link("https://example.org/a"))
    await wait(missing, for: "not opened: xdg-open cannot be started: No such file")
    #expect(!missing.application.notices.log.contains { $0.text.contains("opens") })
    let failing = screen(FakePrograms(["xdg-open": .success(.status(3))]))
    failing.application.open(Link("https://example.org/a"))
    await wait(failing, for: "not opened: xdg-open ended with status 3")
    #expect(!failing.application.notices.log.contains { $0.text.contains("opens") })
    let killed = screen(FakePrograms(["xdg-open": .success(.signal(9))]))
    killed.application.open(Link("https://example.org/a"))
    await wait(killed, for: "xdg-open was ended by signal 9")
  }

  @Test func hangingBrowsersAreReportedAndLimited() async {
    let programs = FakePrograms([:], hanging: ["xdg-open"])
    let screen = screen(programs)
    for _ in 0..<LinkOpener.maximumRunning {
      screen.application.open(Link("https://example.org/a"))
    }
    await screen.wait { programs.started.count == LinkOpener.maximumRunning }
    #expect(told(screen).contains("has not ended after 10"))
    screen.application.open(Link("https://example.org/a"))
    #expect(told(screen).contains("not opened: 8 programs have not ended yet"))
    #expect(programs.started.count == LinkOpener.maximumRunning)
    for _ in 0..<100 { await Task.yield() }
    await screen.wait {
      programs.end()
      return screen.application.links.opener.running == 0
    }
    #expect(screen.application.links.opener.running == 0)
  }

  @Test func theOpenerCanBeSet() async {
    let programs = FakePrograms(["mine": .success(.status(0))])
    let screen = screen(programs, environment: [:])
    screen.type(":set opener mine --in 'a tab' %s\n")
    screen.application.open(Link("https://example.org/a"))
    await screen.wait { !programs.started.isEmpty }
    #expect(programs.started == [["mine", "--in", "a tab", "https://example.org/a"]])
    screen.type(":set opener 'mine\n")
    #expect(told(screen) == "a quotation mark is missing behind 'mine'")
  }

  /// Each kind of link has a program of its own, or that of all links.
  @Test func kindsHaveOpenersOfTheirOwn() async {
    let names = ["all", "ear", "eye", "page", "pic"]
    let programs = FakePrograms(
      Dictionary(uniqueKeysWithValues: names.map { ($0, .success(.status(0))) }))
    let screen = screen(programs, environment: [:])
    screen.type(":set opener all\n:opener audio ear -q %s\n:opener video eye\n:opener web page\n")
    screen.type(":opener image pic '%s'\n")
    let links = [
      Link("https://example.org/tide.mp3"), Link("https://example.org/play?id=3.mp3"),
      Link("https://example.org/1", text: "film", mediaType: "video/mp4"),
      Link("https://example.org/a.PNG?w=3"),
    ]
    for link in links { screen.application.open(link) }
    await screen.wait { programs.started.count == 4 }
    #expect(
      Set(programs.started) == [
        ["ear", "-q", "https://example.org/tide.mp3"],
        ["page", "https://example.org/play?id=3.mp3"], ["eye", "https://example.org/1"],
        ["pic", "https://example.org/a.PNG?w=3"],
      ])
    screen.type(":opener vi").send([.key(.tab)])
    #expect(screen.contains(":opener video"))
    screen.type(" ter").send([.key(.tab)])
    #expect(screen.contains(":opener video terminal"))
    screen.send([.key(.escape)])
    screen.type(":opener audio\n")
    #expect(told(screen) == "audio is opened by ear -q %s")
    screen.type(":opener audio auto\n:opener audio\n")
    #expect(told(screen) == "audio is opened by auto")
    screen.application.open(links[0])
    await screen.wait { programs.started.count == 5 }
    #expect(programs.started.last == ["all", "https://example.org/tide.mp3"])
  }

  @Test(arguments: [
    ("", "a kind and a program"),
    ("music mpv", "the kinds are web, audio, video, image, not 'music'"),
    ("audio 'mpv", "a quotation mark is missing behind 'mpv'"),
    ("audio mpv \\", "a character is missing behind the backslash"),
    ("audio terminal", "a program and its arguments"),
    ("web sh -c %s", "would run what a link says"),
  ])
  func openersOfKindsAreChecked(argument: String, problem: String) {
    let programs = FakePrograms(["xdg-open": .success(.status(0))])
    let screen = screen(programs)
    screen.type(":opener \(argument)\n")
    #expect(told(screen).contains(problem), "\(told(screen))")
  }

  /// A program that needs the terminal is not started beside it; this display cannot be lent.
  @Test func openersMayNeedTheTerminal() async {
    let programs = FakePrograms(["w3m": .success(.status(0)), "film": .success(.status(0))])
    let screen = screen(programs)
    screen.type(":opener web w3m %s\n:opener video terminal film %s\n")
    screen.application.open(Link("https://example.org/a"))
    await wait(screen, for: "not opened: w3m cannot be started")
    screen.application.open(Link("https://example.org/a.webm"))
    await wait(screen, for: "not opened: film cannot be started")
    #expect(programs.started.isEmpty)
    screen.type(":opener video terminal film %s\n:opener video\n")
    #expect(told(screen) == "video is opened by terminal film %s")
  }

  /// The address would become part of a script.
  @Test(arguments: [
    #"sh -c "prog %s""#, "sh -c 'prog %s'", "bash -lc %s", "sh -c", "perl -e 'print q(%s)'",
    "perl -e %s", "xterm -e %s", "prog --command %s", "prog --url=%s", "tmux new 'lynx %s'",
    "env sh -c 'x; y %s' %s", "ssh host firefox %s", "/usr/bin/ssh host firefox",
  ])
  func openersThatExecuteAddressesAreRefused(line: String) async throws {
    let programs = FakePrograms([:])
    let screen = screen(programs, environment: [:])
    screen.type(":set opener \(line)\n")
    #expect(told(screen).contains("would run what a link says"), "\(told(screen))")
    if !line.contains("ssh") { #expect(told(screen).contains(#"sh -c 'prog "$1"' _ %s"#)) }
    #expect(screen.application.links.opener.command == nil)
    let folder = try TemporaryFolder()
    let file = try folder.write("set theme dark\nset opener \(line)\n", to: "config")
    let problems = screen.application.load(ConfigurationFile(path: file))
    #expect(problems.count == 1 && problems[0].contains("config:2: "), "\(problems)")
  }

  @Test(arguments: [
    #"sh -c 'prog "$1"' _ %s"#, "firefox", "firefox %s", "firefox -private %s -P me",
    "prog 100%% -n %s", "prog '%%s'",
  ])
  func openersThatPassTheAddressAreAccepted(line: String) {
    let screen = screen(FakePrograms([:]), environment: [:])
    screen.type(":set opener \(line)\n")
    #expect(screen.application.links.opener.command != nil, "\(told(screen))")
  }

  @Test func browsersThatExecuteAddressesAreNotStarted() async {
    let programs = FakePrograms(["sh": .success(.status(0)), "first": .success(.status(0))])
    let screen = screen(programs, environment: ["BROWSER": #"first:sh -c "prog %s""#])
    screen.application.open(Link("https://example.org/a"))
    #expect(told(screen).contains("not opened: $BROWSER: %s is a word of its own"))
    screen.type(":set opener first\n")
    screen.application.open(Link("https://example.org/a"))
    await screen.wait { !programs.started.isEmpty }
    #expect(programs.started == [["first", "https://example.org/a"]])
  }

  @Test func withoutADisplayTheAddressIsShownAndCopied() async {
    let programs = FakePrograms([:])
    let screen = screen(programs, environment: ["SSH_CONNECTION": "a b c d"])
    screen.application.open(Link("https://example.org/a"))
    #expect(told(screen) == "no display to open it on: https://example.org/a")
    await wait(screen, for: "no display; link offered by OSC 52: https://example.org/a")
    #expect(screen.copied == "https://example.org/a")
    #expect(programs.started.isEmpty)
  }

  // MARK: Copying

  @Test func availableProgramsCopyText() async {
    let wayland = FakePrograms(["wl-copy": .success(.status(0))])
    let screen = screen(wayland, environment: ["WAYLAND_DISPLAY": "w", "DISPLAY": ":0"])
    screen.application.copy("日本", as: "text")
    await wait(screen, for: "text copied (wl-copy)")
    #expect(wayland.inputs == ["日本"] && screen.copied == nil)
    let x11 = FakePrograms(["xclip": .success(.status(1)), "xsel": .success(.status(0))])
    let other = self.screen(x11)
    other.application.copy("text", as: "text")
    await wait(other, for: "text copied (xsel)")
    let tmux = FakePrograms(["tmux": .success(.status(0))])
    let inside = self.screen([], tmux, environment: ["TMUX": "/tmp/tmux-0/default,1,0"])
    inside.application.copy("text", as: "text")
    await wait(inside, for: "text copied (tmux)")
    #expect(tmux.started == [["tmux", "load-buffer", "-w", "-"]] && inside.copied == nil)
  }

  @Test func failedCopiesAreShown() async {
    let programs = FakePrograms(["xclip": .success(.status(1))])
    let screen = screen(programs)
    screen.takesCopies = false
    screen.application.copy("text", as: "text")
    await wait(screen, for: "text not copied: this terminal takes none; xclip ended with status 1")
    screen.application.copy(String(repeating: "x", count: 100_000), as: "text")
    await wait(screen, for: "100000 bytes are too many for the terminal")
    screen.application.copy(String(repeating: "x", count: 5 << 20), as: "text")
    #expect(told(screen).contains("text not copied: it has 5242880 bytes"))
    screen.application.copy("", as: "text")
    #expect(told(screen) == "there is no text to copy")
  }

  /// For example `xclip` after its display is gone: the next way is tried, and later texts are
  /// copied as usual.
  @Test func aHangingCopyProgramIsKilled() async {
    let programs = FakePrograms(["xsel": .success(.status(1))], hanging: ["xclip"])
    let screen = screen(programs)
    screen.application.copy("one", as: "text")
    await screen.wait { programs.started.count == 1 }
    for _ in 0..<100 { await Task.yield() }
    screen.after {}
    await wait(screen, for: "text offered to the terminal (OSC 52); xclip has not ended")
    #expect(screen.copied == "one")
    #expect(programs.killed == ["xclip"])
    screen.application.copy("two", as: "text")
    await screen.wait { programs.started.count == 3 }
    for _ in 0..<100 { await Task.yield() }
    screen.after {}
    await screen.wait { screen.copied == "two" }
    #expect(screen.copied == "two")
    #expect(programs.killed == ["xclip", "xclip"], "those that end by themselves are left alone")
    programs.end()
  }

  // MARK: The list

  @Test func linksAreListedWithTheirAddresses() async {
    let programs = FakePrograms(["xdg-open": .success(.status(0))])
    let screen = screen(programs)
    let links = [
      Link("https://example.org/a", text: "one"), Link("javascript:x", text: "two"),
      Link("https://bücher.example/", text: "three"),
    ]
    screen.after { screen.application.showLinks(links) }
    #expect(screen.contains("3 links"))
    #expect(screen.contains("not opened: javascript: addresses are not followed"))
    #expect(screen.contains("https://xn--bcher-kva.example/"))
    screen.type("jy")
    #expect(told(screen) == "not copied: javascript: addresses are not followed")
    screen.type("9o")
    #expect(told(screen) == "only 3 links here")
    screen.type("3o")
    await screen.wait { !programs.started.isEmpty }
    #expect(programs.started == [["xdg-open", "https://xn--bcher-kva.example/"]])
    #expect(!screen.contains("3 links"))
    screen.after { screen.application.showLinks([]) }
    #expect(told(screen) == "no links here")
  }

  @Test(arguments: [
    ("w3m", true), ("w3m %s", true), ("/usr/bin/lynx -accept_all_cookies %s", true),
    ("links2 %s", true), ("links2 -g %s", false), ("www-browser", true),
    ("env LANG=C elinks %s", true),
    (#"sh -c 'w3m "$1"' _ %s"#, true), (#"sh -c 'exec /opt/bin/browsh "$1"' _ %s"#, true),
    ("nice -n 10 carbonyl %s", true), ("timeout 600 lynx", true),
    ("firefox %s", false), ("xterm -e w3m %s", false), ("tmux new-window w3m %s", false),
    ("w3mmee %s", false), (#"sh -c 'firefox "$1" w3m' _ %s"#, false), ("xdg-open", false),
  ])
  func textBrowsersAreKnownByTheirNames(line: String, isText: Bool) throws {
    let words = try #require(ProgramWords.split(line))
    #expect(TextBrowsers.areStarted(by: words, hasDisplay: true) == isText)
    let without = isText || line == "xdg-open"
    #expect(TextBrowsers.areStarted(by: words, hasDisplay: false) == without)
  }

  @Test(
    arguments: [
      ("a b", ["a", "b"]), ("a 'b c' \"d e\"", ["a", "b c", "d e"]), ("a\\ b", ["a b"]),
      ("a ''", ["a", ""]), ("  a  ", ["a"]),
    ] as [(String, [String])])
  func wordsAreSplitAsInAShell(line: String, words: [String]) {
    #expect(ProgramWords.split(line) == words)
  }

  @Test(arguments: ["", "  ", "'a", "\"a", "a\\", "''"])
  func badCommandLinesAreNil(line: String) { #expect(ProgramWords.split(line) == nil) }
}
