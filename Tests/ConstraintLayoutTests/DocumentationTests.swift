import FoundationEssentials
import Testing

@MainActor struct DocumentationTests {
  /// The example of the documentation begins with the file that is compiled here.
  @Test func theExampleIsWhatIsCompiled() throws {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let code = try text(here.appendingPathComponent("NoteCell.swift"))
    let root = here.deletingLastPathComponent().deletingLastPathComponent()
    let page = try text(
      root.appendingPathComponent(
        "Sources/ConstraintLayout/ConstraintLayout.docc/ConstraintLayout.md"))
    let blocks = page.split(separator: "```swift\n", omittingEmptySubsequences: false).dropFirst()
      .map { $0.split(separator: "```", maxSplits: 1, omittingEmptySubsequences: false)[0] }
    #expect(blocks.first?.hasPrefix(code) == true)
  }

  /// And does what the page says.
  @Test(arguments: [(0, 6), (100, 6), (116, 6), (117, 7), (1000, 37)])
  func theExampleFollowsItsNote(letters: Int, expected: Int) {
    #expect(rows(note: letters, width: 40) == expected)
  }

  private func text(_ url: URL) throws -> String {
    String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }
}
