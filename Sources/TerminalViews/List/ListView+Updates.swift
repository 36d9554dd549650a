import VirtualList

extension ListView {
  /// Applies several updates at once, with the meaning they have in UIKit.
  /// - Throws: `ListUpdateError` if they do not fit the data source; the list then reloads.
  public func performBatchUpdates(_ updates: () -> Void) throws(ListUpdateError) {
    beginUpdates()
    updates()
    try updater.end()
  }

  /// Gathers updates until `endUpdates`. Without any, cells that need it are measured in the next
  /// frame.
  public func beginUpdates() { updater.begin() }

  /// Applies the gathered updates. If they do not fit the data source, that is reported and the
  /// list reloads.
  public func endUpdates() { updater.reporting(updater.end) }

  /// Inserts rows, by their indices after the updates.
  public func insertRows(at paths: [IndexPath]) {
    updater.gather { for path in paths.sorted() { $0.insert(path.row..<path.row + 1) } }
  }

  /// Deletes rows, by their indices before the updates.
  public func deleteRows(at paths: [IndexPath]) {
    updater.gather { for path in paths.sorted() { $0.delete(path.row..<path.row + 1) } }
  }

  /// Moves a row from its index before the updates to its index after them.
  public func moveRow(at path: IndexPath, to newPath: IndexPath) {
    updater.gather { $0.move(from: path.row, to: newPath.row) }
  }

  /// Inserts a range of rows, which may be millions. - Complexity: O(log² n)
  public func insertRows(_ rows: Range<Int>) { updater.gather { $0.insert(rows) } }

  /// Deletes a range of rows, which may be millions. - Complexity: O(log² n + rows that were
  /// measured)
  public func deleteRows(_ rows: Range<Int>) { updater.gather { $0.delete(rows) } }

  /// Gives rows new cells; their heights are estimates until they show.
  public func reloadRows(at paths: [IndexPath]) {
    updater.gather { for path in paths { $0.reload(path.row) } }
  }

  /// Makes the data source configure the rows' cells again in place; rows without a cell are
  /// reloaded.
  public func reconfigureRows(at paths: [IndexPath]) {
    updater.gather(reconfigured: paths.map(\.row))
  }

  /// The most rows that `applySnapshot` compares. With more, the list takes the new rows as
  /// `reloadData` does, which also keeps the reader's place.
  public static let comparedRows = 100_000

  /// Applies the deletions, insertions and moves by which the data source's rows changed from `old`
  /// to `new`, at once. `reloading` are rows whose content changed as well.
  /// - Throws: `ListUpdateError` if an order has an identity twice, or the rows are not those of
  ///   the list; the list then reloads.
  /// - Complexity: O(m + n log n) for m rows in total, n of them between the common beginning and
  ///   end
  public func applySnapshot(
    _ new: [RowID], replacing old: [RowID], reloading: Set<RowID> = []
  ) throws(ListUpdateError) {
    guard !updater.needsReload, max(old.count, new.count) <= Self.comparedRows else {
      return reloadData()
    }
    do {
      try updater.take(BatchUpdates(from: old, to: new, reloading: reloading))
    } catch {
      reloadData()
      throw error
    }
  }

  /// Applies several updates that were gathered elsewhere, with the meaning they have in UIKit. If
  /// they do not fit the data source, that is reported and the list reloads.
  /// - Complexity: O(k² + k log² n) for k ranges and rows named, O(k) for each cell, and
  ///   measurements of visible rows
  public func perform(_ updates: BatchUpdates) {
    updater.reporting { () throws(ListUpdateError) in try updater.take(updates) }
  }
}
