import Geometry
import Testing

@testable import Terminal

/// Input that arrives in pieces with any silence between them, and input whose end never comes.
@Suite struct TornInputTests {
  /// Silences are as long as the parser specifies; a longer one causes no further waits.
  private struct Input {
    var parser = InputParser()
    var events: [InputEvent] = []
    var replies: [TerminalReply] = []

    mutating func take(_ bytes: some Sequence<UInt8>) { note(parser.feed(bytes)) }
    mutating func take(_ text: String) { take(text.utf8) }

    mutating func beSilent() {
      var rounds = 0
      while parser.wait != .none, rounds < 10 {
        note(parser.flush())
        rounds += 1
      }
      #expect(rounds < 10, "a wait without an end")
    }

    private mutating func note(_ output: InputParser.Output) {
      events += output.events
      replies += output.replies
    }

    var keys: [InputEvent] {
      events.filter {
        if case .mouse = $0 { return false }
        return true
      }
    }
  }

  private static let replies = [
    "\u{1B}[?62;4;22c", "\u{1B}[?1;2c", "\u{1B}[>41;379;0c", "\u{1B}[>0;10;1c", "\u{1B}[?2026;2$y",
    "\u{1B}[4;1$y", "\u{1B}[6;32;16t", "\u{1B}[4;640;1280t", "\u{1B}[8;24;80t", "\u{1B}[24;3R",
    "\u{1B}[?24;3R", "\u{1B}[0n", "\u{1B}[?997;1n", "\u{1B}[?1u", "\u{1B}[I", "\u{1B}[O",
    "\u{1B}P>|tide 1.0\u{1B}\\", "\u{1B}P>|XTerm(379)\u{1B}\\", "\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\",
    "\u{1B}P0$r\u{1B}\\", "\u{1B}P!|00000000\u{1B}\\", "\u{1B}P1+r544e=787465726d\u{1B}\\",
    "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}_Gi=31;EINVAL:no such thing\u{1B}\\",
    "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{7}", "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{1B}\\",
    "\u{1B}]10;rgba:ff/ff/ff/80\u{1B}\\", "\u{1B}]4;15;rgb:ffff/ffff/ffff\u{1B}\\",
    "\u{1B}]11;rgb:0000/0000/0000\u{1B}",
  ]

  private static let mouseReports = [
    "\u{1B}[<0;10;5M", "\u{1B}[<0;10;5m", "\u{1B}[<64;120;45M", "\u{1B}[M *%", "\u{1B}[M#qj",
    "\u{1B}[96;10;5M",
  ]

  /// The rest of a sequence after a silence is no key. An ESC followed by a silence is the escape
  /// key, unless replies are expected.
  @Test(arguments: replies + mouseReports) func noRestIsAKey(text: String) {
    let bytes = Array(text.utf8)
    for cut in 1..<bytes.count {
      for expects in [false, true] {
        var input = Input()
        input.parser.outstandingQueries = expects ? 1 : 0
        input.take(bytes[..<cut])
        if expects, cut == 1 {
          // As long as a key may take, not a sequence.
          _ = input.parser.flush()
          #expect(input.parser.wait == .sequence)
        } else {
          input.beSilent()
        }
        input.take(bytes[cut...])
        input.beSilent()
        let expected: [InputEvent] = cut == 1 && !expects ? [.key(.escape)] : []
        #expect(input.keys == expected, "\(text.debugDescription) cut at \(cut)")
        input.take("j")
        #expect(input.keys == expected + [.key(.character("j"))], "after the cut at \(cut)")
      }
    }
  }

  /// Replies are read as well, and a mouse report counts once.
  @Test func lateRestsAreReadAsReplies() {
    for cut in 2..<16 {
      var input = Input()
      let bytes = Array("\u{1B}]11;rgb:1/2/3\u{7}".utf8)
      input.take(bytes[..<cut])
      input.beSilent()
      input.take(bytes[cut...])
      #expect(input.replies == [.color(11, "rgb:1/2/3")], "cut at \(cut)")
    }
    for cut in 1..<9 {
      var input = Input()
      let bytes = Array("\u{1B}[<0;10;5M".utf8)
      input.take(bytes[..<cut])
      input.beSilent()
      input.take(bytes[cut...])
      let press = MouseEvent(.press(.left), at: Point(x: 9, y: 4))
      #expect(input.events.last == .mouse(press), "cut at \(cut)")
    }
  }

  /// Keys that cannot continue a reply, typed when the rest of a sequence has not come.
  @Test(arguments: replies + mouseReports) func keysWorkAfterALostRest(text: String) {
    let bytes = Array(text.utf8)
    for cut in 2..<bytes.count {
      // In the oldest mouse protocol any byte can be the rest.
      if text.hasPrefix("\u{1B}[M"), cut == bytes.count - 1 { continue }
      for (typed, key) in [
        ("q", InputEvent.key(.character("q"))), ("j", .key(.character("j"))),
        (":", .key(.character(":"))), ("5", .key(.character("5"))), ("/", .key(.character("/"))),
        ("?", .key(.character("?"))), (" ", .key(.character(" "))), ("\r", .key(.enter)),
        ("\u{3}", .key(.character("c"), .control)), ("\u{1B}[B", .key(.down)),
        ("\u{1B}OB", .key(.down)), ("\u{1B}[5~", .key(.pageUp)), ("潮", .key(.character("潮"))),
      ] {
        // Three bytes are a whole report.
        if text.hasPrefix("\u{1B}[M"), typed == "潮" { continue }
        var input = Input()
        input.take(bytes[..<cut])
        input.beSilent()
        input.take(typed)
        input.beSilent()
        #expect(input.keys == [key], "\(text.debugDescription) cut at \(cut), then \(typed)")
        input.take("k")
        #expect(input.keys == [key, .key(.character("k"))])
      }
    }
  }

  @Test func escapeIsAKeyAfterItsDelay() {
    var input = Input()
    input.take("\u{1B}")
    #expect(input.parser.wait == .key)
    input.beSilent()
    input.take("\u{1B}")
    input.beSilent()
    #expect(input.events == [.key(.escape), .key(.escape)])
    for typed in ["[", "]", "P", "_", "O", "\\", "j"] {
      input.events = []
      input.take("\u{1B}")
      input.beSilent()
      input.take(typed)
      input.beSilent()
      #expect(input.events == [.key(.escape), .key(.character(Character(typed)))])
    }
  }

  /// While answers are outstanding, escape is a key when another key follows or after a second, and
  /// from then on as usual.
  @Test func escapeWaitsWhileRepliesAreDue() {
    var input = Input()
    input.parser.outstandingQueries = 1
    input.take("\u{1B}")
    _ = input.parser.flush()
    input.take("j")
    #expect(input.events == [.key(.escape), .key(.character("j"))])
    input.take("\u{1B}")
    input.beSilent()
    #expect(input.events.suffix(1) == [.key(.escape)])
    input.take("\u{1B}")
    #expect(input.parser.wait == .key)
    #expect(input.parser.flush().events == [.key(.escape)])
  }

  /// urxvt ends a reply with the first byte of the terminator that the query had.
  @Test func stringsMayEndWithEscapeAlone() {
    var input = Input()
    let colors = ["10;rgb:ffff/ffff/ffff", "11;rgb:0000/0000/0000", "4;0;rgb:1/1/1"]
    input.take(colors.map { "\u{1B}]\($0)\u{1B}" }.joined() + "\u{1B}[?1;2c")
    #expect(input.events == [])
    let expected: [TerminalReply] = [
      .color(10, "rgb:ffff/ffff/ffff"), .color(11, "rgb:0000/0000/0000"), .color(4, "0;rgb:1/1/1"),
      .attributes([1, 2]),
    ]
    #expect(input.replies == expected)
    let torn = "\u{1B}]11;rgb:0000/0000/0000\u{1B}"
    for (typed, keys) in [
      ("", []), ("j", [InputEvent.key(.character("j"))]), ("\u{1B}", [.key(.escape)]),
      ("\u{1B}\u{1B}", [.key(.escape), .key(.escape)]), ("\u{1B}[A", [.key(.up)]),
      ("\u{1B}j", [.key(.character("j"), .alt)]), ("\u{1B}[200~q\u{1B}[201~", [.paste("q")]),
    ] {
      for pauses in [false, true] {
        var input = Input()
        input.take(torn)
        if pauses { input.beSilent() }
        input.take(typed)
        input.beSilent()
        #expect(input.events == keys, "\(typed.debugDescription) after a pause: \(pauses)")
        #expect(input.replies == [.color(11, "rgb:0000/0000/0000")])
      }
    }
  }

  // MARK: Pastes

  private static let paste = Array("\u{1B}[200~one\rq two\u{0}\u{1B}[201~".utf8)

  @Test func aPasteGoesOnAfterASilence() {
    for cut in 2..<Self.paste.count {
      var input = Input()
      input.take(Self.paste[..<cut])
      // A silence shorter than the one that ends a paste; nothing is flushed.
      if cut >= 6 { #expect(input.parser.wait == .paste, "cut at \(cut)") }
      if cut < 6 { input.beSilent() }
      input.take(Self.paste[cut...])
      #expect(input.events == [.paste("one\nq two\u{0}")], "cut at \(cut)")
      input.take("j")
      #expect(input.keys.last == .key(.character("j")))
    }
  }

  /// The rest of an abandoned paste is no key, wherever the paste was cut.
  @Test func anAbandonedPasteIsDropped() {
    for cut in 6..<(Self.paste.count - 1) {
      var input = Input()
      input.take(Self.paste[..<cut])
      input.beSilent()
      #expect(input.events == [.pasteAbandoned], "cut at \(cut)")
      #expect(input.parser.wait == .none)
      input.take(Self.paste[cut...])
      #expect(input.events == [.pasteAbandoned], "cut at \(cut)")
      #expect(input.parser.wait == .none)
      input.take("j")
      #expect(input.events == [.pasteAbandoned, .key(.character("j"))], "cut at \(cut)")
    }
  }

  @Test func afterAnAbandonedPasteKeysWork() {
    for (typed, event) in [
      ("q", InputEvent.key(.character("q"))), ("\u{1B}", .key(.escape)), ("\u{1B}[A", .key(.up)),
      ("\u{1B}OB", .key(.down)), ("潮", .key(.character("潮"))), ("\r", .key(.enter)),
      ("\u{3}", .key(.character("c"), .control)), ("\u{1B}x", .key(.character("x"), .alt)),
      ("\u{1B}[<64;1;1M", .mouse(MouseEvent(.wheelUp, at: .zero))),
      ("\u{1B}[200~new\u{1B}[201~", .paste("new")),
    ] {
      for start in ["\u{1B}[200~", "\u{1B}[200~text", "\u{1B}[200~text\u{1B}[20"] {
        var input = Input()
        input.take(start)
        input.beSilent()
        input.take(typed)
        input.beSilent()
        #expect(input.events == [.pasteAbandoned, event], "\(typed.debugDescription)")
        input.take("j")
        #expect(input.events.last == .key(.character("j")))
      }
    }
  }

  /// Input that comes at once and is no single key belongs to the paste, even after further
  /// silences.
  @Test func abandonedPastesHideTheirRest() {
    var input = Input()
    input.take("\u{1B}[200~one")
    input.beSilent()
    for part in ["q and more\r", "\u{1B}[200", "~Gq", "qq\u{1B}["] {
      input.take(part)
      input.beSilent()
    }
    input.take("201~")
    #expect(input.events == [.pasteAbandoned])
    input.take("j")
    #expect(input.events == [.pasteAbandoned, .key(.character("j"))])
  }

  /// A start mark within a paste is not part of its text.
  @Test func startsWithinAPasteAreNoText() {
    var input = Input()
    input.take("\u{1B}[200~a\u{1B}[200~b\u{1B}[200~\u{1B}[201~j\u{1B}[201~k")
    #expect(input.events == [.paste("ab"), .key(.character("j")), .key(.character("k"))])
  }

  @Test func aPasteTakesMemoryUpToItsLimit() {
    var input = Input()
    input.take("\u{1B}[200~")
    input.take(Array(repeating: UInt8(ascii: "a"), count: InputTokenizer.pasteLimit + 1000))
    input.take("\u{1B}[201~")
    guard case .paste(let text)? = input.events.first else {
      Issue.record("no paste")
      return
    }
    #expect(text.utf8.count == InputTokenizer.pasteLimit)
    // Only start marks: they are removed in one pass.
    input.events = []
    let marks = Array(repeatElement("\u{1B}[200~".utf8, count: 1 << 13).joined())
    input.take(Array("\u{1B}[200~".utf8) + marks + Array("j\u{1B}[201~".utf8))
    #expect(input.events == [.paste("j")])
  }
}
