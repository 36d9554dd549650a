import Feeds
import TestSupport
import Testing
import TextLayout
import VirtualList

@testable import TimelineStore

/// Filtered posts, compared with an array that is filtered again after every step, and a list that
/// follows the reported changes.
@MainActor @Suite struct FilteredPostSourceTests {
  /// A source whose posts the test can change.
  @MainActor final class Posts: PostSource {
    var rows = PostRows()
    let info = TimelineInfo()
    var isComplete = true
    let activity = ""
    let message: (text: String, isError: Bool)? = nil
    let failure: SourceError? = nil
    var onChange: ((SourceChange) -> Void)?
    var mayChangeRows: () -> Bool = { true }
    let expectsMore = false
    var capabilities = SourceCapabilities()
    var count: Int { rows.count }
    var searchable: (rows: any SearchableRows, count: Int) {
      (PostsInMemory(posts: rows.posts), count)
    }
    func post(at row: Int) -> Post { rows[row] }
    func rowID(at row: Int) -> RowID { rows.id(at: row) }
    func row(of id: RowID) -> Int? { rows.row(of: id) }
    func kind(of row: Int) -> Int? { nil }
    func textLength(ofRows rows: Range<Int>) -> Int? { nil }
    func didShow(rows: Range<Int>) {}
    func start() {}
    func stop() {}
  }

  /// A list that knows only the reported changes.
  @MainActor final class Told {
    var ids: [RowID] = []
    let posts: FilteredPostSource

    init(_ posts: FilteredPostSource) {
      self.posts = posts
      take()
    }

    func take() { ids = (0..<posts.count).map(posts.rowID(at:)) }

    func hear(_ change: SourceChange) {
      switch change {
      case .rows(let deletions, let insertions, _):
        for range in deletions.sorted(by: { $0.lowerBound > $1.lowerBound }) {
          ids.removeSubrange(range)
        }
        for range in insertions.sorted(by: { $0.lowerBound < $1.lowerBound }) {
          ids.insert(contentsOf: range.map(posts.rowID(at:)), at: range.lowerBound)
        }
      case .refreshed(let change):
        guard let updates = change.updates else { return take() }
        do {
          let mapping = try updates.mapping(from: ids.count, to: posts.count)
          var new = [RowID?](repeating: nil, count: posts.count)
          for (old, id) in ids.enumerated() {
            if let row = mapping.newRow(forOld: old) { new[row] = id }
          }
          for range in updates.insertions { for row in range { new[row] = posts.rowID(at: row) } }
          ids = new.compactMap { $0 }
        } catch {
          Issue.record("updates that do not fit: \(error)")
        }
      case .state, .found, .reopened, .placeFound, .placeLost: break
      }
    }
  }

  private func settle(_ posts: FilteredPostSource, _ told: Told) async {
    guard !posts.isComplete else { return }
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    posts.onChange = {
      told.hear($0)
      continuation.yield()
    }
    for await _ in changes where posts.isComplete { break }
    posts.onChange = { told.hear($0) }
  }

  @Test(arguments: Rounds.seeds(4))
  func agreesWithANaiveFilter(_ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let base = Posts()
    base.rows.append(
      BackgroundSearchTests.posts(Int.random(in: 0...2_000, using: &generator), &generator))
    let query = try PostQuery(["tide", "-rope", "cafe or 潮位", "gull wave"][Int(seed % 4)])
    var matcher = PostMatcher(query)
    let middle = Int.random(in: 0...max(0, base.count), using: &generator)
    let posts = FilteredPostSource(base, query: query, around: middle..<middle + 20)
    posts.attach { _ in }
    let told = Told(posts)
    posts.onChange = { told.hear($0) }
    var nextID = 10_000
    for step in 0..<12 {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        let more = BackgroundSearchTests.posts(
          Int.random(in: 1...600, using: &generator), &generator, from: nextID)
        nextID += more.count
        let start = base.count
        base.rows.append(more)
        base.onChange?(.rows(deletions: [], insertions: [start..<base.count], reloads: []))
      case 1:
        // New posts on top, some deleted, some with new contents.
        var all = base.rows.posts
        let added = BackgroundSearchTests.posts(
          Int.random(in: 0...400, using: &generator), &generator, from: nextID)
        nextID += added.count
        for _ in 0..<Int.random(in: 0...5, using: &generator) where !all.isEmpty {
          all.remove(at: Int.random(in: 0..<all.count, using: &generator))
        }
        for index in all.indices where Int.random(in: 0..<50, using: &generator) == 0 {
          all[index].body = BackgroundSearchTests.posts(1, &generator)[0].body
        }
        let (new, change) = base.rows.refreshed(with: added + all)
        base.rows = new
        base.onChange?(.refreshed(change))
      case 2: await settle(posts, told)
      default: await Task.yield()
      }
      #expect(
        posts.brokenInvariants().isEmpty, "seed \(seed), step \(step): \(posts.brokenInvariants())")
      #expect(told.ids == (0..<posts.count).map(posts.rowID(at:)), "seed \(seed), step \(step)")
    }
    await settle(posts, told)
    let expected = (0..<base.count).filter { matcher.fits(base.post(at: $0)) }
    #expect((0..<posts.count).map(posts.baseRow(of:)) == expected, "seed \(seed)")
    #expect(told.ids == expected.map(base.rowID(at:)), "seed \(seed)")
    for (row, baseRow) in expected.enumerated() {
      #expect(posts.row(ofBase: baseRow) == row)
      #expect(posts.row(of: base.rowID(at: baseRow)) == row)
    }
  }

  @Test func visibleRowsAreFilteredAtOnce() throws {
    var generator = SeededGenerator(seed: 9)
    let base = Posts()
    base.rows.append(BackgroundSearchTests.posts(5_000, &generator))
    let query = try PostQuery("tide")
    var matcher = PostMatcher(query)
    let posts = FilteredPostSource(base, query: query, around: 2_000..<2_040)
    let expected = (2_000..<2_040).filter { matcher.fits(base.post(at: $0)) }
    #expect((0..<posts.count).map(posts.baseRow(of:)) == expected)
    #expect(!posts.isComplete)
  }

  @Test func nothingChangesWhileTheBarIsHeld() async throws {
    var generator = SeededGenerator(seed: 10)
    let base = Posts()
    base.rows.append(BackgroundSearchTests.posts(3_000, &generator))
    let posts = FilteredPostSource(base, query: try PostQuery("tide"), around: 0..<0)
    posts.attach { _ in }
    var isHeld = true
    posts.mayChangeRows = { !isHeld }
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    posts.onChange = { change in
      if case .rows = change { #expect(!isHeld) }
      continuation.yield()
    }
    for await _ in changes where posts.activity.isEmpty { break }
    #expect(posts.count == 0)
    isHeld = false
    posts.didShow(rows: 0..<0)
    #expect(posts.count > 0 && posts.isComplete)
  }
}
