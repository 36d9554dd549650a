import Feeds

/// How many bytes rows take, which tells how high they are about: known of any rows without reading
/// them, counted ones by the marks of the index, others by the gap they are in.
extension LazyPosts {
  func textLength(ofRows rows: Range<Int>) -> Int? {
    guard rows.lowerBound >= 0, rows.upperBound <= map.count else { return nil }
    if rows.count == 1, let known = knownLength(ofRow: rows.lowerBound) { return known }
    return max(0, byte(beforeRow: rows.upperBound) - byte(beforeRow: rows.lowerBound))
  }

  /// The bytes of a row that was looked at already.
  private func knownLength(ofRow row: Int) -> Int? {
    switch map.place(of: row) {
    case .known(let range): return range.count
    case .guessed, .outside: return nil
    case .counted:
      guard let block = index.block(ofRow: row) else { return nil }
      let rank = row - block.entry.row
      guard let (offsets, end) = blocks.value(for: block.entry.row), rank < offsets.count
      else { return nil }
      return max(0, (rank + 1 < offsets.count ? offsets[rank + 1] : end) - offsets[rank])
    }
  }

  /// About where a row begins; of the row behind the last one, the end.
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
}
