import Geometry
import Terminal
import TerminalViews
import TextLayout

/// The panel beside the list, or below it: a title that stays, and under it a page that scrolls.
@MainActor final class InspectorPanel: View {
  /// What is to come into view when the panel is next drawn.
  enum Target: Hashable {
    case view, constraint
  }

  var theme = Theme.standard
  var title = ""
  var page = InspectorPage()
  /// Whether it stands below the list.
  var isBelow = false
  private(set) var topLine = 0
  private var target: Target?

  private var pageFrame: Rect {
    let inset = isBelow ? 1 : 2
    return Rect(
      x: inset, y: 1, width: max(1, frame.width - inset - 1), height: max(0, frame.height - 1))
  }

  /// The section gone to last; nil after scrolling.
  private var section: Int?
  /// Sections to go on, once the page is there.
  private var sectionSteps = 0

  /// Moves the page by `lines`, within its ends.
  func scroll(by lines: Int) {
    topLine += lines
    section = nil
  }

  /// Goes `step` sections on, from the last one to the first.
  func stepSection(_ step: Int) {
    sectionSteps += step
    target = nil
  }

  func reveal(_ target: Target) {
    self.target = target
    section = nil
  }

  private var wrapped: TextFrame { TextFrame(page.text, width: pageFrame.width) }

  override func draw(in canvas: inout Canvas, at origin: Point) {
    canvas.fill(Rect(origin: origin, size: frame.size), with: CanvasCell())
    let edge = isBelow ? Size(width: frame.width, height: 1) : Size(width: 1, height: frame.height)
    canvas.fill(
      Rect(origin: origin, size: edge),
      with: CanvasCell(isBelow ? "─" : "│", style: Style(foreground: theme.track)))
    let area = pageFrame
    canvas.draw(
      TextMetrics.current.truncated(title, toWidth: area.width),
      at: origin.offset(dx: area.minX, dy: 0),
      style: Style(foreground: theme.accent, attributes: .bold), maximumWidth: area.width)
    let text = wrapped
    settle(text.lines, height: area.height)
    TextDrawing.draw(
      text, in: &canvas, at: origin.offset(dx: area.minX, dy: area.minY),
      lines: topLine..<min(text.lines.count, topLine + area.height), theme: theme)
  }

  /// Brings the target into view, and the first line into its bounds.
  private func settle(_ lines: [TextFrame.Line], height: Int) {
    let last = max(0, lines.count - height)
    topLine = max(0, min(topLine, last))
    let count = page.sections.count
    if sectionSteps != 0, count > 0 {
      section = (((section ?? sectionAtTop(lines)) + sectionSteps) % count + count) % count
    }
    sectionSteps = 0
    // What stands above the section may change its length: the section stays.
    if let section, section < count {
      topLine = self.lines(ofParagraph: page.sections[section], in: lines)?.lowerBound ?? topLine
    }
    let paragraph: Int? =
      switch target {
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

  private func sectionAtTop(_ lines: [TextFrame.Line]) -> Int {
    guard lines.indices.contains(topLine) else { return 0 }
    let paragraph = lines[topLine].paragraph
    return page.sections.lastIndex { $0 <= paragraph } ?? 0
  }

  private func lines(ofParagraph paragraph: Int, in lines: [TextFrame.Line]) -> Range<Int>? {
    guard let first = lines.firstIndex(where: { $0.paragraph == paragraph && !$0.isSpacing })
    else { return nil }
    let end = lines[first...].firstIndex { $0.paragraph != paragraph } ?? lines.count
    return first..<end
  }
}
