import VirtualList

/// Lists that are hard to guess, each in its way.
enum Corpus: CaseIterable {
  case short, long, alternating
  /// Short rows, a region of long ones, then middling ones.
  case skewed

  /// What is known of a row's text without reading it.
  enum Text: CaseIterable {
    case unknown, cells, bytes
  }

  /// Lines of a row at `part` of the list.
  func height(row: Int, part: Double, _ random: inout SeededRandom) -> Int {
    switch self {
    case .short: Int.random(in: 2...5, using: &random)
    case .long: Int.random(in: 10...60, using: &random)
    case .alternating: row.isMultiple(of: 2) ? 3 : Int.random(in: 20...40, using: &random)
    case .skewed where part < 0.37: Int.random(in: 2...5, using: &random)
    case .skewed where part < 0.55: Int.random(in: 20...60, using: &random)
    case .skewed: Int.random(in: 6...12, using: &random)
    }
  }
}

/// Rows of known heights, 40 columns wide.
struct KnownRows: ListEnvironment {
  static let width = 40
  /// Rows from one known place in the file to the next.
  private static let stride = 64

  let heights: [Int]
  /// Lines before each row, and of all.
  let starts: [Int]
  private let text: Corpus.Text
  /// Cells or bytes before each row, and of all.
  private let lengths: [Int]

  init(_ corpus: Corpus, count: Int, text: Corpus.Text, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var (heights, starts, lengths): ([Int], [Int], [Int]) = ([], [0], [0])
    for row in 0..<count {
      let height = corpus.height(row: row, part: Double(row) / Double(count), &random)
      // A line of names, one of numbers, and a last line of text that is not full.
      let cells = max(0, (height - 2) * Self.width - Int.random(in: 0..<Self.width, using: &random))
      let other = text == .bytes ? Int.random(in: 300...500, using: &random) : 0
      heights.append(height)
      starts.append(starts[row] + height)
      lengths.append(lengths[row] + cells + other)
    }
    (self.heights, self.starts, self.lengths, self.text) = (heights, starts, lengths, text)
  }

  var count: Int { heights.count }

  func textLength(ofRows rows: Range<Int>) -> Int? {
    if text == .unknown { return nil }
    // A single row is asked for when it was measured, and so was read.
    let isRead = text == .cells || rows.count == 1
    let (low, high) = (rows.lowerBound, rows.upperBound)
    return isRead
      ? lengths[high] - lengths[low] : guessedLength(before: high) - guessedLength(before: low)
  }

  /// Between two known places every row has the same share.
  private func guessedLength(before row: Int) -> Int {
    let low = row / Self.stride * Self.stride
    let high = min(count, low + Self.stride)
    guard high > low else { return lengths[row] }
    return lengths[low] + (lengths[high] - lengths[low]) * (row - low) / (high - low)
  }

  func rowID(at row: Int) -> RowID { RowID(UInt64(row)) }
  func measure(row: Int) -> Int { heights[row] }
  func place(atLine line: Int, inRow row: Int) -> Place { Place(part: 0, offset: Int32(line)) }
  func line(of place: Place, inRow row: Int) -> Int { Int(place.offset) }
}
