import Feeds
import TestSupport
import Testing

@testable import TimelineStore

/// When a timeline is reloaded, and what comes of it.
@MainActor @Suite struct TimelineReloadTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ reload: TimelineReload, throwing failure: SourceError? = nil) async {
    await withCheckedContinuation { continuation in
      reload.begin { () throws(SourceError) in
        if let failure { throw failure }
      } ended: {
        continuation.resume()
      }
      #expect(reload.isRunning)
    }
  }

  @Test func theNextReloadReplacesAFailure() async {
    let reload = TimelineReload()
    let failure = SourceError(source: .standardInput, reason: .isDirectory)
    await run(reload, throwing: failure)
    #expect(!reload.isRunning && reload.failure?.message == failure.message)
    await run(reload)
    #expect(!reload.isRunning && reload.failure == nil)
  }

  @Test func aSuccessorWaitsUntilRowsMayChange() {
    let reload = TimelineReload()
    #expect(reload.takeSuccessor { true } == nil)
    let (first, second) = (FilteredPostSourceTests.Posts(), FilteredPostSourceTests.Posts())
    reload.keep(first)
    #expect(reload.takeSuccessor { false } == nil)
    reload.keep(second)
    #expect(reload.takeSuccessor { true } === second)
    #expect(reload.takeSuccessor { true } == nil)
  }

  @Test func eachVersionOfASmallFileIsDueOnce() throws {
    let reload = TimelineReload()
    let path = folder.path + "/log"
    #expect(!reload.isDue(replacedBy: path))
    try folder.write("", to: "log")
    #expect(!reload.isDue(replacedBy: path))
    try folder.write("tide\n", to: "log")
    #expect(reload.isDue(replacedBy: path) && !reload.isDue(replacedBy: path))
    try folder.write("tide and ebb\n", to: "log")
    #expect(reload.isDue(replacedBy: path) && !reload.isDue(replacedBy: path))
    let long = [UInt8](repeating: 0x0A, count: SourceReader.maximumWholeDocumentBytes + 1)
    try folder.write(long, to: "log")
    #expect(!reload.isDue(replacedBy: path))
  }

  /// A file that is written while it cannot be reloaded is reloaded later.
  @Test(arguments: [true, false]) func settledFilesAreReloaded(atOnce: Bool) async throws {
    let reload = TimelineReload()
    let path = try folder.write("tide\n", to: "log")
    let file = try FileBytes(path: path)
    let (calls, continuation) = AsyncStream.makeStream(of: Void.self)
    reload.watch([(path, file)]) {
      continuation.yield()
      return atOnce
    }
    try folder.write("tide and ebb\n", to: "log")
    for await _ in calls { break }
    // The flag is set after the closure has returned.
    await eventually { reload.isBehind != atOnce }
    reload.stop()
    await run(reload)
    #expect(!reload.isBehind)
  }
}
