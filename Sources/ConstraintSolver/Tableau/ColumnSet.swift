/// A set of a tableau's columns, one bit each, in the tableau's own memory.
struct ColumnSet {
  private let words: UnsafeMutablePointer<UInt64>
  private let end: UnsafeMutablePointer<UInt64>

  /// The number of words for `columns` columns.
  static func wordCount(_ columns: Int) -> Int { (columns + 63) >> 6 }

  init(words: UnsafeMutablePointer<UInt64>, columns: Int) {
    self.words = words
    end = words + ColumnSet.wordCount(columns)
  }

  @inline(__always) func contains(_ column: Int) -> Bool {
    words[column >> 6] & (1 << UInt64(column & 63)) != 0
  }

  @inline(__always) mutating func set(_ column: Int, _ isIn: Bool) {
    let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: column & 63)
    if isIn { words[column >> 6] |= bit } else { words[column >> 6] &= ~bit }
  }

  mutating func removeAll() { words.update(repeating: 0, count: end - words) }

  /// Copies the set of a tableau with at most as many columns.
  mutating func copy(_ other: ColumnSet) {
    words.update(from: other.words, count: other.end - other.words)
  }
}

/// Iterates from left to right.
extension ColumnSet: Sequence {
  @inline(__always) func makeIterator() -> Iterator { Iterator(words: words, end: end) }

  struct Iterator: IteratorProtocol {
    private var words: UnsafePointer<UInt64>
    private let end: UnsafePointer<UInt64>
    private var bits: UInt64
    private var first = 0

    @inline(__always)
    fileprivate init(words: UnsafePointer<UInt64>, end: UnsafePointer<UInt64>) {
      self.words = words
      self.end = end
      bits = words.pointee
    }

    @inline(__always) mutating func next() -> Int? {
      while bits == 0 {
        words += 1
        if words == end { return nil }
        first &+= 64
        bits = words.pointee
      }
      let column = first &+ bits.trailingZeroBitCount
      bits &= bits &- 1
      return column
    }
  }
}
