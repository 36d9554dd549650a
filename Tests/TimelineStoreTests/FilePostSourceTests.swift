import Feeds
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import TimelineStore

/// Files read row by row, compared with the same bytes read whole.
@MainActor @Suite struct FilePostSourceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ bytes: [UInt8], _ format: FeedFormat = .jsonl) throws -> FilePostSource {
    let path = try folder.write(bytes, to: "timeline")
    return try open(path: path, format)
  }

  private func open(path: String, _ format: FeedFormat = .jsonl) throws -> FilePostSource {
    let file = try FileBytes(path: path)
    let head = try file.read(0..<min(file.size ?? 0, SourceReader.firstChunk))
    let indexer = try FileIndexer(file: file, format: format, head: head, path: path)
    return FilePostSource(source: .file(path), file: file, format: format, indexer: indexer)
  }

  /// Waits until all rows are counted.
  private func count(
    _ posts: FilePostSource, until isDone: (FilePostSource) -> Bool = { $0.isComplete }
  )
    async
  {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    let forward = posts.onChange
    posts.onChange = { change in
      forward?(change)
      continuation.yield()
    }
    posts.start()
    posts.advance()
    for await _ in changes where isDone(posts) { break }
    posts.onChange = forward
  }

  private static func line(
    _ index: Int, _ generator: inout SeededGenerator, scale: Int
  ) -> String {
    let length = Int.random(in: 0..<10, using: &generator) == 0 ? 3_000 : 120
    let text = String(repeating: "tide ", count: Int.random(in: 0...length / 5, using: &generator))
    let padding = String(repeating: text, count: scale - 1)
    return "{\"id\":\"\(index)\",\"content_text\":\"\(text)\",\"padding\":\"\(padding)\"}"
  }

  /// - Parameter scale: how much longer the lines are than those of usual posts.
  private static func lines(_ count: Int, seed: UInt64, scale: Int = 1) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    for index in 0..<count {
      bytes += Array(line(index, &generator, scale: scale).utf8)
      bytes += Bool.random(using: &generator) ? [0x0D, 0x0A] : [0x0A]
      if Int.random(in: 0..<8, using: &generator) == 0 { bytes += [0x0A, 0x20, 0x0A] }
    }
    if Bool.random(using: &generator) { bytes.removeLast() }
    return bytes
  }

  private static func naive(_ bytes: [UInt8], _ format: FeedFormat = .jsonl) -> [Post] {
    var batcher = RowBatcher(format: format)
    let first = batcher.consume(bytes).posts()
    let last = (try? batcher.finish())?.posts() ?? []
    return (first + last).map { post in
      var post = post
      post.reach = .privateAddresses
      return post
    }
  }

  @Test(arguments: [FeedFormat.jsonl, .text]) func rowsEqualThoseOfTheWholeFile(
    _ format: FeedFormat
  ) async throws {
    for seed in Rounds.seeds(1) {
      // The file is larger than what is counted before the first frame.
      let bytes = Self.lines(2_000, seed: seed, scale: 12)
      let expected = Self.naive(bytes, format)
      let posts = try open(bytes, format)
      await count(posts)
      #expect(posts.count == expected.count, "seed \(seed)")
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<150 {
        let row = Int.random(in: 0..<posts.count, using: &generator)
        #expect(posts.post(at: row) == expected[row], "seed \(seed), row \(row)")
        #expect(posts.row(of: posts.rowID(at: row)) == row, "seed \(seed), row \(row)")
      }
      posts.stop()
    }
  }

  @Test(arguments: [FeedFormat.jsonl, .text]) func theEndAndTheMiddleShowBeforeRowsAreCounted(
    _ format: FeedFormat
  ) async throws {
    let bytes = Self.lines(6_000, seed: 7, scale: 4)
    let expected = Self.naive(bytes, format)
    let posts = try open(bytes, format)
    #expect(!posts.isComplete)
    let rows = posts.count
    // Upward from the end, as a list fills its screen; then around the middle.
    for distance in 1...60 {
      #expect(posts.post(at: rows - distance) == expected[expected.count - distance])
    }
    let middle = posts.post(at: rows / 2)
    let place = try #require(expected.firstIndex(of: middle))
    #expect(abs(place - expected.count / 2) < expected.count / 10)
    for distance in -40...40 {
      #expect(posts.post(at: rows / 2 + distance) == expected[place + distance])
    }
    #expect(posts.count == rows)
    #expect(!posts.isNumberExact(rows - 1))
    let (last, between) = (posts.rowID(at: rows - 1), posts.rowID(at: rows / 2))
    await count(posts)
    #expect(posts.count == expected.count)
    #expect(posts.row(of: last) == expected.count - 1)
    #expect(posts.row(of: between) == place)
    #expect(posts.isNumberExact(posts.count - 1))
    posts.stop()
  }

  /// The sizes of rows are exact to a block if they are counted, else approximate; their sum is the
  /// size of the file, and nothing is read for them.
  @Test func rowSizesAreKnownWithoutReading() async throws {
    let bytes = Self.lines(16_000, seed: 9)
    let posts = try open(bytes)
    let read = posts.file.bytesReadByPosition
    let rows = posts.count
    #expect(posts.textLength(ofRows: 0..<rows) == bytes.count)
    let halves = [0..<rows / 2, rows / 2..<rows].map { posts.textLength(ofRows: $0) ?? 0 }
    #expect(halves.reduce(0, +) == bytes.count)
    #expect(halves.allSatisfy { $0 > bytes.count / 3 })
    #expect(posts.textLength(ofRows: rows..<rows + 1) == nil)
    #expect(posts.file.bytesReadByPosition == read)
    _ = posts.post(at: rows - 1)
    #expect(posts.textLength(ofRows: 0..<posts.count) == bytes.count)
    await count(posts)
    let count = posts.count
    #expect(posts.textLength(ofRows: 0..<count) == bytes.count)
    // A row's identity is its first byte.
    let starts = (0..<count).map { Int(posts.rowID(at: $0).rawValue) }
    for row in stride(from: 0, to: count - 100, by: 777) {
      _ = posts.post(at: row)
      let own = posts.textLength(ofRows: row..<row + 1)
      #expect(own == starts[row + 1] - starts[row], "row \(row)")
      let block = row / RowIndex.blockRows * RowIndex.blockRows
      let end = block + RowIndex.blockRows
      #expect(posts.textLength(ofRows: block..<end) == starts[end] - starts[block])
    }
    posts.stop()
  }

  @Test func openingAndJumpingReadAFewPieces() throws {
    let bytes = Self.lines(25_000, seed: 3)
    let posts = try open(bytes)
    // The first piece, and the samples that detect a file overwritten in place.
    #expect(posts.file.bytesReadByPosition <= (64 + 16) << 10)
    for row in 0..<20 { _ = posts.post(at: row) }
    #expect(posts.file.bytesReadByPosition <= 256 << 10)
    let before = posts.file.bytesReadByPosition
    for distance in 1...20 { _ = posts.post(at: posts.count - distance) }
    #expect(posts.file.bytesReadByPosition - before <= 192 << 10)
    let opened = posts.file.bytesReadByPosition
    for distance in 0..<20 { _ = posts.post(at: posts.count / 2 + distance) }
    #expect(posts.file.bytesReadByPosition - opened <= 192 << 10)
  }

  @Test func anIndexTakesLessThanThreeBytesARow() async throws {
    let text = String(repeating: "{\"content_text\":\"tide\"}\n", count: 100_000)
    let posts = try open(Array(text.utf8))
    await count(posts)
    #expect(posts.count == 100_000)
    #expect(posts.indexing.indexer.index.byteCount < 3 * 100_000)
    posts.stop()
  }

  @Test func parsedPostsAreBounded() throws {
    let posts = try open(Self.lines(5_000, seed: 2))
    for row in 0..<posts.count { _ = posts.post(at: row) }
    #expect(posts.posts.count == FilePostReader.maximumCount)
  }

  @Test func aFileThatGrowsShowsItsNewRows() async throws {
    for seed in Rounds.seeds(4) {
      var generator = SeededGenerator(seed: seed)
      var bytes = Self.lines(200, seed: seed)
      let path = try folder.write(bytes, to: "growing")
      let posts = try open(path: path)
      var rows = posts.count
      posts.onChange = { change in
        guard case .rows(let deletions, let insertions, _) = change else { return }
        rows += insertions.reduce(0) { $0 + $1.count } - deletions.reduce(0) { $0 + $1.count }
      }
      posts.start()
      for _ in 0..<6 {
        // The pieces end anywhere, even within a line.
        let more = Self.lines(Int.random(in: 1...20, using: &generator), seed: generator.next())
        let piece = Array(more.prefix(Int.random(in: 1...more.count, using: &generator)))
        bytes += piece
        let handle = try #require(FileHandleWriter(path: path))
        handle.append(piece)
        let size = bytes.count
        (posts.indexing.indexer as? FileIndexer)?.look()
        await count(posts) { $0.textLength(ofRows: 0..<$0.count) == size }
        let expected = Self.naive(bytes)
        #expect(posts.count == expected.count, "seed \(seed)")
        #expect(rows == posts.count, "seed \(seed)")
        for row in max(0, expected.count - 30)..<expected.count {
          #expect(posts.post(at: row) == expected[row], "seed \(seed), row \(row)")
        }
      }
      posts.stop()
    }
  }

  @Test func aCutFileIsReportedAndKeepsReadPosts() async throws {
    let bytes = Self.lines(10_000, seed: 5)
    let first = Self.naive(Array(bytes.prefix(40_000)))
    let path = try folder.write(bytes, to: "cut")
    let posts = try open(path: path)
    await count(posts)
    let seen = posts.post(at: 7_500)
    #expect(truncate(path, off_t(bytes.count / 4)) == 0)
    (posts.indexing.indexer as? FileIndexer)?.look()
    await count(posts) { $0.message != nil }
    let message = try #require(posts.message?.text)
    #expect(message.contains("cut"))
    #expect(posts.count == 10_000)
    #expect(posts.post(at: 7_500) == seen)
    #expect(posts.post(at: 10) == first[10])
    #expect(posts.post(at: 9_500).damage != nil)
    posts.stop()
  }

  @Test func aFileCutBeforeCountingKeepsReadPosts() async throws {
    let bytes = Self.lines(10_000, seed: 6)
    let first = Self.naive(Array(bytes.prefix(80_000)))
    let path = try folder.write(bytes, to: "cut-early")
    let posts = try open(path: path)
    let last = posts.post(at: posts.count - 1)
    #expect(last.id == "9999" && last.damage == nil)
    #expect(truncate(path, off_t(bytes.count / 2)) == 0)
    await count(posts) { $0.message != nil }
    #expect(posts.post(at: posts.count - 1) == last)
    #expect(posts.post(at: 100) == first[100])
    posts.stop()
  }

  @Test func replacedAndDeletedFilesAreReported() async throws {
    let path = try folder.write(Self.lines(100, seed: 1), to: "replaced")
    let posts = try open(path: path)
    let other = try folder.write(Self.lines(3, seed: 2), to: "other")
    #expect(rename(other, path) == 0)
    (posts.indexing.indexer as? FileIndexer)?.look()
    await count(posts) { $0.message != nil }
    #expect(posts.message?.text.contains("old one") == true)
    #expect(posts.count == 100)
    unlink(path)
    (posts.indexing.indexer as? FileIndexer)?.look()
    await count(posts) { $0.message?.text.contains("deleted") == true }
    #expect(posts.post(at: 99).id == "99")
    posts.stop()
  }

  @Test func aHugeLineInTheMiddleIsLocated() async throws {
    var bytes = Self.lines(3_000, seed: 1)
    if bytes.last != 0x0A { bytes.append(0x0A) }
    bytes += [UInt8](repeating: 0x78, count: 20 << 20) + [0x0A]
    let after = Self.lines(3_000, seed: 2)
    let posts = try open(bytes + after)
    // The middle of the file is inside the long line: the row is not known yet, which is no error.
    #expect(posts.post(at: posts.count / 2).body.isEmpty)
    await count(posts)
    #expect(posts.count == 6_001)
    let before = posts.file.bytesReadByPosition
    #expect(posts.post(at: 3_000).damage?.contains("only its beginning") == true)
    #expect(posts.post(at: 3_001).id == "0")
    #expect(posts.post(at: 2_999).id == "2999")
    #expect(posts.file.bytesReadByPosition - before < 8 << 20)
    posts.stop()
  }

  @Test func aLongDocumentIsReadByItems() async throws {
    let items = (0..<30_000).map { "{\"id\":\"\($0)\",\"content_text\":\"tide \($0)\"}" }
    let text = "{\"title\":\"Tides\",\"items\":[\n" + items.joined(separator: ",\n") + "\n]}"
    let posts = try open(Array(text.utf8), .jsonfeed)
    #expect(posts.info.title == "Tides")
    await count(posts)
    #expect(posts.count == 30_000)
    for row in [0, 1, 63, 64, 15_000, 29_999] {
      #expect(posts.post(at: row).id == "\(row)")
      #expect(posts.post(at: row).author?.name == "Tides")
    }
    posts.stop()
  }
}

/// Appends to a file that is open elsewhere.
struct FileHandleWriter {
  let descriptor: Int32

  init?(path: String) {
    descriptor = open(path, O_WRONLY | O_APPEND)
    guard descriptor >= 0 else { return nil }
  }

  func append(_ bytes: [UInt8]) {
    let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    precondition(written == bytes.count)
    close(descriptor)
  }
}
