import VirtualList

extension ListView {
  /// Several updates at once, with the meaning they have in UIKit.
  /// - Throws: `ListUpdateError` where they do not fit the data source; the list then reloads.
  public func performBatchUpdates(_ updates: () -> Void) throws(ListUpdateError) {
    beginUpdates()
    updates()
    try updater.end()
  }

  /// Gathers updates until `endUpdates`. Without any, cells that need it are measured in the next
  /// frame.
  public func beginUpdates() { updater.begin() }

  /// Applies what was gathered. Updates that do not fit the data source are reported; the list then
  /// reloads.
  public func endUpdates() { updater.reporting(updater.end) }

  /// Inserts rows; they have these numbers afterwards.
  public func insertRows(at paths: [IndexPath]) {
    updater.gather { for path in paths.sorted() { $0.insert(path.row..<path.row + 1) } }
  }

  /// Deletes rows, by their numbers before.
  public func deleteRows(at paths: [IndexPath]) {
    updater.gather { for path in paths.sorted() { $0.delete(path.row..<path.row + 1) } }
  }

  /// Moves a row from its number before to the one it has afterwards.
  public func moveRow(at path: IndexPath, to newPath: IndexPath) {
    updater.gather { $0.move(from: path.row, to: newPath.row) }
  }

  /// Inserts rows of which there may be millions. - Complexity: O(log n)
  public func insertRows(_ rows: Range<Int>) { updater.gather { $0.insert(rows) } }

  /// Deletes rows of which there may be millions. - Complexity: O(log n + rows that were measured)
  public func deleteRows(_ rows: Range<Int>) { updater.gather { $0.delete(rows) } }

  /// Gives rows other cells; their heights are estimates until they show.
  public func reloadRows(at paths: [IndexPath]) {
    updater.gather { for path in paths { $0.reload(path.row) } }
  }

  /// Has the data source configure the rows' cells as they are; rows without one are reloaded.
  public func reconfigureRows(at paths: [IndexPath]) {
    updater.gather(reconfigured: paths.map(\.row))
  }

  /// Rows that `applySnapshot` compares at most; of more, the list takes the new ones as
  /// `reloadData` does, which keeps the reader's place too.
  public static let comparedRows = 100_000

  /// The data source has the rows `new` now, where it had `old`: whatever was deleted, inserted and
  /// moved is found out and applied at once. `reloading` are rows whose content changed as well.
  /// - Throws: `ListUpdateError` where an order has an identity twice, or the rows are not those of
  ///   the list; the list then reloads.
  /// - Complexity: O(n log n) for n rows that differ
  public func applySnapshot(
    _ new: [RowID], replacing old: [RowID], reloading: Set<RowID> = []
  ) throws(ListUpdateError) {
    guard !needsReload, max(old.count, new.count) <= Self.comparedRows else {
      return reloadData()
    }
    do {
      try updater.take(BatchUpdates(from: old, to: new, reloading: reloading))
    } catch {
      reloadData()
      throw error
    }
  }

  /// Several updates at once that were gathered elsewhere, with the meaning they have in UIKit.
  /// Updates that do not fit the data source are reported; the list then reloads.
  /// - Complexity: O(k log n) for k ranges and rows named, and measurements of what shows
  public func perform(_ updates: BatchUpdates) {
    updater.reporting { () throws(ListUpdateError) in try updater.take(updates) }
  }
}
