/// The part of a scroll bar's track that its thumb covers, in eighths of a cell.
public struct ScrollThumb: Hashable, Sendable {
  /// Eighths above the thumb.
  public var start: Int
  /// Eighths that the thumb covers.
  public var length: Int

  /// Creates a thumb from its start and length.
  public init(start: Int, length: Int) {
    self.start = start
    self.length = length
  }

  /// Eighths from the track's top to the thumb's end.
  public var end: Int { start + length }
}

/// The input of a scroll bar; computing it measures no row.
public struct ScrollBarContent: Hashable, Sendable {
  /// The line at the top edge.
  public var top = ScrollPosition.top
  /// Lines of the viewport.
  public var viewport = 0
  /// Fixed-point lines above the top edge, estimated for rows that are not measured.
  public var offset: Int64 = 0
  /// Fixed-point lines of all rows, estimated likewise.
  public var total: Int64 = 0
  /// The number of rows.
  public var rowCount = 0
  /// The number of rows with lines on the screen.
  public var visibleRowCount = 0
  /// The number of rows measured at the present width.
  public var measuredCount = 0
  /// Lines of the row at the top edge.
  public var topRowHeight = 1
  /// Whether the first line is visible.
  public var isAtTop = true
  /// Whether the last line is visible.
  public var isAtEnd = true

  /// Creates the content of a list without rows.
  public init() {}
}

/// The position and length of a scroll bar's thumb. Its rules:
///
/// 1. It touches the top of the track if and only if the first line is visible, and the bottom if
///    and only if the last line is (on tracks of two cells or more: one leaves no room to move).
/// 2. It is at least one cell long.
/// 3. While the list moves forward the thumb never moves back, and vice versa, however the
///    estimates change; `forget()` ends that after an edit.
/// 4. While few rows are measured, its position is the row's index relative to the row count, which
///    is monotone by itself; later, the estimated offset relative to the estimated total.
public struct ScrollBarModel: Sendable {
  /// The number of eighths in a cell.
  public static let unit = 8
  /// Rule 4 goes by index below this number of measured rows, as long as they are less than a tenth
  /// of all rows.
  static let fewRows = 64

  private var last: (thumb: ScrollThumb, top: ScrollPosition, track: Int)?

  /// Creates a scroll bar that has shown no thumb yet.
  public init() {}

  /// Forgets the last thumb, after rows have changed: rule 3 starts over.
  public mutating func forget() { last = nil }

  /// Whether positions go by index, as too few rows are measured.
  public static func goesByIndex(_ content: ScrollBarContent) -> Bool {
    content.measuredCount < fewRows && content.measuredCount * 10 < content.rowCount
  }

  /// The thumb on a track of `track` cells.
  /// - Complexity: O(1)
  public mutating func thumb(track: Int, for content: ScrollBarContent) -> ScrollThumb {
    let eighths = max(0, track) * Self.unit
    guard track > 0, !(content.isAtTop && content.isAtEnd) else {
      return remember(ScrollThumb(start: 0, length: eighths), content, track)
    }
    let room = track > 1 ? 2 : 0
    var length = Self.nearest(Double(eighths) * Self.shownShare(content))
    length = min(max(Self.unit, length), eighths - room)
    var start = Self.nearest(Double(eighths - length) * Self.position(content))
    if let last, last.track == track {
      if content.top >= last.top { start = max(start, last.thumb.start) }
      if content.top <= last.top { start = min(start, last.thumb.start) }
    }
    if content.isAtTop || room == 0 {
      start = content.isAtEnd && !content.isAtTop ? eighths - length : 0
    } else if content.isAtEnd {
      start = endStart(eighths - length, for: content, eighths)
      length = eighths - start
    } else {
      start = min(max(1, start), eighths - Self.unit - 1)
      // A thumb held in place by rule 3 is shortened at its end.
      length = min(length, eighths - 1 - start)
    }
    return remember(ScrollThumb(start: start, length: length), content, track)
  }

  /// The thumb's start at the bottom of the track: a better estimate of the total changes the
  /// thumb's length, which must not move it back.
  private func endStart(_ start: Int, for content: ScrollBarContent, _ eighths: Int) -> Int {
    guard let last, last.track * Self.unit == eighths, content.top >= last.top,
      last.thumb.start > 0
    else { return start }
    let stays = content.top == last.top && last.thumb.end == eighths
    return stays ? last.thumb.start : max(start, last.thumb.start)
  }

  /// Records the thumb that a drag placed; rule 3 continues from it.
  mutating func place(_ thumb: ScrollThumb, track: Int, for content: ScrollBarContent) {
    _ = remember(thumb, content, track)
  }

  private mutating func remember(
    _ thumb: ScrollThumb, _ content: ScrollBarContent, _ track: Int
  ) -> ScrollThumb {
    last = (thumb, content.top, track)
    return thumb
  }

  /// Rounds a value that is not negative, without the C library's `round`.
  static func nearest(_ value: Double) -> Int { Int(value + 0.5) }

  /// The visible fraction of the list, 0...1.
  private static func shownShare(_ content: ScrollBarContent) -> Double {
    if goesByIndex(content) {
      return Double(content.visibleRowCount) / Double(max(1, content.rowCount))
    }
    let viewport = Double(content.viewport << Int(HeightEstimates.fractionBits))
    return min(1, viewport / Double(max(1, content.total)))
  }

  /// The scrolled fraction of the list, 0...1.
  static func position(_ content: ScrollBarContent) -> Double {
    let (above, range): (Double, Double)
    if goesByIndex(content) {
      let part = Double(content.top.line) / Double(max(1, content.topRowHeight))
      above = Double(content.top.row) + part
      range = Double(content.rowCount - content.visibleRowCount)
    } else {
      above = Double(content.offset)
      range = Double(content.total) - Double(content.viewport << Int(HeightEstimates.fractionBits))
    }
    return min(1, max(0, above / max(1, range)))
  }
}
