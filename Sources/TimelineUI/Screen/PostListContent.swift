import Dispatch
import Feeds
import HTTP
import Library
import Pictures
import TerminalApp
import TerminalViews
import TextLayout
import TimelineStore
import VirtualList

/// The posts of a timeline as the rows of a list screen.
@MainActor package final class PostListContent: ListContent {
  /// The timeline with the posts.
  package let store: TimelineStore
  private let source: String
  private let rows: PostRowCells
  /// Requests threads from servers; `nil` if no requests are allowed.
  private let threads: ThreadReader?
  /// The program that prints articles.
  package let article: ArticleReader
  private weak var list: ListView?
  private var onEffect: (ListEffect) -> Void = { _ in }
  private let places: PlaceKeeper
  /// Marks, and the feeds of a library.
  package let library: LibraryActions
  /// Whether the reader is waiting for the result of a reload.
  private var isReloadRequested = false

  /// Called when the source has failed and there are no posts to show.
  package var onFailure: ((SourceError) -> Void)?
  /// Called once, when a readable post is on the screen.
  package var onFirstPost: (() -> Void)?

  /// - Parameters:
  ///   - source: the name in the status line, if the timeline has no title.
  ///   - clock: the clock for the ages of posts.
  ///   - place: the reader's place in another run; `nil` for the top.
  ///   - threads: requests the posts that an opened post answers, and its answers.
  ///   - directory: the feeds of a library; `nil` if the timeline is not a library.
  package convenience init(
    store: TimelineStore, source: String, pictures: PictureStore, clock: PostClock,
    place: RememberedPlace? = nil, threads: ThreadReader? = nil,
    directory: (any FeedDirectory)? = nil
  ) {
    self.init(
      of: store, source: source, context: PostCell.Context(pictures: pictures, clock: clock),
      place: place, threads: threads, article: ArticleReader(),
      library: LibraryActions(of: store, directory: directory, clock: clock))
  }

  private init(
    of store: TimelineStore, source: String, context: PostCell.Context, place: RememberedPlace?,
    threads: ThreadReader?, article: ArticleReader, library: LibraryActions
  ) {
    (self.store, self.source) = (store, source)
    (self.threads, self.library) = (threads, library)
    rows = PostRowCells(of: store, context: context, marker: library.marker)
    places = PlaceKeeper(place, in: store)
    self.article = article
  }

  package var title: String { store.info.title.isEmpty ? source : store.info.title }
  package var rowName: String { "post" }
  package var isComplete: Bool { store.isComplete }

  package var activity: String {
    let rows = store.activity
    let pictures = PictureActivity.text(of: pictures.loader.activity)
    return rows.isEmpty ? pictures : pictures.isEmpty ? rows : "\(rows) · \(pictures)"
  }

  package var message: (text: String, isError: Bool)? { store.message }

  package var notes: [String] {
    let posts = (store.count - errors.count).counted("post")
    let others = errors.count > 0 ? ", \(errors.count.counted("error"))" : ""
    return ["\(store.isComplete ? "" : "~")\(posts)\(others)."]
  }

  package func hint(forRow row: Int) -> String {
    guard let isRevealed = list?.postRowCell(ofRow: row)?.isRevealed else { return "" }
    return list?.application?.keyHint([
      ([("toggle-cover", "x")], isRevealed ? "hides it again" : "shows what is hidden")
    ]) ?? ""
  }

  package func attach(to list: ListView, onEffect: @escaping (ListEffect) -> Void) {
    (self.list, self.onEffect) = (list, onEffect)
    rows.register(in: list)
    store.mayChangeRows = { [weak list] in list?.isDraggingScrollBar == false }
    store.onChange = { [weak self] change in self?.storeChanged(change) }
    pictures.loader.onActivityChange = { [weak self] _ in self?.onEffect(.changed) }
    library.attach(to: list, onEffect: onEffect) { [weak self] in self?.opened($0, $1, $2) }
    store.start()
    places.start()
  }

  // MARK: Changes of the timeline

  private func storeChanged(_ change: SourceChange) {
    guard let list else { return }
    if let directory = store.directory { library.adopt(directory) }
    if case .reopened = change { errors.forgetAll() } else { errors.rowsChanged() }
    let effects = apply(change, to: list)
    switch change {
    case .rows, .refreshed, .reopened: library.marker.rowsChanged()
    case .state, .found, .placeFound, .placeLost: library.marker.stateChanged()
    }
    for effect in effects { onEffect(effect) }
    onEffect(.changed)
  }

  /// Applies a change to the list.
  ///
  /// - Returns: the effects for the screen to perform.
  private func apply(_ change: SourceChange, to list: ListView) -> [ListEffect] {
    switch change {
    case .rows(let deletions, let insertions, let reloads):
      places.keepingTop(in: list, now: clock.now) {
        list.beginUpdates()
        for rows in deletions { list.deleteRows(rows) }
        for rows in insertions { list.insertRows(rows) }
        list.reloadRows(at: reloads.map { IndexPath(row: $0, section: 0) })
        list.endUpdates()
      }
      return [.rowsChanged]
    case .state:
      if !store.isReloading { isReloadRequested = false }
      if store.count == 0, let failure = store.failure { onFailure?(failure) }
      return []
    case .found(let target): return [.found(target)]
    case .refreshed(let change):
      guard let updates = change.updates else {
        list.reloadData()
        return reloadResult(change.text)
      }
      return keepingSelection(in: list) { list.perform(updates) } + reloadResult(change.text)
    case .reopened(let place): return reopen(place, in: list) + reloadResult("reloaded")
    case .placeFound(let row, let newRows):
      return places.placeFound(atRow: row, newRows: newRows, in: list)
    case .placeLost: return places.placeLost()
    }
  }

  /// Reloads the rows after the source was read again. Rows around the one that was found again are
  /// assumed to be the same as before; if they are not, their heights are corrected when they are
  /// shown.
  private func reopen(
    _ place: (old: Int, new: Int, selected: Int?)?, in list: ListView
  ) -> [ListEffect] {
    rows.forgetRevealed()
    guard let place else {
      list.reloadData()
      return []
    }
    let (old, new) = (list.numberOfRows, store.count)
    let shift = place.new - place.old
    let rest = new - old - shift
    var updates = BatchUpdates()
    if shift > 0 { updates.insert(0..<shift) } else { updates.delete(0..<(-shift)) }
    if rest > 0 { updates.insert(new - rest..<new) } else { updates.delete(old + rest..<old) }
    for row in list.indexPathsForPreparedRows.map(\.row)
    where row + shift >= 0 && row + shift < min(new, old + shift) {
      updates.reload(row)
    }
    return keepingSelection(in: list) {
      list.perform(updates)
      if let selected = place.selected, (0..<new).contains(selected) {
        list.selectRow(at: IndexPath(row: selected))
      }
    }
  }

  /// Performs an update, and requests that the selected row be shown if it was visible and the
  /// number of rows between it and the top edge has changed. The list does not scroll back to a
  /// selection that the reader has scrolled away from, nor if only heights have changed.
  private func keepingSelection(in list: ListView, _ update: () -> Void) -> [ListEffect] {
    let distance = list.isSelectionVisible ? list.rowsToSelection : nil
    update()
    guard let distance, list.rowsToSelection != distance else { return [] }
    return [.showSelection]
  }

  /// Reports the result of a reload to a reader who waits for it.
  private func reloadResult(_ text: String) -> [ListEffect] {
    guard isReloadRequested else { return [] }
    isReloadRequested = false
    return [.tell(text)]
  }

  // MARK: Rows on the screen

  package func didShow(rows shown: Range<Int>) {
    guard let list else { return }
    noteFirstPost(among: shown)
    rows.updatePicturePriorities(in: list, beside: shown)
    places.readerMayHaveMoved(in: list)
    store.didShow(rows: shown, selected: list.indexPathForSelectedRow?.row)
    if errors.takeNews() { onEffect(.changed) }
  }

  private func noteFirstPost(among rows: Range<Int>) {
    guard let onFirstPost,
      rows.clamped(to: 0..<store.count).contains(where: {
        !store.isStaleGuess($0) && !store.post(at: $0).isBlank
      })
    else { return }
    self.onFirstPost = nil
    onFirstPost()
  }

  // MARK: ListViewDataSource

  package func numberOfRows(in listView: ListView) -> Int { store.count }

  package func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
    store.rowID(at: indexPath.row)
  }

  package func listView(_ listView: ListView, indexPathFor id: RowID) -> IndexPath? {
    store.row(of: id).map { IndexPath(row: $0) }
  }

  package func listView(_ listView: ListView, kindForRowAt indexPath: IndexPath) -> Int? {
    rows.kind(ofRow: indexPath.row)
  }

  package func listView(_ listView: ListView, textLengthOfRows range: Range<Int>) -> Int? {
    rows.textLength(ofRows: range)
  }

  package func listView(_ listView: ListView, heightForRowAt indexPath: IndexPath) -> Int? {
    rows.height(ofRow: indexPath.row)
  }

  package func listView(_ listView: ListView, heightBoundForRowAt indexPath: IndexPath) -> Int? {
    rows.heightBound(ofRow: indexPath.row, in: listView)
  }

  package func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    rows.cell(forRow: indexPath.row, in: listView)
  }
}

extension PostListContent: PostActions {
  package var pictures: PictureStore { rows.context.pictures }
  package var reading: ReadingWidth { rows.context.reading }
  package var clock: PostClock { rows.context.clock }
  package var timeline: PostListContent? { self }

  package func post(ofRow row: Int) -> Post? {
    (0..<store.count).contains(row) && !store.isStaleGuess(row) ? store.post(at: row) : nil
  }

  package func isRevealed(row: Int) -> Bool { rows.isRevealed(row: row) }

  package func toggleCover(ofRow row: Int) -> [Int] {
    guard let post = post(ofRow: row), PostCover(of: post) != nil else { return [] }
    rows.toggleRevealed(row: row)
    return [row]
  }

  package func markTarget(ofRow row: Int) -> MarkTarget? {
    guard library.marker.keepsMarks, post(ofRow: row) != nil else { return nil }
    return MarkTarget(marker: library.marker, row: row)
  }

  // MARK: Opening a post

  /// The rows on either side of a post that are searched for its thread, and the number read in a
  /// turn.
  private static let nearRows = 1_000
  private static let rowsAtOnce = 20

  package func open(row: Int) -> OpenedPost? {
    guard let post = post(ofRow: row) else { return nil }
    let id = store.rowID(at: row)
    let surroundings = ThreadContent.Surroundings(
      info: store.info, context: rows.context,
      nearby: { [weak self] in await self?.posts(near: id) ?? [] }, reader: threads,
      article: article,
      markTarget: { [weak self] in
        self?.store.row(of: id).flatMap { self?.markTarget(ofRow: $0) }
      })
    return ThreadContent(of: post, isRevealed: isRevealed(row: row), in: surroundings).opened
  }

  package func readArticle() -> CommandOutcome { .refused("this post leads to no article") }

  /// The timeline of a feed, in the same view as this one.
  private func opened(
    _ feed: Feed, _ store: TimelineStore, _ library: LibraryActions
  ) -> OpenedPost {
    var context = rows.context
    context.marks = SearchMarks()
    let content = PostListContent(
      of: store, source: feed.name, context: context, place: nil, threads: threads,
      article: article, library: library)
    content.show(view)
    let loader = pictures.loader
    let onActivityChange = loader.onActivityChange
    return OpenedPost(content: content, row: 0) { [weak self] in
      store.stop()
      loader.onActivityChange = onActivityChange
      self?.store.marks?.takeInOtherChanges()
    }
  }

  /// The posts around one, in batches so that no key waits.
  private func posts(near id: RowID) async -> [Post] {
    var posts: [Post] = []
    guard let row = store.row(of: id) else { return [] }
    let range = max(0, row - Self.nearRows)..<min(store.count, row + Self.nearRows)
    var next = range.lowerBound
    while next < range.upperBound, !Task.isCancelled {
      let end = min(next + Self.rowsAtOnce, range.upperBound)
      posts += (next..<end).compactMap { post(ofRow: $0) }
      next = end
      await Self.nextTurn()
    }
    return posts
  }

  /// Lets queued input be handled. `Task.yield` would start threads of libdispatch, one of which
  /// then wakes up once a second for good.
  private static func nextTurn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}

extension PostListContent {
  // MARK: The timeline as a whole

  /// Reloads the source in the background; rows that remain keep their places.
  ///
  /// - Returns: `false` if it cannot be reloaded.
  package func reload() -> Bool {
    isReloadRequested = store.reload()
    return isReloadRequested
  }

  /// The search and the filter, on the pane that shows the timeline.
  package func finding(on pane: ListPane) -> TimelineFinding {
    TimelineFinding(in: store, on: pane, marks: rows.context.marks, errors: errors)
  }

  /// How the posts are shown.
  package var view: PostView { rows.view }

  /// Shows the posts whole or on one line each; the row at the top edge stays there.
  package func show(_ view: PostView) { rows.show(view, in: list) }

  // MARK: The reader's place

  /// Called when the reader rests at a new place.
  package var onRest: ((RememberedPlace) -> Void)? {
    get { places.onRest }
    set { places.onRest = newValue }
  }

  /// Called when nothing has happened for a while.
  package func didComeToRest() {
    guard let list else { return }
    places.didComeToRest(in: list, rowsWillBeTaller: rows.areShorterThanAtStart)
    library.marker.didComeToRest(in: list)
  }

  /// The rows that are errors, not posts.
  package var errors: ErrorRows { rows.errors }

  /// Looks for errors in a few more rows, in idle time.
  ///
  /// - Returns: whether there are more.
  package func readAhead() -> Bool {
    let hasMore = errors.readAhead()
    if !hasMore, errors.takeNews() { onEffect(.changed) }
    return hasMore
  }

  /// The reader's place, to restore it in another run; `nil` if there is nothing to remember.
  package var currentPlace: RememberedPlace? {
    list.flatMap { places.currentPlace(in: $0, rowsWillBeTaller: rows.areShorterThanAtStart) }
  }
}
