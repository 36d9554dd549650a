import Geometry
import Terminal
import TerminalViews
import TextLayout

/// The page that `?` opens over the list: what to look at and which keys there are.
@MainActor final class HelpView: View {
  var text = StyledText() {
    didSet { setNeedsDisplay() }
  }

  var theme = Theme.standard
  /// The first line shown.
  private(set) var topLine = 0

  private var wrapped: TextFrame {
    TextFrame(text, width: max(1, min(frame.width - 4, 92)))
  }

  /// Moves the page by `lines`, within its ends.
  func scroll(by lines: Int) {
    let last = max(0, wrapped.lines.count - max(1, frame.height - 2))
    let line = max(0, min(topLine + lines, last))
    guard line != topLine else { return }
    topLine = line
    setNeedsDisplay()
  }

  func scrollToTop() {
    topLine = 0
    setNeedsDisplay()
  }

  override func draw(in canvas: inout Canvas, at origin: Point) {
    canvas.fill(Rect(origin: origin, size: frame.size), with: CanvasCell())
    let page = wrapped
    let rows = max(0, frame.height - 2)
    let first = max(0, min(topLine, page.lines.count - rows))
    TextDrawing.draw(
      page, in: &canvas, at: origin.offset(dx: 2, dy: 1),
      lines: first..<min(page.lines.count, first + rows), theme: theme)
  }
}
