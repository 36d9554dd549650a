import Geometry
import Terminal
import TextLayout

extension ImageView {
  /// A few characters on a coloured block, in the place of a picture that does not exist.
  public struct Badge: Hashable, Sendable {
    /// The characters; truncated if the view is too narrow.
    public let text: String
    /// Selects the block's colour (``Theme/block(_:)``).
    public let number: UInt64

    /// A block with `text` on it, which is sanitized.
    public init(text: String, number: UInt64) {
      self.text = Sanitizer.line(text)
      self.number = number
    }
  }

  /// Fills the frame with the badge, its text in the middle.
  func draw(_ badge: Badge, in canvas: inout Canvas, at origin: Point) {
    guard !frame.size.isEmpty else { return }
    let style = theme.block(badge.number)
    canvas.fill(Rect(origin: origin, size: frame.size), with: CanvasCell(" ", style: style))
    let text = TextMetrics.current.truncated(badge.text, toWidth: frame.width)
    let columns = TextMetrics.current.width(of: text)
    canvas.draw(
      text, at: origin.offset(dx: (frame.width - columns) / 2, dy: (frame.height - 1) / 2),
      style: theme.emphasized(style), maximumWidth: frame.width)
  }
}
