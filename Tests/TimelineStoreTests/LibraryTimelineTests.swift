import Feeds
import FoundationEssentials
import Subscriptions
import TestSupport
import Testing
import TextLayout
import VirtualList

@testable import Library
@testable import TimelineStore

/// The rows, marks and queries of a library's timelines.
@MainActor @Suite struct LibraryTimelineTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let now = 1_800_000_000.0

  /// A record with items by their numbers; a higher number is newer.
  private func record(_ numbers: some Sequence<Int>) -> FetchRecord {
    let items = numbers.map { number in
      NewItem(
        guid: "g\(number)", link: nil, title: "", published: Self.now - 1_000 + Double(number),
        body: .line(Array("{\"id\":\"g\(number)\",\"content_text\":\"tide \(number)\"}".utf8)))
    }
    return FetchRecord(.document(title: "Harbour", items: items), nextTime: Self.now)
  }

  private func library(_ numbers: some Sequence<Int>) throws -> (FeedLibrary, FeedID) {
    let library = try FeedLibrary(path: folder.path + "/library.db")
    let feed = try library.follow("http://127.0.0.1/harbour", at: Self.now).id
    _ = try library.recordFetch(record(numbers), of: feed, at: Self.now)
    return (library, feed)
  }

  private func ids(_ store: TimelineStore) -> [String] {
    (0..<store.count).map { store.post(at: $0).id }
  }

  private func opened(_ open: OpenLibrary, _ scope: FeedScope = .everything) async throws
    -> TimelineStore
  {
    let store = open.timeline(of: scope, key: "\(scope)")
    try await store.open()
    store.start()
    await eventually { store.isComplete }
    return store
  }

  /// The rows do not wait for the first visit to be written.
  @Test func rowsAreReadWhileAnotherProgramWrites() async throws {
    let (library, _) = try library(0..<300)
    let other = try SQLiteConnection(
      path: library.path, file: library.path, access: .readWrite, patience: 0)
    try other.execute("BEGIN IMMEDIATE")
    let open = OpenLibrary(library, refresher: nil)
    try await open.load(keys: [])
    let store = open.timeline(key: "all")
    try await store.open()
    store.start()
    await eventually { store.isComplete }
    #expect(store.count == 300)
    #expect(try library.visit(of: "all") == nil)
    // It was still waiting.
    other.rollBack()
    await eventually { ((try? library.visit(of: "all")) ?? nil) != nil }
    #expect(try library.visit(of: "all") != nil)
  }

  @Test func rowsAreNewestFirstAndReadInPieces() async throws {
    let (library, _) = try library(0..<3_000)
    let open = OpenLibrary(library, refresher: nil)
    try await open.load(keys: [])
    let store = open.timeline(key: "all")
    try await store.open()
    #expect(store.count == 100 && !store.isComplete)
    store.start()
    await eventually { store.isComplete }
    #expect(ids(store) == (0..<3_000).reversed().map { "g\($0)" })
    #expect(store.post(at: 0).source == "Harbour")
    for row in [0, 99, 100, 2_999] { #expect(store.row(of: store.rowID(at: row)) == row) }
  }

  @Test func marksAreSharedWrittenAndTakenBack() async throws {
    let (library, feed) = try library(0..<5)
    let open = OpenLibrary(library, refresher: nil)
    try await open.load(keys: [])
    let all = try await opened(open)
    let own = try await opened(open, .feed(feed))
    let (marks, others) = try (#require(all.marks), #require(own.marks))
    #expect(marks.unreadCount == 5)
    #expect(marks.mark(row: 1, as: .read) && !marks.mark(row: 1, as: .read))
    #expect(marks.mark(row: 2, as: .saved))
    #expect(others.marks(ofRow: 1) == [] && others.marks(ofRow: 2) == [.unread, .saved])
    #expect(marks.row(after: 0, having: .unread) == 2 && marks.row(before: 2, having: .unread) == 0)
    #expect(others.markAll(as: .read) == 4 && marks.unreadCount == 0)
    #expect(try await marks.undoMarking()?.items.count == 4)
    #expect(others.unreadCount == 4 && marks.unreadCount == 4)
    try await marks.finishMarking()
    let again = try FeedLibrary(path: library.path, isReadOnly: true)
    #expect(try again.unreadItems().count == 4 && again.savedItems().count == 1)
  }

  /// The first opening of a library with items is taken for a visit; a later one covers only what was
  /// shown.
  @Test func aVisitCoversWhatWasShown() async throws {
    let (library, feed) = try library(0..<4)
    let open = OpenLibrary(library, refresher: nil)
    try await open.load(keys: [])
    let store = try await opened(open)
    let marks = try #require(store.marks)
    await eventually { marks.newSince != nil }
    #expect(marks.newCount == 0)
    let key = "\(FeedScope.everything)"
    #expect(try library.visit(of: key)?.latestItem == ItemID(4))
    _ = try library.recordFetch(record(0..<6), of: feed, at: Self.now)
    marks.recordVisit()
    try await marks.finishMarking()
    #expect(try library.visit(of: key)?.latestItem == ItemID(4), "two did not show")

    let next = OpenLibrary(library, refresher: nil)
    try await next.load(keys: [key])
    let again = try await opened(next)
    #expect(again.marks?.newCount == 2)
    #expect((0...6).map { again.marks?.newCount(above: $0) } == [0, 1, 2, 2, 2, 2, 2])
    again.marks?.recordVisit()
    try await again.marks?.finishMarking()
    #expect(try library.visit(of: key)?.latestItem == ItemID(6))
  }

  /// The items of a library's first refresh are not new, those of its next one are, in one session;
  /// a filter by marks gets them, too.
  @Test func whatArrivesInTheFirstSessionIsNew() async throws {
    let library = try FeedLibrary(path: folder.path + "/library.db")
    let feed = try library.follow("http://127.0.0.1/harbour", at: Self.now).id
    let refresher = TimelineRefresher()
    let open = OpenLibrary(library, refresher: refresher)
    try await open.load(keys: [])
    let store = try await opened(open)
    let marks = try #require(store.marks)
    refresher.take(
      .fetched(try library.recordFetch(record(0..<4), of: feed, at: Self.now), omission: nil))
    refresher.take(.ended(RefreshProgress(done: 1, total: 1, failed: 0)))
    await eventually { marks.newSince != nil }
    #expect(store.count == 4 && marks.newCount == 0 && marks.unreadCount == 4)
    store.show(fitting: try PostQuery("is:unread"), around: 0..<10)
    await eventually { store.isComplete }
    refresher.take(
      .fetched(try library.recordFetch(record(0..<7), of: feed, at: Self.now), omission: nil))
    refresher.take(.ended(RefreshProgress(done: 1, total: 1, failed: 0)))
    await eventually { store.isComplete && store.count == 7 }
    #expect(store.count == 7)
    store.show(fitting: nil, around: 0..<0)
    #expect(marks.newCount == 3 && marks.row(after: -1, having: .new) == 0)
  }

  @Test func nothingIsNewBeforeTheFirstItems() throws {
    let library = try FeedLibrary(path: folder.path + "/empty.db")
    #expect(try library.visit(of: "all", orNow: 1) == nil)
    #expect(try library.visit(of: "all") == nil)
  }

  /// Marks change on the screen only, and nothing is reported.
  @Test func aLibraryThatIsOnlyReadIsNotWritten() async throws {
    let path = try library(0..<3).0.path
    let open = OpenLibrary(try FeedLibrary(path: path, isReadOnly: true), refresher: nil)
    try await open.load(keys: [])
    let store = try await opened(open)
    let marks = try #require(store.marks)
    #expect(marks.mark(row: 0, as: .read) && marks.unreadCount == 2 && !marks.areKept)
    #expect(marks.markAll(as: .read) == 2)
    #expect(try await marks.undoMarking()?.items.count == 2)
    #expect(marks.unreadCount == 2)
    marks.recordVisit()
    try await marks.finishMarking()
    #expect(store.message == nil)
    #expect(try FeedLibrary(path: path, isReadOnly: true).unreadItems().count == 3)
  }

  @Test func queriesKnowMarksAndFeeds() async throws {
    let (library, _) = try library(0..<40)
    let open = OpenLibrary(library, refresher: nil)
    try await open.load(keys: [])
    let store = try await opened(open)
    let marks = try #require(store.marks)
    marks.mark(rows: [3, 7, 20], as: .read)
    marks.mark(row: 7, as: .saved)
    func count(_ query: String) async throws -> Int {
      store.show(fitting: try PostQuery(query), around: 0..<10)
      await eventually { store.isComplete }
      defer { store.show(fitting: nil, around: 0..<0) }
      return store.count
    }
    #expect(try await count("is:read") == 3)
    #expect(try await count("is:unread") == 37)
    #expect(try await count("is:read -is:saved") == 2)
    #expect(try await count("is:saved tide") == 1)
    #expect(try await count("feed:harbour") == 40)
    #expect(try await count("feed:gauge") == 0)
    #expect(try await count("feed:harbour is:read -is:saved") == 2)
    #expect(try await count("-feed:harbour or is:saved") == 1)
    #expect(try await count("feed:harbour \"tide 7\" or feed:gauge") == 1)
    #expect(try await count("is:new") == 0)
    store.show(fitting: try PostQuery("is:unread"), around: 0..<10)
    await eventually { store.isComplete }
    // A post that is read while one looks at it stays.
    try #require(store.marks).mark(row: 0, as: .read)
    #expect(store.count == 37)
    try await marks.finishMarking()
    let reader = LibraryReader(
      library, scope: .everything, timeline: "all", as: .styled,
      fitting: try PostQuery("is:read"))
    #expect(try await reader.next()?.posts.count == 4)
  }

  /// What marks and feeds decide is decided without the post, and as with it.
  @Test(arguments: [
    ("is:read", true), ("feed:harbour", true), ("-feed:gauge is:unread", true),
    ("is:saved or feed:gauge -is:read", true), ("tide", false),
    ("feed:gauge tide or is:saved", false),
    ("-is:saved -tide", false), ("feed:harbour or has:picture", false),
  ])
  func verdictsNeedNoPost(query: String, isEnough: Bool) throws {
    var matcher = PostMatcher(try PostQuery(query))
    let posts = ["tide", "gauge"].map { text in
      var post = Post(id: text)
      post.body = StyledText(text)
      return post
    }
    for marks in [[], .unread, .saved, [.unread, .saved]] as [PostMarks] {
      for names in [["Harbour"], ["Gauge", "http://127.0.0.1/"], []] {
        let verdict = matcher.verdict(marks, feedNames: names)
        #expect(verdict != nil || !isEnough)
        let context = MatchContext(marks: marks, feedNames: names)
        let fits = Set(posts.map { matcher.fits($0, in: context) })
        #expect(verdict == nil || fits == [verdict], "\(query), \(marks), \(names)")
        let withoutNames = matcher.verdict(marks)
        #expect(withoutNames == nil || withoutNames == verdict, "\(query), \(marks)")
      }
    }
  }

  @Test(arguments: ["is:old", "is:", "feed:"]) func wrongQueriesAreRefused(query: String) {
    #expect(throws: PostQueryError.self) { try PostQuery(query) }
  }

  @Test func whatOtherProgramsWriteIsTakenIn() async throws {
    let (library, feed) = try library(0..<10)
    let open = OpenLibrary(library, refresher: nil)
    try await open.load(keys: [])
    let store = try await opened(open)
    let other = try FeedLibrary(path: library.path)
    _ = try other.recordFetch(record([5, 20, 30]), of: feed, at: Self.now + 1)
    _ = try other.mark(try other.unreadItems(), as: .read, at: Self.now + 2)
    try #require(store.marks).takeInOtherChanges()
    await eventually { store.count == 12 && store.marks?.unreadCount == 0 }
    #expect(ids(store).prefix(3) == ["g30", "g20", "g9"])
  }

  /// Marks that were read before one of this program are outdated: they are read again on a later
  /// key, although no other program has written since.
  /// All rows are read in the background: a snapshot from before an arrival does not take it away.
  @Test func rowsThatArriveWhileAllAreReadStay() async throws {
    let (library, feed) = try library(0..<50)
    let refresher = TimelineRefresher()
    let open = OpenLibrary(library, refresher: refresher)
    try await open.load(keys: [])
    let store = try await opened(open)
    for number in 50..<250 {
      refresher.take(.deleted)
      // The arrival meets the reading at another point each time.
      for _ in 0..<number % 50 { await Task.yield() }
      refresher.take(
        .fetched(try library.recordFetch(record([number]), of: feed, at: Self.now), omission: nil))
      var least = store.count
      for _ in 0..<100 {
        await Task.yield()
        least = min(least, store.count)
      }
      #expect(least == number + 1)
    }
  }

  @Test func marksOfBothProgramsAreKept() async throws {
    let (library, _) = try library(0..<10)
    let open = OpenLibrary(library, refresher: nil)
    try await open.load(keys: [])
    let marks = try #require(try await opened(open).marks)
    let other = try FeedLibrary(path: library.path)
    _ = try other.mark(ItemRanges([ItemID(5)]), as: .read, at: Self.now)
    marks.takeInOtherChanges()
    marks.mark(row: 0, as: .read)
    #expect(marks.unreadCount == 9)
    await eventually {
      marks.takeInOtherChanges()
      return marks.unreadCount != 9
    }
    #expect(marks.unreadCount == 8)
    try await marks.finishMarking()
    #expect(try library.unreadItems().count == 8)
  }

  /// The feeds of another program appear in the list; while they cannot be read, the last ones stay.
  @Test func theListOfFeedsSaysThatItCannotBeRead() async throws {
    let (library, _) = try library(0..<3)
    let refresher = TimelineRefresher()
    let open = OpenLibrary(library, refresher: refresher)
    try await open.load(keys: [])
    let store = try await opened(open)
    let catalog = FeedCatalog(of: open, refresher: refresher)
    #expect(catalog.feeds.isEmpty && catalog.reading == .active)
    catalog.reload()
    await eventually { catalog.reading == .done }
    #expect(catalog.feeds.count == 1)
    let other = try SQLiteConnection(
      path: library.path, file: library.path, access: .readWrite, patience: 0)
    try other.execute("ALTER TABLE feed RENAME TO gone")
    catalog.reload()
    await eventually { catalog.reading != .done }
    guard case .failed(let problem) = catalog.reading else {
      Issue.record("\(catalog.reading)")
      return
    }
    #expect(problem.hasPrefix("library.db: ") && catalog.feeds.count == 1)
    try other.execute("ALTER TABLE gone RENAME TO feed")
    _ = try FeedLibrary(path: library.path).follow("http://127.0.0.1/gauge", at: Self.now)
    let marks = try #require(store.marks)
    await eventually {
      marks.takeInOtherChanges()
      return catalog.feeds.count == 2
    }
    #expect(catalog.reading == .done)
  }

  /// Posts on a damaged page neither match nor hide those on others.
  @Test func aSearchCountsWhatItCannotRead() async throws {
    let path = try library(0..<600).0.path
    try FeedLibrary(path: path).emptyLog()
    var bytes = try PackageFiles.bytes(at: path)
    let place = try #require(bytes.firstRange(of: Array("\"tide 300\"".utf8))).lowerBound
    let page = place / 4_096 * 4_096
    for offset in page..<page + 4_096 { bytes[offset] = 0xFF }
    try Data(bytes).write(to: URL(filePath: path))
    let open = OpenLibrary(try FeedLibrary(path: path, isReadOnly: true), refresher: nil)
    try await open.load(keys: [])
    let store = try await opened(open)
    #expect(store.count == 600)
    let damaged = (0..<600).count { store.post(at: $0).damage != nil }
    #expect(damaged > 0 && damaged < 300)
    store.search(for: try #require(TextNeedle("tide")), from: 0, .forward)
    await eventually { store.search.found.isAll }
    #expect(store.search.found.count == 600 - damaged)
    #expect(store.search.unreadableCount == damaged)
    for around in [0..<10, 250..<350] {
      store.show(fitting: try PostQuery("tide"), around: around)
      await eventually { store.isComplete }
      #expect(store.count == 600 - damaged && store.unreadableCount == damaged)
    }
    store.show(fitting: nil, around: 0..<0)
    #expect(store.unreadableCount == 0)
  }

  /// Rows against a plain sorted array, in one block and in several.
  @Test(arguments: 1...24) func rowsAgreeWithAnArray(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func places(_ count: Int) -> [ItemPlace] {
      (0..<count).map { _ in
        ItemPlace(
          ItemID(.random(in: 1...500, using: &random)), date: .random(in: 0...20, using: &random))
      }
    }
    var all = Set(places(60)).sorted()
    let blockLimit = seed.isMultiple(of: 4) ? 8_192 : Int(seed)
    var rows = LibraryRows(Array(all.prefix(20)), isComplete: false, blockLimit: blockLimit)
    for _ in 0..<30 {
      let (before, snapshot) = (Array(rows), rows)
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where !rows.isComplete:
        let more = Array(all.dropFirst(rows.count).prefix(15))
        let start = rows.count
        let new = rows.append(more, isLast: rows.count + more.count == all.count)
        #expect(new == start..<start + more.count, "seed \(seed)")
      case 1:
        all = all.filter { _ in !Int.random(in: 0..<8, using: &random).isMultiple(of: 8) }
        let (deletions, insertions) = rows.replace(with: all)
        var copy = before
        for range in deletions.reversed() { copy.removeSubrange(range) }
        for range in insertions { copy.insert(contentsOf: all[range], at: range.lowerBound) }
        #expect(copy == all, "seed \(seed)")
      default:
        let new = places(Int.random(in: 1...5, using: &random))
        all = Set(all + new).sorted()
        var copy = before
        for range in rows.insert(new) {
          copy.insert(contentsOf: rows[range], at: range.lowerBound)
        }
        #expect(copy == Array(rows), "seed \(seed)")
      }
      #expect(Array(snapshot) == before, "seed \(seed)")
      #expect(Array(rows) == Array(all.prefix(rows.count)), "seed \(seed)")
      #expect(!rows.isComplete || rows.count == all.count, "seed \(seed)")
      #expect(rows.brokenInvariants().isEmpty, "seed \(seed)")
      check(rows, seed)
    }
  }

  /// Looks for rows of every part in several ways.
  private func check(_ rows: LibraryRows, _ seed: UInt64) {
    let places = Array(rows)
    for row in places.indices {
      #expect(rows[row] == places[row], "seed \(seed)")
      #expect(rows.position(of: places[row]) == (row, true), "seed \(seed)")
      let isSeventh: @Sendable (ItemID) -> Bool = { $0.rawValue.isMultiple(of: 7) }
      #expect(
        rows.first(from: row, where: isSeventh)
          == places[row...].firstIndex { isSeventh($0.item) }, "seed \(seed)")
      #expect(
        rows.last(before: row, where: isSeventh)
          == places[..<row].lastIndex { isSeventh($0.item) }, "seed \(seed)")
      let some = row..<min(row + 12, places.count)
      let count = places[some].count { isSeventh($0.item) }
      #expect(rows.count(in: some, where: isSeventh) == count, "seed \(seed)")
      #expect(rows.count(in: some, atMost: 1, where: isSeventh) == min(1, count), "seed \(seed)")
    }
    #expect(rows.first(from: places.count) { _ in true } == nil)
    #expect(rows.last(before: 0) { _ in true } == nil)
    #expect(rows.count(in: -3..<places.count + 3) { _ in true } == places.count)
  }
}
