/// A piece of a file that was read last, for whoever asks for ranges near one another.
struct FileWindow {
  private let file: FileBytes
  private var last: (start: Int, bytes: [UInt8])?

  init(of file: FileBytes) { self.file = file }

  /// What was read is not to be used any more.
  mutating func forget() { last = nil }

  /// Bytes of the file around a range, and where they begin; nil where the file no longer has it.
  ///
  /// - Complexity: O(n) in the bytes of the range and `RowIndex.blockBytes`, which are read where
  ///   they are not at hand.
  mutating func bytes(over range: Range<Int>) -> (start: Int, bytes: [UInt8])? {
    if let last, last.start <= range.lowerBound,
      range.upperBound <= last.start + last.bytes.count
    {
      return last
    }
    // Ranges follow one another downward or upward: some of both sides.
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
