import Feeds

/// How much rows hold at most, told from the file's bytes.
extension LazyPosts {
  /// Nil for rows that are not known yet, and where it is not certain without reading the row.
  ///
  /// - Complexity: O(bytes of the row); the file is read `RowIndex.blockBytes` at a time.
  func extent(ofRow row: Int) -> RowExtent? {
    let range: Range<Int>
    switch map.place(of: row) {
    case .counted:
      guard let bytes = countedBytes(ofRow: row) else { return nil }
      range = bytes
    case .known(let bytes): range = bytes
    case .guessed, .outside: return nil
    }
    guard format.isLines, range.count <= RowExtent.longest,
      let window = window(over: range)
    else { return nil }
    return window.bytes.withUnsafeBytes { bytes in
      let start = range.lowerBound - window.start
      return RowExtent(
        ofRow: UnsafeRawBufferPointer(rebasing: bytes[start..<start + range.count]),
        format: format)
    }
  }

  /// Bytes of the file around a range; nil where the file no longer has it.
  private func window(over range: Range<Int>) -> ByteWindow? {
    if let window, window.start <= range.lowerBound, range.upperBound <= window.end {
      return window
    }
    // Rows are passed downward or upward: some of both sides.
    let start = max(0, range.lowerBound - RowIndex.blockBytes / 2)
    let end = max(range.upperBound, start + RowIndex.blockBytes)
    guard let bytes = try? file.read(start..<end), start + bytes.count >= range.upperBound else {
      window = nil
      return nil
    }
    window = ByteWindow(start: start, bytes: bytes)
    return window
  }
}

/// A stretch of a file.
struct ByteWindow {
  var start: Int
  var bytes: [UInt8]
  var end: Int { start + bytes.count }
}
