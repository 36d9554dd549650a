import Testing

@testable import TestSupport

/// The check for hostile bytes finds them.
@Suite struct HostileOutputCheckTests {
  @Test(arguments: [
    "a\u{1b}[31m", "a\u{7}", "a\u{9b}1m", "a\r", "a\u{7f}", "a\u{202E}", "a\u{2066}", "a\u{2028}",
    "\u{FEFF}", "\u{FFFE}", "\u{10FFFF}", "\u{FFF9}", "\u{E0041}", "\u{10EEEE}",
  ])
  func isFound(text: String) {
    #expect(!HostileOutput.problems(in: Array(text.utf8), .text).isEmpty)
    #expect(!HostileOutput.problems(in: Array(text.utf8), .json).isEmpty)
  }

  @Test func aTowerOfMarksIsFound() {
    let text = "a" + String(repeating: "\u{301}", count: 12)
    #expect(!HostileOutput.problems(in: Array(text.utf8), .text).isEmpty)
  }

  @Test func invalidTextIsFound() {
    #expect(!HostileOutput.problems(in: [0x61, 0x9B], .text).isEmpty)
    #expect(!HostileOutput.problems(in: [0xED, 0xA0, 0x80], .text).isEmpty)
    #expect(!HostileOutput.problems(in: Array("a\u{200E}".utf8), .json).isEmpty)
  }

  @Test func ordinaryTextIsClean() {
    let text = "tide 潮位 👩‍👩‍👧 e\u{301} 🏴󠁧󠁢󠁥󠁮󠁧󠁿 a\u{200E}\n"
    #expect(HostileOutput.problems(in: Array(text.utf8), .text).isEmpty)
  }

  @Test(arguments: [
    "\u{1b}[4242m", "\u{1b}]0;x\u{7}", "\u{1b}]52;c;x\u{1b}\\", "\u{1b}Pq4242\u{1b}\\",
    "\u{1b}^x\u{1b}\\",
    "\u{1b}Xx\u{1b}\\", "\u{1b}c", "\u{1b}[?47h", "a\u{7}", "a\u{9b}m", "a\u{e}",
  ])
  func foreignSequenceIsFound(text: String) {
    #expect(!HostileOutput.problems(inTerminal: Array(text.utf8)).isEmpty)
  }

  @Test func theProgramsOwnSequencesAreClean() {
    let text =
      "\u{1b}[?1049h\u{1b}[1;24r\u{1b}[38;2;1;2;3mtide\u{1b}[K\r\n\u{8}\u{1b}(B\u{1b}[m\u{1b}_Ga=q\u{1b}\\"
    #expect(HostileOutput.problems(inTerminal: Array(text.utf8)).isEmpty)
  }

  @Test func allTextsCanBeWritten() {
    #expect(HostileText.all.count > 40)
    for text in HostileText.all {
      #expect(text.bytes(.raw)?.isEmpty == false)
      #expect((text.bytes(.escapes) == nil) == (text.bytes(.references) == nil))
    }
  }
}
