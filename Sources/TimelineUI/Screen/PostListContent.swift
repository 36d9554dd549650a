import Dispatch
import Feeds
import HTTP
import ImageLoading
import Pictures
import TerminalApp
import TerminalViews
import TextLayout
import TimelineStore
import VirtualList

/// The posts of a timeline as the rows of a list screen.
@MainActor public final class PostListContent: ListContent {
  private let store: TimelineStore
  private let source: String
  /// The pictures of the posts.
  public let pictures: PictureStore
  private let postClock: PostClock
  /// Requests threads from servers; `nil` if no requests are allowed.
  private let threads: ThreadReader?
  private let textWidth = ReadingWidth()
  private weak var screen: ListScreen?
  /// The search and the filter of the posts; `nil` before the content is attached to a screen.
  public private(set) var finding: TimelineFinding?
  /// The rows whose hidden content is revealed.
  private var revealed: Set<RowID> = []
  /// The reader's place in another run, until it is restored.
  private var place: RememberedPlace?
  /// Whether the post that was at the top edge no longer exists.
  private var isTopPostGone = false
  /// The scroll state that ``onRest`` was last called for.
  private var lastReportedState: ScrollState?
  /// Whether the reader is waiting for the result of a reload.
  private var isReloadRequested = false
  /// The reader's direction when the picture priorities were last updated.
  private var movesUp = false

  /// Called when the source contains nothing that can be shown.
  public var onFailure: ((SourceError) -> Void)?
  /// Called when the reader rests at a new place.
  public var onRest: ((RememberedPlace) -> Void)?
  /// Called once, when a readable post is on the screen.
  public var onFirstPost: (() -> Void)?

  /// - Parameters:
  ///   - source: the name in the status line, if the timeline has no title.
  ///   - clock: the clock for the ages of posts.
  ///   - place: the reader's place in another run; `nil` for the top.
  ///   - threads: requests the posts that an opened post answers, and its answers.
  public init(
    store: TimelineStore, source: String, pictures: PictureStore,
    clock: PostClock, place: RememberedPlace? = nil, threads: ThreadReader? = nil
  ) {
    self.place = place
    self.store = store
    self.source = source
    self.pictures = pictures
    postClock = clock
    self.threads = threads
  }

  /// A content in which ages are computed for the time `now`, in seconds since 1970.
  public convenience init(
    store: TimelineStore, source: String, pictures: PictureStore, now: Double
  ) {
    self.init(store: store, source: source, pictures: pictures, clock: .fixed(at: now))
  }

  public var title: String { store.info.title.isEmpty ? source : store.info.title }
  public var rowName: String { "post" }
  public var showsPosts: Bool { true }
  public var reading: ReadingWidth? { textWidth }
  public var clock: PostClock? { postClock }
  public var isComplete: Bool { store.isComplete }

  public var activity: String {
    let rows = store.activity
    let pictures = PictureActivity.text(of: pictures.loader.activity)
    return rows.isEmpty ? pictures : pictures.isEmpty ? rows : "\(rows) · \(pictures)"
  }

  public var message: (text: String, isError: Bool)? { store.message }

  public var notes: [String] {
    return ["\(title): \(store.isComplete ? "" : "about ")\(store.count.counted("post"))."]
  }

  public func attach(to screen: ListScreen) {
    self.screen = screen
    let finding = TimelineFinding(in: store, on: screen)
    self.finding = finding
    let list = screen.listView
    let context = PostCell.Context(
      pictures: pictures, clock: postClock, reading: textWidth, marks: finding.search.marks)
    PostCell.register(PostCell.Shape.all, context, in: list)
    list.register(
      { MissingRowCell(name: "phantom") }, forCellReuseIdentifier: MissingRowCell.identifier)
    list.estimatedRowHeight = 6
    store.mayChangeRows = { [weak list] in list?.isDraggingScrollBar == false }
    store.onChange = { [weak self] change in self?.storeChanged(change) }
    pictures.loader.onActivityChange = { [weak self] _ in self?.screen?.setNeedsFrameSoon() }
    store.start()
    if let place { store.look(for: place) }
  }

  private func storeChanged(_ change: SourceChange) {
    switch change {
    case .rows(let deletions, let insertions, let reloads): update(deletions, insertions, reloads)
    case .state:
      if !store.isReloading { isReloadRequested = false }
      if store.count == 0, let failure = store.failure { onFailure?(failure) }
    case .found(let target): screen?.go(to: target)
    case .refreshed(let change): refresh(change)
    case .reopened(let place): reopen(place)
    case .placeFound(let row, let newRows): restore(atRow: row, newRows: newRows)
    case .placeLost: lookForNextCandidate()
    }
    screen?.setNeedsFrameSoon()
  }

  private func update(_ deletions: [Range<Int>], _ insertions: [Range<Int>], _ reloads: [Int]) {
    guard let list = screen?.listView else { return }
    list.beginUpdates()
    for rows in deletions { list.deleteRows(rows) }
    for rows in insertions { list.insertRows(rows) }
    list.reloadRows(at: reloads.map { IndexPath(row: $0, section: 0) })
    list.endUpdates()
    finding?.filter.rowsChanged()
  }

  private func refresh(_ change: PostChange) {
    guard let pane = screen?.pane else { return }
    if let updates = change.updates {
      pane.updateKeepingSelectionVisible { pane.listView.perform(updates) }
    } else {
      pane.listView.reloadData()
    }
    reportReload(change.text)
  }

  /// Reloads the rows after the source was read again. Rows around the one that was found again are
  /// assumed to be the same as before; if they are not, their heights are corrected when they are
  /// shown.
  private func reopen(_ place: (old: Int, new: Int, selected: Int?)?) {
    // The identities now belong to other rows.
    revealed = []
    guard let list = screen?.listView else { return }
    defer { reportReload("reloaded") }
    guard let place else { return list.reloadData() }
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
    list.perform(updates)
    guard let selected = place.selected else { return }
    screen?.pane.select(row: selected)
    screen?.pane.bringSelectionIntoView()
  }

  // MARK: Places

  /// The inputs of a place, to detect changes.
  private struct ScrollState: Equatable {
    var top: Place
    var topRow: Int
    var selected: Int?
  }

  /// The reader's place, to restore it in another run; `nil` if there is nothing to remember.
  public var currentPlace: RememberedPlace? {
    guard !store.isSearchingForPlace, let list = screen?.listView, let top = list.topPlace else {
      return nil
    }
    return store.place(
      ofRow: top.row, top.place, words: list.topWords,
      selectedRow: list.indexPathForSelectedRow?.row)
  }

  public func didComeToRest() {
    guard let onRest, let list = screen?.listView, let top = list.topPlace else { return }
    let state = ScrollState(
      top: top.place, topRow: top.row, selected: list.indexPathForSelectedRow?.row)
    guard state != lastReportedState, let place = currentPlace else { return }
    lastReportedState = state
    onRest(place)
  }

  /// The post at the top edge is gone: looks for the one that was selected, or a neighbour.
  private func lookForNextCandidate() {
    isTopPostGone = true
    place = place?.next
    if let place { return store.look(for: place) }
    reportLostPlace()
  }

  private func reportLostPlace() {
    screen?.tell("the post that you read last is not here any more")
  }

  private func restore(atRow row: Int, newRows: Int) {
    guard let place, let screen else { return }
    self.place = nil
    if isTopPostGone { reportLostPlace() }
    // A reader who has begun to read elsewhere is left there.
    guard !hasMoved(screen.listView) else { return }
    // The filter starts with the rows around the post, wherever it started before.
    if let filter = store.filter {
      store.show(fitting: filter, around: row..<row + 64)
      screen.listView.reloadData()
    }
    let selected = store.selectedRow(of: place, at: row)
    guard let shown = store.row(ofSource: row) else {
      // The post does not fit the filter; its nearest neighbour that fits is shown.
      if let beside = store.nearestRow(toSource: selected ?? row) {
        screen.pane.go(to: .row(beside))
      }
      return
    }
    screen.pane.restore(
      place.place, words: place.words, ofRow: shown, newRows: store.filter == nil ? newRows : 0,
      selecting: selected.flatMap(store.nearestRow(toSource:)),
      // Posts were inserted between the two.
      bringsIntoView: selected.map { $0 - row != place.selection } ?? false)
  }

  private func hasMoved(_ list: ListView) -> Bool {
    (list.indexPathForSelectedRow?.row ?? 0) > 0 || list.topPosition.map { $0 != (0, 0) } ?? false
  }

  private func reportReload(_ text: String) {
    guard isReloadRequested else { return }
    isReloadRequested = false
    screen?.tell(text)
  }

  public func reload() -> Bool {
    isReloadRequested = store.reload()
    return isReloadRequested
  }

  public func didShow(rows: Range<Int>) {
    noteFirstPost(among: rows)
    updatePicturePriorities(beside: rows)
    if place != nil, let list = screen?.listView, hasMoved(list) {
      place = nil
      store.cancelPlaceSearch()
    }
    store.didShow(rows: rows, selected: screen?.listView.indexPathForSelectedRow?.row)
  }

  /// Updates priorities when the reader turns round: rows that were behind are then ahead.
  private func updatePicturePriorities(beside rows: Range<Int>) {
    guard let list = screen?.listView, list.movesUp != movesUp else { return }
    movesUp = list.movesUp
    for index in list.indexPathsForPreparedRows where !rows.contains(index.row) {
      (list.cellForRow(at: index) as? PostCell)?.picturePriority = priority(ofRow: index.row)
    }
  }

  /// The priority of a row's pictures.
  private func priority(ofRow row: Int) -> ImagePriority {
    guard let list = screen?.listView, let shown = list.visibleRows else { return .near }
    guard !shown.contains(row) else { return .visible }
    let isAhead = list.movesUp ? row < shown.lowerBound : row >= shown.upperBound
    return isAhead ? .ahead : .near
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

  public func isNumberExact(ofRow row: Int) -> Bool { store.isNumberExact(row) }
  public func seek(_ target: SeekTarget) -> Bool { store.seek(target) }
  public func cancelSeek() { store.cancelSeek() }
  public var isSeeking: Bool { store.isSeeking }

  // MARK: ListViewDataSource

  public func numberOfRows(in listView: ListView) -> Int { store.count }

  public func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
    store.rowID(at: indexPath.row)
  }

  public func listView(_ listView: ListView, indexPathFor id: RowID) -> IndexPath? {
    store.row(of: id).map { IndexPath(row: $0) }
  }

  public func listView(_ listView: ListView, kindForRowAt indexPath: IndexPath) -> Int {
    store.kind(of: indexPath.row)
  }

  public func listView(_ listView: ListView, textLengthOfRows rows: Range<Int>) -> Int? {
    store.textLength(ofRows: rows)
  }

  public func listView(_ listView: ListView, heightBoundForRowAt indexPath: IndexPath) -> Int? {
    guard let extent = store.extent(ofRow: indexPath.row) else { return nil }
    return PostCell.heightBound(
      of: extent, width: listView.rowWidth, screenHeight: listView.frame.height,
      pictures: pictures, maximumTextWidth: textWidth.columns)
  }

  public func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    guard !store.isStaleGuess(indexPath.row) else {
      return listView.dequeueReusableCell(
        withIdentifier: MissingRowCell.identifier, for: indexPath)
    }
    let post = store.post(at: indexPath.row)
    let shape = PostCell.Shape(of: post, showsPictures: pictures.showsPictures)
    let cell = listView.dequeueReusableCell(
      PostCell.self, withIdentifier: shape.reuseIdentifier, for: indexPath)
    cell.picturePriority = priority(ofRow: indexPath.row)
    cell.configure(
      with: post, info: store.info, screenHeight: listView.frame.height,
      isRevealed: !revealed.isEmpty && revealed.contains(store.rowID(at: indexPath.row)))
    return cell
  }

  // MARK: Opening a post

  /// The rows on either side of a post that are searched for its thread, and the number of them in
  /// a turn.
  private static let nearRows = 1_000
  private static let rowsAtOnce = 20

  public func post(ofRow row: Int) -> Post? {
    (0..<store.count).contains(row) && !store.isStaleGuess(row) ? store.post(at: row) : nil
  }

  public func links(ofRow row: Int) -> [Link] {
    guard let post = post(ofRow: row) else { return [] }
    return PostLinks(of: post, isRevealed: revealed.contains(store.rowID(at: row))).links
  }

  public func pictures(ofRow row: Int) -> RowPictures {
    guard let post = post(ofRow: row) else { return .none }
    return RowPictures(
      of: post, isRevealed: revealed.contains(store.rowID(at: row)), store: pictures)
  }

  public func detail(ofRow row: Int) -> (any ListContent)? {
    guard let post = post(ofRow: row) else { return nil }
    let id = store.rowID(at: row)
    let surroundings = ThreadContent.Surroundings(
      info: store.info, pictures: pictures, reading: textWidth,
      marks: finding?.search.marks ?? SearchMarks(), clock: postClock,
      nearby: { [weak self] in await self?.posts(near: id) ?? [] }, reader: threads)
    return ThreadContent(of: post, isRevealed: revealed.contains(id), in: surroundings)
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

  // MARK: Hidden content

  public func hint(forRow row: Int) -> String {
    let cell = screen?.listView.cellForRow(at: IndexPath(row: row, section: 0)) as? PostCell
    guard let isRevealed = cell?.isRevealed else { return "" }
    return isRevealed ? "x hides it again" : "x shows what is hidden"
  }

  public func toggleCover(ofRow row: Int) -> Bool {
    guard let isRevealed = isRevealed(row: row) else { return false }
    let id = store.rowID(at: row)
    if isRevealed { revealed.remove(id) } else { revealed.insert(id) }
    screen?.listView.reconfigureRows(at: [IndexPath(row: row, section: 0)])
    return true
  }

  /// `nil` if the row hides nothing.
  private func isRevealed(row: Int) -> Bool? {
    guard (0..<store.count).contains(row), !store.isStaleGuess(row),
      PostCover(of: store.post(at: row)) != nil
    else { return nil }
    return revealed.contains(store.rowID(at: row))
  }
}
