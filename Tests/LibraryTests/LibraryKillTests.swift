import TestSupport
import Testing

@testable import Library

/// Programs that write a library and are killed at random moments.
@Suite(.timeLimit(.minutes(10))) struct LibraryKillTests {
  @Test(arguments: Rounds.seeds(10))
  func nothingThatWasReportedIsLost(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    let program = try ProgramUnderTest.path(of: "LibraryTestProgram")
    var (added, read): (Set<Int64>, Set<Int64>) = ([], [])
    // Two at once, twice, the second time on what the first left.
    for round in 0..<2 {
      let runs = try await withThrowingTaskGroup(of: PipedRun.Result.self) { group in
        for number in 0..<2 {
          group.addTask {
            try await PipedRun.run(
              path: program,
              arguments: [path, "\(seed * 4 + UInt64(round * 2 + number))"], environment: [:])
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for run in runs {
        #expect(run.status == .signalled(14), "seed \(seed): \(run.errorText)")
        for line in run.text.split(separator: "\n").dropLast(run.text.hasSuffix("\n") ? 0 : 1) {
          let words = line.split(separator: " ")
          let items = words.dropFirst().first?.split(separator: ",").compactMap { Int64($0) } ?? []
          if words.first == "added" { added.formUnion(items) } else { read.formUnion(items) }
        }
      }
      let library = try FeedLibrary(path: path)
      #expect(try library.brokenInvariants() == [], "seed \(seed)")
      let items = try library.places(after: nil, count: .max).map(\.item.rawValue)
      #expect(added.isSubset(of: items), "seed \(seed)")
      let unread = try library.unreadItems()
      #expect(!read.contains { unread.contains(ItemID($0)) }, "seed \(seed)")
    }
  }
}
