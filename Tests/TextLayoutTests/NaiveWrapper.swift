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
      let fitting = (start..<parts.count).map { $0 + 1 }.filter { end in
        line(parts[start..<end], mayHyphenate: end < parts.count).width <= width
      }
      let atBreaks = fitting.filter { $0 == parts.count || parts[$0].mayBegin }
      // Where no break fits, as many characters as do, without a hyphen.
      let end =
        atBreaks.last
        ?? parts.indices.dropFirst(start).map { $0 + 1 }.last { end in
          line(parts[start..<end], mayHyphenate: false).width <= width
        }
      guard let end else {
        lines.append(Line(text: "", width: 0))
        break
      }
      let chosen = line(
        parts[start..<end], mayHyphenate: end < parts.count && !atBreaks.isEmpty)
      lines.append(Line(text: chosen.text, width: chosen.width))
      start = end
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

  /// What is seen of a line, put together only when asked for.
  private struct Seen {
    var parts: ArraySlice<Part>
    var hyphen: String
    var width: Int
    var text: String { parts.map(\.text).joined() + hyphen }
  }

  /// What is seen of `parts` as a line.
  private func line(_ parts: ArraySlice<Part>, mayHyphenate: Bool) -> Seen {
    // What hangs: spaces at the end, and what takes no columns after them.
    var end = parts.endIndex
    while end > parts.startIndex, parts[end - 1].hangs || parts[end - 1].width == 0 { end -= 1 }
    while end < parts.endIndex, parts[end].width == 0, !parts[end].hangs { end += 1 }
    let hyphen = mayHyphenate && parts.last?.text == "\u{AD}" ? "-" : ""
    var width = hyphen.utf8.count
    for part in parts[parts.startIndex..<end] { width += part.width }
    return Seen(parts: parts[parts.startIndex..<end], hyphen: hyphen, width: width)
  }
}
