/// The part of a scroll bar's track that its thumb covers, in eighths of a cell.
public struct ScrollThumb: Hashable, Sendable {
  /// Eighths above the thumb.
  public var start: Int
  /// Eighths that it covers.
  public var length: Int

  /// A thumb by what is above it and what it covers.
  public init(start: Int, length: Int) {
    self.start = start
    self.length = length
  }

  /// Eighths down to its end.
  public var end: Int { start + length }
}

/// What a scroll bar needs to know of a list; none of it measures a row.
public struct ScrollBarContent: Hashable, Sendable {
  /// The line at the top edge.
  public var top = ScrollPosition.top
  /// Lines of the viewport.
  public var viewport = 0
  /// Fixed-point lines above the top edge, and in all; estimates where rows are not measured.
  public var offset: Int64 = 0
  /// As `offset`, of all rows.
  public var total: Int64 = 0
  /// Rows there are.
  public var rowCount = 0
  /// Rows with lines on the screen.
  public var visibleRowCount = 0
  /// Rows whose height is known.
  public var measuredCount = 0
  /// Lines of the row at the top edge.
  public var topRowHeight = 1
  /// Whether the first line shows.
  public var isAtTop = true
  /// Whether the last line shows.
  public var isAtEnd = true

  /// A list without rows.
  public init() {}
}

/// Where a scroll bar's thumb stands. Its rules:
///
/// 1. It touches the top of the track if and only if the first line shows, and the bottom if and
///    only if the last line does (on tracks of two cells or more: one cell leaves no room to move).
/// 2. It is at least one cell long.
/// 3. While the list moves forward it never moves back, and the other way round, whatever becomes
///    of the estimates; `forget()` ends that after an edit.
/// 4. While few rows are measured it stands at the row's index in proportion to the rows, which is
///    monotone by itself; later at the estimated offset in proportion to the estimated total.
public struct ScrollBarModel: Sendable {
  /// Eighths of a cell in a cell.
  public static let unit = 8
  /// Below so many measured rows, and while they are less than one in ten, rule 4's first half
  /// holds.
  static let fewRows = 64

  private var last: (thumb: ScrollThumb, top: ScrollPosition, track: Int)?

  /// A scroll bar that has shown nothing yet.
  public init() {}

  /// Rows have come, gone or changed: the next thumb owes nothing to the last.
  public mutating func forget() { last = nil }

  /// True where positions go by index, for want of measured rows.
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
      // A thumb held in place by rule 3 gives way at its end.
      length = min(length, eighths - 1 - start)
    }
    return remember(ScrollThumb(start: start, length: length), content, track)
  }

  /// Where the thumb starts at the bottom of the track: a better estimate of the total changes its
  /// length, which must not move it back.
  private func endStart(_ start: Int, for content: ScrollBarContent, _ eighths: Int) -> Int {
    guard let last, last.track * Self.unit == eighths, content.top >= last.top,
      last.thumb.start > 0
    else { return start }
    let stays = content.top == last.top && last.thumb.end == eighths
    return stays ? last.thumb.start : max(start, last.thumb.start)
  }

  /// The thumb that a drag put somewhere; the next one starts from it.
  mutating func place(_ thumb: ScrollThumb, track: Int, for content: ScrollBarContent) {
    _ = remember(thumb, content, track)
  }

  private mutating func remember(
    _ thumb: ScrollThumb, _ content: ScrollBarContent, _ track: Int
  ) -> ScrollThumb {
    last = (thumb, content.top, track)
    return thumb
  }

  /// The nearest integer of a value that is not negative, without the C library's `round`.
  static func nearest(_ value: Double) -> Int { Int(value + 0.5) }

  /// The share of the list that shows, 0...1.
  private static func shownShare(_ content: ScrollBarContent) -> Double {
    if goesByIndex(content) {
      return Double(content.visibleRowCount) / Double(max(1, content.rowCount))
    }
    let viewport = Double(content.viewport << Int(HeightEstimates.fractionBits))
    return min(1, viewport / Double(max(1, content.total)))
  }

  /// How far the list is scrolled, 0...1.
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
