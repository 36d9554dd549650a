import TestSupport
import Testing

/// Comments and messages name who does what. These phrases stand for a noun that is missing.
@Suite struct PlainEnglishTests {
  private static let vague = [
    "nobody", "somebody", "whoever", "whom", "anew", "is told", "are told", "so many", "what is",
    "as they are",
  ]
  private static let conditional = ["where it", "where there", "where they"]

  private func count(_ phrases: [String], in lines: [(path: String, line: Substring)]) -> [String] {
    lines.filter { line in phrases.contains(where: line.line.includes) }
      .map { "\($0.path): \($0.line)" }
  }

  /// What remains are messages, and places in space.
  @Test func vaguePhrasesStayRare() throws {
    let lines = try SourceFile.inPackage.get().flatMap { file in
      file.prose.map { (path: file.path, line: $0) }
    }
    let vague = count(Self.vague, in: lines)
    #expect(vague.count <= 30, "\(vague.joined(separator: "\n"))")
    let conditional = count(Self.conditional, in: lines)
    #expect(conditional.count <= 20, "\(conditional.joined(separator: "\n"))")
  }
}
