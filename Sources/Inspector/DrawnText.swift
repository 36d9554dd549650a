import Terminal
import TextLayout

/// The characters of a wrapped text in reading order, without blanks, so that the same text wrapped
/// to another width yields the same sequence.
struct DrawnText {
  private let glyphs: [UInt32]
  /// The index of each line's first glyph, and the total count at the end.
  private let starts: [Int]

  /// The number of glyphs compared to recognize the text.
  private static let sample = 24

  /// - Parameter reorders: whether the cells of a line are in visual order.
  init(
    _ lines: [ArraySlice<CanvasCell>], reorders: Bool = TextMetrics.current.reordersRightToLeft
  ) {
    var glyphs: [UInt32] = []
    var starts = [0]
    let lines = lines.map { line in line.filter { $0.width > 0 }.map(\.scalars.0) }
    let characters = lines.map { $0.map { Character(Unicode.Scalar($0) ?? " ") } }
    // Paragraphs are unknown: the majority of letters decides the direction, at any width.
    let isRightToLeft = reorders && BidiOrder.balance(characters.joined()) > 0
    for (line, seen) in zip(lines, characters) {
      let order =
        reorders
        ? BidiOrder.logicalOrder(ofVisual: seen, isRightToLeft: isRightToLeft)
        : Array(seen.indices)
      for index in order where !Self.isBlank(line[index]) { glyphs.append(line[index]) }
      starts.append(glyphs.count)
    }
    self.glyphs = glyphs
    self.starts = starts
  }

  /// Blanks, and what is redrawn on every line: quotation bars and the selection mark.
  private static func isBlank(_ scalar: UInt32) -> Bool {
    scalar <= 0x20 || scalar == 0xA0 || (0x2580...0x258F).contains(scalar)
  }

  /// The lines that show the content of `line` of `other`: several if it is wrapped onto them; for
  /// a blank line, all between its neighbours. `nil` if the text is a different one.
  func lines(of other: DrawnText, line: Int) -> ClosedRange<Int>? {
    guard line + 1 < other.starts.count else { return nil }
    let (start, end) = (other.starts[line], other.starts[line + 1])
    let wanted = other.glyphs[start...].prefix(Self.sample)
    guard let found = place(of: wanted, near: start) else { return nil }
    let first = wanted.isEmpty ? max(0, starts.count - 2) : self.line(ofGlyph: found)
    guard start == end else {
      let last = min(found + end - start, glyphs.count) - 1
      return first...max(first, self.line(ofGlyph: last))
    }
    let above = found > 0 ? self.line(ofGlyph: found - 1) + 1 : 0
    return min(above, first)...first
  }

  /// The start of `wanted`: `start` unless the text changed, else the nearest match. The last glyph
  /// of the sample may be the ellipsis of truncated text.
  private func place(of wanted: ArraySlice<UInt32>, near start: Int) -> Int? {
    guard !wanted.isEmpty else { return min(start, glyphs.count) }
    if matches(wanted, at: start) { return start }
    for distance in 1...max(1, glyphs.count) {
      if matches(wanted, at: start - distance) { return start - distance }
      if matches(wanted, at: start + distance) { return start + distance }
    }
    return nil
  }

  private func matches(_ wanted: ArraySlice<UInt32>, at start: Int) -> Bool {
    guard start >= 0, start < glyphs.count else { return false }
    let found = glyphs[start...].prefix(wanted.count)
    let cut: UInt32 = 0x2026
    for (a, b) in zip(found, wanted) where a != b { return a == cut || b == cut }
    return found.count == wanted.count || glyphs.last == cut || wanted.last == cut
  }

  private func line(ofGlyph glyph: Int) -> Int {
    starts.dropLast().lastIndex { $0 <= glyph } ?? 0
  }
}
