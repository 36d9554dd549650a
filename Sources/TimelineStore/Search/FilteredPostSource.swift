import Feeds
import VirtualList

/// The posts of a source that match a query, as rows of their own. Rules:
///
/// 1. `shown` are the rows of the base that are rows here, in the same order and with the same
///    identities. They change only together with `onChange`, and when rows may change.
/// 2. The sweep finds the rows that match; they are in `waiting` until they are shown. Rows that it
///    has not examined are not rows here.
/// 3. Only counted rows of the base are examined; estimated ones are not rows here.
/// 4. A row that is marked as damaged is examined by the sweep, which counts those that cannot be
///    read.
@MainActor final class FilteredPostSource: RowSource {
  let base: any PostSource
  let query: PostQuery
  private let sweep: BackgroundSearch
  private(set) var shown = RowSet()
  /// The pieces examined since rows last changed, and their matches.
  private var waiting: [(rows: Range<Int>, fitting: [Int])] = []
  private var throttle = Throttle()
  private var matcher: PostMatcher
  private var baseCount: Int
  private let readsAheadWhenShown: Bool
  /// The marks of the base; `nil` if it has none. A row whose marks change stays.
  private let context: (_ row: Int) -> MatchContext?
  var onChange: ((SourceChange) -> Void)?
  var mayChangeRows: () -> Bool = { true }

  /// The maximum number of rows examined at once, at the beginning and after a refresh.
  static let rowsAtOnce = 256

  /// - Parameter rows: the visible rows, which are examined at once; the others follow outward from
  ///   there.
  init(_ base: any PostSource, query: PostQuery, around rows: Range<Int>) {
    self.base = base
    self.query = query
    sweep = BackgroundSearch(query)
    matcher = PostMatcher(query)
    baseCount = base.count
    let capabilities = base.capabilities
    readsAheadWhenShown = capabilities.readsAheadWhenShown
    context = capabilities.context ?? { _ in nil }
    let (all, count) = base.searchable
    let first = rows.clamped(to: 0..<count)
    let looked = first.prefix(Self.rowsAtOnce)
    sweep.look(from: looked.endIndex, .outward)
    // The sweep must not start before the visible rows are settled.
    sweep.limit = 0
    sweep.extend(to: count, of: all)
    for row in looked {
      guard let fits = fitsAtOnce(row) else { continue }
      sweep.settle(row, fits: fits)
      if fits { shown.insert(row) }
    }
    sweep.onPiece = { [weak self] in self?.take($0, $1) }
    sweep.limit = nil
  }

  /// Observes the base from now on; each change is passed to `others` first.
  func attach(_ others: @escaping (SourceChange) -> Void) {
    base.onChange = { [weak self] change in
      others(change)
      self?.baseChanged(change)
    }
    base.mayChangeRows = { [weak self] in self?.mayChangeRows() ?? false }
  }

  /// Ends the filter; the base continues.
  func detach() {
    sweep.stop()
    onChange = nil
  }

  // MARK: Rows

  /// The row of the base for a row. - Complexity: O(rows / 4096)
  func baseRow(of row: Int) -> Int { shown.member(at: row) ?? max(0, base.count - 1) }

  /// The row for a row of the base; `nil` if that does not match, or is not shown yet.
  func row(ofBase row: Int) -> Int? { shown.contains(row) ? shown.rank(of: row) : nil }

  /// The row for the first matching row of the base from `row` on, or else for the last one before
  /// it.
  func nearestRow(toBase row: Int) -> Int? {
    shown.count > 0 ? min(shown.rank(of: row), shown.count - 1) : nil
  }

  var count: Int { shown.count }
  func post(at row: Int) -> Post { base.post(at: baseRow(of: row)) }
  func rowID(at row: Int) -> RowID { base.rowID(at: baseRow(of: row)) }
  func row(of id: RowID) -> Int? { base.row(of: id).flatMap(row(ofBase:)) }
  func kind(of row: Int) -> Int? { base.kind(of: baseRow(of: row)) }

  /// The length of several rows is estimated by the average of all rows of the base.
  func textLength(ofRows rows: Range<Int>) -> Int? {
    guard rows.count != 1 else {
      let row = baseRow(of: rows.lowerBound)
      return base.textLength(ofRows: row..<row + 1)
    }
    let all = sweep.count
    guard all > 0, let length = base.textLength(ofRows: 0..<all) else { return nil }
    return Int(Double(length) * Double(rows.count) / Double(all))
  }

  // MARK: State

  /// The number of rows of the base that could not be read, so that they may match.
  var unreadableCount: Int { sweep.unreadable.count }
  var isComplete: Bool { base.isComplete && sweep.isDone && waiting.isEmpty }
  var activity: String {
    guard !sweep.isDone else { return base.activity }
    let rows = max(1, base.isComplete ? sweep.count : base.count)
    return "filtering \(min(99, sweep.done * 100 / rows))%"
  }

  func didShow(rows: Range<Int>) {
    if !waiting.isEmpty { applyWaitingMatches() }
    guard let last = rows.last else {
      // If nothing matches, the next rows of the source are wanted.
      guard readsAheadWhenShown, sweep.isDone else { return }
      return base.didShow(rows: max(0, sweep.count - 1)..<sweep.count)
    }
    let first = baseRow(of: rows.lowerBound)
    let isAtEnd = last >= count - 1 && sweep.isDone && readsAheadWhenShown
    base.didShow(rows: first..<(isAtEnd ? sweep.count : baseRow(of: last) + 1))
  }

  // MARK: Matches

  private func take(_ rows: Range<Int>, _ fitting: [Int]) {
    if !fitting.isEmpty { waiting.append((rows, fitting)) }
    // The first matches are shown at once, later ones at a limited rate.
    if sweep.isDone || shown.count == 0 || throttle.passes() { applyWaitingMatches() }
    if sweep.isDone { onChange?(.state) }
  }

  private func applyWaitingMatches() {
    guard mayChangeRows(), !waiting.isEmpty else { return }
    let pieces = waiting.sorted { $0.rows.lowerBound < $1.rows.lowerBound }
    waiting = []
    for piece in pieces { for row in piece.fitting { shown.insert(row) } }
    let insertions = pieces.map { piece in
      let first = shown.rank(of: piece.rows.lowerBound)
      return first..<first + piece.fitting.count
    }
    onChange?(.rows(deletions: [], insertions: insertions, reloads: []))
  }

  // MARK: Changes of the base

  private func baseChanged(_ change: SourceChange) {
    switch change {
    case .rows(let deletions, let insertions, let reloads):
      rowsChanged(deletions, insertions, reloads)
    case .refreshed(let change): refresh(change)
    case .state, .found, .placeFound, .placeLost:
      sweep.extend(by: base)
      onChange?(change)
    case .reopened: onChange?(change)
    }
    baseCount = base.count
  }

  private func rowsChanged(
    _ deletions: [Range<Int>], _ insertions: [Range<Int>], _ reloads: [Int]
  ) {
    guard sweep.areAfterKnownRows(deletions, insertions) else {
      var change = PostChange(added: 0, removed: 0, changed: 0)
      var updates = BatchUpdates()
      for rows in deletions { updates.delete(rows) }
      for rows in insertions { updates.insert(rows) }
      for row in reloads { updates.reload(row) }
      change.updates = updates
      return refresh(change)
    }
    for row in reloads where row < sweep.count { recheck(row) }
    sweep.extend(by: base)
  }

  private func fits(_ row: Int) -> Bool {
    matcher.fits(base.post(at: row), in: context(row))
  }

  /// Whether a row matches; `nil` if it is damaged.
  private func fitsAtOnce(_ row: Int) -> Bool? {
    let post = base.post(at: row)
    return post.damage == nil ? matcher.fits(post, in: context(row)) : nil
  }

  /// Examines a row with new contents again.
  private func recheck(_ row: Int) {
    guard !sweep.isOpen(row..<row + 1) else { return sweep.invalidate(row) }
    let waits = waiting.firstIndex { $0.rows.contains(row) }
    let fits = fits(row)
    sweep.set(row, fits: fits)
    if let waits {
      waiting[waits].fitting = waiting[waits].rows.filter(sweep.found.contains)
      return
    }
    let rank = shown.rank(of: row)
    switch (shown.contains(row), fits) {
    case (true, true): onChange?(.rows(deletions: [], insertions: [], reloads: [rank]))
    case (true, false):
      shown.remove(row)
      onChange?(.rows(deletions: [rank..<rank + 1], insertions: [], reloads: []))
    case (false, true):
      shown.insert(row)
      onChange?(.rows(deletions: [], insertions: [rank..<rank + 1], reloads: []))
    case (false, false): break
    }
  }

  /// Examines all rows again; until then there are none.
  private func start(over change: PostChange) {
    waiting = []
    shown = RowSet()
    sweep.startOver(with: base)
    var change = change
    change.updates = nil
    onChange?(.refreshed(change))
  }

  /// Keeps the results of rows that stayed; examines the others, at once if they are few.
  private func refresh(_ change: PostChange) {
    let (rows, count) = base.searchable
    guard let updates = change.updates, sweep.isDone, waiting.isEmpty,
      let mapping = try? updates.mapping(from: baseCount, to: count)
    else { return start(over: change) }
    let old = shown
    let changed = Set(updates.reloads.compactMap { mapping.newRow(forOld: $0) })
    var unknown = changed
    for range in updates.insertions { unknown.formUnion(range) }
    var fits: [Int: Bool] = [:]
    if unknown.count <= Self.rowsAtOnce {
      for row in unknown { fits[row] = fitsAtOnce(row) }
      unknown.subtract(fits.keys)
    }
    for rank in 0..<sweep.unreadable.count {
      let row = sweep.unreadable.member(at: rank).flatMap { mapping.newRow(forOld: $0) }
      if let row { unknown.insert(row) }
    }
    var kept: [Int: Int] = [:]
    for rank in 0..<old.count {
      guard let row = old.member(at: rank), let new = mapping.newRow(forOld: row) else { continue }
      kept[new] = rank
    }
    sweep.replace(count: count, of: rows) { row in
      unknown.contains(row) ? nil : fits[row] ?? (kept[row] != nil)
    }
    shown = sweep.found
    var result = change
    result.updates = Self.updates(from: old.count, kept: kept, to: shown, changed)
    onChange?(.refreshed(result))
  }

  /// The changes from the old rows; `nil` if the list should reload all rows.
  private static func updates(
    from count: Int, kept: [Int: Int], to shown: RowSet, _ changed: Set<Int>
  ) -> BatchUpdates? {
    let gone: UInt64 = 1 << 62
    var before = (0..<count).map { RowID(gone | UInt64($0)) }
    for (new, rank) in kept { before[rank] = RowID(UInt64(new)) }
    var after: [RowID] = []
    var row = shown.first(from: 0)
    while let next = row {
      after.append(RowID(UInt64(next)))
      row = shown.first(from: next + 1)
    }
    let reloads = Set(
      changed.filter { kept[$0] != nil && shown.contains($0) }.map { RowID(UInt64($0)) })
    return try? BatchUpdates(from: before, to: after, reloading: reloads)
  }

  /// The invariants that are broken. - Complexity: O(rows)
  func brokenInvariants() -> [String] {
    var broken = sweep.brokenInvariants() + shown.brokenInvariants()
    let waits = waiting.flatMap(\.fitting)
    for row in waits where shown.contains(row) { broken.append("row \(row) waits and is shown") }
    if shown.count + waits.count != sweep.found.count {
      broken.append("\(shown.count) shown and \(waits.count) waiting of \(sweep.found.count)")
    }
    if sweep.count > base.count { broken.append("\(sweep.count) rows of \(base.count)") }
    return broken
  }
}
