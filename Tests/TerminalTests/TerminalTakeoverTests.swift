import Geometry
import Glibc
import Testing

@testable import Terminal

/// In a process of its own, because the bytes that restore a terminal and standard error belong to
/// the process.
@Suite struct TerminalTakeoverTests {
  @Test func theTerminalIsGivenBackAsItWas() async {
    await #expect(processExitsWith: .success) { try await Takeover.beginsAndEnds() }
  }

  @Test func resetsAreThoseOfTheEntry() async {
    await #expect(processExitsWith: .success) { try await Takeover.resets() }
  }
}

@MainActor private enum Takeover {
  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func takeover(
    of device: TerminalDevice, named name: String, isUnderstood: Bool
  ) throws -> TerminalTakeover {
    TerminalTakeover(
      device, entry: try #require(TerminfoEntry(named: name, descriptor: 1)),
      modes: TerminalModes(reportsMouse: true, reportsPaste: true, isUnderstood: isUnderstood))
  }

  static func beginsAndEnds() throws {
    let pty = try PseudoTerminalPair()
    pty.device.restore()
    func flags() -> tcflag_t {
      var settings = termios()
      tcgetattr(pty.device.input, &settings)
      return settings.c_lflag
    }
    let before = flags()
    var takeover = try takeover(of: pty.device, named: "xterm-256color", isUnderstood: true)
    for _ in 0..<2 {
      takeover.begin(size: Size(width: 80, height: 24), hiding: [])
      #expect(flags() & tcflag_t(ICANON | ECHO | ISIG) == 0)
      var buffer = [UInt8](repeating: 0, count: 1_024)
      let count = read(pty.master, &buffer, buffer.count)
      #expect(text(Array(buffer.prefix(max(0, count)))).hasSuffix("\u{1B}[?2004h"))
      takeover.end()
      #expect(flags() == before)
    }
    let (first, second) = (takeover.report(mouse: false), takeover.report(mouse: false))
    #expect(text(first) == "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l")
    #expect(second.isEmpty && !takeover.reportsMouse)
    pty.close()
  }

  static func resets() throws {
    let pty = try PseudoTerminalPair()
    let current = try takeover(of: pty.device, named: "xterm-256color", isUnderstood: true)
    #expect(current.supportsStringSequences && current.promptReset.isEmpty)
    #expect(text(current.reset(rows: 24)).hasSuffix("\u{1B}[24;1H\u{1B}[K"))
    #expect(text(current.reset(rows: 24)).contains("\u{1B}[?1006l"))
    let old = try takeover(of: pty.device, named: "vt100", isUnderstood: false)
    #expect(!old.supportsStringSequences)
    #expect(text(old.reset(rows: 24)) == "\u{1B}[r\u{1B}[m\u{0F}\u{1B}[24;1H\u{1B}[K")
    pty.close()
  }
}
