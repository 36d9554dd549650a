import Feeds
import TestSupport
import Testing
import VirtualList

@testable import TimelineStore

/// The rows of an open timeline, with and without a filter, compared with a naive model.
@MainActor @Suite struct OpenTimelineTests {
  /// Rows of which those from `estimated` on are not counted, and the last does not exist.
  @MainActor final class Estimates: FileRows {
    let estimated: Int
    let count: Int
    let isReplaced = false

    init(from estimated: Int, of count: Int) { (self.estimated, self.count) = (estimated, count) }

    func isStaleGuess(_ row: Int) -> Bool { row >= estimated && row == count - 1 }
    func isNumberExact(_ row: Int) -> Bool { row < estimated }
    func extent(ofRow row: Int) -> RowSizeBound? { nil }
    func byte(ofRow row: Int) -> Int? { row * 100 }
  }

  /// A source that seeks, and notes what was sought.
  @MainActor final class Seeker: SeekableSource {
    private(set) var seekTarget: SeekTarget?
    func seek(_ target: SeekTarget) -> Bool {
      seekTarget = target
      return true
    }
    func cancelSeek() { seekTarget = nil }
  }

  private func settle(_ timeline: OpenTimeline) async {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    timeline.observe(
      onSourceChange: { _ in }, onChange: { _ in continuation.yield() }, mayChangeRows: { true })
    guard !timeline.shown.isComplete else { return }
    for await _ in changes where timeline.shown.isComplete { break }
  }

  @Test(arguments: Rounds.seeds(4))
  func numbersAgreeWithANaiveFilter(_ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let base = FilteredPostSourceTests.Posts()
    base.rows.append(
      BackgroundSearchTests.posts(Int.random(in: 1...900, using: &generator), &generator))
    let timeline = OpenTimeline(base)
    for text in [nil, "tide", "潮位 -rope", nil, "nothing like that"] {
      let query = try text.map { try PostQuery($0) }
      timeline.show(fitting: query, around: 0..<20)
      await settle(timeline)
      var matcher = query.map { PostMatcher($0) }
      let expected = (0..<base.count).filter { matcher?.fits(base.post(at: $0)) ?? true }
      #expect((timeline.filtered == nil) == (query == nil))
      #expect(timeline.shown.count == expected.count, "seed \(seed)")
      #expect((0..<expected.count).map(timeline.sourceRow) == expected, "seed \(seed)")
      for row in 0..<base.count {
        let shown = expected.firstIndex(of: row)
        #expect(timeline.row(ofSource: row) == shown, "seed \(seed), row \(row)")
        let nearest = expected.firstIndex { $0 >= row } ?? expected.indices.last
        #expect(timeline.nearestRow(toSource: row) == nearest, "seed \(seed), row \(row)")
      }
      guard expected.count > 3 else { continue }
      #expect(timeline.sourceRows(from: 1..<3) == expected[1]..<expected[2] + 1)
      #expect(timeline.sourceRows(from: 0..<0).isEmpty)
    }
  }

  @Test func onlyUnfilteredRowsAreEstimated() async throws {
    var generator = SeededGenerator(seed: 1)
    let base = FilteredPostSourceTests.Posts()
    base.rows.append(BackgroundSearchTests.posts(100, &generator))
    base.capabilities.fileRows = Estimates(from: 60, of: 100)
    let timeline = OpenTimeline(base)
    #expect(timeline.isNumberExact(59) && !timeline.isNumberExact(60))
    #expect(timeline.isStaleGuess(99) && !timeline.isStaleGuess(98))
    timeline.show(fitting: try PostQuery("tide"), around: 0..<20)
    await settle(timeline)
    for row in 0..<timeline.shown.count {
      #expect(timeline.isNumberExact(row) && !timeline.isStaleGuess(row))
    }
  }

  @Test func sourcesWithoutACapabilityHaveExactRowsAndSeekNothing() {
    let base = FilteredPostSourceTests.Posts()
    let timeline = OpenTimeline(base)
    #expect(timeline.isNumberExact(0) && !timeline.isStaleGuess(0))
    #expect(timeline.extent(ofRow: 0) == nil && !timeline.seek(.end))
  }

  @Test func aFilterSeeksOnlyTheEnd() throws {
    let (base, seeker) = (FilteredPostSourceTests.Posts(), Seeker())
    base.capabilities.seeking = seeker
    let timeline = OpenTimeline(base)
    #expect(timeline.seek(.row(5)) && seeker.seekTarget == .row(5))
    timeline.show(fitting: try PostQuery("tide"), around: 0..<0)
    #expect(!timeline.seek(.row(6)) && seeker.seekTarget == .row(5))
    #expect(timeline.seek(.end) && seeker.seekTarget == .end)
  }

  @Test func changesOfTheSourceAreReportedFilteredOrNot() throws {
    let base = FilteredPostSourceTests.Posts()
    let timeline = OpenTimeline(base)
    var order: [String] = []
    func observe() {
      timeline.observe(
        onSourceChange: { _ in order.append("source") }, onChange: { _ in order.append("shown") },
        mayChangeRows: { true })
    }
    observe()
    base.onChange?(.state)
    #expect(order == ["source", "shown"])
    timeline.show(fitting: try PostQuery("tide"), around: 0..<0)
    observe()
    base.onChange?(.state)
    #expect(order == ["source", "shown", "source", "shown"])
    timeline.close()
    base.onChange?(.state)
    #expect(order.count == 4)
  }
}
