import Feeds
import TestSupport
import Testing
import TextLayout

@testable import TimelineStore

/// Searching files, compared with reading them whole.
@MainActor @Suite struct FileSearchTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ bytes: [UInt8], _ format: FeedFormat) throws -> FilePostSource {
    let path = try folder.write(bytes, to: "timeline")
    let file = try FileBytes(path: path)
    let head = try file.read(0..<min(file.size ?? 0, SourceReader.firstChunk))
    let indexer = try FileIndexer(file: file, format: format, head: head, path: path)
    return FilePostSource(source: .file(path), file: file, format: format, indexer: indexer)
  }

  private func count(_ posts: FilePostSource) async {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    posts.onChange = { _ in continuation.yield() }
    posts.start()
    posts.advance()
    for await _ in changes where posts.isComplete { break }
    posts.onChange = nil
  }

  private static let pieces = [
    "tide ", "Harbour ", "rope ", "ha<b>r</b>bour ", "h&aacute;rbour ", "caf\\u00e9 ", "潮位 ",
    "ｶﾓﾒ ", "🌊 ",
    "&amp; ", "\\n", "gull ", "https://tide.example/rope ",
  ]

  private static func bytes(_ format: FeedFormat, _ generator: inout SeededGenerator) -> [UInt8] {
    func text() -> String {
      let count = Int.random(in: 0..<40, using: &generator) == 0 ? 1_000 : 8
      return (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    }
    let rows = (0..<Int.random(in: 1...600, using: &generator)).map { index in
      switch format {
      case .text: return "line \(index) \(text())\n\n"
      case .rss:
        let body = text().replacing("&aacute;", with: "&#225;").replacing("\\", with: "")
        return "<item><guid>\(index)</guid><description>\(body)</description></item>\n"
      default:
        return "{\"id\":\"\(index)\",\"content_html\":\"\(text())\",\"tags\":[\"gull\"]}\n"
      }
    }
    let body = rows.joined(separator: format == .jsonfeed ? "," : "")
    switch format {
    case .rss: return Array("<rss><channel><title>Rope</title>\(body)</channel></rss>".utf8)
    case .jsonfeed: return Array("{\"title\":\"Gull\",\"items\":[\(body)]}".utf8)
    default: return Array(body.utf8)
    }
  }

  @Test(arguments: [FeedFormat.jsonl, .text, .rss, .jsonfeed], Rounds.seeds(1))
  func agreesWithReadingAllRows(_ format: FeedFormat, _ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let posts = try open(Self.bytes(format, &generator), format)
    await count(posts)
    for text in [
      "harbour", "Harbour -rope", "cafe or 潮位", "かもめ tide", "rope", "gull -tide", "-tide",
    ] {
      let query = try PostQuery(text)
      var matcher = PostMatcher(query)
      let expected = (0..<posts.count).filter { matcher.fits(posts.post(at: $0)) }
      let sweep = BackgroundSearch(query)
      sweep.look(
        from: Int.random(in: 0..<posts.count, using: &generator),
        Bool.random(using: &generator) ? .backward : .outward)
      let (rows, count) = posts.searchable
      #expect(count == posts.count)
      sweep.extend(to: count, of: rows)
      await BackgroundSearchTests.finish(sweep)
      let found = (0..<sweep.found.count).compactMap { sweep.found.member(at: $0) }
      #expect(found == expected, "seed \(seed), \(format), \(text)")
    }
  }

  /// A row longer than its part that is read is searched only in that part.
  @Test func rowsOfAnyLength() async throws {
    let long = String(repeating: "x", count: RowReader.rowBytes * 2)
    let text =
      "{\"content_text\":\"tide one\"}\n{\"content_text\":\"\(long) tide\"}\n{\"content_text\":\"tide two\"}\n"
    let posts = try open(Array(text.utf8), .jsonl)
    await count(posts)
    #expect(posts.count == 3)
    for order in [BackgroundSearch.Order.forward, .backward, .outward] {
      let sweep = BackgroundSearch(try PostQuery("tide"))
      sweep.look(from: 1, order)
      let (rows, count) = posts.searchable
      sweep.extend(to: count, of: rows)
      await BackgroundSearchTests.finish(sweep)
      #expect((0..<sweep.found.count).compactMap { sweep.found.member(at: $0) } == [0, 2])
    }
  }

  /// Without a possible match no post is parsed: only bytes are examined.
  @Test func absentWordsParseNoRow() async throws {
    var generator = SeededGenerator(seed: 1)
    let posts = try open(Self.bytes(.jsonl, &generator), .jsonl)
    await count(posts)
    let (rows, count) = posts.searchable
    let sweep = BackgroundSearch(try PostQuery("lighthouse"))
    let before = posts.file.bytesReadByPosition
    sweep.extend(to: count, of: rows)
    await BackgroundSearchTests.finish(sweep)
    #expect(sweep.found.count == 0)
    #expect(posts.file.bytesReadByPosition - before <= (posts.file.size ?? 0) * 2)
  }
}
