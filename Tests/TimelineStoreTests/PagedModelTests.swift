import Feeds
import TestSupport
import Testing
import VirtualList

@testable import TimelineStore

/// Random users and random servers: whatever happens in whatever order, no post is lost or
/// duplicated, and no page is requested without need.
@MainActor @Suite struct PagedModelTests {
  @Test(arguments: [ModelServer.Style.cursor, .number])
  func noPostIsLostOrDoubled(style: ModelServer.Style) async {
    for seed in Rounds.seeds(15) {
      let run = ModelRun(seed: seed, style: style)
      for _ in 0..<150 where run.faults.isEmpty { await run.step() }
      await run.readToTheEnd()
      #expect(run.faults == [], "seed \(seed), \(style)")
      guard run.faults.isEmpty else { return }
    }
  }
}

/// A timeline on a server, newest first, and its pages.
@MainActor final class ModelServer {
  enum Style: Sendable {
    /// A page contains the posts that are older than a given one.
    case cursor
    /// A page begins a number of posts below the top, so new posts shift it.
    case number
  }

  let style: Style
  let pageSize: Int
  private(set) var posts: [Int]
  private(set) var highest: Int

  init(style: Style, count: Int, pageSize: Int) {
    self.style = style
    self.pageSize = pageSize
    posts = Array((1...count).reversed())
    highest = count
  }

  func add(_ count: Int) {
    posts = Array((highest + 1..<highest + 1 + count).reversed()) + posts
    highest += count
  }

  func delete(at index: Int) { posts.remove(at: index) }

  static let first = "https://tides.example/timeline"

  func page(at url: String) -> Page {
    let value = url.split(separator: "=").dropFirst().first.flatMap { Int($0) }
    let start =
      switch style {
      case .cursor: value.map { bound in posts.firstIndex { $0 < bound } ?? posts.count } ?? 0
      case .number: min(posts.count, (value ?? 0) * pageSize)
      }
    let part = posts[start..<min(posts.count, start + pageSize)]
    let hasMore = part.endIndex < posts.count
    let next = style == .cursor ? part.last ?? 0 : (value ?? 0) + 1
    return Page(
      url: url, format: .jsonfeed, posts: part.map { .numbered($0) },
      next: hasMore ? .address("\(Self.first)?from=\(next)") : .none)
  }
}

/// A random run, checked by a naive model of what is allowed.
@MainActor final class ModelRun {
  private var random: SeededGenerator
  private let server: ModelServer
  private let pages = StubPages()
  private let clock = ManualClock()
  private let posts: PagedPostSource
  private var shown = 0..<0
  private var isRefreshing = false
  /// Whether the user has acted since the last failure.
  private var mayTry = true
  private var restUntil = 0.0
  private var mayChange = true
  private var ids: [String: RowID] = [:]
  /// The server's newest post when it last sent the first page.
  private var newest: Int?
  private(set) var faults: [String] = []

  init(seed: UInt64, style: ModelServer.Style) {
    random = SeededGenerator(seed: seed)
    server = ModelServer(
      style: style, count: Int.random(in: 1...120, using: &random),
      pageSize: Int.random(in: 1...8, using: &random))
    posts = PagedPostSource(url: ModelServer.first, loader: pages, clock: clock.clock)
    posts.mayChangeRows = { [unowned self] in mayChange }
    pages.onLoad = { [unowned self] in check(load: $0) }
    posts.start()
    isUnderWay = false
    pages.answer(.success(server.page(at: ModelServer.first)))
  }

  private func check(load url: String) {
    let isWanted =
      posts.count == 0 || isRefreshing || posts.seekTarget != nil
      || posts.count - shown.upperBound < 2 * max(1, shown.count)
    if !isWanted { faults.append("\(url) was asked for by nobody") }
    if !mayTry { faults.append("\(url) was asked for again by itself") }
    if clock.now < restUntil { faults.append("\(url) was asked for too soon") }
    if isUnderWay { faults.append("\(url) was asked for while another was under way") }
    isUnderWay = true
  }

  private var isUnderWay = false

  func step() async {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<6: answer()
    case 6..<11: scroll()
    case 11:
      mayTry = true
      _ = posts.seek(
        Bool.random(using: &random) ? .end : .row(Int.random(in: 0...150, using: &random)))
    case 12: posts.cancelSeek()
    case 13:
      if posts.isRefreshable {
        (mayTry, isRefreshing, newest) = (true, true, nil)
        posts.beginRefresh { [unowned self] in isRefreshing = false }
      }
    case 14: server.add(Int.random(in: 0...(Bool.random(using: &random) ? 4 : 60), using: &random))
    case 15:
      if server.style == .cursor, server.posts.count > 1 {
        server.delete(at: Int.random(in: 0..<server.posts.count, using: &random))
      }
    case 16: mayChange.toggle()
    default: clock.advance(by: Double.random(in: 0...20, using: &random))
    }
    await posts.refreshing?.merging?.value
    check()
  }

  private func scroll() {
    guard posts.count > 0 else { return }
    let start =
      Bool.random(using: &random)
      ? min(shown.upperBound, posts.count - 1) : Int.random(in: 0..<posts.count, using: &random)
    show(start..<min(posts.count, start + Int.random(in: 1...6, using: &random)))
  }

  private func show(_ rows: Range<Int>) {
    if rows != shown { mayTry = true }
    shown = rows
    posts.didShow(rows: rows)
  }

  private func answer(fails: Bool = true) {
    guard let url = pages.pending else { return }
    isUnderWay = false
    if fails, Int.random(in: 0..<4, using: &random) == 0 {
      if pages.isCancelled { return pages.answer(.failure(.cancelled)) }
      let delay = Bool.random(using: &random) ? Double(Int.random(in: 1...30, using: &random)) : nil
      mayTry = false
      restUntil = clock.now + (delay ?? 0)
      return pages.answer(.failure(.status(503, retryAfter: delay)))
    }
    if url == ModelServer.first { newest = server.posts.first }
    pages.answer(.success(server.page(at: url)))
  }

  /// The rows are the server's posts in its order; missing posts are marked by a row.
  private func check() {
    let existing = Set(server.posts)
    var last: Int?
    var isGap = false
    var seen: Set<String> = []
    for row in 0..<posts.count {
      let id = posts.post(at: row).id
      if !seen.insert(id).inserted { return fault("\(id) is there twice") }
      if let known = ids[id], known != posts.rowID(at: row) { return fault("\(id) was renamed") }
      ids[id] = posts.rowID(at: row)
      if posts.row(of: posts.rowID(at: row)) != row { return fault("row \(row) is not found") }
      guard let number = Int(id.dropFirst()) else {
        isGap = true
        continue
      }
      if let last {
        if number >= last { return fault("\(number) stands below \(last)") }
        let isMissing = (number + 1..<last).contains { existing.contains($0) }
        if isMissing, !isGap { return fault("between \(last) and \(number) some are missing") }
      }
      (last, isGap) = (number, false)
    }
  }

  private func fault(_ text: String) { faults.append(text) }

  /// All requests are answered: then the last row is the oldest post.
  func readToTheEnd() async {
    guard faults.isEmpty else { return }
    mayChange = true
    for _ in 0..<2_000 where faults.isEmpty {
      clock.advance(by: 60)
      show(0..<min(1 + Int.random(in: 0...3, using: &random), posts.count))
      mayTry = true
      if !posts.isComplete, posts.seekTarget == nil { _ = posts.seek(.end) }
      answer(fails: false)
      await posts.refreshing?.merging?.value
      check()
      if posts.isComplete, !isRefreshing { break }
    }
    if !posts.isComplete { fault("the end was not reached") }
    let numbers = (0..<posts.count).compactMap { Int(posts.post(at: $0).id.dropFirst()) }
    if server.style == .cursor, let oldest = server.posts.last, let last = numbers.last,
      last > oldest
    {
      fault("the oldest post \(oldest) is missing below \(last)")
    }
    // After a refresh the newest post is on top.
    (isRefreshing, mayTry) = (true, true)
    posts.beginRefresh { [unowned self] in isRefreshing = false }
    for _ in 0..<40 where isRefreshing {
      clock.advance(by: 60)
      answer(fails: false)
      await posts.refreshing?.merging?.value
    }
    check()
    if let newest, posts.post(at: 0).id != "p\(newest)" {
      fault("the newest post \(newest) is not on top")
    }
  }
}
