import TextLayout

/// The sections of a page, laid out one below the other, on a wide screen in two columns of nearly
/// the same height. Both scroll together.
struct HelpColumns {
  /// A line of a column. The left column comes before the right one.
  struct Place: Hashable, Comparable {
    var column: Int
    var line: Int

    static func < (one: Place, other: Place) -> Bool {
      (one.column, one.line) < (other.column, other.line)
    }
  }

  /// One frame for each column.
  let frames: [TextFrame]
  /// The columns of the screen from one frame's left edge to the next one's.
  let distance: Int

  private static let gap = 4
  private static let widest = 92
  /// The least width of each of two columns.
  private static let narrowestOfTwo = 54

  /// - Complexity: O(n) in the characters of the sections.
  init(_ sections: [StyledText], width: Int) {
    let half = (width - Self.gap) / 2
    guard sections.count > 1, half >= Self.narrowestOfTwo else {
      let column = max(1, min(width, Self.widest))
      frames = [TextFrame(Self.joined(sections[...]), width: column)]
      distance = 0
      return
    }
    let column = min(half, Self.widest)
    let heights = sections.map { TextFrame($0, width: column).lines.count + 1 }
    let split = Self.evenSplit(of: heights)
    frames = [sections[..<split], sections[split...]].map {
      TextFrame(Self.joined($0), width: column)
    }
    distance = column + Self.gap
  }

  var lineCount: Int { frames.map(\.lines.count).max() ?? 0 }

  /// The places of lines that fulfil `condition`, in order.
  func places(where condition: (TextFrame, Int) -> Bool) -> [Place] {
    frames.indices.flatMap { column in
      frames[column].lines.indices.filter { condition(frames[column], $0) }
        .map { Place(column: column, line: $0) }
    }
  }

  /// The number of sections in the left column for which the taller column is lowest.
  private static func evenSplit(of heights: [Int]) -> Int {
    let total = heights.reduce(0, +)
    var best = (split: 1, height: Int.max)
    var left = 0
    for split in 1..<heights.count {
      left += heights[split - 1]
      let height = max(left, total - left)
      if height < best.height { best = (split, height) }
    }
    return best.split
  }

  private static func joined(_ sections: ArraySlice<StyledText>) -> StyledText {
    sections.first?.with(paragraphs: sections.flatMap(\.paragraphs)) ?? StyledText()
  }
}
