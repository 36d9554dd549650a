import Caches
import Feeds
import System

/// Locates the rows of a file or spool, even while they are being counted.
///
/// 1. Counted rows are found by the index, others by their bytes (`SparseRowIndex`). A row in a gap
///    is located on access, which moves no other row.
/// 2. Access to a counted row reads about `RowIndex.blockBytes` at most, or the bytes of the row.
///    Access to a row of a gap also reads the rows between it and the nearest known one, ``reach``
///    at most, or searches ``maximumSearchBytes`` for the beginning of a row.
/// 3. Rows appear and disappear only in `adopt`.
/// 4. Once all rows are counted, a row that is already long and has not ended follows them.
@MainActor final class RowLocator {
  /// The offsets of a block's rows, and the end of the last one.
  private typealias Block = (offsets: [Int], end: Int)

  /// Rows of a gap within this distance of a known position are located by scanning from there,
  /// others by interpolation in the gap's bytes.
  private static let reach = 2_000
  /// The number of bytes searched for the beginning of a row, at first and at most.
  private static let look = 64 << 10
  private static let maximumSearchBytes = 8 << 20

  private let file: FileBytes
  private let format: FeedFormat
  private let index: RowIndex
  /// The metadata of the document, as far as it is read.
  private(set) var head: DocumentHead
  /// The adopted progress of the index.
  private(set) var progress: RowIndex.Progress
  /// The offset of the incomplete row after the counted ones.
  private(set) var longRow: Int?
  private var map: SparseRowIndex
  /// The blocks scanned last, by their first rows.
  private var blocks = LRUCache<Int, Block>(maximumCount: 32)
  /// The bytes last read for extents; discarded when rows change.
  private var window: FileWindow
  /// Rows of gaps that were requested and could not be located; reloaded when rows change.
  private var unresolved: Set<Int> = []
  /// The number of failed attempts to locate a row of a gap, by the gap's first byte.
  private var failedSearches: [Int: Int] = [:]

  init(file: FileBytes, format: FeedFormat, index: RowIndex, head: DocumentHead) {
    self.head = head
    self.file = file
    self.format = format
    self.index = index
    window = FileWindow(of: file)
    progress = index.progress
    // Uncounted rows can be located only if a row can be recognized by its beginning.
    let isFeed = format.isXML && progress.rows > 0
    let size = format.isLines || isFeed ? file.size ?? 0 : 0
    map = SparseRowIndex(
      counted: progress.rows, end: progress.end, looked: progress.scanned,
      size: max(size, progress.end), isComplete: progress.isComplete)
  }

  // MARK: Rows

  /// The number of rows: counted, located, estimated and incomplete. - Complexity: O(islands)
  var count: Int { map.count + (longRow == nil ? 0 : 1) }
  var counted: Int { map.counted }
  var countedEnd: Int { map.countedEnd }
  /// Whether all rows are counted.
  var isCounted: Bool { map.isCounted }
  /// Whether `adopt` has to correct gaps that have too few or too many rows.
  var needsReconciling: Bool { map.needsReconciling }

  func use(_ head: DocumentHead) { self.head = head }

  /// The last row of a pipe while it may grow; `nil` if it is complete.
  var openRow: Int? { !progress.isComplete && progress.lastRowIsOpen ? counted - 1 : nil }

  /// The place of a row; the incomplete row after the counted ones is `.outside`.
  func place(of row: Int) -> SparseRowIndex.Place { map.place(of: row) }

  /// The bytes of a row, which is located if it is only estimated; `nil` if it is not found.
  func bytes(ofRow row: Int) -> (range: Range<Int>, hasEnded: Bool)? {
    switch map.place(of: row) {
    case .counted: return countedBytes(ofRow: row).map { ($0, row != openRow) }
    case .known(let range): return (range, true)
    case .guessed:
      if resolve(row), case .known(let range) = map.place(of: row) { return (range, true) }
      unresolved.insert(row)
      // A row longer than the search limit is represented by its beginning.
      guard case .guessed(let part, 0) = map.place(of: row) else { return nil }
      let bytes = map.parts[part].gap.bytes
      guard bytes.count > Self.maximumSearchBytes else { return nil }
      return (bytes.lowerBound..<bytes.lowerBound + Self.maximumSearchBytes, false)
    case .outside:
      guard let longRow, row == map.count else { return nil }
      return (longRow..<max(longRow, progress.scanned), false)
    }
  }

  /// Whether an estimated row turned out not to exist.
  func isStaleGuess(_ row: Int) -> Bool {
    guard row < map.count, bytes(ofRow: row) == nil,
      case .guessed(let part, _) = map.place(of: row)
    else { return false }
    return map.parts[part].gap.bytes.isEmpty
  }

  /// The row that begins at a byte; `nil` if no known row does.
  func row(atByte offset: Int) -> Int? {
    guard offset < map.countedEnd else { return map.row(atByte: offset) }
    return number(ofRowAt: offset).flatMap { $0.isExact ? $0.row : nil }
  }

  /// The counted row that contains a byte; `nil` before the first one.
  /// - Complexity: O(bytes of a block)
  func row(holding offset: Int) -> Int? {
    guard let found = number(ofRowAt: offset) else { return nil }
    return found.isExact ? found.row : found.row > 0 ? found.row - 1 : nil
  }

  /// The bytes of the uncounted row that, as the caller knows, begins at `offset`. `nil` if its end
  /// is not found, or in documents whose rows are known only by counting.
  /// - Complexity: O(bytes of the row)
  func bytes(ofRowAt offset: Int) -> Range<Int>? {
    guard let gap = map.guess(atByte: offset).map({ map.parts[$0.part].gap.bytes }) else {
      return nil
    }
    return lookFrom(offset, in: gap).map { offset..<($0.offsets.dropFirst().first ?? $0.end) }
  }

  /// Locates the row that, as the caller knows, begins at `offset`; no other row moves.
  func reveal(rowAt offset: Int) -> Int? {
    if let row = row(atByte: offset) { return row }
    guard let (part, rank) = map.guess(atByte: offset),
      let found = lookFrom(offset, in: map.parts[part].gap.bytes)
    else { return nil }
    map.split(part: part, at: rank, offsets: found.offsets, end: found.end)
    return map.row(atByte: offset)
  }

  /// The row that begins at a byte of a gap, and the rows after it in the bytes read for it.
  private func lookFrom(_ offset: Int, in gap: Range<Int>) -> (offsets: [Int], end: Int)? {
    var rows: (offsets: [Int], end: Int)?
    _ = look { size in
      offset..<min(gap.upperBound, offset + size)
    } find: { bytes, range in
      let found = scan(bytes[...], from: offset, isWhole: range.upperBound == gap.upperBound)
      guard found.ended > 0, found.offsets.first == offset else { return false }
      rows = (Array(found.offsets.prefix(found.ended)), found.restart)
      return true
    }
    return rows
  }

  // MARK: Progress

  /// Adopts the progress of the index.
  ///
  /// - Parameter changed: rows with new contents, by their old numbers.
  /// - Returns: the change of the rows, if there is one. It reloads the changed rows, and those
  ///   that were requested and could not be located.
  func adopt(_ now: RowIndex.Progress, reloading changed: Set<Int>) -> SourceChange? {
    let (oldCount, oldCounted, oldLongRow, hadGaps) = (count, counted, longRow, !isCounted)
    progress = now
    var (deletions, insertions) = map.reconcile(
      counted: now.rows, end: now.end, looked: now.scanned, all: now.isComplete
    ) { number(ofRowAt: $0) ?? (now.rows, false) }
    deletions.removeAll { $0.isEmpty }
    var reloads = changed.union(unresolved)
    unresolved = []
    failedSearches = [:]
    window.forget()
    if !hadGaps {
      longRow = now.longRow
      insertions = oldCount < count ? [oldCount..<count] : []
      if oldLongRow != nil { reloads.insert(oldCounted) }
    }
    let kept = reloads.filter { row in row < oldCount && !deletions.contains { $0.contains(row) } }
    guard !deletions.isEmpty || !insertions.isEmpty || !kept.isEmpty else { return nil }
    return .rows(deletions: deletions, insertions: insertions, reloads: kept.sorted())
  }

  /// Discards the last counted row if the index has found it again, longer or complete.
  ///
  /// - Returns: its number, and its first byte if the file still has it.
  func discardOpenRow(foundAgainBy now: RowIndex.Progress) -> (row: Int, byte: Int?)? {
    guard progress.lastRowIsOpen, counted > 0, now.end > countedEnd || !now.lastRowIsOpen else {
      return nil
    }
    let byte = countedBytes(ofRow: counted - 1)?.lowerBound
    if let row = blocks.keysByRecency.max(), let (offsets, _) = blocks.value(for: row),
      let last = offsets.last
    {
      blocks.remove(row)
      if offsets.count > 1 { blocks.insert((offsets.dropLast(), last), for: row) }
    }
    return (counted - 1, byte)
  }

  // MARK: Sizes of rows

  /// The size of rows in bytes, by which their height is estimated. It is known without reading:
  /// for counted rows by the entries of the index, for others by their gap.
  func textLength(ofRows rows: Range<Int>) -> Int? {
    guard rows.lowerBound >= 0, rows.upperBound <= map.count else { return nil }
    if rows.count == 1, let known = knownLength(ofRow: rows.lowerBound) { return known }
    return max(0, byte(beforeRow: rows.upperBound) - byte(beforeRow: rows.lowerBound))
  }

  /// The size in bytes of a row that was located before.
  private func knownLength(ofRow row: Int) -> Int? {
    switch map.place(of: row) {
    case .known(let range): return range.count
    case .guessed, .outside: return nil
    case .counted:
      guard let entry = index.block(ofRow: row)?.entry, let block = blocks.value(for: entry.row)
      else { return nil }
      return Self.bytes(ofRank: row - entry.row, in: block)?.count
    }
  }

  /// The approximate offset of a row; for the row after the last one, the end.
  /// - Complexity: O(islands + log n)
  private func byte(beforeRow row: Int) -> Int {
    guard row < map.counted, let block = index.block(ofRow: row) else {
      return map.byte(beforeRow: row)
    }
    let next = block.next ?? RowIndex.Entry(row: map.counted, offset: map.countedEnd)
    let (rows, bytes) = (next.row - block.entry.row, next.offset - block.entry.offset)
    guard rows > 0, bytes > 0 else { return block.entry.offset }
    return block.entry.offset + bytes * (row - block.entry.row) / rows
  }

  /// An upper bound of a row's content, computed from its bytes; `nil` if the row is not known yet,
  /// or has no certain bound without being read.
  ///
  /// - Complexity: O(bytes of the row); the file is read `RowIndex.blockBytes` at a time.
  func extent(ofRow row: Int) -> RowSizeBound? {
    let known: Range<Int>? =
      switch map.place(of: row) {
      case .counted: countedBytes(ofRow: row)
      case .known(let bytes): bytes
      case .guessed, .outside: nil
      }
    guard format.isLines, let range = known,
      range.count <= RowSizeBound.longest, let (windowStart, bytes) = window.bytes(over: range)
    else { return nil }
    return bytes.withUnsafeBytes { bytes in
      let start = range.lowerBound - windowStart
      return RowSizeBound(
        ofRow: UnsafeRawBufferPointer(rebasing: bytes[start..<start + range.count]),
        format: format)
    }
  }

  // MARK: Counted rows

  /// The bytes of a counted row, including the blanks after it; `nil` if the file no longer has it.
  /// - Complexity: O(bytes of a block)
  private func countedBytes(ofRow row: Int) -> Range<Int>? {
    guard let block = index.block(ofRow: row) else { return nil }
    let rank = row - block.entry.row
    return rows(of: block, atLeast: rank + 1).flatMap { Self.bytes(ofRank: rank, in: $0) }
  }

  private static func bytes(ofRank rank: Int, in block: Block) -> Range<Int>? {
    let (offsets, end) = block
    guard rank < offsets.count else { return nil }
    return offsets[rank]..<max(offsets[rank], rank + 1 < offsets.count ? offsets[rank + 1] : end)
  }

  /// The number of the row that begins at a byte, or of the first one after it.
  /// - Complexity: O(bytes of a block)
  private func number(ofRowAt offset: Int) -> (row: Int, isExact: Bool)? {
    guard let block = index.block(atByte: offset),
      let (offsets, _) = rows(of: block, atLeast: 1)
    else { return nil }
    if let rank = offsets.firstIndex(where: { $0 >= offset }) {
      return (block.entry.row + rank, offsets[rank] == offset)
    }
    return (block.entry.row + offsets.count, false)
  }

  /// The number of the line in which a row begins; `nil` if the row is not counted.
  /// - Complexity: O(bytes of a block)
  func line(ofByte offset: Int) -> Int? {
    guard offset < map.countedEnd else { return nil }
    guard let block = index.block(atByte: offset),
      let bytes = try? file.read(block.entry.offset..<max(block.entry.offset, offset))
    else { return 1 }
    return block.entry.line + bytes.count { $0 == 0x0A }
  }

  private func rows(
    of block: (entry: RowIndex.Entry, next: RowIndex.Entry?), atLeast count: Int
  ) -> Block? {
    let now = index.progress
    let all = (block.next?.row ?? now.rows) - block.entry.row
    let known = blocks.value(for: block.entry.row)
    if let known, known.offsets.count >= max(all, count) { return known }
    let end = block.next?.offset ?? now.end
    var offsets = known?.offsets ?? [block.entry.offset]
    if all != 1, let start = offsets.popLast() {
      // Continue at the last known row.
      let limit = min(end, max(start, block.entry.offset + RowIndex.blockBytes) + Self.look)
      guard let bytes = try? file.read(start..<limit) else { return nil }
      offsets += scan(bytes[...], from: start, isWhole: start + bytes.count == end).offsets
      offsets.removeLast(max(0, offsets.count - all))
    }
    blocks.insert((offsets, end), for: block.entry.row)
    return (offsets, end)
  }

  /// The offsets of the rows in bytes that begin with a row, the number of complete ones, and the
  /// offset after these.
  private func scan(
    _ bytes: ArraySlice<UInt8>, from start: Int, isWhole: Bool
  ) -> (offsets: [Int], ended: Int, restart: Int) {
    var scanner = RowScanner(format: format, offset: start, startsAtRow: true, within: head)
    var offsets: [Int] = []
    bytes.withUnsafeBytes { scanner.consume($0) { offsets.append($0.start) } }
    let restart = scanner.restart
    if isWhole {
      scanner.finish { offsets.append($0.start) }
      return (offsets, offsets.count, start + bytes.count)
    }
    let ended = offsets.count
    if let open = scanner.openRow { offsets.append(open) }
    return (offsets, ended, restart)
  }

  // MARK: Locating estimated rows

  /// Scans a gap until one of its rows is located.
  ///
  /// - Returns: false if it cannot be located now.
  private func resolve(_ row: Int) -> Bool {
    while case .guessed(let part, let rank) = map.place(of: row) {
      let gap = map.parts[part].gap
      // Rows longer than the search limit are located by counting, not by repeated attempts.
      guard !gap.bytes.isEmpty, failedSearches[gap.bytes.lowerBound, default: 0] < 2 else {
        return false
      }
      let isFound: Bool
      if rank < Self.reach, rank <= gap.rows - 1 - rank {
        isFound = lookDown(part, at: nil)
      } else if gap.rows - 1 - rank < Self.reach {
        isFound = lookUp(part)
      } else {
        isFound = lookDown(part, at: rank)
      }
      guard isFound else {
        failedSearches[gap.bytes.lowerBound, default: 0] += 1
        return false
      }
    }
    return true
  }

  /// Locates rows at the beginning of a gap, or at the interpolated position of its row `rank`.
  private func lookDown(_ part: Int, at rank: Int?) -> Bool {
    let gap = map.parts[part].gap
    let share = rank.map { Double($0) / Double(gap.rows) } ?? 0
    let start = gap.bytes.lowerBound + Int(Double(gap.bytes.count) * share)
    return look { size in
      start..<min(gap.bytes.upperBound, start + size)
    } find: { bytes, range in
      guard let (skipped, rest) = rows(in: bytes, areFirst: rank == nil) else { return false }
      let found = scan(
        rest, from: start + skipped, isWhole: range.upperBound == gap.bytes.upperBound)
      let offsets = Array(found.offsets.prefix(found.ended))
      if let rank {
        guard !offsets.isEmpty else { return false }
        map.split(part: part, at: rank, offsets: offsets, end: found.restart)
      } else {
        guard found.restart > start else { return false }
        map.extendDown(part: part, offsets: offsets, end: found.restart)
      }
      return true
    }
  }

  /// Locates rows at the end of a gap.
  private func lookUp(_ part: Int) -> Bool {
    let gap = map.parts[part].gap.bytes
    return look { size in
      max(gap.lowerBound, gap.upperBound - size)..<gap.upperBound
    } find: { bytes, range in
      let areFirst = range.lowerBound == gap.lowerBound
      guard let (skipped, rest) = rows(in: bytes, areFirst: areFirst) else { return false }
      let start = range.lowerBound + skipped
      let found = scan(rest, from: start, isWhole: true)
      map.extendUp(part: part, offsets: found.offsets, start: start)
      return true
    }
  }

  /// Reads increasing parts of a gap until `find` succeeds; false if it fails for the largest part.
  private func look(
    _ range: (_ size: Int) -> Range<Int>, find: ([UInt8], Range<Int>) -> Bool
  ) -> Bool {
    var size = Self.look
    var last = 0..<0
    while size <= Self.maximumSearchBytes, range(size) != last {
      last = range(size)
      guard let bytes = try? file.read(last), bytes.count == last.count else { return false }
      if find(bytes, last) { return true }
      size *= 2
    }
    return false
  }

  /// The bytes from the first beginning of a row on, and the number of bytes before it; `nil` if
  /// there is no beginning.
  private func rows(
    in bytes: [UInt8], areFirst: Bool
  ) -> (skipped: Int, rest: ArraySlice<UInt8>)? {
    let boundary =
      areFirst
      ? 0 : bytes.withUnsafeBytes { RowScanner.boundary(in: $0, format: format, within: head) }
    guard let boundary, boundary < bytes.count else { return nil }
    return (boundary, bytes[boundary...])
  }
}
