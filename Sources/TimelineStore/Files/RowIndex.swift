import Feeds
import Synchronization
import System

/// The offsets of a source's rows: that of every 64th row, so three eighths of a byte for each row.
///
/// 1. A **block** is the rows from one entry to the next: at most 64, and all of them but the last
///    in 256 KiB, so that finding a row reads a bounded number of bytes however long rows are.
/// 2. A builder works in the background and commits the rows that it finds; readers see only
///    commits.
/// 3. The last row of a source that may grow may be found again, longer: then a commit takes its
///    entry back. Nothing before it ever changes.
final class RowIndex: Sendable {
  struct Entry: Hashable, Sendable {
    var row: Int
    var offset: Int
    /// The number of the line in which the row begins, in XML documents.
    var line = 1
  }

  /// The progress of the index.
  struct Progress: Sendable {
    var rows = 0
    /// The byte after the last of these rows, where the next one would begin.
    var end = 0
    /// The number of bytes examined.
    var scanned = 0
    /// The offset of a row that is already long and has not ended.
    var longRow: Int?
    /// Whether all rows that exist now are counted.
    var isComplete = false
    /// Whether the last row only ends with the bytes examined, so that it may grow.
    var lastRowIsOpen = false
  }

  static let blockRows = 64
  static let blockBytes = 256 << 10

  private struct State {
    var entries: [Entry] = []
    var progress = Progress()
  }

  private let state = Mutex(State())

  var progress: Progress { state.withLock { $0.progress } }

  /// The memory of the entries in bytes.
  var byteCount: Int { state.withLock { $0.entries.capacity * MemoryLayout<Entry>.stride } }

  /// Replaces the entries after the first `kept` ones.
  func commit(_ entries: [Entry], keeping kept: Int, _ progress: Progress) {
    state.withLock { state in
      if state.entries.count > kept { state.entries.removeLast(state.entries.count - kept) }
      state.entries += entries
      state.progress = progress
    }
  }

  /// The block of `row`: its entry, and that of the next block. - Complexity: O(log n)
  func block(ofRow row: Int) -> (entry: Entry, next: Entry?)? { block { $0.row <= row } }

  /// The block of the row at byte `offset`. - Complexity: O(log n)
  func block(atByte offset: Int) -> (entry: Entry, next: Entry?)? { block { $0.offset <= offset } }

  private func block(_ isBefore: (Entry) -> Bool) -> (entry: Entry, next: Entry?)? {
    state.withLock { state in
      let next = state.entries.partitionPoint(isBefore)
      guard next > 0 else { return nil }
      return (state.entries[next - 1], next < state.entries.count ? state.entries[next] : nil)
    }
  }
}

/// Counts rows in bytes that come in order, for a `RowIndex`. Used by one thread at a time.
struct RowIndexBuilder: Sendable {
  private(set) var scanner: RowScanner
  private var found = Found()
  private var position: Int

  init(format: FeedFormat, offset: Int) {
    scanner = RowScanner(format: format, offset: offset)
    position = offset
  }

  mutating func consume(_ bytes: UnsafeRawBufferPointer) {
    var found = takeFound()
    scanner.consume(bytes) { found.add($0) }
    self.found = found
    position += bytes.count
  }

  /// Ends the last row, because the source has ended for now. A copy made before continues with
  /// bytes that come later.
  mutating func finish() {
    var found = takeFound()
    scanner.finish { found.add($0) }
    self.found = found
  }

  /// The rows found, uniquely referenced, so that adding to them copies nothing.
  private mutating func takeFound() -> Found {
    var taken = Found()
    swap(&taken, &found)
    return taken
  }

  /// Commits the rows found since the last commit.
  mutating func commit(to index: RowIndex, isComplete: Bool, lastRowIsOpen: Bool = false) {
    var progress = RowIndex.Progress()
    progress.rows = found.rows
    progress.scanned = position
    progress.isComplete = isComplete
    progress.lastRowIsOpen = lastRowIsOpen
    progress.end = isComplete || lastRowIsOpen ? position : scanner.restart
    if !isComplete, let open = scanner.openRow, position - open > FeedLimits.itemBytes {
      progress.longRow = open
    }
    index.commit(found.staged, keeping: found.entryCount - found.staged.count, progress)
    found.staged.removeAll(keepingCapacity: true)
  }

  /// Commits the rows found since the last commit and, if one has begun, the incomplete row of
  /// text. From then on it is a row like others; the next commit finds it again, in its length by
  /// then.
  ///
  /// - Complexity: O(n) in the entries since the last commit.
  mutating func commitWithOpenRow(to index: RowIndex) {
    guard scanner.isOpenRowText else { return commit(to: index, isComplete: false) }
    var open = self
    open.finish()
    open.commit(to: index, isComplete: false, lastRowIsOpen: open.rowCount > rowCount)
    forgetStaged()
  }

  var rowCount: Int { found.rows }

  /// Drops the staged entries, which a copy of this builder has committed.
  mutating func forgetStaged() { found.staged = [] }

  private struct Found {
    var rows = 0
    var entryCount = 0
    var last = RowIndex.Entry(row: 0, offset: 0)
    /// Entries that are not committed yet.
    var staged: [RowIndex.Entry] = []

    @inline(__always) mutating func add(_ row: RowScanner.Row) {
      if entryCount == 0 || rows - last.row >= RowIndex.blockRows
        || row.end - last.offset > RowIndex.blockBytes && rows > last.row
      {
        last = RowIndex.Entry(row: rows, offset: row.start, line: row.line)
        staged.append(last)
        entryCount += 1
      }
      rows += 1
    }
  }
}
