import TestSupport
import VirtualList

@testable import TerminalViews

/// A model of a store: all cells ever made in one array, searched from end to end, and rows by
/// their identities.
@MainActor final class NaiveCells {
  struct Cell {
    let cell: LineCell
    /// `nil` for a cell that was given out or released.
    var state: CellStore.State?
    var row: RowID?
    var height = 0
    var width = 0
    var hiddenAt = 0

    var isBound: Bool { state == .visible || state == .overscan || state == .pinned }
    var isRetained: Bool { state == .prefetched || state == .departed }
  }

  var order: [RowID] = []
  private(set) var cells: [Cell] = []
  private(set) var pins: Set<RowID> = []
  private(set) var changed: Set<RowID> = []
  /// Indices of idle cells, in the order in which they were put back.
  private var idle: [Int] = []
  private var width = 0
  private var screenHeight = 0
  private var hiddenCount = 0

  func index(ofRow row: Int) -> Int? { cells.firstIndex { $0.row == order[row] } }

  func row(of index: Int) -> Int? { cells[index].row.flatMap { order.firstIndex(of: $0) } }

  func cell(ofRow row: Int) -> Cell? { index(ofRow: row).map { cells[$0] } }

  /// Cells with rows, in the order of the rows.
  private func indices(where isIncluded: (Int, Cell) -> Bool) -> [Int] {
    order.indices.compactMap { row in
      index(ofRow: row).flatMap { isIncluded(row, cells[$0]) ? $0 : nil }
    }
  }

  func made(_ cell: LineCell) { cells.append(Cell(cell: cell)) }

  /// The idle cell to be taken next.
  func nextIdle(_ identifier: String) -> LineCell? {
    idle.last { cells[$0].cell.reuseIdentifier == identifier }.map { cells[$0].cell }
  }

  /// Records that the cell is given out.
  func take(_ cell: LineCell) {
    guard let index = cells.firstIndex(where: { $0.cell === cell }) else { return }
    idle.removeAll { $0 == index }
    cells[index].state = nil
  }

  private func hiddenState(_ row: RowID) -> CellStore.State {
    pins.contains(row) ? .pinned : .overscan
  }

  private func set(_ cell: LineCell, _ row: Int, _ state: CellStore.State) {
    guard let index = cells.firstIndex(where: { $0.cell === cell }) else { return }
    (cells[index].row, cells[index].state) = (order[row], state)
  }

  func obtain(_ cell: LineCell, row: Int) { set(cell, row, hiddenState(order[row])) }

  func prefetch(_ cell: LineCell, row: Int, height: Int) {
    set(cell, row, .prefetched)
    layOut(row: row, height: height)
    if let index = index(ofRow: row) { cells[index].hiddenAt = 0 }
  }

  func layOut(row: Int, height: Int) {
    guard let index = index(ofRow: row) else { return }
    (cells[index].height, cells[index].width) = (height, width)
  }

  private func hide(_ index: Int) {
    guard cells[index].state == .visible, let row = cells[index].row else { return }
    hiddenCount += 1
    (cells[index].hiddenAt, cells[index].state) = (hiddenCount, hiddenState(row))
  }

  private func release(index: Int) {
    hide(index)
    if let row = cells[index].row { changed.remove(row) }
    (cells[index].row, cells[index].state) = (nil, .idle)
    (cells[index].width, cells[index].hiddenAt) = (0, 0)
    idle.append(index)
    letGo()
  }

  private func letGo() {
    for identifier in ["a", "b"] {
      let shelf = idle.filter { cells[$0].cell.reuseIdentifier == identifier }
      for index in shelf.prefix(max(0, shelf.count - 2 * screenHeight)) {
        idle.removeAll { $0 == index }
        cells[index].state = nil
      }
    }
  }

  func discard(_ cell: LineCell) {
    if let index = cells.firstIndex(where: { $0.cell === cell }) { release(index: index) }
  }

  func release(row: Int) { if let index = index(ofRow: row) { release(index: index) } }

  func releaseAll() {
    pins = []
    for index in indices(where: { _, _ in true }) { release(index: index) }
  }

  func releasePrefetched(outside wanted: Range<Int>) {
    for index in indices(where: { $1.state == .prefetched && !wanted.contains($0) }) {
      release(index: index)
    }
  }

  func retain(row: Int) {
    guard let index = index(ofRow: row), cells[index].isBound else { return }
    let cell = cells[index].cell
    guard cell.canBeRetained, !cell.needsLayout, cells[index].width == width else {
      return release(index: index)
    }
    hide(index)
    changed.remove(order[row])
    cells[index].state = .departed
    trim(lines: 4 * screenHeight)
  }

  func retainAll(outside kept: Range<Int>) {
    let leaving = order.indices.filter { row in
      !kept.contains(row) && !pins.contains(order[row]) && cell(ofRow: row)?.isBound == true
    }
    for row in leaving { retain(row: row) }
  }

  func trim(lines: Int) {
    while true {
      let departed = indices { $1.state == .departed }
      let total = departed.reduce(0) { $0 + cells[$1].height }
      guard departed.count > lines || total > lines,
        let oldest = departed.min(by: { cells[$0].hiddenAt < cells[$1].hiddenAt })
      else { return }
      release(index: oldest)
    }
  }

  func trim() { trim(lines: 2 * screenHeight) }

  func resize(width: Int, screenHeight: Int) {
    guard width != self.width || screenHeight != self.screenHeight else { return }
    for index in indices(where: { $1.isRetained }) { release(index: index) }
    (self.width, self.screenHeight) = (width, screenHeight)
    letGo()
  }

  func move(to new: [RowID]) {
    let gone = indices { row, _ in !new.contains(order[row]) }
    for index in gone { release(index: index) }
    pins.formIntersection(new)
    changed.formIntersection(new)
    order = new
  }

  func show(_ visible: Range<Int>) {
    for index in indices(where: { $1.isBound && ($1.state == .visible) != visible.contains($0) }) {
      if cells[index].state == .visible { hide(index) } else { cells[index].state = .visible }
    }
  }

  func setPinned(_ isPinned: Bool, row: Int) {
    let id = order[row]
    if isPinned { pins.insert(id) } else { pins.remove(id) }
    guard let index = index(ofRow: row), cells[index].isBound, cells[index].state != .visible
    else { return }
    cells[index].state = hiddenState(id)
  }

  func setChanged(row: Int) {
    if cell(ofRow: row)?.isBound == true { changed.insert(order[row]) }
  }

  func takeChanged() -> [Int] {
    defer { changed = [] }
    return order.indices.filter { changed.contains(order[$0]) }
  }

  /// The differences of the store from this model, in words.
  func differences(from store: CellStore) -> [String] {
    var found: [String] = []
    for index in cells.indices {
      let (cell, row) = (cells[index], row(of: index))
      let name =
        "cell \(index), \(cell.state.map { "\($0)" } ?? "in no state") in row \(row ?? -1),"
      if store.state(of: cell.cell) != cell.state {
        found.append("\(name) is \(store.state(of: cell.cell).map { "\($0)" } ?? "unknown")")
      }
      if store.row(of: cell.cell) != (cell.isBound ? row : nil) {
        found.append("\(name) is told to be in \(store.row(of: cell.cell) ?? -1)")
      }
      guard let row else { continue }
      let other = cell.isBound ? store[row] : store.retained(row)
      if other !== cell.cell || other?.slot.height != cell.height
        || other?.slot.width != cell.width
      {
        found.append("\(name) is not what the store has there")
      }
    }
    if store.bound.count != cells.count(where: \.isBound) { found.append("bound cells") }
    if store.retained.count != cells.count(where: \.isRetained) { found.append("retained cells") }
    if store.changedRows != Set(order.indices.filter { changed.contains(order[$0]) }) {
      found.append("changed rows")
    }
    if order.indices.contains(where: { store.isPinned($0) != pins.contains(order[$0]) }) {
      found.append("pins")
    }
    if store.pinnedCount != pins.count { found.append("number of pins") }
    if store.idleCount != idle.count { found.append("idle cells") }
    if store.createdCount != cells.count { found.append("cells made") }
    return found
  }
}
