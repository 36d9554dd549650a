import Feeds
import System
import TextLayout
import VirtualList

/// The posts of the timeline that is open.
///
///     file of lines, text, a long feed or document ▶ LazyPosts: counted in the background
///     pipe of those ──▶ spool ────────────────────▶ LazyPosts: 64 MB ahead at most
///     http(s) ────────────────────────────────────▶ PagedPosts: page after page, as it is scrolled
///     short XML and JSON, merged, lists of feeds ──▶ PostArray: read whole, the first posts first
@MainActor public final class TimelineStore {
  private var origin: PostOrigin
  /// Those that `open` will show.
  private var prepared: (any PostSource)?
  /// All posts of the source.
  private(set) var posts: (any PostSource)?
  /// Those of them that fit, where not all are shown.
  private(set) var filtered: FilteredPosts?
  /// What is looked for in all posts.
  public let search = PostSearch()
  private var opening: Task<Void, Never>?
  private var openingFailure: SourceError?
  /// Why the posts are not those that were asked for.
  private var replacementReason: SourceError?
  private var watch: FilesWatch?
  private var reloading: Task<Void, Never>?
  private var reloadFailure: SourceError?
  /// What stood in the place of ours when it was opened last: not tried again and again.
  private var triedStamp: FileStamp?
  /// Reopened, and to be taken over when rows may change.
  private var successor: (any PostSource)?
  private var shownRows = 0..<0
  private var selectedRow: Int?
  /// What was asked for before there was anything to look in.
  private var awaited: SeekTarget?
  /// The place of another run that is looked for.
  private var placeSearch: PlaceSearch?
  /// A file was written while it was being read.
  private var isBehind = false
  /// Called after each change.
  public var onChange: ((SourceChange) -> Void)?
  /// Asked before rows change whether they may.
  public var mayChangeRows: () -> Bool = { true }

  /// A timeline that is read whole. `isImmediate`: its first posts come before the first frame.
  ///
  /// - Parameter reason: why the one that was asked for is not shown; nil where this is it.
  public init(reader: any PostReader, isImmediate: Bool, replacing reason: SourceError? = nil) {
    origin = .reader(reader, isImmediate: isImmediate)
    replacementReason = reason
  }

  /// The timeline of one source, read row by row where it can be.
  public init(source: SourceReader) { origin = .source(source) }

  /// Whether a source is a regular file of posts that is read in no time.
  public static func isSmall(_ source: SourceReader) -> Bool { PostOrigin.isSmall(source) }

  // MARK: What there is

  private var shown: (any PostSource)? { filtered ?? posts }

  public var info: TimelineInfo { shown?.info ?? TimelineInfo() }
  public var count: Int { shown?.count ?? 0 }
  public var isComplete: Bool { openingFailure != nil || shown?.isComplete == true }
  public var activity: String {
    if reloading != nil { return "reloading" }
    if isLookingForPlace { return "looking for where you were" }
    if awaited != nil { return "seeking, any key stops" }
    return isComplete ? "" : shown?.activity ?? "loading"
  }

  public var message: (text: String, isError: Bool)? {
    (openingFailure ?? reloadFailure).map { ($0.message, true) } ?? shown?.message
      ?? replacementReason.map { ("the last timeline failed: \($0.message)", true) }
  }
  /// Whether the posts stand in the place of those that were asked for.
  public var isReplacement: Bool { replacementReason != nil }
  /// Why nothing can be shown.
  public var failure: SourceError? { openingFailure ?? posts?.failure }

  /// - Precondition: `row` is in `0..<count`.
  public func post(at row: Int) -> Post { shown?.post(at: row) ?? Post(id: "") }
  public func isPhantom(_ row: Int) -> Bool { shown?.isPhantom(row) ?? false }
  public func rowID(at row: Int) -> RowID { shown?.rowID(at: row) ?? RowID(UInt64(row)) }
  public func row(of id: RowID) -> Int? { shown?.row(of: id) }
  public func kind(of row: Int) -> Int { shown?.kind(of: row) ?? 0 }
  public func textLength(ofRows rows: Range<Int>) -> Int? { shown?.textLength(ofRows: rows) }
  public func extent(ofRow row: Int) -> RowExtent? { shown?.extent(ofRow: row) }
  public func isNumberExact(_ row: Int) -> Bool { shown?.isNumberExact(row) ?? true }

  // MARK: Reading

  /// Looks at the source, and begins to read the first posts of a small file.
  ///
  /// - Throws: `SourceError` for what is seen not to be a timeline.
  public func prepare() throws(SourceError) { prepared = try origin.prepare() }

  /// Opens what shows at once: a regular file of any size that is read row by row, and a small one.
  ///
  /// - Throws: `SourceError` where there is nothing to show.
  public func open() async throws(SourceError) {
    if posts != nil { return }
    if prepared == nil { try prepare() }
    guard let opened = prepared else { return }
    prepared = nil
    try await opened.readFirst()
    adopt(try await PostOrigin.rows(ofCut: origin.reader) ?? opened)
  }

  /// Starts reading, or reads on.
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
    filtered = filter.map { FilteredPosts(posts, query: $0, around: rows) }
    listen()
    search.attach(to: posts)
  }

  /// Hears of changes in what is shown; a filter hears of those in what it is of.
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

  /// What posts have to fit to be shown; nil where all are.
  public private(set) var filter: PostQuery?

  /// Shows the posts that fit a query alone, or all. The rows are others at once, those that fit
  /// further away come as they are found.
  ///
  /// - Parameter rows: those on the screen, by their numbers in the source: looked at first.
  /// - Complexity: O(n) in the bytes of these rows
  public func show(fitting query: PostQuery?, around rows: Range<Int>) {
    filter = query
    filtered?.detach()
    filtered = nil
    guard let posts else { return }
    filtered = query.map { FilteredPosts(posts, query: $0, around: rows) }
    listen()
    onChange?(.state)
  }

  /// Stops reading; what was read stays.
  public func stop() {
    opening?.cancel()
    reloading?.cancel()
    watch?.cancel()
    search.end()
    filtered?.detach()
    posts?.stop()
  }

  /// Shows the posts of `reader` in the place of a source that has nothing to show, and says why.
  public func replace(with reader: any PostReader, because reason: SourceError) {
    stopLookingForPlace()
    stop()
    posts?.onChange = nil
    origin = .reader(reader, isImmediate: false)
    (opening, reloading, watch, successor, prepared) = (nil, nil, nil, nil, nil)
    (openingFailure, reloadFailure, replacementReason) = (nil, nil, reason)
    adopt(PostArray(reader: reader))
    onChange?(.reopened(place: nil))
    start()
  }

  /// Reports the visible rows, near which reading continues, and the selected one of them.
  public func didShow(rows: Range<Int>, selected: Int? = nil) {
    shownRows = rows
    selectedRow = selected
    takeOver()
    shown?.didShow(rows: rows)
  }

  private func changed(_ change: SourceChange) {
    if followFeeds() { return }
    onChange?(change)
    seekAwaited()
    placeSearch?.note(change)
    lookForPlace()
    // Small contents that have replaced others are read at once, large ones when the reader asks.
    // Of an empty file nothing can be read; whatever is written into it is another change.
    if posts?.isReplaced == true, isReloadable, let path = origin.source?.source.path,
      let stamp = FileStamp(path: path), stamp != triedStamp,
      (1...SourceReader.smallDocument).contains(stamp.size)
    {
      triedStamp = stamp
      reload()
    } else if isBehind, isReloadable {
      reload()
    }
  }

  /// Shows what the feeds have, where the address that was opened turns out to be that of a list of
  /// them.
  ///
  /// - Returns: whether it does.
  private func followFeeds() -> Bool {
    guard let source = origin.source,
      case .listOfFeeds(let list, let reach)? = posts?.failure?.reason
    else { return false }
    posts?.stop()
    posts?.onChange = nil
    do throws(SourceError) {
      let feeds = try source.feeds(of: list, reach: reach)
      origin = .reader(feeds, isImmediate: false)
      adopt(PostArray(reader: feeds))
      start()
    } catch {
      posts = nil
      openingFailure = error
    }
    onChange?(.state)
    return true
  }

  /// Looks for a row that is not known yet, as far as it takes; `.found` says when it is there.
  ///
  /// - Returns: false where there is nothing to wait for.
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

  /// Something is there: it is looked in, or has what was asked for.
  private func seekAwaited() {
    guard let target = awaited, count > 0 || isComplete else { return }
    awaited = nil
    if shown?.seek(target) != true { onChange?(.found(target)) }
  }

  // MARK: Places

  /// Has the post of a place of another run looked for: `.placeFound` says where it is, at once
  /// where it stands where it stood.
  public func look(for place: RememberedPlace) {
    placeSearch = PlaceSearch(for: place)
    lookForPlace()
  }

  /// The reader has gone elsewhere.
  public func stopLookingForPlace() {
    guard placeSearch != nil else { return }
    placeSearch = nil
    posts?.stopFinding()
  }

  /// Whether the place of another run is still looked for.
  public var isLookingForPlace: Bool { placeSearch != nil }

  private func lookForPlace() {
    guard let posts, let search = placeSearch, search.isDue, mayChangeRows() else { return }
    guard let found = search.look(in: posts) else { return }
    // Only what is counted is filtered: till then nobody knows whether the post fits, nor what is
    // beside it.
    if filter != nil, let row = found?.row, row >= posts.searchable.count, posts.expectsMore {
      return
    }
    stopLookingForPlace()
    // Of what shows nothing there is another thing to tell.
    guard found != nil || count > 0 else { return }
    onChange?(
      found.map { .placeFound(row: $0.row, newRows: $0.newRows) } ?? .placeLost)
  }

  // MARK: Refreshing

  /// Whether `reload` can do anything: not for a pipe, which is read once, nor before all is read.
  public var isReloadable: Bool {
    guard reloading == nil, let posts else { return false }
    return switch posts.refreshMethod {
    case .no: false
    case .byItself: true
    case .inPlace, .successor: origin.reader.isRefreshable
    }
  }

  public var isReloading: Bool { reloading != nil }

  /// Refreshes the source in the background. Posts that are still there keep their rows.
  ///
  /// - Returns: false where it cannot be, or is being done.
  @discardableResult public func reload() -> Bool {
    guard isReloadable else { return false }
    isBehind = false
    reloading = Task { [weak self] in
      var failure: SourceError?
      do throws(SourceError) { try await self?.readAnew() } catch { failure = error }
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

  private func readAnew() async throws(SourceError) {
    if case .byItself(let refresh) = posts?.refreshMethod { return await refresh() }
    switch try await origin.refreshed() {
    case nil: return
    case .rows(let rows): successor = rows
    case .reader(let reader):
      let all = try await PostArray.readAll(reader)
      // A cancelled read is incomplete.
      guard !Task.isCancelled else { return }
      if let rows = try await PostOrigin.rows(ofCut: reader) {
        successor = rows
      } else if case .inPlace(let refresh) = posts?.refreshMethod {
        return await refresh(all)
      } else {
        successor = PostArray(all, of: reader)
      }
    }
    if Task.isCancelled { successor = nil }
    takeOver()
  }

  /// Puts the successor in the place of what is shown, as soon as rows may change.
  private func takeOver() {
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

  /// Files that are read whole are read again when they were written.
  private func startWatching() {
    watch?.cancel()
    watch = nil
    guard posts?.isReadWhole == true else { return }
    let files = origin.reader.files
    guard !files.isEmpty else { return }
    watch = FilesWatch(files) { [weak self] in
      guard let self, !reload() else { return }
      isBehind = true
    }
  }
}
