import Feeds
import HTTP

/// Decides which page of a timeline is requested, and when; it holds no posts and sends nothing.
///
/// It is a state machine: events are reported to it, and it returns the actions to perform. Its
/// rules:
///
/// 1. There is one request at a time. A request that is not wanted any more is cancelled, and the
///    next one is sent when it has ended.
/// 2. An older page is requested when the rows shown come near the last one, or fewer rows than
///    are wanted (`RowDemand`), or during a seek. Nothing else requests one.
/// 3. After a failure nothing is requested until the user acts: shows other rows after the pause,
///    seeks, or refreshes. The first failure causes no pause, further ones increasing pauses.
/// 4. A host gets no more requests than ``RequestRate`` allows, and none before the time it has
///    named. Only a seek, or wanted rows, wait for that, with one timer; for anything else the
///    delay is reported.
/// 5. Pages are followed until one is the last, or leads back (`PageTrail`).
/// 6. ``emptyPages`` pages in a row without a new post count as a failure.
/// 7. A refresh comes before older pages, and reads from the first page until posts are known
///    again, ``refreshPages`` pages at most. While its posts are merged nothing is requested.
struct Paging: Sendable {
  static let emptyPages = 10
  /// The seconds after which scrolling tries again after that many empty pages.
  static let emptyPause = 10.0
  static let refreshPages = 10
  /// The limit of a timeline in pages: the number of posts, and the bytes of memory that they take.
  static let maximumPosts = PostLimit.standard.count
  static let maximumPostBytes = PostLimit.standard.bytes

  struct Request: Hashable, Sendable {
    enum Part: Hashable, Sendable { case older, newer }

    /// Counted from 1, in the order of requests.
    let number: Int
    let link: HTTPLink
    let part: Part
    var url: String { link.url }
  }

  enum Action: Hashable, Sendable {
    case fetch(Request)
    /// Cancels the current request, which will still fail as cancelled.
    case cancel
    /// Calls `woke` after these seconds.
    case wake(after: Double)
    case cancelWake
    case found(SeekTarget)
    /// Puts the refreshed posts before the others.
    case merge(RefreshEnd)
    case refreshFailed
  }

  /// How the refresh ended.
  enum RefreshEnd: Hashable, Sendable {
    /// The posts read connect to the known ones.
    case met
    /// The page read is the whole timeline, as before.
    case whole
    /// The timeline ended before any known post.
    case ended
    /// There are more pages between the posts read and the known ones.
    case gap
  }

  /// The state after a page was added.
  struct AddedPage: Sendable {
    /// The address of the page.
    var url: String
    var next: NextPage
    /// The number of posts that were new.
    var added: Int
    /// Of a page of a refresh: whether its posts connect to the known ones.
    var connectsToKnownPosts = false
    /// All posts: their number, and the bytes of memory that they take.
    var count: Int
    var text: Int
    /// Whether the page had more posts than may be held.
    var isCut = false
  }

  private(set) var request: Request?
  private(set) var seekTarget: SeekTarget?
  private(set) var trouble: PagingProblem?
  /// The seconds to wait before the next request; `nil` if none is waiting.
  private(set) var waiting: Double?

  private var trail: PageTrail
  private var demand = RowDemand()
  private var currentRefresh: Refresh?
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
  ///   - reach: the reach granted to the address, which the user has named as a rule.
  init(first: String, reach: RequestScope = .everywhere) {
    trail = PageTrail(first: HTTPLink(first, reach: reach))
  }

  /// The number of older pages added, including the first one.
  var pageCount: Int { trail.count }
  /// Why no older page follows; `nil` if one may.
  var end: PageTrail.End? { trail.end }

  var isRefreshing: Bool { currentRefresh != nil }

  // MARK: Events

  mutating func start(now: Double) -> [Action] { decide(now) }

  /// Ends all requests, because the timeline is left.
  mutating func stop() -> [Action] {
    isStopped = true
    seekTarget = nil
    return cancelWake() + (request == nil ? [] : [.cancel])
  }

  /// Reports which rows are visible.
  mutating func show(rows: Range<Int>, now: Double) -> [Action] {
    if demand.show(rows), let trouble, now >= trouble.until { forgive() }
    return decide(now)
  }

  /// Requests pages until there are this many rows or the timeline ends; 0 for only the rows shown.
  mutating func want(rows: Int, now: Double) -> [Action] {
    demand.want(rows) ? decide(now) : []
  }

  /// Whether the seek would have anything to wait for.
  func canSeek(_ target: SeekTarget) -> Bool {
    guard end == nil else { return false }
    if case .row(let row) = target { return row >= demand.count }
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
    let isWanted = pageCount == 0 || demand.isEndNear || request?.part == .newer
    return cancelWake() + (request == nil || isWanted ? [] : [.cancel])
  }

  /// Reads from the first page until known posts come, and ends a seek. The refresh ends with
  /// `.merge` or `.refreshFailed`.
  mutating func refresh(now: Double) -> [Action] {
    guard currentRefresh == nil, pageCount > 0, !isStopped else { return [] }
    currentRefresh = Refresh(next: trail.first)
    seekTarget = nil
    forgive()
    // A slow older page must not delay the refresh.
    return cancelWake() + (request == nil ? [] : [.cancel]) + decide(now)
  }

  mutating func woke(now: Double) -> [Action] {
    waiting = nil
    return decide(now)
  }

  private mutating func forgive() {
    trouble = nil
    trail.forgiveEmptyPages()
  }

  private mutating func cancelWake() -> [Action] {
    guard waiting != nil else { return [] }
    waiting = nil
    return [.cancelWake]
  }

  // MARK: Answers

  /// The requested page has arrived and was added.
  mutating func take(_ page: AddedPage, now: Double) -> [Action] {
    guard let request else { return [] }
    self.request = nil
    failureRun = 0
    demand.supply(page.count)
    return request.part == .newer
      ? addRefreshedPage(page, now) : addOlderPage(page, request.url, now)
  }

  private mutating func addOlderPage(_ page: AddedPage, _ asked: String, _ now: Double) -> [Action]
  {
    trouble = nil
    trail.add(page, asked: asked)
    if end == nil, trail.emptyRun >= Self.emptyPages {
      trouble = PagingProblem(
        .nothingNew(pages: trail.emptyRun), until: now + Self.emptyPause)
      seekTarget = nil
    }
    return endSeek() + decide(now)
  }

  private mutating func endSeek() -> [Action] {
    guard let target = seekTarget, !canSeek(target) else { return [] }
    seekTarget = nil
    return [.found(target)]
  }

  private mutating func addRefreshedPage(_ page: AddedPage, _ now: Double) -> [Action] {
    guard var currentRefresh else { return decide(now) }
    currentRefresh.pages += 1
    var ending: RefreshEnd?
    if currentRefresh.pages == 1, pageCount == 1, page.next == .none, end == .lastPage {
      ending = .whole
    } else if page.count == 0 {
      // There were no posts: this page is the first one.
      ending = .whole
      trail.follow(page)
    } else if page.connectsToKnownPosts {
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

  /// The refreshed posts were merged.
  mutating func merged(count: Int, now: Double) -> [Action] {
    currentRefresh = nil
    demand.supply(count)
    return endSeek() + decide(now)
  }

  /// The requested page could not be loaded.
  mutating func fail(_ failure: PageFailure, now: Double) -> [Action] {
    guard let request else { return [] }
    self.request = nil
    if failure.isCancelled { return decide(now) }
    failureRun += 1
    if let delay = failure.retryDelay {
      rate.block(Self.host(of: request.url), until: now + delay)
    }
    let pause = failureRun > 1 ? min(60, Double(1 << min(6, failureRun - 1))) : 0
    trouble = PagingProblem(
      .failed(failure, page: request.part == .older ? pageCount + 1 : nil),
      until: now + max(pause, failure.retryDelay ?? 0))
    seekTarget = nil
    guard request.part == .older else { return endRefresh() }
    trail.fail()
    return []
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
      pageCount == 0 || seekTarget != nil || demand.isLacking || demand.isEndNear
    else { return [] }
    return ask(trail.next, .older, now)
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
    guard part == .older, seekTarget != nil || demand.isLacking else {
      trouble = PagingProblem(.tooSoon(seconds: delay), until: now + delay)
      seekTarget = nil
      return part == .newer ? endRefresh() : []
    }
    guard waiting == nil else { return [] }
    waiting = delay
    return [.wake(after: delay)]
  }

  private static func host(of url: String) -> String { URLReference(url).host ?? "" }
}
