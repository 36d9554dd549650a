import ConstraintLayout
import Geometry
import Terminal
import TextLayout

/// A line around a view, with a title in it.
@MainActor public final class Border: View {
  /// The view inside.
  public let content: View
  /// The title in the upper line, truncated if the line is too short.
  public var title: String {
    didSet { if title != oldValue { setNeedsDisplay() } }
  }

  /// The style of the line; `nil`, the default, for that of the theme's lines.
  public var style: Style? {
    didSet { if style != oldValue { setNeedsDisplay() } }
  }

  /// A border around `content`, which becomes its subview.
  public init(_ content: View, title: String = "", name: String = "border") {
    self.content = content
    self.title = title
    super.init(name: name)
    addSubview(content)
    content.edgesToSuperview(insets: Insets(top: 1, left: 1, bottom: 1, right: 1))
  }

  override public func draw(in canvas: inout Canvas, at origin: Point) {
    let (width, height) = (frame.width, frame.height)
    let style = style ?? theme.lineStyle
    guard width > 1, height > 1 else { return }
    func fill(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ line: Unicode.Scalar) {
      canvas.fill(
        Rect(x: origin.x + x, y: origin.y + y, width: width, height: height),
        with: CanvasCell(line, style: style))
    }
    for (y, left, right) in [(0, "┌", "┐"), (height - 1, "└", "┘")]
      as [(Int, Unicode.Scalar, Unicode.Scalar)]
    {
      fill(1, y, width - 2, 1, "─")
      fill(0, y, 1, 1, left)
      fill(width - 1, y, 1, 1, right)
    }
    for x in [0, width - 1] { fill(x, 1, 1, height - 2, "│") }
    guard !title.isEmpty, width > 6 else { return }
    let text = TextMetrics.current.truncated(Sanitizer.line(title), toWidth: width - 6)
    canvas.draw(" \(text) ", at: origin.offset(dx: 2, dy: 0), style: theme.style(for: .heading))
  }
}
