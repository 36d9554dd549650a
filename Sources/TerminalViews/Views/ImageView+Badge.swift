import Geometry
import Terminal
import TextLayout

extension ImageView {
  /// A few characters on a block of colour, for a picture of something that has none.
  public struct Badge: Hashable, Sendable {
    /// What stands there; cut where the view is too narrow.
    public let text: String
    /// The block's colour, by the theme's ``Theme/block(_:)``.
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
