@testable import TextLayout

/// Wraps by the rules of `LineWrapper` in the most obvious way: for each line every possible end is
/// tried, the widest that fits is taken.
struct NaiveWrapper {
  struct Line: Equatable {
    var text: String
    var width: Int
  }

  private struct Part {
    var text: String
    var width: Int
    var hangs: Bool
    var mayBegin: Bool
  }

  let width: Int

  func wrap(_ text: String) -> [Line] {
    var hard = text.split(separator: "\n", omittingEmptySubsequences: false)
    while hard.count > 1, hard.last?.isEmpty == true { hard.removeLast() }
    return hard.flatMap { wrapHardLine(String($0)) }
  }

  private func wrapHardLine(_ text: String) -> [Line] {
    var trimmed = Substring(text)
    while trimmed.last == " " { trimmed.removeLast() }
    let parts = parts(of: String(trimmed))
    var lines: [Line] = []
    var start = 0
    repeat {
      let ends = (start..<parts.count).map { $0 + 1 }
      let fitting = ends.compactMap { end -> (end: Int, line: Line)? in
        let line = line(parts[start..<end], mayHyphenate: end < parts.count)
        return line.width <= width ? (end, line) : nil
      }
      let atBreaks = fitting.filter { $0.end == parts.count || parts[$0.end].mayBegin }
      if let best = atBreaks.last {
        lines.append(best.line)
        start = best.end
      } else {
        // No break fits: as many characters as do.
        let raw = ends.last { end in
          line(parts[start..<end], mayHyphenate: false).width <= width
        }
        guard let end = raw else {
          lines.append(Line(text: "", width: 0))
          break
        }
        lines.append(line(parts[start..<end], mayHyphenate: false))
        start = end
      }
    } while start < parts.count
    return lines
  }

  private func parts(of text: String) -> [Part] {
    var copy = text
    let breaks = copy.withUTF8 { LineBreaks($0) }
    var offset = 0
    return text.map { character in
      let columns = TextMetrics().width(of: character)
      let isSpace = character == " " || character == "\u{3000}"
      defer { offset += character.utf8.count }
      return Part(
        text: String(character), width: columns, hangs: isSpace,
        mayBegin: offset > 0 && breaks[offset])
    }
  }

  /// What is seen of `parts` as a line.
  private func line(_ parts: ArraySlice<Part>, mayHyphenate: Bool) -> Line {
    // What hangs: spaces at the end, and what takes no columns after them.
    var end = parts.endIndex
    while end > parts.startIndex, parts[end - 1].hangs || parts[end - 1].width == 0 { end -= 1 }
    while end < parts.endIndex, parts[end].width == 0, !parts[end].hangs { end += 1 }
    let visible = parts[parts.startIndex..<end]
    let hyphen = mayHyphenate && parts.last?.text == "\u{AD}" ? "-" : ""
    return Line(
      text: visible.map(\.text).joined() + hyphen,
      width: visible.reduce(0) { $0 + $1.width } + hyphen.count)
  }
}
