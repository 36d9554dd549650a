import TestSupport
import Testing

@testable import Soak

/// The soak finds injected faults, and none without them.
@Suite(.ownThreads) struct SoakTests {
  private func plan(
    _ pictures: SoakPictures, seconds: Int, damage: (Int, String)? = nil
  ) throws -> SoakPlan {
    SoakPlan(
      program: try ProgramUnderTest.path(), pictures: pictures, sources: [.lines], seed: 4,
      time: .seconds(seconds), damage: damage.map { ($0.0, Array($0.1.utf8)) })
  }

  @Test(arguments: SoakPictures.allCases) func aShortRunIsClean(pictures: SoakPictures) async throws
  {
    var plan = try plan(pictures, seconds: 2)
    plan.minimumRedraws = 1
    let run = SoakRun(plan)
    try await run.run()
    #expect(run.figures.redraws > 0)
    #expect(run.figures.operations > 0)
  }

  /// A character that the program did not write, and a cell in a wrong colour.
  @Test(arguments: ["\u{1b}7\u{1b}[2;3HX\u{1b}8", "\u{1b}7\u{1b}[1;2H\u{1b}[41m \u{1b}8"])
  func aCorruptedCellIsFound(bytes: String) async throws {
    let run = SoakRun(try plan(.symbols, seconds: 120, damage: (10, bytes)))
    let failure = await #expect(throws: SoakFailure.self) { try await run.run() }
    let what = failure?.what ?? ""
    // The cell may be in the first line, which is then no longer what it was.
    #expect(
      what.contains("redrawn") && failure?.details.contains("cells differ") == true
        || what.contains("the first line moved"), "\(what)")
  }

  /// Detected either as a line that has moved or as a screen that differs from its redraw.
  @Test func movedLinesAreFound() async throws {
    let run = SoakRun(try plan(.symbols, seconds: 120, damage: (10, "\u{1b}[H\u{1b}[M")))
    let failure = await #expect(throws: SoakFailure.self) { try await run.run() }
    #expect(failure?.details.isEmpty == false)
  }

  @Test func aSixelPaintedOverIsFound() async throws {
    let erased = (1...40).map { "\u{1b}[\($0);10H\u{A0}" }.joined()
    let run = SoakRun(try plan(.sixel, seconds: 120, damage: (10, "\u{1b}7\(erased)\u{1b}8")))
    let failure = await #expect(throws: SoakFailure.self) { try await run.run() }
    let what = failure?.what ?? ""
    // The first line may have text where the cells are erased.
    #expect(what.contains("redrawn") || what.contains("the first line moved"), "\(what)")
  }

  @Test func aMissingImageIsFound() async throws {
    let deletion = "\u{1b}_Ga=d,d=R,x=1,y=4294967295,q=2\u{1b}\\"
    let run = SoakRun(try plan(.kitty, seconds: 120, damage: (10, deletion)))
    let failure = await #expect(throws: SoakFailure.self) { try await run.run() }
    #expect(failure?.what == "a picture is missing")
  }
}

/// The word by which a line is recognized.
@Suite struct TopLineTests {
  private func top(_ lines: String...) async throws -> TopLine? {
    TopLine(try await screen(lines), rows: 0..<lines.count)
  }

  private func screen(_ lines: [String]) async throws -> ScreenSnapshot {
    let session = try TerminalSession(
      path: "/bin/cat", environment: [:], size: TerminalSize(columns: 40, rows: lines.count + 1))
    await session.inject(Array(lines.joined(separator: "\r\n").utf8))
    return await session.snapshot
  }

  @Test func aUniqueWordIdentifiesALine() async throws {
    #expect(try await top("   words p12w3 潮位", "p12w6")?.word == "p12w3")
    #expect(try await top("", "Gauge 3 · 2 h", "     p7t0 harbour")?.row == 2)
    let line = try #require(try await top("", "p12w3 words"))
    #expect(line.stands(in: try await screen(["                 1 new", "p12w3 words"])))
    #expect(!line.stands(in: try await screen(["p12w3 words", ""])))
  }

  @Test func nothingBelowAPicture() async throws {
    #expect(try await top("  ▀▀▀▀", "p12w3") == nil)
    #expect(try await top("pier p12 w3 p12w p1w2x", "", "") == nil)
  }

  @Test func theEndIsNear() async throws {
    let screen = try await screen(["p12w3" + String(repeating: " ", count: 34) + "▕"])
    #expect(!TopLine.isEndNear(screen, rows: 0..<1, lastPost: 13))
    #expect(TopLine.isEndNear(screen, rows: 0..<1, lastPost: 12))
    let thumb = try await self.screen(["p12w3" + String(repeating: " ", count: 34) + "█"])
    #expect(TopLine.isEndNear(thumb, rows: 0..<1, lastPost: 13))
  }
}

/// Detects growing resource use.
@Suite struct UsageRecordTests {
  private func record(
    _ value: WritableKeyPath<ProcessFigures, Int>, step: Int, samples: Int = 120
  ) -> UsageRecord {
    var record = UsageRecord()
    for index in 0..<samples {
      var figures = ProcessFigures(0)
      figures[keyPath: value] = 40_000 + index * step
      record.note(figures)
    }
    return record
  }

  @Test func growthIsFound() {
    #expect(record(\.kilobytes, step: 1_000).growth?.contains("memory") == true)
    #expect(record(\.descriptors, step: 1).growth?.contains("descriptors") == true)
    #expect(record(\.threads, step: 1).growth?.contains("threads") == true)
    #expect(record(\.kilobytes, step: 10).growth == nil)
    // Caches may still be filling.
    #expect(record(\.kilobytes, step: 1_000, samples: 99).growth == nil)
  }

  @Test func warmingUpIsNotGrowth() {
    var record = UsageRecord()
    for index in 0..<120 {
      var figures = ProcessFigures(0)
      figures.kilobytes = index < 40 ? 1_000 * index : 40_000
      record.note(figures)
    }
    #expect(record.growth == nil)
  }
}
