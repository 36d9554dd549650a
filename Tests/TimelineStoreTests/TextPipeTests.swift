import Feeds
import Glibc
import TestSupport
import Testing
import TextLayout
import VirtualList

@testable import TimelineStore

/// Text from a pipe: the paragraph that has begun is the last row, and grows.
@MainActor @Suite(.ownThreads) struct TextPipeTests {
  /// Writes text into a pipe.
  private struct Writer {
    let descriptor: Int32

    func write(_ bytes: some Collection<UInt8>) {
      let bytes = Array(bytes)
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      #expect(written == bytes.count)
    }

    func write(_ text: String) { write(text.utf8) }
    func end() { close(descriptor) }
  }

  /// The changes that a source reports.
  @MainActor private final class Changes {
    private let stream: AsyncStream<Void>
    private(set) var reloads = 0

    init(of posts: FilePostSource) {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      self.stream = stream
      posts.onChange = { [weak self] change in
        if case .rows(let deletions, _, let reloads) = change {
          #expect(deletions.isEmpty, "no row goes away")
          self?.reloads += reloads.count
        }
        continuation.yield()
      }
    }

    func wait(until isDone: () -> Bool) async {
      if isDone() { return }
      for await _ in stream where isDone() { break }
    }
  }

  private func open(_ format: FeedFormat = .text) throws -> (FilePostSource, Writer) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let spool = try SpoolFile.make(in: SpoolFile.temporaryFolder)
    let indexer = PipeIndexer(
      pipe: FileBytes(descriptor: ends[0], closes: true, size: nil), format: format, head: [],
      spool: spool)
    return (
      FilePostSource(source: .standardInput, file: spool, format: format, indexer: indexer),
      Writer(descriptor: ends[1])
    )
  }

  private func texts(_ posts: FilePostSource) -> [String] {
    (0..<posts.count).map { posts.post(at: $0).body.plainText }
  }

  @Test func aParagraphGrowsByLinesAndPartsOfThem() async throws {
    let (posts, writer) = try open()
    let changes = Changes(of: posts)
    posts.start()
    var id: RowID?
    let steps = [
      ("one", "one"), ("\n", "one"), ("two\n", "one\ntwo"), ("thr", "one\ntwo\nthr"),
      ("ee \u{E9}", "one\ntwo\nthree \u{E9}"), ("\n  ", "one\ntwo\nthree \u{E9}"),
    ]
    for (bytes, text) in steps {
      let end = posts.rows.progress.scanned + bytes.utf8.count
      writer.write(bytes)
      await changes.wait { posts.rows.progress.scanned == end }
      #expect(texts(posts) == [text])
      id = id ?? posts.rowID(at: 0)
      #expect(posts.rowID(at: 0) == id)
      #expect(posts.post(at: 0).damage == nil)
      #expect(!posts.isComplete && posts.message == nil)
    }
    // The row of the paragraph that has ended is unchanged.
    writer.write(" \nnext")
    await changes.wait { posts.count == 2 }
    #expect(texts(posts) == ["one\ntwo\nthree \u{E9}", "next"])
    #expect(posts.rowID(at: 0) == id)
    #expect(posts.row(of: posts.rowID(at: 1)) == 1)
    writer.end()
    await changes.wait { posts.isComplete }
    #expect(texts(posts) == ["one\ntwo\nthree \u{E9}", "next"])
  }

  @Test func halfACharacterIsNotDamage() async throws {
    let (posts, writer) = try open()
    let changes = Changes(of: posts)
    posts.start()
    writer.write([0x61, 0xC3])
    await changes.wait { posts.count == 1 }
    #expect(posts.post(at: 0).damage == nil && texts(posts) == ["a"])
    writer.end()
    // At the end of the pipe it is.
    await changes.wait { posts.isComplete }
    #expect(posts.post(at: 0).damage != nil)
  }

  @Test func textBetweenJSONShowsAtOnceButNotHalfAnItem() async throws {
    let (posts, writer) = try open(.jsonl)
    let changes = Changes(of: posts)
    posts.start()
    writer.write("{\"content_text\":\"one\"}\nstarting")
    await changes.wait { posts.count == 2 }
    #expect(texts(posts) == ["one", "starting"])
    writer.write(" up\n{\"content_text\":\"tw")
    await changes.wait { texts(posts) == ["one", "starting up"] }
    await changes.wait { posts.indexing.indexer.report.isDry }
    #expect(posts.count == 2)
    writer.write("o\"}\n")
    await changes.wait { posts.count == 3 }
    #expect(texts(posts).last == "two" && posts.post(at: 2).damage == nil)
    writer.end()
  }

  @Test func theOpenParagraphIsSearchedAndIsTheEnd() async throws {
    let (posts, writer) = try open()
    let changes = Changes(of: posts)
    posts.start()
    writer.write("one\n\ntwo\nand the needle")
    await changes.wait { posts.count == 2 && posts.indexing.indexer.report.isDry }
    #expect(!posts.seek(.end), "what is there is the end, for now")
    let (rows, count) = posts.searchable
    #expect(count == 2)
    let query = PostQuery(phrase: try #require(TextNeedle("needle")))
    var worker = SearchWorker(query, for: rows)
    #expect(rows.search(0..<2, with: &worker) { false }.fitting == [1])
    writer.end()
  }

  /// The row is found again by its beginning, wherever the entries of the index are.
  @Test func rowsDoNotDependOnTheirPieces() async throws {
    for seed in Rounds.seeds(2) {
      var generator = SeededGenerator(seed: seed)
      let (posts, writer) = try open()
      let changes = Changes(of: posts)
      posts.start()
      var all: [UInt8] = []
      for _ in 0..<40 {
        var piece: [UInt8] = []
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
          let length = Int.random(in: 0...400, using: &generator)
          piece += [UInt8](repeating: 0x61, count: length)
          piece += Bool.random(using: &generator) ? [0x0A] : [0x20, 0x62]
          if Int.random(in: 0..<4, using: &generator) == 0 { piece += [0x0A, 0x0A] }
        }
        all += piece
        writer.write(piece)
        let end = all.count
        await changes.wait { posts.rows.progress.scanned == end }
        let whole = try FeedReader.read(all, format: .text).posts
        #expect(posts.count == whole.count, "seed \(seed)")
        for row in [0, whole.count / 2, whole.count - 1] {
          let post = posts.post(at: row)
          #expect(post.id == whole[row].id, "seed \(seed), row \(row)")
          #expect(post.body == whole[row].body, "seed \(seed), row \(row)")
        }
      }
      writer.end()
      await changes.wait { posts.isComplete }
    }
  }

  /// The cost of showing the open row does not grow with the text before it.
  @Test func onlyTheOpenRowIsReadAgain() async throws {
    let (posts, writer) = try open()
    let changes = Changes(of: posts)
    posts.start()
    let line = String(repeating: "x", count: 99) + "\n"
    for number in 1...400 {
      writer.write(line)
      let end = number * 100
      await changes.wait { posts.rows.progress.scanned == end }
      _ = posts.post(at: posts.count - 1)
    }
    #expect(posts.count == 4)
    // A paragraph has 100 lines of 100 bytes; its block is scanned to find it.
    let perLine = posts.file.bytesReadByPosition / 400
    #expect(perLine < 4 * 100 * 100, "\(perLine) bytes are read for a line")
    writer.end()
  }
}
