import Geometry
import TestSupport
import Testing

@testable import Terminal

@Suite struct InputParserTests {
  private func events(_ text: String) -> [InputEvent] {
    var parser = InputParser()
    return parser.feed(Array(text.utf8)).events
  }

  @Test(
    arguments: [
      ("j", .key(.character("j"))), ("潮", .key(.character("潮"))), ("🌊", .key(.character("🌊"))),
      ("\r", .key(.enter)), ("\n", .key(.enter)), ("\t", .key(.tab)), ("\u{7F}", .key(.backspace)),
      ("\u{8}", .key(.backspace)), ("\u{5}", .key(.character("e"), .control)),
      ("\u{3}", .key(.character("c"), .control)), ("\u{0}", .key(.character(" "), .control)),
      ("\u{1B}x", .key(.character("x"), .alt)), ("\u{1B}\r", .key(.enter, .alt)),
      ("\u{1B}潮", .key(.character("潮"), .alt)),
      ("\u{1B}[A", .key(.up)), ("\u{1B}OB", .key(.down)), ("\u{1B}[1;5C", .key(.right, .control)),
      ("\u{1B}[5~", .key(.pageUp)), ("\u{1B}[6;2~", .key(.pageDown, .shift)),
      ("\u{1B}[H", .key(.home)), ("\u{1B}[4~", .key(.end)), ("\u{1B}[8~", .key(.end)),
      ("\u{1B}[Z", .key(.tab, .shift)), ("\u{1B}OP", .key(.function(1))),
      ("\u{1B}[11~", .key(.function(1))), ("\u{1B}[24~", .key(.function(12))),
      ("\u{1B}[[C", .key(.function(3))), ("\u{1B}[R", .key(.function(3))),
      ("\u{1B}[1;2R", .key(.function(3), .shift)), ("\u{1B}OM", .key(.enter)),
      ("\u{1B}Oy", .key(.character("9"))),
      ("\u{1B}[a", .key(.up, .shift)), ("\u{1B}Oa", .key(.up, .control)),
      ("\u{1B}[5$", .key(.pageUp, .shift)), ("\u{1B}[5^", .key(.pageUp, .control)),
      ("\u{1B}[27u", .key(.escape)), ("\u{1B}[97;5u", .key(.character("a"), .control)),
      ("\u{1B}[97;2u", .key(.character("A"))), ("\u{1B}[49:33;2u", .key(.character("!"))),
      ("\u{1B}[57417u", .key(.left)), ("\u{1B}[27;5;105~", .key(.character("i"), .control)),
      ("\u{1B}[13;2u", .key(.enter, .shift)), ("\u{1B}[1;1:1A", .key(.up)),
    ] as [(String, InputEvent)])
  func keys(text: String, event: InputEvent) {
    #expect(events(text) == [event])
    #expect(events(text + "q") == [event, .key(.character("q"))])
  }

  @Test func releasesAndModifiersAreNoKeys() {
    #expect(events("\u{1B}[97;1:3u\u{1B}[1;1:3A\u{1B}[57441u") == [])
  }

  @Test func mouse() {
    let at = Point(x: 9, y: 4)
    #expect(events("\u{1B}[<64;10;5M") == [.mouse(MouseEvent(.wheelUp, at: at))])
    #expect(events("\u{1B}[<65;10;5M") == [.mouse(MouseEvent(.wheelDown, at: at))])
    #expect(
      events("\u{1B}[<0;10;5M\u{1B}[<32;11;5M\u{1B}[<0;11;5m") == [
        .mouse(MouseEvent(.press(.left), at: at)),
        .mouse(MouseEvent(.drag(.left), at: Point(x: 10, y: 4))),
        .mouse(MouseEvent(.release(.left), at: Point(x: 10, y: 4))),
      ])
    #expect(
      events("\u{1B}[<20;1;1M") == [
        .mouse(MouseEvent(.press(.left), at: .zero, modifiers: [.shift, .control]))
      ])
    #expect(events("\u{1B}[M *%") == [.mouse(MouseEvent(.press(.left), at: at))])
    #expect(events("\u{1B}[M#*%") == [.mouse(MouseEvent(.release(.other), at: at))])
    #expect(events("\u{1B}[96;10;5M") == [.mouse(MouseEvent(.wheelUp, at: at))])
    #expect(events("\u{1B}[<35;10;5M\u{1B}[<0;0;0M") == [])
  }

  @Test func pastesAreOneEvent() {
    #expect(
      events("\u{1B}[200~q\r\nG\u{1B}[A\u{1B}[201~j") == [
        .paste("q\nG\u{1B}[A"), .key(.character("j")),
      ])
    #expect(events("\u{1B}[200~\u{1B}\u{1B}[201~") == [.paste("\u{1B}")])
  }

  @Test func repliesAreNeverKeys() {
    let replies = [
      "\u{1B}[?62;4;22c", "\u{1B}[?2026;2$y", "\u{1B}P>|tide 1.0\u{1B}\\",
      "\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[6;32;16t",
      "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{7}", "\u{1B}[24;3R", "\u{1B}[>41;379;0c", "\u{1B}[0n",
      "\u{1B}[I", "\u{1B}[O", "\u{1B}[4;1$y", "\u{1B}[?1u",
    ]
    for reply in replies {
      #expect(events(reply) == [], "\(reply.debugDescription)")
      #expect(events("a" + reply + "b") == [.key(.character("a")), .key(.character("b"))])
    }
  }

  @Test func repliesAreRead() {
    var parser = InputParser()
    parser.outstandingQueries = 1
    let output = parser.feed(
      Array(
        ("\u{1B}[?2026;2$y\u{1B}P>|tide 1.0\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;32;16t"
          + "\u{1B}]11;rgb:1/2/3\u{1B}\\\u{1B}[1;3R\u{1B}[?62;4c\u{1B}[1;3R").utf8))
    #expect(
      output.replies == [
        .mode(2026, state: 2), .version("tide 1.0"), .window([6, 32, 16]),
        .color(11, "rgb:1/2/3"), .cursor(row: 1, column: 3), .attributes([62, 4]),
      ])
    #expect(output.events == [.key(.function(3), .alt)], "after the last reply it is a key again")
  }

  @Test func silenceEndsUnfinishedInput() {
    func flushed(_ text: String) -> ([InputEvent], InputTokenizer.Wait, [InputEvent]) {
      var parser = InputParser()
      let first = parser.feed(Array(text.utf8)).events
      return (first, parser.wait, parser.flush().events)
    }
    #expect(flushed("\u{1B}") == ([], .key, [.key(.escape)]))
    #expect(flushed("\u{1B}\u{1B}") == ([.key(.escape)], .key, [.key(.escape)]))
    #expect(flushed("\u{1B}[") == ([], .key, []))
    #expect(flushed("\u{1B}O") == ([], .key, [.key(.character("O"), .alt)]))
    #expect(flushed("\u{1B}P") == ([], .key, []))
    #expect(flushed("\u{1B}X") == ([], .key, [.key(.character("X"), .alt)]))
    #expect(flushed("\u{1B}[1;") == ([], .sequence, []))
    #expect(flushed("\u{1B}]11;rgb") == ([], .sequence, []))
    #expect(flushed("\u{1B}[200~abc") == ([], .paste, [.pasteAbandoned]))
    #expect(flushed("j") == ([.key(.character("j"))], .none, []))
  }

  @Test func brokenSequencesSpareLaterKeys() {
    #expect(events("\u{1B}[1;\u{1B}[A") == [.key(.up)])
    #expect(events("\u{1B}[12\u{3}") == [.key(.character("c"), .control)])
    #expect(events("\u{1B}Pabc\u{1B}[Bj") == [.key(.down), .key(.character("j"))])
    #expect(events("\u{1B}]0;abc\u{18}j") == [.key(.character("j"))])
    var parser = InputParser()
    #expect(
      parser.feed([0xFF, 0xE6, 0x6A, 0xC0]).events == [
        .key(.character("\u{FFFD}")), .key(.character("\u{FFFD}")), .key(.character("j")),
        .key(.character("\u{FFFD}")),
      ])
    #expect(parser.wait == .none)
  }

  @Test func terminfoKeysAreRead() {
    var parser = InputParser(keySequences: [
      (Array("\u{1B}[224z".utf8), KeyPress(.function(1))),
      (Array("\u{1B}{".utf8), KeyPress(.home)),
      (Array("\u{1B}Oz".utf8), KeyPress(.end)),
    ])
    #expect(
      parser.feed(Array("\u{1B}[224z\u{1B}{\u{1B}Ozj".utf8)).events == [
        .key(.function(1)), .key(.home), .key(.end), .key(.character("j")),
      ])
  }

  /// The events do not depend on how reads cut the bytes, and no wait is endless.
  @Test(arguments: [11, 12, 13, 14, 15, 16] as [UInt64]) func cutsChangeNothing(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "j", "潮", "🌊", "\u{1B}", "\u{1B}[A", "\u{1B}OB", "\u{1B}[1;5C", "\u{1B}[<64;10;5M",
      "\u{1B}[M *%", "\u{1B}[200~x\u{1B}[201~", "\u{1B}[?62;4c", "\u{1B}P>|t\u{1B}\\",
      "\u{1B}]11;rgb:0/0/0\u{7}", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[97;5u", "\u{1B}[5$",
      "\u{1B}[[A", "[", "O", ";", "5", "~", "\u{7}", "\\", "\u{1B}[200~", "\u{3}",
    ].map { Array($0.utf8) }
    for round in 0..<400 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1..<20, using: &random) {
        if Int.random(in: 0..<8, using: &random) == 0 {
          bytes.append(.random(in: 0...255, using: &random))
        } else {
          bytes += pieces.randomElement(using: &random) ?? []
        }
      }
      var whole = InputParser()
      var expected = whole.feed(bytes)
      var cut = InputParser()
      var found = InputParser.Output()
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...min(5, rest.count), using: &random)
        let output = cut.feed(rest.prefix(count))
        found.events += output.events
        found.replies += output.replies
        rest = rest.dropFirst(count)
      }
      #expect(cut.wait == whole.wait, "seed \(seed), round \(round): \(bytes)")
      expected.events += whole.flush().events
      found.events += cut.flush().events
      #expect(found == expected, "seed \(seed), round \(round): \(bytes)")
      #expect(whole.wait == .none, "seed \(seed), round \(round): \(bytes)")
    }
  }

  @Test func memoryIsBounded() {
    var parser = InputParser()
    var sequence = Array("\u{1B}[".utf8)
    sequence += Array(repeating: 0x31, count: 100_000)
    #expect(parser.feed(sequence + Array("~j".utf8)).events == [.key(.character("j"))])
    var string = Array("\u{1B}P>|".utf8)
    string += Array(repeating: 0x41, count: 100_000)
    let output = parser.feed(string + Array("\u{1B}\\j".utf8))
    #expect(output.events == [.key(.character("j"))])
    guard case .version(let version)? = output.replies.first else {
      Issue.record("no version in \(output.replies.count) replies")
      return
    }
    #expect(version.utf8.count < 5000)
  }
}
