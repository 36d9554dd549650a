import Feeds
import System

/// Finding rows in the file.
extension LazyPosts {
  /// Rows of a gap so near to a known place are reached from there; others are guessed by their share
  /// of the gap's bytes.
  static let reach = 2_000
  /// Bytes looked at for the beginning of a row at once, and at most.
  static let look = 64 << 10
  static let farthestLook = 8 << 20

  /// The bytes of a counted row with the blanks behind it; nil where the file no longer has it.
  /// - Complexity: O(bytes of a block)
  func countedBytes(ofRow row: Int) -> Range<Int>? {
    guard let block = index.block(ofRow: row) else { return nil }
    let rank = row - block.entry.row
    guard let (offsets, end) = rows(of: block, atLeast: rank + 1), rank < offsets.count else {
      return nil
    }
    let next = rank + 1 < offsets.count ? offsets[rank + 1] : end
    return offsets[rank]..<max(offsets[rank], next)
  }

  /// The number of the row that begins at a byte, or the first one behind it.
  /// - Complexity: O(bytes of a block)
  func number(ofRowAt offset: Int, exactly: Bool) -> Int? {
    guard let block = index.block(atByte: offset),
      let (offsets, _) = rows(of: block, atLeast: 1)
    else { return nil }
    if let rank = offsets.firstIndex(where: { $0 >= offset }) {
      guard !exactly || offsets[rank] == offset else { return nil }
      return block.entry.row + rank
    }
    return exactly ? nil : block.entry.row + offsets.count
  }

  /// The number of the line in which a counted row begins. - Complexity: O(bytes of a block)
  func line(ofByte offset: Int) -> Int {
    guard let block = index.block(atByte: offset),
      let bytes = try? file.read(block.entry.offset..<max(block.entry.offset, offset))
    else { return 1 }
    return block.entry.line + bytes.count { $0 == 0x0A }
  }

  private func rows(
    of block: (entry: RowIndex.Entry, next: RowIndex.Entry?), atLeast count: Int
  ) -> (offsets: [Int], end: Int)? {
    let now = index.progress
    let all = (block.next?.row ?? now.rows) - block.entry.row
    if let known = blocks.value(for: block.entry.row), known.offsets.count >= max(all, count) {
      return known
    }
    let end = block.next?.offset ?? now.end
    let start = block.entry.offset
    var offsets: [Int] = []
    if all == 1 {
      offsets = [start]
    } else {
      let bytes: [UInt8]
      do throws(SystemFailure) {
        bytes = try file.read(start..<min(end, start + RowIndex.blockBytes + Self.look))
      } catch { return nil }
      offsets = scan(bytes, from: start, isWhole: start + bytes.count == end).offsets
      offsets.removeLast(max(0, offsets.count - all))
    }
    blocks.insert((offsets, end), for: block.entry.row)
    return (offsets, end)
  }

  /// Where rows begin in bytes that begin with a row: those that end in them, the one that goes on, and
  /// where that one begins.
  private func scan(
    _ bytes: [UInt8], from start: Int, isWhole: Bool
  ) -> (offsets: [Int], ended: Int, restart: Int) {
    var scanner = RowScanner(
      format: format, offset: start, startsAtRow: true, within: report.head)
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

  // MARK: Rows that are only guessed

  /// Looks for a row of a gap until it is known.
  ///
  /// - Returns: false where it cannot be found now.
  func resolve(_ row: Int) -> Bool {
    while case .guessed(let part, let rank) = map.place(of: row) {
      let gap = map.parts[part].gap
      // Rows longer than anybody looks at once are waited for, not looked for again and again.
      guard !gap.bytes.isEmpty, vainLooks[gap.bytes.lowerBound, default: 0] < 2 else {
        return false
      }
      let isFound: Bool
      if rank < Self.reach, rank <= gap.rows - 1 - rank {
        isFound = lookDown(part)
      } else if gap.rows - 1 - rank < Self.reach {
        isFound = lookUp(part)
      } else {
        isFound = lookInside(part, at: rank)
      }
      guard isFound else {
        vainLooks[gap.bytes.lowerBound, default: 0] += 1
        return false
      }
    }
    return true
  }

  private func read(_ range: Range<Int>) -> [UInt8]? {
    do throws(SystemFailure) {
      let bytes = try file.read(range)
      return bytes.count == range.count ? bytes : nil
    } catch { return nil }
  }

  /// Rows at the beginning of a gap.
  private func lookDown(_ part: Int) -> Bool {
    let gap = map.parts[part].gap.bytes
    var size = Self.look
    while size <= Self.farthestLook {
      let end = min(gap.upperBound, gap.lowerBound + size)
      guard let bytes = read(gap.lowerBound..<end) else { return false }
      let found = scan(bytes, from: gap.lowerBound, isWhole: end == gap.upperBound)
      if found.ended > 0 || found.restart > gap.lowerBound {
        map.extendDown(
          part: part, offsets: Array(found.offsets.prefix(found.ended)), end: found.restart)
        return true
      }
      guard end < gap.upperBound else { return false }
      size *= 2
    }
    return false
  }

  /// Rows at the end of a gap.
  private func lookUp(_ part: Int) -> Bool {
    let gap = map.parts[part].gap.bytes
    var size = Self.look
    while size <= Self.farthestLook {
      let start = max(gap.lowerBound, gap.upperBound - size)
      guard let bytes = read(start..<gap.upperBound) else { return false }
      let boundary =
        start == gap.lowerBound
        ? 0 : bytes.withUnsafeBytes { RowScanner.boundary(in: $0, format: format) }
      if let boundary, boundary < bytes.count {
        let found = scan(Array(bytes[boundary...]), from: start + boundary, isWhole: true)
        map.extendUp(part: part, offsets: found.offsets, start: start + boundary)
        return true
      }
      guard start > gap.lowerBound else { return false }
      size *= 2
    }
    return false
  }

  /// Rows in the middle of a gap, where the row's share of its bytes says.
  private func lookInside(_ part: Int, at rank: Int) -> Bool {
    let gap = map.parts[part].gap
    let share = Double(rank) / Double(gap.rows)
    let start = gap.bytes.lowerBound + Int(Double(gap.bytes.count) * share)
    var size = Self.look
    while size <= Self.farthestLook {
      let end = min(gap.bytes.upperBound, start + size)
      guard let bytes = read(start..<end) else { return false }
      let boundary = bytes.withUnsafeBytes { RowScanner.boundary(in: $0, format: format) }
      if let boundary, boundary < bytes.count {
        let found = scan(
          Array(bytes[boundary...]), from: start + boundary, isWhole: end == gap.bytes.upperBound)
        if found.ended > 0 {
          map.split(
            part: part, at: rank, offsets: Array(found.offsets.prefix(found.ended)),
            end: found.restart)
          return true
        }
      }
      guard end < gap.bytes.upperBound else { return false }
      size *= 2
    }
    return false
  }
}
