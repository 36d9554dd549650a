import Feeds
import Synchronization
import System

/// Where rows begin in a source: of every 64th row the byte, so a quarter of a byte a row.
///
/// 1. A **block** is the rows from one entry to the next: at most 64, and all of them but the last
///    in 256 KB, so that finding a row costs a bounded reading however long rows are.
/// 2. A builder works in the background and commits what it has found; readers see commits only.
/// 3. The last row of a source that may grow may be found again, longer: then a commit takes its
///    entry back. Nothing before it ever changes.
final class RowIndex: Sendable {
  struct Entry: Hashable, Sendable {
    var row: Int
    var offset: Int
    /// The number of the line in which the row of a document of XML begins.
    var line = 1
  }

  /// How far the index is.
  struct Progress: Sendable {
    var rows = 0
    /// The byte behind the last of these rows, where the next one would begin.
    var end = 0
    /// Bytes looked at.
    var scanned = 0
    /// Where a row begins that is long already and has not ended.
    var longRow: Int?
    /// All there is for now is counted.
    var isComplete = false
    /// The last row ends where the bytes end that were looked at, without a mark of its own: it may
    /// grow.
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

  /// Bytes that the entries take.
  var byteCount: Int { state.withLock { $0.entries.capacity * MemoryLayout<Entry>.stride } }

  /// Takes over `entries` behind the first `kept` ones.
  func commit(_ entries: [Entry], keeping kept: Int, _ progress: Progress) {
    state.withLock { state in
      if state.entries.count > kept { state.entries.removeLast(state.entries.count - kept) }
      state.entries += entries
      state.progress = progress
    }
  }

  /// The block that holds `row`: its entry, and the next block's. - Complexity: O(log n)
  func block(ofRow row: Int) -> (entry: Entry, next: Entry?)? { block { $0.row <= row } }

  /// The block that holds the row at byte `offset`. - Complexity: O(log n)
  func block(atByte offset: Int) -> (entry: Entry, next: Entry?)? { block { $0.offset <= offset } }

  private func block(_ isBefore: (Entry) -> Bool) -> (entry: Entry, next: Entry?)? {
    state.withLock { state in
      let next = state.entries.countBefore(isBefore)
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

  /// The source has ended, for now. What comes later goes on from a copy made before.
  mutating func finish() {
    var found = takeFound()
    scanner.finish { found.add($0) }
    self.found = found
  }

  /// What was found, held by nobody else, so that adding to it copies nothing.
  private mutating func takeFound() -> Found {
    var taken = Found()
    swap(&taken, &found)
    return taken
  }

  /// Makes known what was found since the last commit.
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

  /// Makes known what was found since the last commit, and with it the row of text that has begun,
  /// if one has. It is a row like others from then on: the next commit finds it again, as long as it
  /// is then.
  ///
  /// - Complexity: O(n) in the entries since the last commit.
  mutating func commitWithOpenRow(to index: RowIndex) {
    guard scanner.openRowIsText else { return commit(to: index, isComplete: false) }
    var open = self
    open.finish()
    open.commit(to: index, isComplete: false, lastRowIsOpen: open.rowCount > rowCount)
    forgetStaged()
  }

  var rowCount: Int { found.rows }

  /// What is staged was committed by a copy of this builder.
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
