import Feeds
import HTTP
import Subscriptions
import System
import TextLayout
import VirtualList

/// A remote timeline as one list, however many pages it has.
///
///     rows shown, seek, r ──▶ Paging ──▶ fetch ──▶ PageLoader ──▶ page
///                               ▲                                  │
///                               └── how many were new ◀── PagedRows ◀
///
/// `Paging` decides, `PagedRows` keeps each post once, and this class performs the actions and
/// notifies the list. A page that arrives while rows may not change is kept until they may, as if
/// it were still being loaded.
@MainActor final class PagedPostSource: PostSource, SeekableSource, PlaceFinder, RefreshableSource {
  private let source: TimelineSource
  private let loader: any PageLoader
  private let clock: RefreshClock
  private(set) var paging: Paging
  private(set) var info = TimelineInfo()
  private(set) var failure: SourceError?
  /// The format of the first page with posts.
  private var format: FeedFormat?
  private var pages = PagedRows()
  /// The page that arrived while rows could not change.
  private var held: Page?
  private(set) var refreshing: PageRefresh?
  var onChange: ((SourceChange) -> Void)?
  var mayChangeRows: () -> Bool = { true }

  init(
    url: String, reach: RequestScope = .everywhere, loader: any PageLoader,
    clock: RefreshClock = .system()
  ) {
    source = .url(url)
    self.loader = loader
    self.clock = clock
    paging = Paging(first: url, reach: reach)
  }

  // MARK: State

  private var rows: PostRows { pages.rows }
  var count: Int { rows.count }
  var isComplete: Bool { paging.end != nil }
  var seekTarget: SeekTarget? { paging.seekTarget }

  func post(at row: Int) -> Post { rows[row] }
  func rowID(at row: Int) -> RowID { rows.id(at: row) }
  func row(of id: RowID) -> Int? { rows.row(of: id) }
  func kind(of row: Int) -> Int? { min(rows[row].pictures.count, Post.maximumPictures) }
  func textLength(ofRows rows: Range<Int>) -> Int? { self.rows.textLength(ofRows: rows) }
  var searchable: (rows: any SearchableRows, count: Int) {
    (PostsInMemory(posts: rows.posts), count)
  }
  /// Pages come only on request.
  var expectsMore: Bool { false }
  var capabilities: SourceCapabilities {
    SourceCapabilities(seeking: self, places: self, refresh: .byItself(self))
  }

  var activity: String {
    let page = paging.pageCount + 1
    if seekTarget != nil {
      let pause = paging.waiting.map { " in \(PagingProblem.duration($0))" }
      return "seeking, any key stops: \(count.counted("post")), page \(page)\(pause ?? "")"
    }
    guard paging.request?.part == .older else { return "" }
    return page == 1 ? "loading" : "loading page \(page)"
  }

  var message: (text: String, isError: Bool)? {
    if let failure { return (failure.message, true) }
    if let trouble = paging.trouble { return (trouble.text, true) }
    switch paging.end {
    case .loop(let page):
      let end = "the timeline ends here: page \(paging.pageCount) leads back to "
      return (end + (page == paging.pageCount ? "itself" : "page \(page)"), true)
    case .refused(let why): return ("the timeline ends here: \(why)", true)
    case .full:
      return (
        "\(count.counted("post")) kept, which is the most; the others are left out", true
      )
    case .lastPage, .failed, nil: return nil
    }
  }

  // MARK: Events

  func start() { perform(paging.start(now: clock.steady())) }

  func stop() {
    perform(paging.stop())
    refreshing?.end()
  }

  func didShow(rows: Range<Int>) {
    perform(paging.show(rows: rows, now: clock.steady()))
    applyHeldPages()
  }

  /// Reports `.found` when the row is there. If a server refuses to continue, the status line says
  /// so and the list does not move.
  func seek(_ target: SeekTarget) -> Bool {
    guard paging.canSeek(target) else { return false }
    perform(paging.seek(target, now: clock.steady()))
    return true
  }

  func cancelSeek() {
    guard seekTarget != nil else { return }
    perform(paging.cancelSeek())
  }

  /// The number of new rows above a remembered post for which pages are requested.
  private static let rowsOnTop = 400

  func find(_ place: RememberedPlace, after examined: inout Int) -> PlaceSearchResult {
    if let row = row(of: place, after: &examined) { return .row(row) }
    let wanted = place.row + Self.rowsOnTop
    guard !isComplete, paging.trouble == nil, count < wanted else {
      stopFinding()
      return .absent
    }
    if paging.pageCount > 0 { perform(paging.want(rows: wanted, now: clock.steady())) }
    return .pending
  }

  func stopFinding() { perform(paging.want(rows: 0, now: clock.steady())) }

  var isRefreshable: Bool { paging.pageCount > 0 && !paging.isRefreshing }

  func refresh() async {
    await withCheckedContinuation { continuation in
      beginRefresh { continuation.resume() }
    }
  }

  /// Like ``refresh()``; `then` is called at the end.
  func beginRefresh(then: @escaping () -> Void) {
    guard isRefreshable else { return then() }
    refreshing = PageRefresh(onEnd: then)
    perform(paging.refresh(now: clock.steady()))
  }

  // MARK: Actions

  private func perform(_ actions: [Paging.Action]) {
    for action in actions {
      switch action {
      case .fetch(let request):
        loader.load(request.link, following: format, limit: limit(of: request)) { [weak self] in
          self?.receive($0, of: request)
        }
      case .cancel: loader.cancel()
      case .wake(let seconds):
        clock.wake(seconds) { [weak self] in
          MainActor.assumeIsolated { self?.woke() }
        }
      case .cancelWake: clock.wake(nil) {}
      case .found(let target): onChange?(.found(target))
      case .merge(let ending): merge(ending)
      case .refreshFailed: endRefresh()
      }
    }
    if !actions.isEmpty { onChange?(.state) }
  }

  private func woke() { perform(paging.woke(now: clock.steady())) }

  /// The limit of the posts that may be held in addition to the rows. A refresh, whose rows replace
  /// others, has the whole limit.
  private func limit(of request: Paging.Request) -> PostLimit {
    guard request.part == .older else { return .standard }
    return PostLimit(
      count: max(1, Paging.maximumPosts - count),
      bytes: max(1, Paging.maximumPostBytes - pages.bytes))
  }

  private func receive(_ result: Result<Page, PageFailure>, of request: Paging.Request) {
    guard paging.request == request else { return }
    switch result {
    case .success(let page) where request.part == .newer: addRefreshedPage(page)
    case .success(let page):
      held = page
      applyHeldPages()
    case .failure(let error):
      perform(paging.fail(error, now: clock.steady()))
      if paging.end == .failed { failure = SourceError(source: source, reason: error.sourceReason) }
      onChange?(.state)
    }
  }

  private func applyHeldPages() {
    guard mayChangeRows() else { return }
    if let page = held {
      held = nil
      addOlderPage(page)
    }
    if let refreshing, let (new, change) = refreshing.takeMerged() {
      pages = new
      info = refreshing.info
      onChange?(.refreshed(change))
      perform(paging.merged(count: count, now: clock.steady()))
      endRefresh()
    }
  }

  private func addOlderPage(_ page: Page) {
    if paging.pageCount == 0 { info = page.info }
    if info.title.isEmpty { info.title = page.info.title }
    if format == nil, !page.posts.isEmpty { format = page.format }
    let start = count
    let added = pages.append(page.posts)
    if added > 0 { onChange?(.rows(deletions: [], insertions: [start..<count], reloads: [])) }
    let taken = Paging.AddedPage(
      url: page.url, next: page.next, added: added, count: count, text: pages.bytes,
      isCut: page.isCut)
    perform(paging.take(taken, now: clock.steady()))
    onChange?(.state)
  }

  // MARK: Refreshing

  private func addRefreshedPage(_ page: Page) {
    guard let refreshing else { return }
    let (added, connects) = refreshing.add(page, to: pages)
    let taken = Paging.AddedPage(
      url: page.url, next: page.next, added: added,
      connectsToKnownPosts: connects, count: count, text: pages.bytes, isCut: page.isCut)
    perform(paging.take(taken, now: clock.steady()))
  }

  private func merge(_ ending: Paging.RefreshEnd) {
    refreshing?.merge(with: pages, ending) { [weak self] in self?.applyHeldPages() }
  }

  private func endRefresh() {
    let ended = refreshing
    refreshing = nil
    ended?.end()
    onChange?(.state)
  }
}
