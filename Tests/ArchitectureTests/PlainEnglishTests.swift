import TestSupport
import Testing

/// Comments and messages name who does what. These phrases stand for a noun that is missing.
@Suite struct PlainEnglishTests {
  private static let vague = [
    "nobody", "somebody", "whoever", "whom", "anew", "is told", "are told", "so many", "what is",
    "as they are",
  ]
  private static let conditional = ["where it", "where there", "where they"]

  private func count(_ phrases: [String], in files: [SourceFile]) -> [String] {
    files.flatMap { file in
      file.prose.filter { line in phrases.contains { line.contains($0) } }
        .map { "\(file.path): \($0)" }
    }
  }

  /// What remains are messages, and places in space.
  @Test func vaguePhrasesStayRare() throws {
    let files = try SourceFile.inPackage.get()
    let vague = count(Self.vague, in: files)
    #expect(vague.count <= 30, "\(vague.joined(separator: "\n"))")
    let conditional = count(Self.conditional, in: files)
    #expect(conditional.count <= 20, "\(conditional.joined(separator: "\n"))")
  }
}
