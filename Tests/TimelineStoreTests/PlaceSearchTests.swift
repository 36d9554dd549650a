import Feeds
import Glibc
import TestSupport
import Testing
import TextLayout
import VirtualList

@testable import TimelineStore

/// A remembered post is found again, however its source has changed.
@MainActor @Suite struct PlaceSearchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  enum Form: CaseIterable { case lines, text, rss, atom, jsonfeed }

  /// A timeline of posts with these numbers; in a long one not all rows are counted at once.
  private func source(_ numbers: some Sequence<Int>, _ form: Form) -> String {
    let filler = String(repeating: "The tide turns at the quay. ", count: 5)
    func items(_ item: (Int, String) -> String) -> String {
      numbers.map { item($0, "Post \($0) of the gauge. " + filler) }.joined(separator: "\n")
    }
    switch form {
    case .lines:
      return items {
        "{\"id\":\"https:\\/\\/tide.example\\/post-\($0)x\",\"content_text\":\"\($1)\"}"
      } + "\n"
    case .text: return items { "\($1)\n" }
    case .rss:
      return "<rss version=\"2.0\"><channel><title>Tides</title>\n"
        + items { "<item><guid>post&amp;\($0)x</guid><description>\($1)</description></item>" }
        + "</channel></rss>"
    case .atom:
      return "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Tides</title>\n"
        + items { "<entry><id>urn:tide:post\($0)x</id><content>\($1)</content></entry>" }
        + "</feed>"
    case .jsonfeed:
      return "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"Tides\",\"items\":[\n"
        + numbers.map {
          "{\"id\":\"post\($0)x\",\"content_text\":\"Post \($0) of the gauge. \(filler)\"}"
        }.joined(separator: ",\n") + "]}"
    }
  }

  private func open(_ path: String) async throws -> TimelineStore {
    let store = TimelineStore(
      source: try SourceReader(source: .file(path), format: nil, transport: nil))
    try await store.open()
    return store
  }

  private func text(_ store: TimelineStore, _ row: Int) -> String {
    let paragraph = store.post(at: row).body.paragraphs.first?.string ?? ""
    return String(paragraph.prefix { $0 != "." })
  }

  /// The place that a user of `row` leaves behind.
  private func place(
    _ row: Int, of numbers: [Int], _ form: Form
  ) async throws -> RememberedPlace {
    let store = try await open(try folder.write(source(numbers, form), to: "feed"))
    let (changes, feed) = AsyncStream.makeStream(of: Void.self)
    store.onChange = { _ in feed.yield() }
    store.start()
    var iterator = changes.makeAsyncIterator()
    while !store.isComplete { _ = await iterator.next() }
    defer { store.stop() }
    #expect(text(store, row) == "Post \(numbers[row]) of the gauge")
    return try #require(
      store.place(
        ofRow: row, Place(part: 5, offset: 3), words: text(store, row), selectedRow: row + 1))
  }

  /// The row of the post after the source has changed, and the number of new rows above it; `nil`
  /// if it is reported lost.
  private func find(
    _ place: RememberedPlace, in numbers: [Int], _ form: Form
  ) async throws -> (row: Int, new: Int)? {
    let store = try await open(try folder.write(source(numbers, form), to: "feed"))
    defer { store.stop() }
    let (results, feed) = AsyncStream.makeStream(of: (row: Int, new: Int)?.self)
    store.onChange = { change in
      switch change {
      case .placeFound(let row, let new):
        // Before the next change, after which rows may have other numbers.
        let index = number(of: store, row, numbers)
        #expect(!store.isSearchingForPlace && index != nil)
        feed.yield(index.map { ($0, new) })
      case .placeLost:
        #expect(!store.isSearchingForPlace)
        feed.yield(nil)
      default: break
      }
    }
    store.start()
    store.look(for: place)
    var iterator = results.makeAsyncIterator()
    return await iterator.next() ?? nil
  }

  /// The index in `numbers` of the post of a row, whose number may be an estimate.
  private func number(of store: TimelineStore, _ row: Int, _ numbers: [Int]) -> Int? {
    let words = text(store, row).split(separator: " ")
    guard words.count > 1, let number = Int(words[1]), let index = numbers.firstIndex(of: number)
    else { return nil }
    if store.isNumberExact(row) { #expect(row == index) }
    return index
  }

  /// Enough rows to be still counting while a place is looked for.
  nonisolated private static let longCount = Rounds.areMany ? 30_000 : 2_500

  /// All forms, and of long timelines one of each way to read them.
  nonisolated private static let timelines: [(form: Form, count: Int)] =
    Form.allCases.map { ($0, 40) }
    + (Rounds.areMany ? Form.allCases : [.lines, .rss, .jsonfeed]).map { ($0, longCount) }

  @Test(arguments: timelines)
  func anUnchangedSourceKeepsThePlace(form: Form, count: Int) async throws {
    let numbers = Array(0..<count)
    let rows = [0, count / 2, count - 1]
    for row in count < Self.longCount || Rounds.areMany ? rows : [count / 2] {
      let place = try await place(row, of: numbers, form)
      let found = try await find(place, in: numbers, form)
      #expect(found?.row == row && found?.new == 0, "row \(row)")
    }
  }

  @Test(arguments: timelines)
  func insertedRowsAreNew(form: Form, count: Int) async throws {
    let numbers = Array(0..<count)
    let place = try await place(count / 2, of: numbers, form)
    let found = try await find(place, in: (500_000..<500_007) + numbers, form)
    #expect(found?.row == count / 2 + 7 && found?.new == 7, "\(String(describing: found))")
    guard count < Self.longCount || Rounds.areMany else { return }
    let first = try await self.place(0, of: numbers, form)
    let moved = try await find(first, in: [700_000] + numbers, form)
    #expect(moved?.row == 1 && moved?.new == 1)
  }

  @Test(arguments: timelines)
  func aLostPostIsReported(form: Form, count: Int) async throws {
    let numbers = Array(0..<count)
    let place = try await place(count / 2, of: numbers, form)
    #expect(try await find(place, in: numbers.filter { $0 != count / 2 }, form) == nil)
    #expect(try await find(place, in: [1], form) == nil)
  }

  /// A file that has only grown opens at the place with a few reads, whatever its size.
  @Test func aGrownFileOpensAtOnce() async throws {
    var text = source(0..<60_000, .lines)
    let path = try folder.write(text, to: "feed")
    let store = try await open(path)
    store.start()
    let row = 40_000
    let (changes, feed) = AsyncStream.makeStream(of: Void.self)
    store.onChange = { _ in feed.yield() }
    var iterator = changes.makeAsyncIterator()
    while !store.isComplete { _ = await iterator.next() }
    let place = try #require(
      store.place(ofRow: row, Place(part: 1, offset: 0), words: "", selectedRow: nil))
    store.stop()
    text += source(60_000..<61_000, .lines)
    try folder.write(text, to: "feed")
    let again = try await open(path)
    let lazy = try #require(again.timeline?.posts as? FilePostSource)
    let before = lazy.file.bytesReadByPosition
    var found: Int?
    again.onChange = { if case .placeFound(let row, _) = $0 { found = row } }
    // Only the first piece is counted yet.
    again.look(for: place)
    let shown = try #require(found)
    #expect(self.text(again, shown) == "Post 40000 of the gauge")
    #expect(!again.isNumberExact(shown))
    #expect(lazy.file.bytesReadByPosition - before < 2 << 20)
    again.stop()
  }

  /// Random changes of a file, compared with a search in its numbers. With the first seed a post
  /// was lost, because its id was looked for by its host name, which occurred thousands of times
  /// before it.
  @Test(arguments: [(15_169_820_842_853_633_550, 25_000), (UInt64.random(in: 0 ... .max), 3_000)])
  func agreesWithANaiveModel(seed: UInt64, longest: Int) async throws {
    var generator = SeededGenerator(seed: seed)
    for step in 0..<Rounds.times(5) {
      let form = Form.allCases.randomElement(using: &generator) ?? .lines
      let count = [12, 300, longest].randomElement(using: &generator) ?? 12
      let numbers = Array(0..<count)
      let row = Int.random(in: 0..<count, using: &generator)
      let place = try await place(row, of: numbers, form)
      var changed = numbers
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let at = Int.random(in: 0...changed.count, using: &generator)
        let new = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
          Int.random(in: 1_000_000..<9_000_000, using: &generator)
        }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: changed.insert(contentsOf: new, at: 0)
        case 1: changed.insert(contentsOf: new, at: at)
        case 2: changed += new
        default: changed.removeSubrange(at..<min(changed.count, at + new.count))
        }
      }
      if changed.isEmpty { changed = [0] }
      let expected = changed.firstIndex(of: row)
      let found = try await find(place, in: changed, form)
      #expect(
        found?.row == expected,
        "seed \(generator.seed), step \(step), \(form), row \(row) of \(count)")
      // The rows above the formerly first post are new, if that post is near.
      if let found, let first = changed[..<min(1_000, changed.count)].firstIndex(of: 0),
        first <= found.row
      {
        #expect(found.new == first, "seed \(generator.seed), step \(step)")
      }
    }
  }

  @Test func onlyPostsAreRemembered() async throws {
    let path = try folder.write("{\"id\":\"a\"}\n{not json\n", to: "feed")
    let store = try await open(path)
    defer { store.stop() }
    #expect(store.place(ofRow: 5, Place(part: 0, offset: 0), words: "", selectedRow: nil) == nil)
    #expect(store.place(ofRow: -1, Place(part: 0, offset: 0), words: "", selectedRow: nil) == nil)
  }
}
