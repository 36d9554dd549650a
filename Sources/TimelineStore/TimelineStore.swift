import Feeds
import System
import TextLayout
import VirtualList

/// The posts of the open timeline.
///
///     file of lines, text, a long feed or document ▶ FilePostSource: counted in the background
///     pipe of those ──▶ spool ────────────────────▶ FilePostSource: 64 MiB ahead at most
///     http(s) ────────────────────────────────────▶ PagedPostSource: page by page, as you scroll
///     several sources, lists of feeds ▶ LibraryTimeline of a temporary library: merged by date
///     short XML and JSON ─────────────▶ InMemoryPostSource: read whole, the first posts first
///
/// Its phases:
///
///     preparing ──open──────────────────────────▶ open ──a reload's successor──▶ open
///         └──start──▶ opening ──first bytes─────▶ open
///                        └──▶ failed ◀── open, if it lists feeds that cannot be opened
///
/// `replace` opens another source in any phase.
@MainActor package final class TimelineStore {
  private enum Phase {
    /// Nothing is open. The posts that `prepare` has created are shown by `open`.
    case preparing(PostSourceFactory.Prepared?)
    /// A pipe's first bytes are awaited.
    case opening(Task<Void, Never>)
    case open(OpenTimeline)
    case failed(SourceError)
  }

  private var origin: PostSourceFactory
  private var phase = Phase.preparing(nil)
  /// The query that shown posts match; `nil` if all are shown.
  package private(set) var filter: PostQuery?
  /// The search in all posts.
  package let search = PostSearch()
  private var reloading = TimelineReload()
  /// Why a replacement is shown instead of the requested timeline.
  private var replacementReason: SourceError?
  /// The visible rows, and the selected one of them.
  private var visible = (rows: 0..<0, selected: Int?.none)
  /// A seek that was requested before there were any rows.
  private var awaited: SeekTarget?
  /// The search for a remembered place, while it lasts.
  private var placeSearch: PlaceSearch?
  /// Called after each change.
  package var onChange: ((SourceChange) -> Void)?
  /// Asked before rows change; returns whether they may.
  package var mayChangeRows: () -> Bool = { true }

  /// Creates a timeline that is read whole. If `isImmediate`, its first posts are read before the
  /// first frame.
  ///
  /// - Parameter reason: why the requested timeline is not shown; `nil` if this is the requested
  ///   one.
  package init(reader: any PostReader, isImmediate: Bool, replacing reason: SourceError? = nil) {
    origin = .reader(reader, isImmediate: isImmediate)
    replacementReason = reason
  }

  /// Creates the timeline of one source, which is read row by row if possible.
  package init(source: SourceReader) { origin = .source(source) }

  /// Creates the timeline of several sources.
  package init(merging sources: MergedTimeline) { origin = .merged(sources) }

  /// Creates the timeline of posts that refresh by themselves.
  init(posts: any PostSource) {
    (origin, phase) = (.reader(NoReader(), isImmediate: false), .preparing(.posts(posts)))
  }

  // MARK: State

  /// The posts; `nil` before they are open, and if they could not be opened.
  var timeline: OpenTimeline? { if case .open(let timeline) = phase { timeline } else { nil } }
  private var shown: (any RowSource)? { timeline?.shown }
  private var openingFailure: SourceError? {
    if case .failed(let failure) = phase { failure } else { nil }
  }

  package var info: TimelineInfo { timeline?.posts.info ?? TimelineInfo() }
  package var count: Int { shown?.count ?? 0 }
  package var isComplete: Bool { openingFailure != nil || shown?.isComplete == true }
  package var activity: String {
    if isReloading { return "reloading" }
    if isSearchingForPlace { return "looking for where you were" }
    if awaited != nil { return "seeking, any key stops" }
    return isComplete ? "" : shown?.activity ?? "loading"
  }

  package var message: (text: String, isError: Bool)? {
    (openingFailure ?? reloading.failure).map { ($0.message, true) } ?? timeline?.posts.message
      ?? replacementReason.map { ("the last timeline failed: \($0.message)", true) }
  }
  /// Whether a replacement is shown instead of the requested timeline.
  package var isReplacement: Bool { replacementReason != nil }
  /// The reason why nothing can be shown, if so.
  package var failure: SourceError? { openingFailure ?? timeline?.posts.failure }

  /// - Precondition: `row` is in `0..<count`.
  package func post(at row: Int) -> Post { shown?.post(at: row) ?? Post(id: "") }
  package func isStaleGuess(_ row: Int) -> Bool { timeline?.isStaleGuess(row) ?? false }
  package func rowID(at row: Int) -> RowID { shown?.rowID(at: row) ?? RowID(UInt64(row)) }
  package func row(of id: RowID) -> Int? { shown?.row(of: id) }
  package func kind(of row: Int) -> Int? { shown?.kind(of: row) }
  package func textLength(ofRows rows: Range<Int>) -> Int? { shown?.textLength(ofRows: rows) }
  package func extent(ofRow row: Int) -> RowSizeBound? { timeline?.extent(ofRow: row) }
  package func isNumberExact(_ row: Int) -> Bool { timeline?.isNumberExact(row) ?? true }
  /// Converts a shown row to its row in the source, and back; `nil` if the row is not shown.
  package func sourceRow(of row: Int) -> Int { timeline?.sourceRow(of: row) ?? row }
  package func row(ofSource row: Int) -> Int? { timeline?.row(ofSource: row) }
  /// The shown row nearest to a row of the source: that row, the first below, or the last above it.
  package func nearestRow(toSource row: Int) -> Int? { timeline?.nearestRow(toSource: row) }
  /// The merged sources.
  package var directory: (any FeedDirectory)? { origin.merged?.directory }
  /// The number of posts in the source, including those that do not match the filter.
  package var sourceCount: Int { timeline?.posts.count ?? 0 }

  /// The number of posts that could not be read, so that they may match the filter.
  package var unreadableCount: Int { timeline?.filtered?.unreadableCount ?? 0 }

  // MARK: Reading

  /// Inspects the source and starts to read the first posts of a small file.
  ///
  /// - Throws: `SourceError` if the source cannot be read or is not a timeline.
  package func prepare() throws(SourceError) {
    guard case .preparing = phase else { return }
    phase = .preparing(try origin.prepare())
  }

  /// Shows the posts that `prepare` has created; waits for the first posts of a small file. A pipe
  /// is opened by `start`.
  ///
  /// - Throws: `SourceError` if there is nothing to show.
  package func open() async throws(SourceError) {
    if case .preparing(nil) = phase { try prepare() }
    guard case .preparing(let prepared?) = phase else { return }
    phase = .preparing(nil)
    adopt(try await origin.open(prepared))
  }

  /// Starts reading, or continues it.
  package func start() {
    switch phase {
    case .preparing(.posts(let posts)?):
      adopt(posts)
      onChange?(.reopened(place: nil))
      start()
    case .preparing: phase = .opening(openPipe())
    case .open(let timeline):
      watchFiles(of: timeline)
      origin.merged?.start()
      timeline.posts.start()
    case .opening, .failed: break
    }
  }

  private func openPipe() -> Task<Void, Never> {
    Task { [weak self, origin] in
      let result: Result<(any PostSource)?, SourceError>
      do throws(SourceError) {
        result = .success(try await origin.begin())
      } catch {
        result = .failure(error)
      }
      guard !Task.isCancelled else { return }
      self?.pipeOpened(result)
    }
  }

  private func pipeOpened(_ result: Result<(any PostSource)?, SourceError>) {
    switch result {
    case .success(nil): return
    case .success(let posts?):
      adopt(posts)
      start()
    case .failure(let failure): phase = .failed(failure)
    }
    onChange?(.state)
  }

  /// Shows posts.
  ///
  /// - Parameter rows: the rows that a filter examines first.
  private func adopt(_ posts: any PostSource, around rows: Range<Int> = 0..<64) {
    let timeline = OpenTimeline(posts)
    phase = .open(timeline)
    if let filter { timeline.show(fitting: filter, around: rows) }
    observe(timeline)
    search.attach(to: posts)
  }

  private func observe(_ timeline: OpenTimeline) {
    timeline.observe(
      onSourceChange: { [weak self] in self?.search.sourceChanged($0) },
      onChange: { [weak self] in self?.changed($0) },
      mayChangeRows: { [weak self] in self?.mayChangeRows() ?? false })
  }

  /// Stops reading; posts read so far remain.
  package func stop() {
    if case .opening(let task) = phase { task.cancel() }
    reloading.stop()
    search.end()
    origin.merged?.stop()
    timeline?.stop()
  }

  /// Replaces a source that has nothing to show with the posts of `reader`, and reports the reason.
  package func replace(with reader: any PostReader, because reason: SourceError) {
    cancelPlaceSearch()
    stop()
    timeline?.posts.onChange = nil
    origin = .reader(reader, isImmediate: false)
    reloading = TimelineReload()
    replacementReason = reason
    adopt(InMemoryPostSource(reader: reader))
    onChange?(.reopened(place: nil))
    start()
  }

  /// Reports the visible rows, near which reading continues, and the selected one of them.
  package func didShow(rows: Range<Int>, selected: Int? = nil) {
    visible = (rows, selected)
    adoptSuccessor()
    shown?.didShow(rows: rows)
  }

  private func changed(_ change: SourceChange) {
    if followFeeds() { return }
    onChange?(change)
    seekAwaited()
    placeSearch?.note(change)
    lookForPlace()
    reloadIfDue()
  }

  /// Shows the posts of the listed feeds if the opened address turns out to be a list of feeds.
  ///
  /// - Returns: whether it is one.
  private func followFeeds() -> Bool {
    guard let source = origin.source, let timeline,
      case .listOfFeeds(let list, let reach)? = timeline.posts.failure?.reason
    else { return false }
    timeline.close()
    do throws(SourceError) {
      let feeds = try MergedTimeline(of: list, namedBy: source.request, reach: reach)
      origin = .merged(feeds)
      adopt(feeds.posts)
      start()
    } catch {
      phase = .failed(error)
    }
    onChange?(.state)
    return true
  }

  // MARK: Filtering

  /// Shows only the posts that match a query, or all. The rows are replaced immediately; matches
  /// further away follow.
  ///
  /// - Parameter rows: the visible rows, by their numbers in the source, which are examined first.
  /// - Complexity: O(n) in the bytes of these rows
  package func show(fitting query: PostQuery?, around rows: Range<Int>) {
    filter = query
    guard let timeline else { return }
    timeline.show(fitting: query, around: rows)
    observe(timeline)
    onChange?(.state)
  }

  // MARK: Seeking

  /// Reads ahead until the row is known, then reports `.found`.
  ///
  /// - Returns: whether there is anything to wait for.
  package func seek(_ target: SeekTarget) -> Bool {
    if timeline?.seek(target) == true { return true }
    guard count == 0, !isComplete else { return false }
    awaited = target
    return true
  }
  package func cancelSeek() {
    awaited = nil
    timeline?.capabilities.seeking?.cancelSeek()
  }
  package var isSeeking: Bool {
    awaited != nil || timeline?.capabilities.seeking?.seekTarget != nil
  }

  /// Starts the awaited seek once there are rows, or ends it if there are none.
  private func seekAwaited() {
    guard let target = awaited, count > 0 || isComplete else { return }
    awaited = nil
    if timeline?.seek(target) != true { onChange?(.found(target)) }
  }

  // MARK: Places

  /// Looks for the post of a remembered place, and reports `.placeFound` or `.placeLost`;
  /// immediately if the post has not moved.
  package func look(for place: RememberedPlace) {
    placeSearch = PlaceSearch(for: place)
    lookForPlace()
  }
  /// Cancels the search for a remembered place.
  package func cancelPlaceSearch() {
    guard placeSearch != nil else { return }
    placeSearch = nil
    timeline?.capabilities.places?.stopFinding()
  }
  /// Whether a remembered place is being looked for.
  package var isSearchingForPlace: Bool { placeSearch != nil }

  private func lookForPlace() {
    guard let posts = timeline?.posts, let search = placeSearch, search.isDue, mayChangeRows()
    else { return }
    guard let found = search.look(in: posts) else { return }
    // A filter knows counted rows only: before the row is counted, it is unknown whether the post
    // matches, and which posts are beside it.
    if filter != nil, let row = found?.row, row >= posts.searchable.count, posts.expectsMore {
      return
    }
    cancelPlaceSearch()
    // An empty timeline has something else to report.
    guard found != nil || count > 0 else { return }
    onChange?(
      found.map { .placeFound(row: $0.row, newRows: $0.newRows) } ?? .placeLost)
  }

  // MARK: Refreshing

  /// Whether the source can be reloaded now. A pipe can be read only once; a source that is read
  /// whole must have been read first.
  package var isReloadable: Bool {
    guard !isReloading, let timeline else { return false }
    return switch timeline.capabilities.refresh {
    case .byItself(let source): source.isRefreshable
    case .inPlace(let source): source.isRefreshable && origin.reader?.isRefreshable ?? false
    case .successor: origin.reader?.isRefreshable ?? false
    }
  }
  package var isReloading: Bool { reloading.isRunning }

  /// Refreshes the source in the background. Posts that remain keep their rows, unless the source
  /// has to be reopened.
  ///
  /// - Returns: false if a refresh is impossible now or already in progress.
  @discardableResult package func reload() -> Bool {
    guard isReloadable else { return false }
    reloading.begin { [weak self] () throws(SourceError) in
      try await self?.performReload()
    } ended: { [weak self] in
      self?.changed(.state)
    }
    onChange?(.state)
    return true
  }

  private func performReload() async throws(SourceError) {
    if case .byItself(let source)? = timeline?.capabilities.refresh {
      return await source.refresh()
    }
    guard let again = try await origin.readAgain(), !Task.isCancelled else { return }
    switch (again, timeline?.capabilities.refresh) {
    case (.rows(let rows), _): reloading.keep(rows)
    case (.posts(let all, _), .inPlace(let source)?) where source.isRefreshable:
      return await source.refresh(with: all)
    case (.posts(let all, let reader), _): reloading.keep(InMemoryPostSource(all, of: reader))
    }
    adoptSuccessor()
  }

  /// Shows the source that a reload has opened as soon as rows may change.
  private func adoptSuccessor() {
    guard let old = timeline, let new = reloading.takeSuccessor(if: mayChangeRows) else { return }
    let rows = old.sourceRows(from: visible.rows)
    let before = visible.rows.map { ($0, old.sourceRow(of: $0)) }
    let found = RowFinder.place(
      of: rows, selected: visible.selected.map(old.sourceRow), of: old.posts, in: new)
    old.close()
    adopt(new, around: found.map { $0.new - rows.count..<$0.new + rows.count } ?? 0..<256)
    let place = found.flatMap { found -> (old: Int, new: Int, selected: Int?)? in
      guard let old = before.first(where: { $0.1 == found.old })?.0,
        let new = row(ofSource: found.new)
      else { return nil }
      return (old, new, found.selected.flatMap(row(ofSource:)))
    }
    onChange?(.reopened(place: place))
    start()
  }
  /// Watches the files of a source that is read whole; one that is read row by row watches its own.
  private func watchFiles(of timeline: OpenTimeline) {
    var files: [(path: String, file: FileBytes)] = []
    if case .inPlace = timeline.capabilities.refresh { files = origin.reader?.files ?? [] }
    reloading.watch(files) { [weak self] in self?.reload() ?? true }
  }
  /// Reloads small new contents automatically; large ones are reloaded on request.
  private func reloadIfDue() {
    let isReplaced = timeline?.capabilities.fileRows?.isReplaced ?? false
    guard isReplaced || reloading.isBehind, isReloadable else { return }
    let path = isReplaced ? origin.source?.source.path : nil
    if path.map(reloading.isDue(replacedBy:)) ?? false || reloading.isBehind { reload() }
  }
}
