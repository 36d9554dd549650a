import VirtualList

extension ListView {
  /// Several updates at once, with the meaning they have in UIKit.
  /// - Throws: `ListUpdateError` where they do not fit the data source; the list then loads anew.
  public func performBatchUpdates(_ updates: () -> Void) throws(ListUpdateError) {
    beginUpdates()
    updates()
    try finishUpdates()
  }

  /// Gathers updates until `endUpdates`. Without any, cells that need it are measured in the next
  /// frame.
  public func beginUpdates() { gathering.begin() }

  /// Applies what was gathered. Updates that do not fit the data source are reported; the list then
  /// loads anew.
  public func endUpdates() {
    do { try finishUpdates() } catch { onUpdateError?(error) }
  }

  /// Inserts rows; they have these numbers afterwards.
  public func insertRows(at paths: [IndexPath]) {
    update { for range in Self.runs(paths) { $0.insert(range) } }
  }

  /// Deletes rows, by their numbers before.
  public func deleteRows(at paths: [IndexPath]) {
    update { for range in Self.runs(paths) { $0.delete(range) } }
  }

  /// Moves a row from its number before to the one it has afterwards.
  public func moveRow(at path: IndexPath, to newPath: IndexPath) {
    update { $0.move(from: path.row, to: newPath.row) }
  }

  /// Inserts rows of which there may be millions. - Complexity: O(log n)
  public func insertRows(_ rows: Range<Int>) { update { $0.insert(rows) } }

  /// Deletes rows of which there may be millions. - Complexity: O(log n + rows that were measured)
  public func deleteRows(_ rows: Range<Int>) { update { $0.delete(rows) } }

  /// Gives rows other cells; their heights are estimates until they show.
  public func reloadRows(at paths: [IndexPath]) {
    update { for path in paths { $0.reload(path.row) } }
  }

  /// Has the data source configure the rows' cells as they are; rows without one are reloaded.
  public func reconfigureRows(at paths: [IndexPath]) {
    beginUpdates()
    gathering.reconfigure(paths.map(\.row))
    endUpdates()
  }

  /// Rows with cells that show their content: those on the screen, near it or pinned, and those whose cells
  /// are retained. - Complexity: O(k log k)
  public var indexPathsForPreparedRows: [IndexPath] {
    cells.preparedRows.map { IndexPath(row: $0) }
  }

  /// Rows that `applySnapshot` compares at most; of more, the list takes the new ones as
  /// `reloadData` does, which keeps the reader's place too.
  public static let comparedRows = 100_000

  /// The data source has the rows `new` now, where it had `old`: whatever was deleted, inserted and
  /// moved is found out and applied at once. `reloading` are rows whose content changed as well.
  /// - Throws: `ListUpdateError` where an order has an identity twice, or the rows are not those of
  ///   the list; the list then loads anew.
  /// - Complexity: O(n log n) for n rows that differ
  public func applySnapshot(
    _ new: [RowID], replacing old: [RowID], reloading: Set<RowID> = []
  ) throws(ListUpdateError) {
    guard max(old.count, new.count) <= Self.comparedRows else {
      reloadData()
      return
    }
    defer { changed() }
    guard !needsReload, synchronize() else { return }
    do {
      try apply(BatchUpdates(from: old, to: new, reloading: reloading))
    } catch {
      reloadData()
      throw error
    }
  }

  /// Several updates at once that were gathered elsewhere, with the meaning they have in UIKit. Updates
  /// that do not fit the data source are reported; the list then loads anew.
  /// - Complexity: O(k log n) for k ranges and rows named, and measurements of what shows
  public func perform(_ updates: BatchUpdates) {
    defer { changed() }
    // A reload that is still to come takes in everything.
    guard !needsReload, synchronize() else { return }
    do { try apply(updates) } catch { onUpdateError?(error) }
  }

  private func update(_ change: (inout BatchUpdates) -> Void) {
    beginUpdates()
    gathering.add(change)
    endUpdates()
  }

  private func finishUpdates() throws(ListUpdateError) {
    guard let gathered = gathering.end() else { return }
    defer { changed() }
    // A reload that is still to come takes in everything.
    guard !needsReload, synchronize() else { return }
    var updates = gathered.updates
    for row in gathered.reconfigured where cells[row] == nil { updates.reload(row) }
    let again = gathered.reconfigured.compactMap { cells[$0]?.cell }
    // Without updates, too, there must be as many rows as before.
    if !updates.isEmpty || sourceCount != model.count { try apply(updates) }
    for cell in again { reconfigure(cell) }
  }

  private func apply(_ updates: BatchUpdates) throws(ListUpdateError) {
    let newCount = sourceCount
    let mapping: RowMapping
    do {
      mapping = try updates.mapping(from: model.count, to: newCount)
      try environment.checkIdentities(of: updates.insertions)
    } catch {
      reloadData()
      throw error
    }
    for row in updates.reloads { cells.release(row) }
    let selected = selection?.row
    setSelection(nil)
    cells.move(by: mapping)
    if let selected { setSelection(mapping.survivor(ofOld: selected)) }
    try changingRows { () throws(ListUpdateError) in
      try model.apply(updates, newCount: newCount, in: environment)
    }
    if selection == nil, newCount > 0 { setSelection(0) }
  }

  /// Takes the data source's rows, once the list has a size.
  func reload() {
    let count = sourceCount
    cells.releaseAll()
    let old = selection
    setSelection(nil)
    do {
      try environment.checkIdentities(of: [0..<count])
    } catch { onUpdateError?(error) }
    changingRows { model.reload(runs: environment.kindRuns(of: 0..<count), in: environment) }
    guard count > 0 else { return }
    let found = old.flatMap { environment.row(of: $0.id, near: $0.row, count: count) }
    setSelection(found ?? min(old?.row ?? 0, count - 1))
  }

  /// Rows in order as ranges; one named twice stays twice, for the check to find.
  private static func runs(_ paths: [IndexPath]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for row in paths.map(\.row).sorted() {
      if let last = runs.last, last.upperBound == row {
        runs[runs.count - 1] = last.lowerBound..<row + 1
      } else {
        runs.append(row..<row + 1)
      }
    }
    return runs
  }
}
