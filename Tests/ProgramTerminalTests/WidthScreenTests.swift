import TestSupport
import Testing

/// Text has the configured width at most, and is centered on a wide screen.
@Suite(.ownThreads) struct WidthScreenTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private static let post =
    #"{"author":{"name":"Gauge"},"content_text":""#
    + String(repeating: "tide ", count: 80) + #""}"# + "\n"

  /// The first and last column of the words.
  private func columns(_ screen: ScreenSnapshot) -> ClosedRange<Int>? {
    let rows = screen.cells.indices.filter { screen.line($0).contains("tide tide") }
    let starts = rows.compactMap { row in
      screen.cells[row].firstIndex { $0.text == "t" }
    }
    let ends = rows.compactMap { row in
      screen.cells[row].lastIndex { $0.text == "e" }
    }
    guard let start = starts.min(), let end = ends.max() else { return nil }
    return start...end
  }

  @Test func textIsCenteredAndWidthIsLimited() async throws {
    let path = try home.write(Self.post, to: "tides.jsonl")
    let session = try ProgramUnderTest.start(
      ["--no-state", path], home: home, size: TerminalSize(columns: 180, rows: 24))
    let screen = try await session.settle { $0.contains("post 1 of 1") }
    let usual = try #require(columns(screen))
    #expect(usual.count <= 96 && usual.count > 90)
    // The margins of the post differ by one column at most.
    #expect(usual.lowerBound == 36 + 2, "\(usual)")
    let bar = screen.cells[0].firstIndex { $0.text == "▌" }
    #expect(bar == 36, "the mark stands beside the post")
    for (width, most) in [("60", 60), ("140", 140), ("auto", 96)] {
      await session.send(":set width \(width)" + TerminalKey.enter)
      try await session.settle { screen in
        guard let columns = columns(screen), !screen.contains(":set") else { return false }
        return columns.count <= most && columns.count > most - 6
      }
    }
    await session.send(":set width 7" + TerminalKey.enter)
    try await session.settle { $0.contains("width is auto or 20 to 1000 columns") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }
}
