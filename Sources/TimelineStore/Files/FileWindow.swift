/// The piece of a file that was read last, for ranges near one another.
struct FileWindow {
  private let file: FileBytes
  private var last: (start: Int, bytes: [UInt8])?

  init(of file: FileBytes) { self.file = file }

  /// Discards the piece.
  mutating func forget() { last = nil }

  /// Bytes of the file around a range, and their offset; `nil` if the file no longer has the range.
  ///
  /// - Complexity: O(n) in the bytes of the range and `RowIndex.blockBytes`, which are read unless
  ///   they are in the piece.
  mutating func bytes(over range: Range<Int>) -> (start: Int, bytes: [UInt8])? {
    if let last, last.start <= range.lowerBound,
      range.upperBound <= last.start + last.bytes.count
    {
      return last
    }
    // Successive ranges go downward or upward, so both sides are read.
    let start = max(0, range.lowerBound - RowIndex.blockBytes / 2)
    let end = max(range.upperBound, start + RowIndex.blockBytes)
    last = nil
    guard let bytes = try? file.read(start..<end), start + bytes.count >= range.upperBound else {
      return nil
    }
    last = (start, bytes)
    return last
  }
}
