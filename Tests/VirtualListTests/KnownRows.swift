import TestSupport

@testable import VirtualList

/// Rows whose heights are known to the test, 40 columns wide.
struct KnownRows: ListEnvironment {
  enum Corpus: CaseIterable { case short, long, alternating, skewed }

  /// What is known of their text without reading them.
  enum Text: CaseIterable {
    case unknown
    /// The cells of every row.
    case exact
    /// The bytes from every 64th row to the next, other things than text included.
    case bytes
  }

  let heights: [Int]
  /// Lines before each row, and of all.
  let starts: [Int]
  let text: Text
  /// Cells or bytes before each row, and of all.
  private let lengths: [Int]

  init(_ corpus: Corpus, count: Int, text: Text = .unknown, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (heights, starts, lengths): ([Int], [Int], [Int]) = ([], [0], [0])
    for row in 0..<count {
      let height = Self.height(corpus, at: Double(row) / Double(count), row: row, &random)
      // A line of names and one of numbers, and text whose last line is full in part.
      let cells = max(0, (height - 2) * 40 - Int.random(in: 0..<40, using: &random))
      let other = text == .bytes ? Int.random(in: 300...500, using: &random) : 0
      heights.append(height)
      starts.append(starts[row] + height)
      lengths.append(lengths[row] + cells + other)
    }
    (self.heights, self.starts, self.lengths, self.text) = (heights, starts, lengths, text)
  }

  private static func height(
    _ corpus: Corpus, at part: Double, row: Int, _ random: inout SeededGenerator
  ) -> Int {
    switch corpus {
    case .short: return Int.random(in: 2...5, using: &random)
    case .long: return Int.random(in: 10...60, using: &random)
    case .alternating: return row % 2 == 0 ? 3 : Int.random(in: 20...40, using: &random)
    case .skewed:
      // Short posts, a region of long ones, then middling ones.
      if part < 0.37 { return Int.random(in: 2...5, using: &random) }
      if part < 0.55 { return Int.random(in: 20...60, using: &random) }
      return Int.random(in: 6...12, using: &random)
    }
  }

  func textLength(ofRows rows: Range<Int>) -> Int? {
    switch text {
    case .unknown: nil
    case .exact: lengths[rows.upperBound] - lengths[rows.lowerBound]
    // A single row is asked for when it was measured, and so was read.
    case .bytes where rows.count == 1: lengths[rows.upperBound] - lengths[rows.lowerBound]
    case .bytes: bytes(before: rows.upperBound) - bytes(before: rows.lowerBound)
    }
  }

  /// Between two marks, rows have their share.
  private func bytes(before row: Int) -> Int {
    let low = row / 64 * 64
    let high = min(heights.count, low + 64)
    guard high > low else { return lengths[row] }
    return lengths[low] + (lengths[high] - lengths[low]) * (row - low) / (high - low)
  }

  func rowID(at row: Int) -> RowID { RowID(UInt64(row)) }
  func measure(row: Int) -> Int { heights[row] }
  func place(atLine line: Int, inRow row: Int) -> Place { Place(part: 0, offset: Int32(line)) }
  func line(of place: Place, inRow row: Int) -> Int { Int(place.offset) }
}
