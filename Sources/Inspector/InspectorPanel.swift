import Geometry
import Terminal
import TerminalViews
import TextLayout

/// The panel beside the list, or below it: a title, the pinned lines if there is room for them, and
/// under these the rest of the page, which scrolls.
@MainActor final class InspectorPanel: View {
  /// The paragraph to reveal when the panel is next drawn.
  enum Target: Hashable {
    case reasons, view, constraint
  }

  /// The minimum of scrolling lines below pinned ones.
  private static let scrollingLines = 4

  var title = ""
  var page = InspectorPage()
  /// Whether the panel is below the list.
  var isBelow = false
  private(set) var topLine = 0
  private var target: Target?
  /// The section last jumped to; `nil` after scrolling.
  private var section: Int?
  /// Pending steps by sections and by pages, taken when the panel is drawn.
  private var sectionSteps = 0
  private var pageSteps = 0

  private var pageFrame: Rect {
    let inset = isBelow ? 1 : 2
    return Rect(
      x: inset, y: 1, width: max(1, frame.width - inset - 1), height: max(0, frame.height - 1))
  }

  /// Scrolls the page by `lines`, within its ends.
  func scroll(by lines: Int) {
    topLine += lines
    section = nil
  }

  /// Scrolls by pages.
  func scroll(byPages pages: Int) {
    pageSteps += pages
    section = nil
  }

  /// Jumps by `step` sections, cyclically.
  func stepSection(_ step: Int) {
    sectionSteps += step
    target = nil
  }

  func reveal(_ target: Target) {
    self.target = target
    section = nil
  }

  override func draw(in canvas: inout Canvas, at origin: Point) {
    let whole = Rect(origin: origin, size: frame.size)
    canvas.fill(whole, with: CanvasCell())
    var edge = whole
    if isBelow { edge.size.height = 1 } else { edge.size.width = 1 }
    canvas.fill(edge, with: CanvasCell(isBelow ? "─" : "│", style: theme.lineStyle))
    let area = pageFrame.offset(dx: origin.x, dy: origin.y)
    canvas.draw(
      TextMetrics.current.truncated(title, toWidth: area.width),
      at: Point(x: area.minX, y: origin.y), style: theme.style(for: .heading),
      maximumWidth: area.width)
    let text = TextFrame(page.text, width: area.width)
    let pinned = pinnedLines(of: text, height: area.height)
    let height = area.height - pinned
    settle(Array(text.lines.dropFirst(pinned)), height: height, isPinned: pinned > 0)
    draw(text, lines: 0..<pinned, in: &canvas, at: area.origin)
    let first = pinned + topLine
    draw(
      text, lines: first..<max(first, min(text.lines.count, first + height)), in: &canvas,
      at: area.origin.offset(dx: 0, dy: pinned))
  }

  /// Draws lines in the theme's styles, none of them dim, and the marks in their colours.
  private func draw(
    _ text: TextFrame, lines: Range<Int>, in canvas: inout Canvas, at origin: Point
  ) {
    TextDrawing.draw(text, in: &canvas, at: origin, lines: lines, theme: theme)
    for (row, index) in lines.enumerated() {
      let y = origin.y + row
      canvas.restyle(Rect(x: origin.x, y: y, width: pageFrame.width, height: 1)) {
        $0.attributes.remove(.dim)
      }
      guard !text.lines[index].marker.isEmpty, let mark = page.marks[text.lines[index].paragraph]
      else { continue }
      canvas.restyle(Rect(x: origin.x, y: y, width: 1, height: 1)) { $0.foreground = mark }
    }
  }

  /// The number of pinned lines, with the blank one below them; 0 if too few could scroll.
  private func pinnedLines(of text: TextFrame, height: Int) -> Int {
    let count = text.lines.firstIndex { $0.paragraph >= page.pinned && !$0.isSpacing } ?? 0
    return count + Self.scrollingLines <= height ? count : 0
  }

  /// Applies pending steps, reveals the target and clamps the first line.
  private func settle(_ lines: [TextFrame.Line], height: Int, isPinned: Bool) {
    let last = max(0, lines.count - height)
    topLine = max(0, min(topLine + pageSteps * (height > 3 ? height - 1 : max(1, height)), last))
    pageSteps = 0
    let sections = page.sections.filter { !isPinned || $0 >= page.pinned }
    let count = sections.count
    if sectionSteps != 0, count > 0 {
      let now = section ?? sectionAtTop(lines, of: sections)
      section = ((now + sectionSteps) % count + count) % count
    }
    sectionSteps = 0
    // Text above the section may change its length: the section stays at the top.
    if let section, section < count {
      topLine = self.lines(ofParagraph: sections[section], in: lines)?.lowerBound ?? topLine
    }
    let paragraph: Int? =
      switch target {
      case .reasons: page.reasonsParagraph
      case .view: page.viewParagraph
      case .constraint: page.constraintParagraph
      case nil: nil
      }
    target = nil
    if let paragraph, let shown = self.lines(ofParagraph: paragraph, in: lines) {
      if shown.lowerBound < topLine {
        topLine = shown.lowerBound
      } else if shown.upperBound > topLine + height {
        topLine = min(shown.lowerBound, shown.upperBound - height)
      }
    }
    topLine = max(0, min(topLine, last))
  }

  private func sectionAtTop(_ lines: [TextFrame.Line], of sections: [Int]) -> Int {
    guard lines.indices.contains(topLine) else { return 0 }
    let paragraph = lines[topLine].paragraph
    return sections.lastIndex { $0 <= paragraph } ?? 0
  }

  private func lines(ofParagraph paragraph: Int, in lines: [TextFrame.Line]) -> Range<Int>? {
    guard let first = lines.firstIndex(where: { $0.paragraph == paragraph && !$0.isSpacing })
    else { return nil }
    let end = lines[first...].firstIndex { $0.paragraph != paragraph } ?? lines.count
    return first..<end
  }
}
