import Testing

/// What fuzzing found stays found: every kept input, and those that each target begins with, in the
/// plain way.
@Suite @MainActor struct ReplayTests {
  /// `Fuzz/Findings`.
  private static var findings: String {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/") + "/Findings"
  }

  @Test(arguments: FuzzTarget.all.map(\.name)) func keptInputsHold(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    for input in FuzzInput.all(in: "\(Self.findings)/\(name)") {
      #expect(throws: Never.self, "\(input.path)") { try target.run(input.bytes) }
    }
  }

  @Test(arguments: FuzzTarget.all.map(\.name)) func seedsHold(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    #expect(!target.seeds.isEmpty)
    for (index, seed) in target.seeds.enumerated() {
      #expect(throws: Never.self, "seed \(index)") { try target.run(seed) }
      #expect(seed.count <= target.longestInput, "seed \(index) of \(seed.count) bytes")
    }
  }
}
