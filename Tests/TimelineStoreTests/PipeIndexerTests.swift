import Dispatch
import Feeds
import Glibc
import TestSupport
import Testing

@testable import TimelineStore

/// Pipes: how far they are read, and what follows their end or a full disk.
@MainActor @Suite struct PipeIndexerTests {
  private static let readAhead = 1 << 20

  private func posts(
    _ pipe: Int32, spool: FileBytes? = nil, limit: Int = SpoolFile.limit,
    dryAfter: Int32 = PipeIndexer.usualDryAfter
  ) throws -> FilePostSource {
    let spool = try spool ?? SpoolFile.make(in: SpoolFile.temporaryFolder)
    let indexer = PipeIndexer(
      pipe: FileBytes(descriptor: pipe, closes: true, size: nil), format: .jsonl, head: [],
      spool: spool, limit: limit, readAhead: Self.readAhead, dryAfter: dryAfter)
    return FilePostSource(source: .standardInput, file: spool, format: .jsonl, indexer: indexer)
  }

  private func start(_ posts: FilePostSource, until isDone: (FilePostSource) -> Bool) async {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    posts.onChange = { _ in continuation.yield() }
    posts.start()
    posts.advance()
    for await _ in changes where isDone(posts) { break }
    posts.onChange = nil
  }

  /// A pipe with a writer that never stops writing lines.
  private func endless() throws -> (pipe: Int32, writer: EndlessWriter) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    return (ends[0], EndlessWriter(descriptor: ends[1]))
  }

  @Test func readingAheadIsLimited() async throws {
    let (pipe, _) = try endless()
    // The writer may have to wait for the processor, which must not count as the end of its lines.
    let posts = try posts(pipe, dryAfter: 60_000)
    // The indexer's report changes a moment before the posts adopt its progress.
    await start(posts) {
      $0.count > 0 && !$0.indexing.indexer.report.isReading && $0.activity.isEmpty
    }
    let ahead = posts.indexing.indexer.index.progress.scanned
    #expect((Self.readAhead...Self.readAhead + PipeIndexer.chunk).contains(ahead))
    #expect(!posts.isComplete)
    #expect(posts.post(at: posts.count - 1).body.plainText == "hello")
    // Showing the last row reads as many bytes again.
    posts.didShow(rows: posts.count - 10..<posts.count)
    await start(posts) {
      $0.indexing.indexer.index.progress.scanned > ahead && !$0.indexing.indexer.report.isReading
    }
    #expect(
      posts.indexing.indexer.index.progress.scanned <= 2 * Self.readAhead + 2 * PipeIndexer.chunk)
    posts.stop()
  }

  @Test func seekingTheEndGoesOnUntilCancelled() async throws {
    let (pipe, _) = try endless()
    let posts = try posts(pipe, dryAfter: 60_000)
    await start(posts) { $0.count > 0 && !$0.indexing.indexer.report.isReading }
    let before = posts.indexing.indexer.index.progress.scanned
    #expect(posts.seek(.end))
    await start(posts) { $0.indexing.indexer.index.progress.scanned > before + 3 * Self.readAhead }
    #expect(posts.seekTarget == .end)
    #expect(posts.activity.contains("any key"))
    posts.cancelSeek()
    #expect(posts.seekTarget == nil)
    await start(posts) { !$0.indexing.indexer.report.isReading }
    posts.stop()
  }

  @Test func seekingReadsUpToARow() async throws {
    let (pipe, _) = try endless()
    let posts = try posts(pipe, dryAfter: 60_000)
    await start(posts) { $0.count > 0 && !$0.indexing.indexer.report.isReading }
    let row = posts.count + 100_000
    #expect(posts.seek(.row(row)))
    await start(posts) { $0.seekTarget == nil }
    #expect(posts.count > row)
    posts.stop()
  }

  @Test func theSpoolIsLimited() async throws {
    let (pipe, _) = try endless()
    let posts = try posts(pipe, limit: 1 << 20)
    await start(posts) { $0.isComplete }
    #expect(posts.indexing.indexer.index.progress.scanned == 1 << 20)
    #expect(posts.message?.text.contains("1 MiB") == true)
    #expect(posts.post(at: 5).body.plainText == "hello")
    posts.stop()
  }

  @Test func aFullDiskIsReported() async throws {
    let (pipe, _) = try endless()
    let descriptor = open("/dev/full", O_RDWR)
    try #require(descriptor >= 0)
    let posts = try posts(pipe, spool: FileBytes(descriptor: descriptor, closes: true, size: nil))
    await start(posts) { $0.isComplete }
    #expect(posts.count == 0)
    #expect(posts.failure?.message.contains("No space left") == true)
    posts.stop()
  }

  @Test func aPipeCutInALineMarksThePost() async throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let text = "{\"content_text\":\"whole\"}\n{\"content_text\":\"half a li"
    let written = Array(text.utf8).withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
    #expect(written == text.utf8.count)
    close(ends[1])
    let posts = try posts(ends[0])
    await start(posts) { $0.isComplete }
    #expect(posts.count == 2)
    #expect(posts.post(at: 0).damage == nil)
    #expect(posts.post(at: 1).body.plainText == "half a li")
    #expect(posts.post(at: 1).damage != nil)
  }

  @Test func aSlowPipeShowsEachLineAsItComes() async throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let posts = try posts(ends[0])
    for number in 1...3 {
      let line = Array("{\"content_text\":\"line \(number)\"}\n".utf8)
      #expect(line.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) } == line.count)
      await start(posts) { $0.count == number }
      #expect(posts.post(at: number - 1).body.plainText == "line \(number)")
    }
    await start(posts) { $0.indexing.indexer.report.isDry }
    #expect(!posts.seek(.end), "what is there is the end, for now")
    close(ends[1])
    await start(posts) { $0.isComplete }
    #expect(posts.count == 3)
  }
}

/// Writes lines into a pipe until its reading end is closed.
private final class EndlessWriter: Sendable {
  init(descriptor: Int32) {
    DispatchQueue(label: "tideline.tests.endless").async {
      let lines = Array(String(repeating: "{\"content_text\":\"hello\"}\n", count: 4_096).utf8)
      while lines.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) > 0 {}
      close(descriptor)
    }
  }
}
