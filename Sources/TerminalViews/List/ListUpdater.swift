import VirtualList

/// Applies changes of a list's rows: gathers those between `begin` and the matching `end`, checks
/// them against the data source, and updates cells, selection and model.
@MainActor final class ListUpdater {
  private unowned let list: ListView
  private let model: ListModel
  private let cells: CellStore
  private let binder: CellBinder
  private var depth = 0
  private var gathered = BatchUpdates()
  private var reconfigured: [Int] = []
  /// Whether the data source's rows are still to be adopted.
  private(set) var needsReload = true
  /// Whether rows were reloaded whose identities have not been checked: the first frame does not
  /// wait for the check.
  private var hasUncheckedRows = false

  init(list: ListView, model: ListModel, cells: CellStore, binder: CellBinder) {
    self.list = list
    self.model = model
    self.cells = cells
    self.binder = binder
  }

  // MARK: - Gathering

  func begin() { depth += 1 }

  /// Gathers a change; applies it at once outside of `begin` and `end`.
  func gather(_ change: (inout BatchUpdates) -> Void) {
    begin()
    change(&gathered)
    reporting(end)
  }

  /// Gathers rows whose cells are to be configured again in place.
  func gather(reconfigured rows: [Int]) {
    begin()
    reconfigured += rows
    reporting(end)
  }

  /// Applies the gathered changes, at the outermost end. Without any, only requests a frame, which
  /// measures cells that need it.
  func end() throws(ListUpdateError) {
    guard depth > 0 else { return }
    depth -= 1
    guard depth == 0 else { return }
    let (updates, rows) = (gathered, reconfigured)
    gathered = BatchUpdates()
    reconfigured = []
    try take(updates, reconfiguring: rows)
  }

  /// Calls `body` and reports its error through the list.
  func reporting(_ body: @MainActor () throws(ListUpdateError) -> Void) {
    do { try body() } catch { list.onUpdateError?(error) }
  }

  // MARK: - Applying

  /// Applies updates, and has the data source configure the cells of some rows again in place; rows
  /// without a cell are reloaded.
  func take(
    _ updates: BatchUpdates, reconfiguring rows: [Int] = []
  ) throws(ListUpdateError) {
    defer { list.changed() }
    // A pending reload covers everything.
    guard !needsReload, list.synchronize() else { return }
    var updates = updates
    for row in rows where cells[row] == nil { updates.reload(row) }
    let again = rows.compactMap { cells[$0] }
    // Even without updates the number of rows must be the same as before.
    if !updates.isEmpty || list.sourceCount != model.count { try apply(updates) }
    for cell in again { binder.reconfigure(cell) }
  }

  private func apply(_ updates: BatchUpdates) throws(ListUpdateError) {
    let mapping: RowMapping
    do {
      mapping = try updates.mapping(from: model.count, to: list.sourceCount)
      try binder.checkIdentities(of: updates.insertions)
    } catch {
      setNeedsReload()
      throw error
    }
    for row in updates.reloads { cells.release(row) }
    // The selection stays with its row, whichever row appears in its place.
    let selected = list.selection.frame?.row ?? list.selection.lastRow
    cells.move(by: mapping)
    let survivor = selected.flatMap(mapping.survivor(ofOld:))
    list.selection.select(survivor ?? (mapping.newCount > 0 ? 0 : nil))
    binder.performRowChanges { model.apply(updates, by: mapping, in: binder) }
  }

  /// Adopts the data source's rows before the next frame.
  func setNeedsReload() {
    needsReload = true
    list.changed()
  }

  /// Adopts the data source's rows if that is due; the list must have a size.
  ///
  /// - Parameter laysOut: whether the model then determines the visible rows.
  func reloadIfNeeded(laysOut: Bool) {
    guard needsReload else { return }
    needsReload = false
    let count = list.sourceCount
    let old = list.selection.beforeReload
    cells.releaseAll()
    list.selection.select(nil)
    hasUncheckedRows = true
    binder.performRowChanges {
      model.reload(runs: binder.kindRuns(of: 0..<count), laysOut: laysOut, in: binder)
    }
    guard count > 0 else { return }
    let found = old.flatMap { binder.row(of: $0.id, near: $0.row, count: count) }
    list.selection.select(found ?? min(old?.row ?? 0, count - 1))
  }

  /// Gives all rows this height in lines, or with `nil` each its own, and releases all cells.
  func setUniformRowHeight(_ height: Int?) {
    guard height != model.uniformRowHeight else { return }
    // Without a size, the rows are adopted later.
    let isAdopted = list.synchronize()
    let rows = 0..<model.count
    let selected = list.selection.frame?.row ?? list.selection.lastRow
    cells.releaseAll()
    binder.performRowChanges {
      model.resetHeights(
        uniform: height, runs: isAdopted ? binder.kindRuns(of: rows) : nil, in: binder)
    }
    if isAdopted { list.selection.select(selected) }
    list.changed()
  }

  /// Reports two rows of one identity among those of a reload.
  func checkReloadedRows() {
    guard hasUncheckedRows else { return }
    hasUncheckedRows = false
    reporting { () throws(ListUpdateError) in
      try binder.checkIdentities(of: [0..<list.sourceCount])
    }
  }
}
