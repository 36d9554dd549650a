import VirtualList

/// The cells of a list, the row of each, and the reason why it is kept.
///
///     idle ──dequeue──▶ (given out) ──obtain──▶ overscan ◀──show──▶ visible
///      ▲                     │                   ▲    │               │
///      │                  prefetch            obtain  └─── retain ────┘
///      │                     ▼                   │           ▼
///      └──release─────── prefetched ─────────────┴─────── departed
///
/// A cell is released from every state. One in the overscan whose row is pinned is `pinned`
/// instead. Rules:
///
/// 1. A cell is in at most one state. A row has at most one cell, and a cell at most one row; an
///    idle cell has no row and no owner. A cell that was given out is in no state until it is
///    obtained or prefetched.
/// 2. Visible, overscan and pinned cells are *bound*: callers see them as the cells of their rows.
///    Of the bound cells that do not show, exactly those whose rows are pinned are `pinned`.
/// 3. Prefetched and departed cells are *retained*: callers do not see them, they are not selected,
///    and they are laid out for the present width. Another size of the list releases them.
/// 4. When a row leaves, its cell is retained only if it allows that (`ListViewCell.canBeRetained`)
///    and is laid out. Other cells are released at once, so that they cancel their requests.
/// 5. The lines of departed cells, and their number, are limited to two screens of lines after a
///    frame, and to twice that within one. Those whose rows left the screen longest ago go first.
/// 6. Only bound cells are changed, that is, due to be measured again.
/// 7. Callees, cells and the delegate, find all rules kept; the cell in question has its new state,
///    or none during the transition.
@MainActor final class CellStore {
  enum State: Hashable, Sendable { case visible, overscan, pinned, prefetched, departed, idle }

  /// The owner of cells that have rows; notified of those that come onto the screen and leave it.
  unowned var owner: CellBinder? {
    didSet { for cell in entries.values { cell.owner = owner } }
  }

  private let pool = CellPool()
  /// The cells that have rows, bound or retained.
  private var entries: [Int: ListViewCell] = [:]
  private(set) var changedRows: Set<Int> = []
  private var pins: Set<Int> = []
  /// The width in columns for which cells are laid out now.
  private(set) var width = 0
  private var screenHeight = 0
  private var hiddenCount = 0

  // MARK: - Looking

  /// The bound cell of a row. - Complexity: O(1)
  subscript(row: Int) -> ListViewCell? {
    guard let cell = entries[row], cell.slot.isBound else { return nil }
    return cell
  }

  /// The cell retained for a row. - Complexity: O(1)
  func retained(_ row: Int) -> ListViewCell? {
    guard let cell = entries[row], !cell.slot.isBound else { return nil }
    return cell
  }

  /// The row of a bound cell. - Complexity: O(1)
  func row(of cell: ListViewCell) -> Int? {
    cell.slot.isBound && entries[cell.slot.row] === cell ? cell.slot.row : nil
  }

  /// `nil` for a cell that was given out, and for one of another store. - Complexity: O(1)
  func state(of cell: ListViewCell) -> State? {
    if entries[cell.slot.row] === cell { return cell.slot.state }
    return pool.contains(cell) ? .idle : nil
  }

  /// - Complexity: O(cells)
  var boundCount: Int { entries.values.count(where: \.slot.isBound) }

  /// The bound cells that are not current, in the order of their rows. - Complexity: O(cells)
  var staleCells: [ListViewCell] {
    rows { row, slot in slot.isBound && entries[row]?.isCurrent == false }.compactMap { self[$0] }
  }

  /// The rows that have a cell, bound or retained. - Complexity: O(k log k)
  var preparedRows: [Int] { entries.keys.sorted() }

  /// All cells, those with rows in the order of these. - Complexity: O(k log k)
  var statuses: [ListView.CellStatus] {
    preparedRows.compactMap { entries[$0] }.map {
      ListView.CellStatus(cell: $0, purpose: $0.slot.state == .visible ? .visible : .ready)
    } + pool.idleCells.map { ListView.CellStatus(cell: $0, purpose: .idle) }
  }

  /// A row outside `visible` whose cell is out of date, preferably a bound one.
  /// - Complexity: O(cells)
  func outdatedRow(outside visible: Range<Int>) -> Int? {
    var found: Int?
    for (row, cell) in entries where !visible.contains(row) && cell.isOutdated {
      if cell.slot.isBound { return row }
      found = row
    }
    return found
  }

  // MARK: - The pool

  var idleCount: Int { pool.idleCount }
  var createdCount: Int { pool.createdCount }
  var reusedCount: Int { pool.reusedCount }

  /// Sets the function that creates cells of an identifier.
  func register(_ identifier: String, make: @escaping () -> ListViewCell) {
    pool.register(identifier, make: make)
  }

  /// A cell to configure for a row: an idle one, else a new one; `nil` if the identifier is
  /// unknown.
  func dequeue(_ identifier: String) -> ListViewCell? {
    let cell = pool.take(identifier)
    cell?.beginBinding()
    return cell
  }

  /// Takes back a cell that was given out and is not used.
  func discard(_ cell: ListViewCell) {
    if state(of: cell) == nil { recycle(cell) }
  }

  // MARK: - Obtain

  /// Gives a row its cell: the retained one if that is current, else the result of `make`.
  ///
  /// The caller must lay it out if its width is not the list's, or if it needs layout.
  /// - Precondition: the row has none, and the cell no row.
  func obtain(_ row: Int, make: @MainActor () -> ListViewCell) -> ListViewCell {
    if let kept = retained(row), !kept.isCurrent { release(row) }
    let cell = unlink(row) ?? fresh(make())
    link(cell, to: row, hiddenState(ofRow: row))
    return cell
  }

  /// Keeps a cell, laid out with `height`, for a row that has not been requested yet.
  func prefetch(_ cell: ListViewCell, forRow row: Int, height: Int) {
    let cell = fresh(cell)
    setHeight(height, of: cell)
    link(cell, to: row, .prefetched)
  }

  /// Records that the cell was laid out for the present width. - Complexity: O(1)
  func setHeight(_ height: Int, of cell: ListViewCell) {
    cell.slot.height = height
    cell.slot.width = width
  }

  /// Marks the row's bound cell as due to be measured again. - Complexity: O(1)
  func setChanged(_ row: Int) { if self[row] != nil { changedRows.insert(row) } }

  /// The rows of changed cells, in order; they no longer count as changed.
  func takeChangedRows() -> [Int] {
    defer { changedRows = [] }
    return changedRows.sorted()
  }

  /// Makes all cells draw again before they show. - Complexity: O(cells)
  func setNeedsDisplay() {
    for cell in entries.values + pool.idleCells { cell.themeDidChange() }
  }

  // MARK: - Retain

  /// Keeps the cell of a row that leaves until the row comes back, if possible.
  func retain(_ row: Int) {
    guard self[row] != nil, let cell = unlink(row) else { return }
    guard cell.canBeRetained, !cell.needsLayout, cell.slot.width == width else {
      return recycle(cell)
    }
    link(cell, to: row, .departed)
    releaseDeparted(beyondLines: 4 * screenHeight)
  }

  /// Retains the cells of bound rows outside `kept` that are not pinned.
  /// - Complexity: O(cells), O(n log n) if some leave
  func retainAll(outside kept: Range<Int>) {
    let leaving = rows { $1.isBound && !kept.contains($0) && !pins.contains($0) }
    for row in leaving { retain(row) }
  }

  /// Retains cells of the rows farthest from `row` while those between have more than `room` lines,
  /// except those of `kept`: however many rows one frame scrolls past, they share the cells of a
  /// screen.
  ///
  /// The rows of a frame and its surroundings have no more lines than that, except the first and
  /// the last one, which may extend beyond: so if the rows between the first and the last have
  /// more, some belong to another frame.
  /// - Complexity: O(cells) for each cell retained
  func retainCells(farFrom row: Int, keeping kept: Range<Int> = 0..<0, room: Int) {
    while true {
      var (low, high, lines, count) = (Int.max, -1, 0, 0)
      var others = (first: Int.max, last: -1)
      for (row, cell) in entries where cell.slot.isBound && !pins.contains(row) {
        low = min(low, row)
        high = max(high, row)
        lines += cell.slot.height
        count += 1
        if !kept.contains(row) { others = (min(others.first, row), max(others.last, row)) }
      }
      guard others.last >= 0 else { return }
      if low < row, let first = entries[low] { lines -= first.slot.height }
      if high > row, let last = entries[high] { lines -= last.slot.height }
      // Rows without height count as well.
      guard lines >= room || count > room else { return }
      retain(row - others.first > others.last - row ? others.first : others.last)
    }
  }

  // MARK: - Release

  /// Returns the cell of a row, bound or retained, to the pool.
  func release(_ row: Int) {
    if let cell = unlink(row) { recycle(cell) }
  }

  /// Releases all cells, and unpins their rows.
  func releaseAll() {
    pins = []
    for row in preparedRows { release(row) }
  }

  /// Releases all cells and keeps none for reuse: rows get new cells.
  func replaceAll() {
    releaseAll()
    pool.removeAll()
  }

  /// Releases the prefetched cells of rows outside `wanted`.
  func releasePrefetched(outside wanted: Range<Int>) {
    for row in rows(where: { $1.state == .prefetched && !wanted.contains($0) }) { release(row) }
  }

  /// Ends a frame: releases the cells of rows that left longest ago.
  func trimDeparted() { releaseDeparted(beyondLines: 2 * screenHeight) }

  /// - Complexity: O(n) in the cells, O(n log n) if some are released
  private func releaseDeparted(beyondLines lines: Int) {
    var (count, total) = (0, 0)
    for cell in entries.values where cell.slot.state == .departed {
      count += 1
      total += cell.slot.height
    }
    guard count > lines || total > lines else { return }
    let departed = entries.values.map(\.slot).filter { $0.state == .departed }
    let oldestFirst = departed.sorted { ($0.hiddenAt, $0.row) < ($1.hiddenAt, $1.row) }
    for slot in oldestFirst {
      guard count > lines || total > lines else { return }
      count -= 1
      total -= slot.height
      release(slot.row)
    }
  }

  // MARK: - Rows and the screen

  /// Adopts a new size of the list. - Complexity: O(1), O(cells) if it differs
  func resize(width: Int, screenHeight: Int) {
    guard width != self.width || screenHeight != self.screenHeight else { return }
    // Retained cells may be cut to the old height.
    for row in rows(where: { !$1.isBound }) { release(row) }
    (self.width, self.screenHeight) = (width, screenHeight)
    // The most that a screen and its surroundings can need at once.
    pool.capacity = 2 * screenHeight
  }

  /// Moves cells and pins along with their rows, and releases those of removed rows.
  /// - Complexity: O(cells · ranges)
  func move(by mapping: RowMapping) {
    for row in rows(where: { row, _ in mapping.newRow(forOld: row) == nil }) { release(row) }
    let moved = entries.values.compactMap { cell in
      mapping.newRow(forOld: cell.slot.row).map { (cell, $0) }
    }
    entries = [:]
    for (cell, row) in moved {
      entries[row] = cell
      cell.slot.row = row
    }
    changedRows = Set(changedRows.compactMap { mapping.newRow(forOld: $0) })
    pins = Set(pins.compactMap { mapping.newRow(forOld: $0) })
  }

  /// Sets the rows on the screen to `visible`, and notifies the owner of cells that came onto it or
  /// left it.
  /// - Complexity: O(cells), O(n log n) if some come or leave
  func show(_ visible: Range<Int>) {
    for row in rows(where: { $1.isBound && ($1.state == .visible) != visible.contains($0) }) {
      guard let cell = self[row] else { continue }
      if cell.slot.state == .visible {
        cell.slot.state = hiddenState(ofRow: row)
        noteHidden(cell)
        owner?.didHide(cell, ofRow: row)
      } else {
        cell.slot.state = .visible
        owner?.didShow(cell, ofRow: row)
      }
    }
  }

  // MARK: - Pins

  var pinnedCount: Int { pins.count }

  func isPinned(_ row: Int) -> Bool { pins.contains(row) }

  /// Makes a row keep its cell off the screen, or no longer. - Complexity: O(1)
  func setPinned(_ isPinned: Bool, row: Int) {
    if isPinned { pins.insert(row) } else { pins.remove(row) }
    if let cell = self[row], cell.slot.state != .visible {
      cell.slot.state = hiddenState(ofRow: row)
    }
  }

  // MARK: - Links

  /// The rows that fulfil a condition, in order.
  private func rows(where isIncluded: @MainActor (Int, CellSlot) -> Bool) -> [Int] {
    var found: [Int] = []
    for (row, cell) in entries where isIncluded(row, cell.slot) { found.append(row) }
    return found.count > 1 ? found.sorted() : found
  }

  private func hiddenState(ofRow row: Int) -> State { pins.contains(row) ? .pinned : .overscan }

  private func noteHidden(_ cell: ListViewCell) {
    hiddenCount += 1
    cell.slot.hiddenAt = hiddenCount
  }

  /// Resets a cell that was given out: it has had no row yet.
  private func fresh(_ cell: ListViewCell) -> ListViewCell {
    precondition(cell.slot.state == nil, "a cell was given a second row")
    cell.slot.reset()
    return cell
  }

  private func link(_ cell: ListViewCell, to row: Int, _ state: State) {
    let other = entries.updateValue(cell, forKey: row)
    cell.slot.row = row
    cell.slot.state = state
    if state != .departed { cell.owner = owner }
    // A callee has requested the row's cell meanwhile.
    if let other {
      leave(other, row)
      recycle(other)
    }
  }

  /// Removes and returns the cell of a row; it is in no state from here on.
  private func unlink(_ row: Int) -> ListViewCell? {
    guard let cell = entries.removeValue(forKey: row) else { return nil }
    leave(cell, row)
    return cell
  }

  /// Ends the cell's connection with the row.
  private func leave(_ cell: ListViewCell, _ row: Int) {
    let (wasBound, wasVisible) = (cell.slot.isBound, cell.slot.state == .visible)
    cell.slot.state = nil
    if !changedRows.isEmpty { changedRows.remove(row) }
    if wasVisible {
      noteHidden(cell)
      owner?.didHide(cell, ofRow: row)
    }
    if wasBound { cell.isSelected = false }
  }

  private func recycle(_ cell: ListViewCell) {
    cell.owner = nil
    cell.onReuse?()
    cell.prepareForReuse()
    pool.put(cell)
  }

  // MARK: - Rules

  /// The invariants that do not hold, in words. Tests call it after every change.
  /// - Complexity: O(cells)
  func brokenInvariants() -> [String] {
    var broken = pool.brokenInvariants() + entries.flatMap { brokenRules(row: $0, $1) }
    for row in changedRows where entries[row]?.slot.isBound != true {
      broken.append("row \(row) is changed and has no cell")
    }
    let departed = entries.values.map(\.slot).filter { $0.state == .departed }
    let lines = departed.reduce(0) { $0 + $1.height }
    if max(departed.count, lines) > 4 * screenHeight {
      broken.append("\(departed.count) departed cells of \(lines) lines")
    }
    return broken
  }

  private func brokenRules(row: Int, _ cell: ListViewCell) -> [String] {
    var broken: [String] = []
    let entry = cell.slot
    let name = "the cell of row \(row), \(entry.state.map { "\($0)" } ?? "in no state"),"
    if entry.row != row { broken.append("\(name) has another row, or none") }
    if pool.contains(cell) { broken.append("\(name) is in the pool") }
    if cell.owner !== owner { broken.append("\(name) has another owner") }
    if entry.height < 0 { broken.append("\(name) has the height \(entry.height)") }
    if entry.hiddenAt < 0 || entry.hiddenAt > hiddenCount {
      broken.append("\(name) was hidden at \(entry.hiddenAt) of \(hiddenCount)")
    }
    switch entry.state {
    case .visible: break
    case .overscan: if pins.contains(row) { broken.append("\(name) is of a pinned row") }
    case .pinned: if !pins.contains(row) { broken.append("\(name) is of a row not pinned") }
    case .prefetched, .departed:
      if cell.isSelected { broken.append("\(name) is selected") }
      if entry.width != width { broken.append("\(name) is laid out for \(entry.width) columns") }
    case .idle, nil: broken.append("\(name) has a row")
    }
    return broken
  }
}

/// The store's data on a cell. The cell carries it, so that nothing has to be looked up; only the
/// store changes it.
struct CellSlot {
  /// `nil` for a cell without a row.
  fileprivate(set) var state: CellStore.State?
  /// Its row while it is in a state, else its last one.
  fileprivate(set) var row = 0
  /// The lines with which it is laid out, at `width`.
  fileprivate(set) var height = 0
  /// The columns for which it is laid out; 0 before its first layout.
  fileprivate(set) var width = 0
  /// When its row was last on the screen, counted in rows that left it; 0 if it never was.
  fileprivate(set) var hiddenAt = 0

  /// Whether callers see it as the cell of its row.
  var isBound: Bool {
    switch state {
    case .visible, .overscan, .pinned: true
    case .prefetched, .departed, .idle, nil: false
    }
  }

  fileprivate mutating func reset() { (row, height, width, hiddenAt) = (0, 0, 0, 0) }
}
