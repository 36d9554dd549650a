import Feeds
import HTTP

/// Decides which page of a timeline is asked for and when; it holds no post and sends nothing.
///
/// What happens is told to it, and it answers with what is to be done. Its rules:
///
/// 1. One request at a time. What was asked for and is not wanted any more is cancelled, and the
///    next is asked for when that one has ended.
/// 2. An older page is asked for when the rows shown come within ``screensAhead`` screens of the
///    last one, while there are fewer rows than are wanted, or while something is sought. Nothing
///    else asks for one.
/// 3. After a failure nothing is asked for until the reader does something: shows other rows when
///    the pause is over, seeks, or refreshes. The first failure makes no pause, further ones ever
///    longer.
/// 4. A host is asked no more often than ``RequestRate`` says, nor before the time it has named.
///    Only for who seeks, or wants rows, it is waited, with one alarm; others are told.
/// 5. An address is asked for once as an older page. A page that leads to such a one is the last.
/// 6. Pages without a new post count as a failure when ``emptyPages`` of them come in a row.
/// 7. A refresh goes before older pages, and from the first page until posts are known again,
///    ``refreshPages`` at most. While its posts are merged nothing is asked for.
struct Paging: Sendable {
  /// How many screens before the last row the next page is asked for.
  static let screensAhead = 2
  static let emptyPages = 10
  /// Seconds before scrolling tries again after so many.
  static let emptyPause = 10.0
  static let refreshPages = 10
  /// The most that is kept of a timeline in pages: posts, and bytes of memory that they take.
  static let maximumPosts = PostLimit.standard.count
  static let maximumText = PostLimit.standard.bytes

  struct Request: Hashable, Sendable {
    enum Part: Hashable, Sendable { case older, newer }

    /// Counted from 1, in the order of asking.
    let number: Int
    let link: HTTPLink
    let part: Part
    var url: String { link.url }
  }

  enum Action: Hashable, Sendable {
    case fetch(Request)
    /// Its answer is not wanted any more; it will come all the same, as cancelled.
    case cancel
    /// `woke` is to be called after so many seconds.
    case wake(after: Double)
    case cancelWake
    case found(SeekTarget)
    /// The refreshed pages are to be put before the others.
    case merge(RefreshEnd)
    case refreshFailed
  }

  /// Nothing older will come.
  enum End: Hashable, Sendable {
    case lastPage
    /// The last page leads to that one, counted from 1.
    case loop(page: Int)
    /// Why its next page is not asked for.
    case refused(String)
    /// As much is kept as may be.
    case full
    /// Not even the first page could be read.
    case failed
  }

  /// How the refresh ended.
  enum RefreshEnd: Hashable, Sendable {
    /// The posts read go on in those that are known.
    case met
    /// The timeline is that one page now, as it was before.
    case whole
    /// The timeline ended before any known post.
    case ended
    /// There are more pages between the posts read and the known ones.
    case gap
  }

  /// What is known after a page was taken in.
  struct Taken: Sendable {
    /// Where it came from.
    var url: String
    var next: NextPage
    /// Posts that were not known before.
    var added: Int
    /// Of a page of a refresh: whether it goes on in the posts that are known.
    var isMet = false
    /// All there is now: posts, and bytes of memory that they take.
    var count: Int
    var text: Int
    /// Whether the page had more than may be held.
    var isCut = false
  }

  private let first: HTTPLink
  private(set) var request: Request?
  /// Older pages taken in, the first one included.
  private(set) var pageCount = 0
  private(set) var end: End?
  private(set) var seekTarget: SeekTarget?
  private(set) var trouble: PagingTrouble?
  /// Seconds that are waited before the next request; nil where nothing is waited for.
  private(set) var waiting: Double?

  private var next: HTTPLink
  private var visited: [URLReference: Int] = [:]
  private var currentRefresh: Refresh?
  private var postCount = 0
  private var shown = 0..<0
  /// Rows that are to be there, though they do not show.
  private var wantedRows = 0
  private var emptyRun = 0
  private var failureRun = 0
  private var requestCount = 0
  private var rate = RequestRate()
  private var isStopped = false

  private struct Refresh {
    var next: HTTPLink
    var pages = 0
    var isMerging = false
  }

  /// - Parameters:
  ///   - first: the address of the first page.
  ///   - reach: how far whoever names it may lead; the user as a rule.
  init(first: String, reach: HTTPReach = .everywhere) {
    self.first = HTTPLink(first, reach: reach)
    next = self.first
    visited[URLReference(first).normalized] = 1
  }

  var isRefreshing: Bool { currentRefresh != nil }

  private var isNear: Bool {
    postCount == 0
      || !shown.isEmpty && postCount - shown.upperBound < Self.screensAhead * shown.count
  }

  // MARK: What the reader does

  mutating func start(now: Double) -> [Action] { decide(now) }

  /// The timeline is left.
  mutating func stop() -> [Action] {
    isStopped = true
    seekTarget = nil
    return cancelWake() + (request == nil ? [] : [.cancel])
  }

  /// These rows are on the screen.
  mutating func show(rows: Range<Int>, now: Double) -> [Action] {
    let isOther = rows != shown
    shown = rows
    if isOther, let trouble, now >= trouble.until { forgive() }
    return decide(now)
  }

  /// So many rows are to be there, as far as the timeline goes; 0 for those alone that show.
  mutating func want(rows: Int, now: Double) -> [Action] {
    guard rows != wantedRows else { return [] }
    wantedRows = rows
    return decide(now)
  }

  /// Whether there is anything to wait for.
  func canSeek(_ target: SeekTarget) -> Bool {
    guard end == nil else { return false }
    if case .row(let row) = target { return row >= postCount }
    return true
  }

  mutating func seek(_ target: SeekTarget, now: Double) -> [Action] {
    guard canSeek(target) else { return [] }
    seekTarget = target
    forgive()
    return decide(now)
  }

  mutating func cancelSeek() -> [Action] {
    seekTarget = nil
    let isWanted = pageCount == 0 || isNear || request?.part == .newer
    return cancelWake() + (request == nil || isWanted ? [] : [.cancel])
  }

  /// Reads from the first page until known posts come, and seeks no longer. `.merge` or
  /// `.refreshFailed` ends it.
  mutating func refresh(now: Double) -> [Action] {
    guard currentRefresh == nil, pageCount > 0, !isStopped else { return [] }
    currentRefresh = Refresh(next: first)
    seekTarget = nil
    forgive()
    // Whoever waits for a page that does not come need not wait for it now.
    return cancelWake() + (request == nil ? [] : [.cancel]) + decide(now)
  }

  mutating func woke(now: Double) -> [Action] {
    waiting = nil
    return decide(now)
  }

  private mutating func forgive() {
    trouble = nil
    emptyRun = 0
  }

  private mutating func cancelWake() -> [Action] {
    guard waiting != nil else { return [] }
    waiting = nil
    return [.cancelWake]
  }

  // MARK: Answers

  /// The page that was asked for is there and taken in.
  mutating func take(_ page: Taken, now: Double) -> [Action] {
    guard let request else { return [] }
    self.request = nil
    failureRun = 0
    postCount = page.count
    return request.part == .newer ? takeNewer(page, now) : takeOlder(page, request.url, now)
  }

  private mutating func takeOlder(_ page: Taken, _ asked: String, _ now: Double) -> [Action] {
    trouble = nil
    pageCount += 1
    for url in [asked, page.url].map({ URLReference($0).normalized }) where visited[url] == nil {
      visited[url] = pageCount
    }
    follow(page)
    emptyRun = page.added > 0 ? 0 : emptyRun + 1
    if end == nil, emptyRun >= Self.emptyPages {
      trouble = PagingTrouble(.nothingNew(pages: emptyRun), until: now + Self.emptyPause)
      seekTarget = nil
    }
    return endSeek() + decide(now)
  }

  /// Where the timeline goes on behind a page.
  private mutating func follow(_ page: Taken) {
    if page.isCut {
      end = .full
      return
    }
    switch page.next {
    case .none: end = .lastPage
    case .refused(let why): end = .refused(why)
    case .address(let link):
      if let number = visited[URLReference(link.url).normalized] {
        // Some say with a last, empty page that it is the last by naming it again.
        end = page.added == 0 && number == pageCount ? .lastPage : .loop(page: number)
      } else if page.count >= Self.maximumPosts || page.text >= Self.maximumText {
        end = .full
      } else {
        next = link
        end = nil
      }
    }
  }

  private mutating func endSeek() -> [Action] {
    guard let target = seekTarget, !canSeek(target) else { return [] }
    seekTarget = nil
    return [.found(target)]
  }

  private mutating func takeNewer(_ page: Taken, _ now: Double) -> [Action] {
    guard var currentRefresh else { return decide(now) }
    currentRefresh.pages += 1
    var ending: RefreshEnd?
    if currentRefresh.pages == 1, pageCount == 1, page.next == .none, end == .lastPage {
      ending = .whole
    } else if page.count == 0 {
      // Nothing was known: what comes now is the first page.
      ending = .whole
      follow(page)
    } else if page.isMet {
      ending = .met
    } else if currentRefresh.pages == Self.refreshPages {
      ending = .gap
    } else {
      switch page.next {
      case .none, .refused: ending = .ended
      case .address(let link): currentRefresh.next = link
      }
    }
    currentRefresh.isMerging = ending != nil
    self.currentRefresh = currentRefresh
    return ending.map { [.merge($0)] } ?? decide(now)
  }

  /// The refreshed pages were put before the others, or nobody wanted them any more.
  mutating func merged(count: Int, now: Double) -> [Action] {
    currentRefresh = nil
    postCount = count
    return endSeek() + decide(now)
  }

  /// The page that was asked for is not there.
  mutating func fail(_ failure: PageFailure, now: Double) -> [Action] {
    guard let request else { return [] }
    self.request = nil
    if failure.isCancelled { return decide(now) }
    failureRun += 1
    if let delay = failure.retryDelay {
      rate.block(Self.host(of: request.url), until: now + delay)
    }
    let pause = failureRun > 1 ? min(60, Double(1 << min(6, failureRun - 1))) : 0
    trouble = PagingTrouble(
      .failed(failure, page: request.part == .older ? pageCount + 1 : nil),
      until: now + max(pause, failure.retryDelay ?? 0))
    seekTarget = nil
    guard request.part == .newer else {
      if pageCount == 0 { end = .failed }
      return []
    }
    return endRefresh()
  }

  private mutating func endRefresh() -> [Action] {
    currentRefresh = nil
    return [.refreshFailed]
  }

  // MARK: Deciding

  private mutating func decide(_ now: Double) -> [Action] {
    guard !isStopped, request == nil, currentRefresh?.isMerging != true else { return [] }
    if let currentRefresh { return ask(currentRefresh.next, .newer, now) }
    guard end == nil, trouble == nil,
      pageCount == 0 || seekTarget != nil || postCount < wantedRows || isNear
    else { return [] }
    return ask(next, .older, now)
  }

  private mutating func ask(
    _ link: HTTPLink, _ part: Request.Part, _ now: Double
  ) -> [Action] {
    let host = Self.host(of: link.url)
    let delay = rate.delay(of: host, now: now)
    guard delay > 0 else {
      rate.noteRequest(of: host, now: now)
      requestCount += 1
      let request = Request(number: requestCount, link: link, part: part)
      self.request = request
      return cancelWake() + [.fetch(request)]
    }
    guard part == .older, seekTarget != nil || postCount < wantedRows else {
      trouble = PagingTrouble(.tooSoon(seconds: delay), until: now + delay)
      seekTarget = nil
      return part == .newer ? endRefresh() : []
    }
    guard waiting == nil else { return [] }
    waiting = delay
    return [.wake(after: delay)]
  }

  private static func host(of url: String) -> String { URLReference(url).host ?? "" }
}
