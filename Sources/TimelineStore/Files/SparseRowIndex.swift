import System

/// Maps the rows of a list to the bytes of a source that is still being counted.
///
///     |── counted ──|~~~ gap ~~~|─ island ─|~~~~~~ gap ~~~~~~|─ island ─|
///     0             countedEnd                                          size
///
/// 1. Rows before `counted` are known to the index. After them gaps, whose rows are estimated by
///    their bytes, alternate with islands, whose rows were located; the last island is the end.
/// 2. Locating a row of a gap makes it an island, or extends one; the number of rows stays. So it
///    may be done during layout.
/// 3. The number of rows changes only in `reconcile`, which returns the deletions and insertions
///    for the list. It touches only rows of gaps, so visible rows keep their place.
/// 4. When the index passes an island whose rows turn out to be none, all of them are replaced.
/// 5. A gap with bytes and no rows lacks rows; one with rows and no bytes has phantoms, rows
///    without height. The next `reconcile` corrects both.
struct SparseRowIndex: Sendable {
  struct Gap: Hashable, Sendable {
    var bytes: Range<Int>
    var rows: Int
  }

  struct Island: Hashable, Sendable {
    /// The offsets of its rows, and the byte after the last one.
    var offsets: [Int]
    var end: Int

    var start: Int { offsets.first ?? end }
  }

  /// A gap and the island after it.
  struct Part: Hashable, Sendable {
    var gap: Gap
    var island: Island
  }

  /// The position of a row.
  enum Place: Hashable, Sendable {
    case counted
    /// A row of an island: its bytes, including the blanks after it.
    case known(Range<Int>)
    /// A row of a gap, by its number within the gap.
    case guessed(part: Int, row: Int)
    case outside
  }

  private(set) var counted = 0
  private(set) var countedEnd = 0
  private(set) var parts: [Part] = []

  /// The number of rows: counted, located and estimated. - Complexity: O(islands)
  var count: Int { parts.reduce(counted) { $0 + $1.gap.rows + $1.island.offsets.count } }

  /// Whether all rows are counted.
  var isCounted: Bool { parts.isEmpty }

  /// Creates the map of `rows` counted rows, which end at `end` of `size` bytes; `looked` is the
  /// number of bytes examined for them.
  init(counted rows: Int, end: Int, looked: Int, size: Int, isComplete: Bool) {
    counted = rows
    countedEnd = end
    guard !isComplete, size > end else { return }
    let gap = Gap(
      bytes: end..<size, rows: Self.guess(bytes: size - end, rows: rows, in: max(end, looked)))
    parts = [Part(gap: gap, island: Island(offsets: [], end: size))]
  }

  /// The estimated number of rows in `bytes` bytes, if `rows` rows are in `known` bytes.
  static func guess(bytes: Int, rows: Int, in known: Int) -> Int {
    guard bytes > 0 else { return 0 }
    // No row has ended yet, so one row per megabyte is as good an estimate as any.
    guard rows > 0, known > 0 else { return 1 + bytes >> 20 }
    return max(1, Int((Double(bytes) * Double(rows) / Double(known)).rounded()))
  }

  /// - Complexity: O(islands)
  func place(of row: Int) -> Place {
    guard row >= counted else { return row >= 0 ? .counted : .outside }
    var first = counted
    for (index, part) in parts.enumerated() {
      if row < first + part.gap.rows { return .guessed(part: index, row: row - first) }
      first += part.gap.rows
      if row < first + part.island.offsets.count {
        let offsets = part.island.offsets
        let next = row - first + 1
        return .known(
          offsets[row - first]..<(next < offsets.count ? offsets[next] : part.island.end))
      }
      first += part.island.offsets.count
    }
    return .outside
  }

  /// The approximate offset of an uncounted row; for the row after the last one, the end.
  /// - Complexity: O(islands)
  func byte(beforeRow row: Int) -> Int {
    var first = counted
    var end = countedEnd
    for part in parts {
      let gap = part.gap
      if row < first + gap.rows {
        // The product of a large gap's bytes and rows does not fit an `Int`.
        let product = gap.bytes.count.multipliedFullWidth(by: max(0, row - first))
        return gap.bytes.lowerBound + gap.rows.dividingFullWidth(product).quotient
      }
      first += gap.rows
      let offsets = part.island.offsets
      if row < first + offsets.count { return offsets[row - first] }
      first += offsets.count
      end = part.island.end
    }
    return end
  }

  /// The row of an island that begins at a byte. - Complexity: O(islands + log rows of one)
  func row(atByte offset: Int) -> Int? {
    var first = counted
    for part in parts {
      first += part.gap.rows
      let index = part.island.offsets.partitionPoint { $0 < offset }
      if index < part.island.offsets.count, part.island.offsets[index] == offset {
        return first + index
      }
      first += part.island.offsets.count
    }
    return nil
  }

  /// The gap that contains a byte, and the estimated number of its rows before the byte.
  /// - Complexity: O(islands)
  func guess(atByte offset: Int) -> (part: Int, row: Int)? {
    guard let part = parts.firstIndex(where: { $0.gap.bytes.contains(offset) }) else { return nil }
    let gap = parts[part].gap
    guard gap.rows > 0 else { return nil }
    let share = Double(offset - gap.bytes.lowerBound) / Double(gap.bytes.count)
    return (part, min(gap.rows - 1, Int(Double(gap.rows) * share)))
  }

  // MARK: Locating rows of gaps

  /// Adds rows directly before a part's island: those at `offsets`; there are no others from
  /// `start` on.
  mutating func extendUp(part: Int, offsets: [Int], start: Int) {
    let used = min(offsets.count, parts[part].gap.rows)
    let kept = offsets.suffix(used)
    let bound = used == offsets.count ? start : kept.first ?? parts[part].gap.bytes.upperBound
    parts[part].island.offsets.insert(contentsOf: kept, at: 0)
    parts[part].gap.rows -= used
    parts[part].gap.bytes = parts[part].gap.bytes.lowerBound..<bound
  }

  /// Adds rows at the beginning of a part's gap: those at `offsets`; there are no others before
  /// `end`.
  mutating func extendDown(part: Int, offsets: [Int], end: Int) {
    let used = min(offsets.count, parts[part].gap.rows)
    let bound = used == offsets.count ? end : offsets[used]
    let rows = Array(offsets.prefix(used))
    let upper = parts[part].gap.bytes.upperBound
    if part > 0 {
      parts[part - 1].island.offsets += rows
      parts[part - 1].island.end = bound
    } else {
      let lower = parts[0].gap.bytes.lowerBound
      parts.insert(
        Part(
          gap: Gap(bytes: lower..<lower, rows: 0), island: Island(offsets: rows, end: bound)),
        at: 0)
    }
    let gap = part > 0 ? part : 1
    parts[gap].gap = Gap(bytes: bound..<upper, rows: parts[gap].gap.rows - used)
  }

  /// Inserts an island into a part's gap; `row` is the number of its first row within the gap.
  mutating func split(part: Int, at row: Int, offsets: [Int], end: Int) {
    let gap = parts[part].gap
    let used = min(offsets.count, gap.rows - row)
    let bound = used == offsets.count ? end : offsets[used]
    let island = Island(offsets: Array(offsets.prefix(used)), end: bound)
    parts.insert(
      Part(gap: Gap(bytes: gap.bytes.lowerBound..<island.start, rows: row), island: island),
      at: part)
    parts[part + 1].gap = Gap(bytes: bound..<gap.bytes.upperBound, rows: gap.rows - row - used)
  }

  // MARK: Adopting counted rows

  /// Whether `reconcile` has to correct gaps that have too few or too many rows.
  var needsReconciling: Bool { parts.contains { ($0.gap.rows == 0) != $0.gap.bytes.isEmpty } }

  /// Adopts that `rows` rows are counted in the bytes up to `end`, and that none follow if these
  /// are `all`.
  ///
  /// - Parameters:
  ///   - looked: the number of bytes examined to count them.
  ///   - rowAt: the number of the row that begins at a byte before `end`; if none does, that of the
  ///     next one, as inexact.
  /// - Returns: the deleted rows by their old numbers, and the inserted rows by their new numbers.
  mutating func reconcile(
    counted rows: Int, end: Int, looked: Int, all: Bool, rowAt: (Int) -> (row: Int, isExact: Bool)
  ) -> (deletions: [Range<Int>], insertions: [Range<Int>]) {
    var change = Change(old: counted, new: counted)
    var kept: [Part] = []
    for part in parts {
      let seen = part.island.offsets.count
      let covered = part.island.offsets.partitionPoint { $0 < end }
      if covered > 0 || all || part.island.end <= end {
        // The index has passed the gap, so its number of rows is known.
        let start =
          covered > 0 || part.island.end < end
          ? rowAt(part.island.start) : (row: rows, isExact: true)
        change.gap(from: part.gap.rows, to: max(0, start.row - change.new))
        guard Self.areRows(part.island.offsets.prefix(covered), from: start, rowAt) else {
          let bytes = min(end, part.island.end)..<part.island.end
          let passed = part.island.end < end ? rowAt(part.island.end).row : rows
          let rest = all ? 0 : Self.guess(bytes: bytes.count, rows: rows, in: max(end, looked))
          change.replace(seen, with: max(0, passed - change.new) + rest)
          if rest > 0 {
            let none = Island(offsets: [], end: part.island.end)
            kept.append(Part(gap: Gap(bytes: bytes, rows: rest), island: none))
          }
          continue
        }
        change.keep(seen)
        if covered < seen {
          let island = Island(
            offsets: Array(part.island.offsets[covered...]), end: part.island.end)
          kept.append(Part(gap: Gap(bytes: end..<end, rows: 0), island: island))
        }
      } else {
        // The rows of the gap that are counted by now, and those still estimated.
        let passed = kept.isEmpty ? max(0, rows - change.new) : 0
        let bytes = max(end, part.gap.bytes.lowerBound)..<part.island.start
        let guess = Self.guess(bytes: bytes.count, rows: rows, in: max(end, looked))
        let rest = max(bytes.isEmpty ? 0 : 1, part.gap.rows - passed)
        let isNear = abs(rest - guess) <= max(guess, rest) / 50 && !bytes.isEmpty
        let left = isNear ? rest : guess
        change.gap(from: part.gap.rows, to: passed + left)
        change.keep(seen)
        kept.append(Part(gap: Gap(bytes: bytes, rows: left), island: part.island))
      }
    }
    let isPrefix = kept.isEmpty
    counted = rows
    countedEnd = end
    parts = kept
    if isPrefix, rows > change.new { change.gap(from: 0, to: rows - change.new) }
    return (change.deletions, change.insertions)
  }

  /// Whether the counted rows begin at `offsets`, with no others between them.
  private static func areRows(
    _ offsets: ArraySlice<Int>, from start: (row: Int, isExact: Bool),
    _ rowAt: (Int) -> (row: Int, isExact: Bool)
  ) -> Bool {
    guard let last = offsets.last else { return true }
    let end = rowAt(last)
    return start.isExact && end.isExact && end.row == start.row + offsets.count - 1
  }

  private struct Change {
    var old: Int
    var new: Int
    var deletions: [Range<Int>] = []
    var insertions: [Range<Int>] = []

    mutating func gap(from rows: Int, to newRows: Int) {
      if newRows < rows { deletions.append(old + newRows..<old + rows) }
      if newRows > rows { insertions.append(new + rows..<new + newRows) }
      old += rows
      new += newRows
    }

    mutating func replace(_ rows: Int, with newRows: Int) {
      if rows > 0 { deletions.append(old..<old + rows) }
      if newRows > 0 { insertions.append(new..<new + newRows) }
      old += rows
      new += newRows
    }

    mutating func keep(_ rows: Int) {
      old += rows
      new += rows
    }
  }
}
