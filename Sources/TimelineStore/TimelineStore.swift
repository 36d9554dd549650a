import Feeds
import System
import TextLayout
import VirtualList

/// The posts of the open timeline.
///
///     file of lines, text, a long feed or document ▶ FilePostSource: counted in the background
///     pipe of those ──▶ spool ────────────────────▶ FilePostSource: 64 MB ahead at most
///     http(s) ────────────────────────────────────▶ PagedPostSource: page after page, as you scroll
///     short XML and JSON, merged, lists of feeds ──▶ InMemoryPostSource: read whole, the first posts first
@MainActor public final class TimelineStore {
  private var origin: PostSourceFactory
  /// Created by `prepare`, to be shown by `open`.
  private var prepared: (any PostSource)?
  /// All posts of the source.
  private(set) var posts: (any PostSource)?
  /// The posts that match the filter; `nil` if all are shown.
  private(set) var filtered: FilteredPostSource?
  /// The search in all posts.
  public let search = PostSearch()
  private var opening: Task<Void, Never>?
  private var openingFailure: SourceError?
  /// Why a replacement is shown instead of the requested timeline.
  private var replacementReason: SourceError?
  private var watch: SettledFilesWatch?
  private var reloading: Task<Void, Never>?
  private var reloadFailure: SourceError?
  /// The stamp of the file that was last reloaded automatically, so that each version is tried
  /// once.
  private var lastReloadedStamp: FileStamp?
  /// The reopened source, which replaces `posts` as soon as rows may change.
  private var successor: (any PostSource)?
  private var shownRows = 0..<0
  private var selectedRow: Int?
  /// A seek that was requested before there were any rows.
  private var awaited: SeekTarget?
  /// The search for a remembered place, while it lasts.
  private var placeSearch: PlaceSearch?
  /// Whether a file was written while it was being read.
  private var isBehind = false
  /// Called after each change.
  public var onChange: ((SourceChange) -> Void)?
  /// Asked before rows change; returns whether they may.
  public var mayChangeRows: () -> Bool = { true }

  /// Creates a timeline that is read whole. If `isImmediate`, its first posts are read before the
  /// first frame.
  ///
  /// - Parameter reason: why the requested timeline is not shown; `nil` if this is the requested
  ///   one.
  public init(reader: any PostReader, isImmediate: Bool, replacing reason: SourceError? = nil) {
    origin = .reader(reader, isImmediate: isImmediate)
    replacementReason = reason
  }

  /// Creates the timeline of one source, which is read row by row if possible.
  public init(source: SourceReader) { origin = .source(source) }

  /// Whether a source is a regular file of posts, small enough to be read immediately.
  public static func isSmall(_ source: SourceReader) -> Bool { PostSourceFactory.isSmall(source) }

  // MARK: State

  private var shown: (any PostSource)? { filtered ?? posts }

  public var info: TimelineInfo { shown?.info ?? TimelineInfo() }
  public var count: Int { shown?.count ?? 0 }
  public var isComplete: Bool { openingFailure != nil || shown?.isComplete == true }
  public var activity: String {
    if reloading != nil { return "reloading" }
    if isSearchingForPlace { return "looking for where you were" }
    if awaited != nil { return "seeking, any key stops" }
    return isComplete ? "" : shown?.activity ?? "loading"
  }

  public var message: (text: String, isError: Bool)? {
    (openingFailure ?? reloadFailure).map { ($0.message, true) } ?? shown?.message
      ?? replacementReason.map { ("the last timeline failed: \($0.message)", true) }
  }
  /// Whether a replacement is shown instead of the requested timeline.
  public var isReplacement: Bool { replacementReason != nil }
  /// The reason why nothing can be shown, if so.
  public var failure: SourceError? { openingFailure ?? posts?.failure }

  /// - Precondition: `row` is in `0..<count`.
  public func post(at row: Int) -> Post { shown?.post(at: row) ?? Post(id: "") }
  public func isStaleGuess(_ row: Int) -> Bool { shown?.isStaleGuess(row) ?? false }
  public func rowID(at row: Int) -> RowID { shown?.rowID(at: row) ?? RowID(UInt64(row)) }
  public func row(of id: RowID) -> Int? { shown?.row(of: id) }
  public func kind(of row: Int) -> Int { shown?.kind(of: row) ?? 0 }
  public func textLength(ofRows rows: Range<Int>) -> Int? { shown?.textLength(ofRows: rows) }
  public func extent(ofRow row: Int) -> RowSizeBound? { shown?.extent(ofRow: row) }
  public func isNumberExact(_ row: Int) -> Bool { shown?.isNumberExact(row) ?? true }

  // MARK: Reading

  /// Inspects the source and starts to read the first posts of a small file.
  ///
  /// - Throws: `SourceError` if the source cannot be read or is not a timeline.
  public func prepare() throws(SourceError) { prepared = try origin.prepare() }

  /// Shows the posts that `prepare` has created; waits for the first posts of a small file. A pipe
  /// is opened by `start`.
  ///
  /// - Throws: `SourceError` if there is nothing to show.
  public func open() async throws(SourceError) {
    if posts != nil { return }
    if prepared == nil { try prepare() }
    guard let opened = prepared else { return }
    prepared = nil
    try await opened.waitForFirstPosts()
    adopt(try await PostSourceFactory.rows(ofCut: origin.reader) ?? opened)
  }

  /// Starts reading, or continues it.
  public func start() {
    if let posts {
      startWatching()
      return posts.start()
    }
    guard opening == nil else { return }
    opening = Task { [weak self, origin] in
      do throws(SourceError) {
        guard let posts = try await origin.begin() else { return }
        self?.adopt(posts)
        posts.start()
      } catch {
        self?.openingFailure = error
      }
      self?.onChange?(.state)
    }
  }

  private func adopt(_ posts: any PostSource, around rows: Range<Int> = 0..<64) {
    self.posts = posts
    filtered?.detach()
    filtered = filter.map { FilteredPostSource(posts, query: $0, around: rows) }
    listen()
    search.attach(to: posts)
  }

  /// Observes changes of the shown posts; a filter in turn observes the posts that it filters.
  private func listen() {
    guard let shown else { return }
    shown.onChange = { [weak self] change in
      if self?.filtered == nil { self?.search.sourceChanged(change) }
      self?.changed(change)
    }
    shown.mayChangeRows = { [weak self] in self?.mayChangeRows() ?? false }
    filtered?.attach { [weak self] in self?.search.sourceChanged($0) }
  }

  // MARK: Filtering

  /// The query that shown posts match; `nil` if all are shown.
  public private(set) var filter: PostQuery?

  /// Shows only the posts that match a query, or all. The rows are replaced immediately; matches
  /// further away follow.
  ///
  /// - Parameter rows: the visible rows, by their numbers in the source, which are examined first.
  /// - Complexity: O(n) in the bytes of these rows
  public func show(fitting query: PostQuery?, around rows: Range<Int>) {
    filter = query
    filtered?.detach()
    filtered = nil
    guard let posts else { return }
    filtered = query.map { FilteredPostSource(posts, query: $0, around: rows) }
    listen()
    onChange?(.state)
  }

  /// Stops reading; posts read so far remain.
  public func stop() {
    opening?.cancel()
    reloading?.cancel()
    watch?.cancel()
    search.end()
    filtered?.detach()
    posts?.stop()
  }

  /// Replaces a source that has nothing to show with the posts of `reader`, and reports the reason.
  public func replace(with reader: any PostReader, because reason: SourceError) {
    cancelPlaceSearch()
    stop()
    posts?.onChange = nil
    origin = .reader(reader, isImmediate: false)
    (opening, reloading, watch, successor, prepared) = (nil, nil, nil, nil, nil)
    (openingFailure, reloadFailure, replacementReason) = (nil, nil, reason)
    adopt(InMemoryPostSource(reader: reader))
    onChange?(.reopened(place: nil))
    start()
  }

  /// Reports the visible rows, near which reading continues, and the selected one of them.
  public func didShow(rows: Range<Int>, selected: Int? = nil) {
    shownRows = rows
    selectedRow = selected
    adoptSuccessor()
    shown?.didShow(rows: rows)
  }

  private func changed(_ change: SourceChange) {
    if followFeeds() { return }
    onChange?(change)
    seekAwaited()
    placeSearch?.note(change)
    lookForPlace()
    // Small new contents are reloaded automatically, large ones on request. An empty file cannot be
    // read; writing to it is another change.
    if posts?.isReplaced == true, isReloadable, let path = origin.source?.source.path,
      let stamp = FileStamp(path: path), stamp != lastReloadedStamp,
      (1...SourceReader.maximumWholeDocumentBytes).contains(stamp.size)
    {
      lastReloadedStamp = stamp
      reload()
    } else if isBehind, isReloadable {
      reload()
    }
  }

  /// Shows the posts of the listed feeds if the opened address turns out to be a list of feeds.
  ///
  /// - Returns: whether it is one.
  private func followFeeds() -> Bool {
    guard let source = origin.source,
      case .listOfFeeds(let list, let reach)? = posts?.failure?.reason
    else { return false }
    posts?.stop()
    posts?.onChange = nil
    do throws(SourceError) {
      let feeds = try source.feeds(of: list, reach: reach)
      origin = .reader(feeds, isImmediate: false)
      adopt(InMemoryPostSource(reader: feeds))
      start()
    } catch {
      posts = nil
      openingFailure = error
    }
    onChange?(.state)
    return true
  }

  /// Reads ahead until the row is known, then reports `.found`.
  ///
  /// - Returns: whether there is anything to wait for.
  public func seek(_ target: SeekTarget) -> Bool {
    if shown?.seek(target) == true { return true }
    guard count == 0, !isComplete else { return false }
    awaited = target
    return true
  }
  public func cancelSeek() {
    awaited = nil
    posts?.cancelSeek()
  }
  public var isSeeking: Bool { awaited != nil || posts?.seekTarget != nil }

  /// Starts the awaited seek once there are rows, or ends it if there are none.
  private func seekAwaited() {
    guard let target = awaited, count > 0 || isComplete else { return }
    awaited = nil
    if shown?.seek(target) != true { onChange?(.found(target)) }
  }

  // MARK: Places

  /// Looks for the post of a remembered place, and reports `.placeFound` or `.placeLost`;
  /// immediately if the post has not moved.
  public func look(for place: RememberedPlace) {
    placeSearch = PlaceSearch(for: place)
    lookForPlace()
  }

  /// Cancels the search for a remembered place.
  public func cancelPlaceSearch() {
    guard placeSearch != nil else { return }
    placeSearch = nil
    posts?.stopFinding()
  }

  /// Whether a remembered place is being looked for.
  public var isSearchingForPlace: Bool { placeSearch != nil }

  private func lookForPlace() {
    guard let posts, let search = placeSearch, search.isDue, mayChangeRows() else { return }
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
  public var isReloadable: Bool {
    guard reloading == nil, let posts else { return false }
    return switch posts.refreshMethod {
    case .no: false
    case .byItself: true
    case .inPlace, .successor: origin.reader.isRefreshable
    }
  }

  public var isReloading: Bool { reloading != nil }

  /// Refreshes the source in the background. Posts that remain keep their rows, unless the source
  /// has to be reopened.
  ///
  /// - Returns: false if a refresh is impossible now or already in progress.
  @discardableResult public func reload() -> Bool {
    guard isReloadable else { return false }
    isBehind = false
    reloading = Task { [weak self] in
      var failure: SourceError?
      do throws(SourceError) { try await self?.performReload() } catch { failure = error }
      self?.reloadEnded(failure)
    }
    onChange?(.state)
    return true
  }

  private func reloadEnded(_ failure: SourceError?) {
    reloading = nil
    reloadFailure = failure
    changed(.state)
  }

  private func performReload() async throws(SourceError) {
    if case .byItself(let refresh) = posts?.refreshMethod { return await refresh() }
    switch try await origin.refreshed() {
    case nil: return
    case .rows(let rows): successor = rows
    case .reader(let reader):
      let all = try await InMemoryPostSource.readAll(reader)
      // A cancelled read is incomplete.
      guard !Task.isCancelled else { return }
      if let rows = try await PostSourceFactory.rows(ofCut: reader) {
        successor = rows
      } else if case .inPlace(let refresh) = posts?.refreshMethod {
        return await refresh(all)
      } else {
        successor = InMemoryPostSource(all, of: reader)
      }
    }
    if Task.isCancelled { successor = nil }
    adoptSuccessor()
  }

  /// Replaces `posts` with the successor as soon as rows may change.
  private func adoptSuccessor() {
    guard let new = successor, let old = posts, mayChangeRows() else { return }
    successor = nil
    let (first, last) = (shownRows.first.map(sourceRow), shownRows.last.map(sourceRow))
    let rows = (first ?? 0)..<(last.map { $0 + 1 } ?? 0)
    let before = shownRows.map { ($0, sourceRow(of: $0)) }
    let found = RowFinder.place(
      of: rows, selected: selectedRow.map(sourceRow), of: old, in: new)
    old.onChange = nil
    old.stop()
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

  /// Watches the files of a source that is read whole, and reloads it after they were written.
  private func startWatching() {
    watch?.cancel()
    watch = nil
    guard posts?.isReadWhole == true else { return }
    let files = origin.reader.files
    guard !files.isEmpty else { return }
    watch = SettledFilesWatch(files) { [weak self] in
      guard let self, !reload() else { return }
      isBehind = true
    }
  }
}
