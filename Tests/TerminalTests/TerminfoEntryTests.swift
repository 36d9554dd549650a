import CNcurses
import Geometry
import Testing

@testable import Terminal

/// Serialized, because ncurses has one current terminal in a process.
@MainActor @Suite(.serialized) struct TerminfoEntryTests {
  @Test func readsAnInstalledEntry() throws {
    let entry = try #require(TerminfoEntry(named: "xterm-256color", descriptor: 1))
    #expect(entry.number("colors") == 256)
    #expect(entry.string("rmcup")?.starts(with: Array("\u{1B}[?1049l".utf8)) == true)
    let up = entry.keySequences.first { $0.bytes == Array("\u{1B}OA".utf8) }
    #expect(up?.press == KeyPress(.up))
  }

  @Test(arguments: ["", "no-such-terminal", "../xterm", "/etc/passwd", "a b", ".hidden"])
  func refusesInvalidNames(name: String) {
    #expect(TerminfoEntry(named: name, descriptor: 1) == nil)
  }

  @Test func delaysAreLeftOut() throws {
    let entry = try #require(TerminfoEntry(named: "vt100", descriptor: 1))
    #expect(entry.string("el") == Array("\u{1B}[K$<3>".utf8))
    #expect(entry.sequence("el") == Array("\u{1B}[K".utf8))
    let restoration = entry.restoration(modesOff: [], size: Size(width: 80, height: 24))
    let expected = "\u{1B}[r\u{1B}[m\u{0F}\u{1B}[24;1H\u{1B}[K\r\n"
    #expect(restoration == Array(expected.utf8))
  }

  /// ncurses reads the entries that are compiled here. In a separate process, in which no other
  /// thread reads the environment while it is changed.
  @Test func ncursesReadsTheDerivedEntry() async {
    await #expect(processExitsWith: .success) {
      for name in ["xterm-256color", "screen", "linux", "vt100"] {
        try await DerivedEntry.keepsWhatItsOriginalHas(name)
      }
      try await DerivedEntry.setsMovesAndPairsInOneWay()
    }
  }
}

/// Entries derived from others, as ncurses reads them.
@MainActor private enum DerivedEntry {
  private static func read(_ entry: TerminfoEntry) throws -> TerminfoEntry {
    try #require(entry.whileInstalled { TerminfoEntry(named: entry.name, descriptor: 1) })
  }

  static func keepsWhatItsOriginalHas(_ name: String) throws {
    let original = try #require(TerminfoEntry(named: name, descriptor: 1))
    let moved = original.withAbsoluteCursorMotionOnly()
    let read = try read(moved.settingPairsByNumber(colors: 1 << 24))
    #expect(read.number("colors") == 1 << 24, "\(name)")
    #expect(read.number("pairs") == 1 << 24, "\(name)")
    #expect(read.extendedBooleans.contains("RGB"), "\(name)")
    #expect(read.string("initc") == nil, "\(name)")
    #expect(read.string("cup") == original.string("cup"), "\(name)")
    #expect(read.string("smcup") == original.string("smcup"), "\(name)")
    #expect(read.number("it") == original.number("it"), "\(name)")
    let same = zip(read.strings, moved.strings).filter { $0.0 == $0.1 }.count
    #expect(same >= read.strings.count - 8, "\(name)")
  }

  static func setsMovesAndPairsInOneWay() throws {
    let original = try #require(TerminfoEntry(named: "xterm-256color", descriptor: 1))
    let read = try read(original.withAbsoluteCursorMotionOnly().settingPairsByNumber())
    #expect(original.string("cuf") != nil && read.string("cuf") == nil)
    #expect(original.string("el1") != nil && read.string("el1") == nil)
    #expect(read.string("cup") == original.string("cup"))
    #expect(read.string("setaf") == original.string("setaf"))
    let set = try #require(read.string("scp"))
    let expanded = String(decoding: set, as: UTF8.self).withCString {
      terminfo_expand($0, 4711, 0).map { String(cString: $0) }
    }
    #expect(expanded == "\u{1F}4711\u{1F}")
    #expect(read.sequence("op") == Array("\u{1F}0\u{1F}".utf8))
    #expect(read.sequence("sgr0") == Array("\u{1B}[m".utf8))
    let style = try #require(read.string("sgr")).starts(with: Array("\u{1B}[0%?".utf8))
    #expect(style, "no set of characters is named")
    #expect(!read.extendedBooleans.contains("AX"))
  }
}
