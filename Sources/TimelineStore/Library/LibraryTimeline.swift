import Caches
import Feeds
import Library
import System
import VirtualList

/// The items of a library as rows, newest first.
///
/// 1. The first rows are read when it is made, the others in the background, in growing pieces.
///    Posts are read when they are shown, on the connection of the screen, which waits for no
///    writer.
/// 2. New items appear in their places. Rows change only when they may; until then changes wait, in
///    their order.
/// 3. The identity of a row is the key of its item.
@MainActor final class LibraryTimeline: PostSource {
  private let owner: OpenLibrary
  private let subject: Subject
  private let loader: LibraryRowLoader
  private var rows: LibraryRows
  private var known = KnownItems()
  private let placeSearch = MergedPlaceSearch()
  private var waiting: [Change] = []
  private var task: Task<Void, Never>?
  private var progress: Progress
  var onChange: ((SourceChange) -> Void)?
  var mayChangeRows: () -> Bool = { true }
  var onMarksChange: (([Range<Int>]) -> Void)?

  /// The items that are shown, their name, and the key under which visits are remembered.
  private struct Subject {
    let scope: FeedScope
    let name: String
    let key: String
  }

  /// Items that were used lately.
  private struct KnownItems {
    var posts = LRUCache<Int64, (post: Post, feed: FeedID)>(
      maximumCost: 16 << 20, maximumCount: 512)
    /// The dates of items whose identity was asked for.
    var dates = LRUCache<Int64, Int64>(maximumCount: 65_536)
  }

  /// What the timeline counts and has met besides its rows.
  private struct Progress {
    var visit: TimelineVisit?
    /// `nil` after marks or rows have changed.
    var unreadCount: Int?
    var newCount: Int?
    /// Counts the changes of rows.
    var revision = 0
    var failure: LibraryError?
    /// The last item to arrive among the rows.
    var latestItem = ItemID(0)
  }

  private enum Change {
    case older([ItemPlace], isLast: Bool)
    case added([ItemPlace])
    case changed([ItemID])
    case all(Replacement)
  }

  /// All rows as they were read again, and how they differ from earlier ones.
  private struct Replacement: Sendable {
    let rows: LibraryRows
    let deletions, insertions: [Range<Int>]
    /// The revision of the rows from which they differ.
    let revision: Int

    init(of old: LibraryRows, revision: Int, by places: [ItemPlace]) {
      var new = old
      (deletions, insertions) = new.replace(with: places)
      (rows, self.revision) = (new, revision)
    }
  }

  /// The rows that are read before the first frame.
  private static let firstRows = 100
  /// The rows that are known while sources are merged; those below are read when all are recorded,
  /// or when they are about to be shown. Otherwise each part would move all rows.
  private static let mergingRows = 20_000
  /// The distance from the last row at which further ones are read then.
  private static let nearRows = 500

  init(in owner: OpenLibrary, scope: FeedScope, name: String, key: String) {
    self.owner = owner
    subject = Subject(scope: scope, name: name, key: key)
    progress = Progress(visit: owner.visits[key])
    loader = LibraryRowLoader(of: owner.library, scope: scope)
    do throws(LibraryError) {
      let first = try owner.library.newestPlaces(Self.firstRows, in: scope)
      rows = LibraryRows(first, isComplete: first.count < Self.firstRows)
      progress.latestItem = first.map(\.item).max() ?? ItemID(0)
    } catch {
      rows = LibraryRows([], isComplete: false)
      progress.failure = error
    }
  }

  isolated deinit { task?.cancel() }

  // MARK: State

  var info: TimelineInfo {
    var info = TimelineInfo()
    info.title = subject.name
    return info
  }
  var count: Int { rows.count }
  var isComplete: Bool { rows.isComplete && !owner.isMerging }
  var activity: String { isComplete ? "" : "loading" }
  var failure: SourceError? { count == 0 ? owner.merged.failure : nil }
  var message: (text: String, isError: Bool)? {
    if let failure = owner.marks.failure {
      let count = owner.marks.waitingCount
      let marks = count > 0 ? "\(count.counted("mark")) not written yet: " : ""
      return ("\(marks)\(failure)", true)
    }
    return (progress.failure.map { "\($0)" } ?? owner.merged.omission).map { ($0, true) }
  }
  var capabilities: SourceCapabilities {
    SourceCapabilities(
      places: self, marking: owner.library.isTemporary ? nil : self,
      context: { [weak self] in self?.context(ofRow: $0) }, refresh: .byItself(self))
  }
  var searchable: (rows: any SearchableRows, count: Int) {
    var marks = owner.marks.held
    marks.latestItem = progress.visit?.latestItem
    let posts = PostsInLibrary(
      library: owner.library, places: rows, reader: owner.reader, marks: marks)
    return (posts, rows.count)
  }
  var expectsMore: Bool { !isComplete }

  // MARK: Rows

  func post(at row: Int) -> Post { entry(at: row).post }

  private func entry(at row: Int) -> (post: Post, feed: FeedID?) {
    let item = rows[row].item
    if let entry = known.posts.value(for: item.rawValue) { return (entry.post, entry.feed) }
    do throws(LibraryError) {
      guard let entry = try owner.library.entry(of: item) else {
        return (owner.reader.post(nil, item: item), nil)
      }
      let post = owner.reader.post(entry, item: item)
      let cost = min(post.footprint, known.posts.maximumCost)
      known.posts.insert((post, entry.feed), for: item.rawValue, cost: cost)
      return (post, entry.feed)
    } catch {
      return (owner.reader.marked(item, "\(error)"), nil)
    }
  }

  func rowID(at row: Int) -> RowID {
    let place = rows[row]
    known.dates.insert(place.date, for: place.item.rawValue, cost: 1)
    return RowID(UInt64(bitPattern: place.item.rawValue))
  }

  func row(of id: RowID) -> Int? { row(of: ItemID(Int64(bitPattern: id.rawValue))) }

  /// - Complexity: O(log n), or O(n) for an item whose identity was not asked for lately.
  private func row(of item: ItemID) -> Int? {
    guard let date = known.dates.value(for: item.rawValue) else {
      return rows.first(from: 0) { $0 == item }
    }
    let (row, isThere) = rows.position(of: ItemPlace(item, date: date))
    return isThere ? row : nil
  }

  func kind(of row: Int) -> Int? { nil }
  func textLength(ofRows rows: Range<Int>) -> Int? { nil }
  func didShow(rows: Range<Int>) {
    applyWaiting()
    if owner.isMerging, rows.upperBound + Self.nearRows > count { loadFurtherRows() }
  }

  // MARK: Reading

  func start() {
    guard task == nil else { return }
    load()
    findVisit()
  }

  /// Looks for the last visit. If there was none, the items that are there now are not new: the first
  /// visit is recorded, which may wait for another program.
  private func findVisit() {
    let (library, key) = (owner.library, subject.key)
    guard progress.visit == nil, !library.isTemporary else { return }
    task = Task { [weak self] in
      let visit = await WorkerThreads.sources.value {
        (try? library.visit(of: key, orNow: SystemClock.wallTime)) ?? nil
      }
      self?.adopt(visit)
    }
  }

  /// Reads all older items, once sources are merged.
  private func load() {
    guard !rows.isComplete, !loader.isLoading, !owner.isMerging else { return }
    loader.loadAll(after: rows.last) { [weak self] in self?.take($0) }
  }

  /// Reads some older items while sources are merged.
  private func loadFurtherRows() {
    guard !rows.isComplete, !loader.isLoading, let last = rows.last else { return }
    loader.loadSome(after: last) { [weak self] in
      self?.take($0)
      self?.load()
    }
  }

  private func take(_ loaded: Result<LibraryRowLoader.Piece, LibraryError>) {
    switch loaded {
    case .success(let piece):
      progress.failure = nil
      take(.older(piece.places, isLast: piece.isLast))
    case .failure(let error): fail(error)
    }
  }

  func stop() {
    task?.cancel()
    loader.stop()
  }

  private func adopt(_ visit: TimelineVisit?) {
    guard let visit, progress.visit == nil else { return }
    (progress.visit, progress.newCount) = (visit, nil)
    marksDidChange()
  }

  private func fail(_ error: LibraryError) {
    progress.failure = error
    onChange?(.state)
  }

  // MARK: Changes

  /// Items that a refresh has written.
  func take(_ changes: FetchChanges) {
    defer { onChange?(.state) }
    guard contains(changes.feed) else { return }
    if !changes.added.isEmpty, subject.scope != .saved { take(.added(changes.added)) }
    if !changes.changed.isEmpty { take(.changed(changes.changed)) }
  }

  private func contains(_ feed: FeedID) -> Bool {
    switch subject.scope {
    case .everything, .saved: true
    case .feed(let own): feed == own
    }
  }

  func refreshDidChange() {
    load()
    // The items of the first refresh of a library are not new; those of later ones are.
    if count > 0, owner.refresher?.progress == nil { findVisit() }
    onChange?(.state)
  }

  /// The names of these feeds stand in their posts.
  func namesDidChange(of feeds: Set<FeedID>) {
    let named = known.posts.keysByRecency.filter { item in
      known.posts.peek(item).map { feeds.contains($0.feed) } ?? false
    }
    if !named.isEmpty { take(.changed(named.map { ItemID($0) })) }
    onChange?(.state)
  }

  /// Reads all rows again in the background, and shows the differences. Rows that change meanwhile
  /// may be missing in what was read: then it is read once more.
  func readAgain() {
    let (library, scope) = (owner.library, subject.scope)
    Task { [weak self, rows, revision = progress.revision] in
      let result = await WorkerThreads.sources.value {
        Result { () throws(LibraryError) in
          let places = try library.places(in: scope, after: nil, count: .max)
          return Replacement(of: rows, revision: revision, by: places)
        }
      }
      switch result {
      case .success(let all):
        self?.loader.stop()
        self?.take(.all(all))
      case .failure(let error): self?.fail(error)
      }
    }
  }

  private func take(_ change: Change) {
    waiting.append(change)
    applyWaiting()
  }

  private func applyWaiting() {
    guard !waiting.isEmpty, mayChangeRows() else { return }
    let changes = waiting
    waiting = []
    for change in changes { apply(change) }
  }

  private func noteArrival(of places: some Sequence<ItemPlace>) {
    for place in places { progress.latestItem = max(progress.latestItem, place.item) }
  }

  private func apply(_ change: Change) {
    progress.revision &+= 1
    switch change {
    case .older(let places, let isLast):
      noteArrival(of: places)
      let new = rows.append(places, isLast: isLast)
      progress.unreadCount = progress.unreadCount.map { $0 + unreadCount(in: new) }
      progress.newCount = progress.newCount.map { $0 + newCount(in: new) }
      if !new.isEmpty { onChange?(.rows(deletions: [], insertions: [new], reloads: [])) }
      onChange?(.state)
    case .added(let places):
      noteArrival(of: places)
      if owner.isMerging, rows.count + places.count > Self.mergingRows { rows.leaveOpen() }
      let insertions = rows.insert(places)
      guard !insertions.isEmpty else { return }
      progress.unreadCount = nil
      for range in insertions {
        progress.newCount = progress.newCount.map { $0 + newCount(in: range) }
      }
      onChange?(.rows(deletions: [], insertions: insertions, reloads: []))
    case .changed(let items):
      for item in items { known.posts.remove(item.rawValue) }
      let dated = items.filter { known.dates.value(for: $0.rawValue) != nil }
      let reloads = dated.compactMap { row(of: $0) }.sorted()
      if !reloads.isEmpty { onChange?(.rows(deletions: [], insertions: [], reloads: reloads)) }
    case .all(let replacement):
      noteArrival(of: replacement.rows)
      known.posts.removeAll()
      guard replacement.revision == progress.revision &- 1 else { return readAgain() }
      rows = replacement.rows
      (progress.unreadCount, progress.newCount) = (nil, nil)
      let (deletions, insertions) = (replacement.deletions, replacement.insertions)
      if !deletions.isEmpty || !insertions.isEmpty {
        onChange?(.rows(deletions: deletions, insertions: insertions, reloads: []))
      }
      onChange?(.state)
    }
  }
}

extension LibraryTimeline: RefreshableSource {
  var isRefreshable: Bool { owner.refresher != nil }
  func refresh() async { _ = owner.refresher?.refresh(.due) }
}

extension LibraryTimeline: PlaceFinder {
  /// The keys of a temporary library are gone with it.
  func key(ofRow row: Int) -> Int? {
    owner.library.isTemporary ? nil : Int(rows[row].item.rawValue)
  }

  private func findMerged(_ place: RememberedPlace) -> PlaceSearchResult {
    if place.row < count, place.post.isMarkOf(post(at: place.row)) { return .row(place.row) }
    guard isComplete else { return .pending }
    guard let result = placeSearch.result(for: place.post) else {
      placeSearch.start(place.post, in: owner.library, by: owner.reader) { [weak self] in
        self?.onChange?(.state)
      }
      return .pending
    }
    guard let item = result else { return .absent }
    let (row, isThere) = rows.position(of: item)
    return isThere ? .row(row) : .absent
  }

  func find(_ place: RememberedPlace, after examined: inout Int) -> PlaceSearchResult {
    if owner.library.isTemporary { return findMerged(place) }
    guard let key = place.byte else { return .absent }
    if let row = row(of: ItemID(Int64(key))) { return .row(row) }
    return rows.isComplete ? .absent : .pending
  }

  func stopFinding() { placeSearch.cancel() }
}

extension LibraryTimeline: MarkableSource {
  func marks(ofRow row: Int) -> PostMarks {
    let item = rows[row].item
    let isNew = progress.visit.map { item > $0.latestItem } ?? false
    let marks = owner.marks.held.marks(of: item)
    return isNew ? marks.union(.new) : marks
  }

  private func context(ofRow row: Int) -> MatchContext {
    MatchContext(
      marks: marks(ofRow: row), feedNames: entry(at: row).feed.map(owner.reader.names(of:)) ?? [])
  }

  var unreadCount: Int {
    if let count = progress.unreadCount { return count }
    let isWhole = subject.scope == .everything && rows.isComplete
    let count = isWhole ? owner.marks.held.unread.count : unreadCount(in: 0..<rows.count)
    progress.unreadCount = count
    return count
  }

  private func unreadCount(in range: Range<Int>) -> Int {
    rows.count(in: range, where: condition(.unread))
  }

  var newCount: Int {
    if let count = progress.newCount { return count }
    let count = newCount(in: 0..<rows.count)
    progress.newCount = count
    return count
  }

  func newCount(above row: Int) -> Int {
    let total = newCount
    return total == 0 ? 0 : newCount(in: 0..<max(0, row), atMost: total)
  }

  private func newCount(in range: Range<Int>, atMost limit: Int = .max) -> Int {
    guard progress.visit != nil else { return 0 }
    return rows.count(in: range, atMost: limit, where: condition(.new))
  }

  var newSince: Double? { progress.visit?.time }

  func mark(_ rows: [Range<Int>], as mark: Mark) -> Int {
    let isWhole = rows == [0..<count] && self.rows.isComplete && subject.scope == .everything
    guard !isWhole || mark != .read else { return owner.marks.markAllRead() }
    let places = self.rows
    return owner.marks.mark(rows.lazy.joined().lazy.map { places[$0].item }, as: mark)
  }

  var keepsMarks: Bool { owner.marks.areKept }

  func undoMarking() async throws(LibraryError) -> Marking? { try await owner.marks.undo() }

  /// - Complexity: O(n) in the rows between them
  func row(after row: Int, having marks: PostMarks) -> Int? {
    rows.first(from: row + 1, where: condition(marks))
  }

  /// - Complexity: O(n) in the rows between them
  func row(before row: Int, having marks: PostMarks) -> Int? {
    rows.last(before: row, where: condition(marks))
  }

  private func condition(_ marks: PostMarks) -> @Sendable (ItemID) -> Bool {
    let (unread, saved) = (owner.marks.held.unread, owner.marks.held.saved)
    let latest = marks.contains(.new) ? progress.visit?.latestItem ?? ItemID(.max) : nil
    return { item in
      (!marks.contains(.unread) || unread.contains(item))
        && (!marks.contains(.saved) || saved.contains(item)) && latest.map { item > $0 } ?? true
    }
  }

  func recordVisit() {
    owner.marks.recordVisit(of: subject.key, upTo: progress.latestItem)
  }
  func takeInOtherChanges() {
    owner.takeInOtherChanges()
    if progress.failure != nil { load() }
  }
  func finishMarking() async throws(LibraryError) { try await owner.finish() }

  /// Called after marks have changed, whatever changed them.
  func marksDidChange() {
    progress.unreadCount = nil
    onMarksChange?([0..<count])
    onChange?(.state)
  }
}
