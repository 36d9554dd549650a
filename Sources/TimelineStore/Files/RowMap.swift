import System

/// Which rows of a list are which bytes of a source, while the source is still being counted.
///
///     |── counted ──|~~~ gap ~~~|─ island ─|~~~~~~ gap ~~~~~~|─ island ─|
///     0             countedEnd                                          size
///
/// 1. Rows before `counted` are known to the index. Behind them gaps, whose rows are guessed by
///    their bytes, alternate with islands, whose rows somebody has looked at; the last island is
///    the end.
/// 2. Looking at a row of a gap makes an island of it, or lengthens one; the number of rows stays.
///    So it may be done while the list lays out.
/// 3. The number of rows changes only in `reconcile`, which tells the list what to delete and
///    insert; it touches rows of gaps alone, so what is on the screen keeps its place.
/// 4. Rows that were taken for some and are none are found out when the index has passed them: all
///    of their island are replaced.
/// 5. A gap with bytes and no rows owes rows; one with rows and no bytes has phantoms, rows without
///    height. Both are put right by the next `reconcile`.
struct RowMap: Sendable {
  struct Gap: Hashable, Sendable {
    var bytes: Range<Int>
    var rows: Int
  }

  struct Island: Hashable, Sendable {
    /// Where its rows begin, and the byte behind the last one.
    var offsets: [Int]
    var end: Int

    var start: Int { offsets.first ?? end }
  }

  /// A gap and the island behind it.
  struct Part: Hashable, Sendable {
    var gap: Gap
    var island: Island
  }

  /// What a row is.
  enum Place: Hashable, Sendable {
    case counted
    /// A row on an island: its bytes, blanks behind it included.
    case known(Range<Int>)
    /// The row of a gap, that many rows into it.
    case guessed(part: Int, row: Int)
    case outside
  }

  private(set) var counted = 0
  private(set) var countedEnd = 0
  private(set) var parts: [Part] = []

  /// Rows, counted, seen and guessed. - Complexity: O(islands)
  var count: Int { parts.reduce(counted) { $0 + $1.gap.rows + $1.island.offsets.count } }

  /// Whether all rows are counted.
  var isCounted: Bool { parts.isEmpty }

  /// `rows` are counted in the bytes up to `end`, of `size`; `looked` bytes were looked at for
  /// them.
  init(counted rows: Int, end: Int, looked: Int, size: Int, isComplete: Bool) {
    counted = rows
    countedEnd = end
    guard !isComplete, size > end else { return }
    let gap = Gap(
      bytes: end..<size, rows: Self.guess(bytes: size - end, rows: rows, in: max(end, looked)))
    parts = [Part(gap: gap, island: Island(offsets: [], end: size))]
  }

  /// Rows that so many bytes hold, where `rows` are known to stand in `known` bytes.
  static func guess(bytes: Int, rows: Int, in known: Int) -> Int {
    guard bytes > 0 else { return 0 }
    // Rows so long that none has ended yet: a few are as good a guess as any.
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

  /// About where a row behind the counted ones begins; of the row behind the last one, the end.
  /// - Complexity: O(islands)
  func byte(beforeRow row: Int) -> Int {
    var first = counted
    var end = countedEnd
    for part in parts {
      let gap = part.gap
      if row < first + gap.rows {
        return gap.bytes.lowerBound + gap.bytes.count * max(0, row - first) / gap.rows
      }
      first += gap.rows
      let offsets = part.island.offsets
      if row < first + offsets.count { return offsets[row - first] }
      first += offsets.count
      end = part.island.end
    }
    return end
  }

  /// The row on an island that begins at a byte. - Complexity: O(islands + log rows of one)
  func row(atByte offset: Int) -> Int? {
    var first = counted
    for part in parts {
      first += part.gap.rows
      let index = part.island.offsets.countBefore { $0 < offset }
      if index < part.island.offsets.count, part.island.offsets[index] == offset {
        return first + index
      }
      first += part.island.offsets.count
    }
    return nil
  }

  /// The gap that a byte is in, and about how many of its rows stand before it.
  /// - Complexity: O(islands)
  func guess(atByte offset: Int) -> (part: Int, row: Int)? {
    guard let part = parts.firstIndex(where: { $0.gap.bytes.contains(offset) }) else { return nil }
    let gap = parts[part].gap
    guard gap.rows > 0 else { return nil }
    let share = Double(offset - gap.bytes.lowerBound) / Double(gap.bytes.count)
    return (part, min(gap.rows - 1, Int(Double(gap.rows) * share)))
  }

  // MARK: Looking at rows of gaps

  /// Rows that stand directly before a part's island: `offsets`, with nothing between `start` and
  /// them.
  mutating func extendUp(part: Int, offsets: [Int], start: Int) {
    let used = min(offsets.count, parts[part].gap.rows)
    let kept = offsets.suffix(used)
    let bound = used == offsets.count ? start : kept.first ?? parts[part].gap.bytes.upperBound
    parts[part].island.offsets.insert(contentsOf: kept, at: 0)
    parts[part].gap.rows -= used
    parts[part].gap.bytes = parts[part].gap.bytes.lowerBound..<bound
  }

  /// Rows that stand at the beginning of a part's gap: `offsets`, with nothing between them and
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

  /// A new island inside a part's gap, its first row that many rows into it.
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

  // MARK: Counting on

  /// Whether `reconcile` would do anything for rows of gaps that turned out to be too few or too
  /// many.
  var owes: Bool { parts.contains { ($0.gap.rows == 0) != $0.gap.bytes.isEmpty } }

  /// Takes in that `rows` are counted in the bytes up to `end`, and that nothing comes after them
  /// if they are `all`.
  ///
  /// - Parameters:
  ///   - looked: bytes that were looked at to count them.
  ///   - rowAt: the number of the row that begins at a byte before `end`; of the next one, inexact,
  ///     where none does.
  /// - Returns: what changes in the list: rows deleted, as they were, and inserted, as they are.
  mutating func reconcile(
    counted rows: Int, end: Int, looked: Int, all: Bool, rowAt: (Int) -> (row: Int, isExact: Bool)
  ) -> (deletions: [Range<Int>], insertions: [Range<Int>]) {
    var change = Change(old: counted, new: counted)
    var kept: [Part] = []
    for part in parts {
      let seen = part.island.offsets.count
      let covered = part.island.offsets.countBefore { $0 < end }
      if covered > 0 || all || part.island.end <= end {
        // The index has passed the gap: now it is known how many rows it has.
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
        // Rows of the gap that are counted by now, and those still guessed.
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

  /// Whether counted rows begin at `offsets`, and no others between them.
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
