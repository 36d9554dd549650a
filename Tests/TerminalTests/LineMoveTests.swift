import Geometry
import TestSupport
import Testing

@testable import Terminal

@Suite struct LineMoveTests {
  private func canvas(_ rows: [String]) -> Canvas {
    var canvas = Canvas(size: Size(width: 12, height: rows.count))
    for (y, row) in rows.enumerated() { canvas.draw(row, at: Point(x: 0, y: y)) }
    return canvas
  }

  private let old = (0..<20).map { "line \($0)" } + ["", "status"]

  @Test func aListMovesAboveItsStatusLine() throws {
    let up = canvas((3..<23).map { "line \($0)" } + ["", "status"])
    let move = try #require(LineMove(from: canvas(old), to: up))
    #expect(move.shift == 3)
    #expect(move.rows == 0...19)
    #expect(
      String(decoding: move.bytes(cursor: Point(x: 4, y: 8)), as: UTF8.self)
        == "\u{1B}[m\u{1B}[1;20r\u{1B}[H\u{1B}[3M\u{1B}[r\u{1B}[9;5H")
    #expect(
      String(decoding: move.bytes(cursor: nil), as: UTF8.self)
        == "\u{1B}[m\u{1B}[1;20r\u{1B}[H\u{1B}[3M\u{1B}[r")
    let down = try #require(LineMove(from: up, to: canvas(old)))
    #expect(down.shift == -3)
    #expect(
      String(decoding: down.bytes(cursor: Point(x: 4, y: 8)), as: UTF8.self)
        == "\u{1B}[m\u{1B}[1;20r\u{1B}[H\u{1B}[3L\u{1B}[r\u{1B}[9;5H")
  }

  @Test(arguments: [
    ("\u{1B}[5;9Hx", true), ("\u{1B}[Hx", true), ("x\u{1B}[5;9H", false), ("\u{1B}[5;9", false),
    ("\u{1B}[5mx", false), ("\u{1B}H", false), ("", false),
  ]) func outputThatMovesTheCursorFirst(output: String, moves: Bool) {
    #expect(LineMove.beginsWithCursorMove(Array(output.utf8)) == moves)
  }

  /// The row at the edge moves, although the scroll bar beside it does not.
  @Test func nearlyEqualRowsMove() throws {
    func rows(_ lines: Range<Int>) -> Canvas {
      let words = lines.map {
        String(repeating: Character(UnicodeScalar(UInt8(60 + $0))), count: 8)
      }
      return canvas([words[0] + "  #"] + words.dropFirst() + ["status"])
    }
    let move = try #require(LineMove(from: rows(10..<30), to: rows(11..<31)))
    #expect(move.shift == 1 && move.rows == 0...19)
  }

  /// A blank row resembles a status line of few words, which must not move in its place.
  @Test func aStatusLineStaysBesideABlankRow() throws {
    let lines = (0..<20).map { $0 == 15 ? "" : "line \($0)" }
    let before = canvas(Array(lines[0..<15]) + ["at 0"])
    let after = canvas(Array(lines[1..<16]) + ["at 0"])
    let up = try #require(LineMove(from: before, to: after))
    #expect(up.shift == 1 && up.rows == 0...14)
    let top = canvas(["at 0"] + Array(lines[2..<16]))
    let back = try #require(LineMove(from: canvas(["at 0"] + Array(lines[3..<17])), to: top))
    #expect(back.shift == -1 && back.rows == 1...14)
  }

  @Test func rowsMapToTheirOldPositions() throws {
    let up = canvas((3..<23).map { "line \($0)" } + ["", "status"])
    let move = try #require(LineMove(from: canvas(old), to: up))
    #expect((0..<22).map(move.row) == Array(3..<20) + [nil, nil, nil] + [20, 21])
  }

  @Test(arguments: [
    ("xterm-256color", true), ("tmux-256color", true), ("screen", true), ("linux", true),
    ("vt102", true), ("vt100", false), ("dumb", false),
  ])
  @MainActor func terminalsThatMoveLinesAreKnown(term: String, moves: Bool) throws {
    // Not every machine has the descriptions of all terminals.
    guard let entry = TerminfoEntry(named: term, descriptor: 1) else { return }
    #expect(entry.movesLines == moves)
  }

  @Test func unrelatedOrEqualFramesDoNotMove() {
    #expect(LineMove(from: canvas(old), to: canvas(old)) == nil)
    #expect(LineMove(from: canvas(old), to: canvas(old.map { $0 + "!" })) == nil)
    #expect(LineMove(from: canvas(old), to: canvas(Array(old.dropLast()))) == nil)
  }
}
