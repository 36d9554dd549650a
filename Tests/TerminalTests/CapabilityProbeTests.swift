import Glibc
import Pixels
import Testing

@testable import Terminal

@Suite struct CapabilityProbeTests {
  @Test func queriesEndWithDA1() {
    for multiplexer in [nil, CapabilityProbe.Multiplexer.tmux, .screen] {
      let questions = CapabilityProbe.questions(in: multiplexer)
      #expect(questions.suffix(3) == Array("\u{1B}[c".utf8)[...])
    }
  }

  @Test func terminalsThatCannotAnswerAreNotAsked() {
    for term in [
      "linux", "linux-16color", "dumb", "dumb-emacs-ansi", "", "vt100", "vt220", "vt52", "vt510",
      "eterm-color", "cons25", "ansi", "sun", "emacs", "9term", "unknown",
    ] {
      #expect(!CapabilityProbe.isAllowed(term: term), "\(term)")
    }
    for term in [
      "xterm", "xterm-256color", "xterm-direct", "xterm-kitty", "xterm-ghostty", "vte",
      "vte-256color", "vte-2018", "gnome", "gnome-256color", "konsole", "konsole-256color",
      "mlterm", "mlterm-256color", "st", "st-256color", "foot", "foot-extra", "foot-direct",
      "alacritty", "alacritty-direct", "contour", "contour-latest", "wezterm", "rxvt",
      "rxvt-unicode-256color", "Eterm", "putty-256color", "mintty", "ms-terminal", "iterm2",
      "terminology", "kterm", "nsterm", "hterm", "tmux", "tmux-256color", "tmux-direct", "screen",
      "screen-256color", "brand-new-terminal",
    ] {
      #expect(CapabilityProbe.isAllowed(term: term), "\(term)")
    }
  }

  /// tmux takes an application string for a title; so does screen, which also passes the contents
  /// of device control strings to its terminal.
  @Test func queriesSuitTheMultiplexer() {
    let cases: [(term: String, environment: [String: String], strings: [String])] = [
      ("xterm-256color", [:], ["P"]), ("xterm-256color", ["TMUX": ""], ["P"]),
      ("tmux-256color", [:], ["P"]), ("xterm-256color", ["TMUX": "/tmp/tmux-0,1,0"], ["P"]),
      ("screen-256color", ["TMUX": "/tmp/tmux-0,1,0"], ["P"]), ("screen.xterm-256color", [:], []),
      ("xterm-256color", ["STY": "1.pts-0"], []),
    ]
    for (term, environment, strings) in cases {
      let multiplexer = CapabilityProbe.Multiplexer(term: term, environment: environment)
      let questions = String(decoding: CapabilityProbe.questions(in: multiplexer), as: UTF8.self)
      let asked = ["_", "P"].filter { questions.contains("\u{1B}\($0)") }
      #expect(asked == strings, "\(term), \(environment)")
      #expect(questions.hasPrefix("\u{1B}[>0q\u{1B}[>c"), "who answers is asked first")
    }
  }

  /// The environment does not name a multiplexer on this side of ssh.
  @Test func repliesIdentifyMultiplexers() {
    for (reply, expected) in [
      (TerminalReply.version("tmux 3.4"), CapabilityProbe.Multiplexer.tmux),
      (.version("screen 5.0.0"), .screen), (.kind(84), .tmux), (.kind(83), .screen),
      (.version("XTerm(379)"), nil), (.version(""), nil), (.kind(41), nil), (.kind(0), nil),
    ] {
      var probe = CapabilityProbe()
      probe.note(reply)
      #expect(probe.result.multiplexer == expected, "\(reply)")
    }
    // tmux before 3.2 reports only its kind.
    var probe = CapabilityProbe()
    probe.note(.kind(84))
    probe.note(.version("something else"))
    #expect(probe.result.multiplexer == .tmux)
  }

  @Test func theOriginalEncodingIsRestored() {
    for (columns, readsUTF8) in [([], nil), ([2, 3, 3], true), ([3, 3, 3], false)] {
      var probe = CapabilityProbe()
      for column in columns { probe.note(.cursor(row: 1, column: column)) }
      #expect(probe.readsUTF8 == readsUTF8)
    }
    var modes = TerminalModes(reportsMouse: false, reportsPaste: false, isUnderstood: true)
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    #expect(text(modes.on) == "")
    modes.encoding = .utf8
    #expect(text(modes.on) == "\u{1B}%G")
    #expect(!text(modes.off).contains("%"))
    modes.encoding = .temporaryUTF8
    #expect(text(modes.on) == "\u{1B}%G")
    #expect(text(modes.off).hasSuffix("\u{1B}%@"))
    let console = TerminalModes(
      reportsMouse: true, reportsPaste: true, encoding: .utf8, isUnderstood: false)
    #expect(text(console.on) == "\u{1B}%G")
    #expect(console.off == [])
  }

  @Test func theDeadlineIsLongerOverSSH() {
    #expect(CapabilityProbe.deadline(environment: [:]) == .milliseconds(250))
    #expect(CapabilityProbe.deadline(environment: ["SSH_TTY": "/dev/pts/1"]) == .seconds(1))
    let own = ["TIDELINE_PROBE_MILLISECONDS": "5000", "SSH_TTY": "/dev/pts/1"]
    #expect(CapabilityProbe.deadline(environment: own) == .seconds(5))
    for wrong in ["0", "-1", "60001", "long", ""] {
      let own = ["TIDELINE_PROBE_MILLISECONDS": wrong]
      #expect(CapabilityProbe.deadline(environment: own) == .milliseconds(250))
    }
  }

  @Test func repliesSetCapabilities() {
    var probe = CapabilityProbe()
    for reply: TerminalReply in [
      .version("tide"), .setting("0;48:2::1:2:3m"), .mode(2026, state: 2),
      .color(11, "rgb:ffff/8080/0000"), .color(10, "rgb:0/0/0"), .color(12, "rgb:1/1/1"),
      .color(4, "6;rgb:00/cd/cd"), .window([6, 32, 16]), .window([4, 640, 1280]),
      .cursor(row: 3, column: 2), .cursor(row: 3, column: 3), .cursor(row: 3, column: 3),
    ] {
      probe.note(reply)
    }
    #expect(!probe.isComplete)
    probe.note(.attributes([62, 4]))
    #expect(probe.isComplete && probe.provedTrueColor)
    #expect(probe.windowPixelSize == PixelSize(width: 1280, height: 640))
    var expected = TerminalCapabilities()
    expected.synchronizesOutput = true
    expected.drawsSixels = true
    expected.drawsWholeClusters = true
    expected.version = "tide"
    expected.cellPixelSize = PixelSize(width: 16, height: 32)
    expected.reportsCellSize = true
    expected.colors.background = RGB(255, 128, 0)
    expected.colors.foreground = RGB(0, 0, 0)
    expected.colors.note(report: 4, "6;rgb:0000/cdcd/cdcd")
    #expect(probe.result == expected)
  }

  @Test func oneSplitClusterMeansNoWholeClusters() {
    var probe = CapabilityProbe()
    probe.note(.cursor(row: 3, column: 2))
    probe.note(.cursor(row: 3, column: 3))
    #expect(!probe.result.drawsWholeClusters)
    probe.note(.cursor(row: 3, column: 5))
    #expect(!probe.result.drawsWholeClusters)
  }

  @Test func invalidColoursFail() {
    for text in [
      "", "rgb:", "rgb:1/2", "rgb:12345/1/1", "rgb:x/y/z", "#ffffff", "rgb:-f/0/0", "rgb:0/-fff/0",
      "rgb:0/0/+ff", "rgb:\u{FF11}/0/0", "rgb:1/2/3/4", "rgba:1/2/3", "rgbx:1/2/3", "rgb:1//3",
    ] {
      #expect(RGB(colorReport: text) == nil, "\(text)")
    }
  }

  /// Terminals answer with one to four digits a channel, and some with a fourth channel.
  @Test(arguments: [
    "rgb:f/8/0", "rgb:ff/88/00", "rgb:fff/888/000", "rgb:ffff/8888/0000", "rgba:ff/88/00/ff",
    "rgba:ffff/8888/0000/8000", "rgb:FF/88/00",
  ])
  func colourFormatsAreParsed(text: String) {
    #expect(RGB(colorReport: text) == RGB(255, 136, 0))
  }

  @Test func impossibleCellSizesAreRefused() {
    for sizes in [[6, 0, 9], [6, 18, 0], [6, 256, 9], [6, 18, 256], [6, 1 << 24, 1 << 24]] {
      var probe = CapabilityProbe()
      probe.note(.window(sizes))
      #expect(probe.result.cellPixelSize == nil, "\(sizes)")
    }
    #expect(PixelSize.cell(width: 255, height: 255) == PixelSize(width: 255, height: 255))
    #expect(PixelSize.cell(width: -1, height: 18) == nil)
    #expect(PixelSize.cell(width: 9, height: .max) == nil)
  }

  /// A terminal that has answered before the queries, amid typing: nothing waits, and no key is
  /// lost.
  @Test func keysTypedMeanwhileAreKept() throws {
    let pty = try PseudoTerminalPair()
    defer { pty.close() }
    pty.write("j\u{1B}[?2026;1$yk\u{1B}[?62;22c\u{1B}[")
    var parser = InputParser()
    var probe = CapabilityProbe()
    _ = probe.ask(pty.device, in: nil, parser: &parser)
    probe.wait(on: pty.device, parser: &parser, within: .seconds(60))
    #expect(probe.isComplete)
    #expect(probe.result.synchronizesOutput)
    #expect(probe.events == [.key(.character("j")), .key(.character("k"))])
    #expect(parser.feed(Array("A".utf8)).events == [.key(.up)])
    #expect(!parser.expectsReplies)
  }

  /// Without time to wait, what has come is read.
  @Test func answersThatAreThereAreReadAtOnce() throws {
    let pty = try PseudoTerminalPair()
    defer { pty.close() }
    var parser = InputParser()
    var probe = CapabilityProbe()
    _ = probe.ask(pty.device, in: nil, parser: &parser)
    probe.wait(on: pty.device, parser: &parser, within: .zero)
    #expect(!probe.isComplete)
    pty.write("\u{1B}[?2026;1$yk\u{1B}[?62;22c")
    probe.wait(on: pty.device, parser: &parser, within: .zero)
    #expect(probe.isComplete && probe.result.synchronizesOutput)
    #expect(probe.events == [.key(.character("k"))])
  }

  /// A silent terminal costs the deadline and no more; its later replies are no keys.
  @Test func silentTerminalsTimeOut() throws {
    let pty = try PseudoTerminalPair()
    defer { pty.close() }
    pty.write("j")
    var parser = InputParser()
    var probe = CapabilityProbe()
    _ = probe.ask(pty.device, in: nil, parser: &parser)
    probe.wait(on: pty.device, parser: &parser, within: .milliseconds(20))
    #expect(!probe.isComplete)
    #expect(probe.events == [.key(.character("j"))])
    #expect(parser.feed(Array("\u{1B}[1;3R\u{1B}[?62;4c".utf8)).events == [])
    #expect(parser.feed(Array("\u{1B}[1;3R".utf8)).events == [.key(.function(3), .alt)])
  }

  /// The shell does not receive answers that come after the program has given up or was left.
  @Test func pendingAnswersAreDropped() throws {
    let pty = try PseudoTerminalPair()
    defer { pty.close() }
    var parser = InputParser()
    var probe = CapabilityProbe()
    _ = probe.ask(pty.device, in: nil, parser: &parser)
    pty.write("\u{1B}P>|tide\u{1B}\\\u{1B}[6;18;9t\u{1B}[?62;4cls\r")
    pty.device.discardReplies(to: &parser, within: .seconds(60))
    #expect(!parser.expectsReplies)
    #expect(!pty.device.hasInput)
    // Nothing is dropped if no answers are outstanding.
    pty.write("ls\r")
    pty.device.discardReplies(to: &parser, within: .seconds(60))
    #expect(pty.device.hasInput)
    // The answers to two queries are dropped.
    parser.outstandingQueries = 2
    pty.write("\u{1B}[?62;4c\u{1B}[6;18;9t")
    pty.write("\u{1B}[?62;4c")
    pty.device.discardReplies(to: &parser, within: .seconds(60))
    #expect(!parser.expectsReplies && !pty.device.hasInput)
    // A terminal that never answers costs the time limit.
    parser.outstandingQueries = 1
    pty.device.discardReplies(to: &parser, within: .milliseconds(1))
    #expect(parser.expectsReplies)
  }

  @Test func theAnswerLimitIsBounded() {
    func farewell(_ own: String?) -> Duration {
      CapabilityProbe.farewell(
        environment: own.map { ["TIDELINE_PROBE_MILLISECONDS": $0] } ?? [:])
    }
    #expect(farewell(nil) == .milliseconds(300))
    #expect(farewell("1") == .milliseconds(300))
    #expect(farewell("2000") == .seconds(2))
    #expect(farewell("60000") == .seconds(5))
  }

  @Test func aTerminalThatIsGoneEndsTheProbe() throws {
    let pty = try PseudoTerminalPair()
    pty.closeMaster()
    var parser = InputParser()
    var probe = CapabilityProbe()
    _ = probe.ask(pty.device, in: nil, parser: &parser)
    probe.wait(on: pty.device, parser: &parser, within: .seconds(60))
    #expect(!probe.isComplete)
    pty.device.close()
  }
}

/// Both ends of a pseudo-terminal that controls no process.
struct PseudoTerminalPair {
  let master: Int32
  let device: TerminalDevice

  init() throws {
    var ends: (master: Int32, slave: Int32) = (-1, -1)
    guard openpty(&ends.master, &ends.slave, nil, nil, nil) == 0 else {
      throw TerminalError.system(call: "openpty", errno: errno)
    }
    master = ends.master
    device = try TerminalDevice(input: ends.slave, output: dup(ends.slave))
    device.setRaw()
  }

  func write(_ text: String) { _ = Glibc.write(master, text, text.utf8.count) }
  func closeMaster() { Glibc.close(master) }

  func close() {
    device.close()
    closeMaster()
  }
}
