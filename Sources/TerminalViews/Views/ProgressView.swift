import ConstraintLayout
import Geometry
import Terminal

/// A bar that fills from the left, to an eighth of a column, in the theme's colours of marks and of
/// pictures that are loading.
@MainActor public final class ProgressView: View {
  /// The share that is filled, 0…1; values beyond count as the nearest of these.
  public var progress = 0.0 {
    didSet { if progress != oldValue { setNeedsDisplay() } }
  }

  private static let blocks: [Unicode.Scalar] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// A bar one row high.
  public init(_ progress: Double = 0, name: String = "progress") {
    self.progress = progress
    super.init(name: name)
  }

  override public var intrinsicContentSize: IntrinsicSize { IntrinsicSize(height: 1) }

  override public func draw(in canvas: inout Canvas, at origin: Point) {
    let share = progress > 0 ? min(progress, 1) : 0
    let eighths = Int((share * Double(frame.width * 8)).rounded())
    let style = Style(foreground: theme.mark, background: theme.placeholder)
    func fill(_ columns: Range<Int>, _ block: Unicode.Scalar) {
      canvas.fill(
        Rect(
          x: origin.x + columns.lowerBound, y: origin.y, width: columns.count,
          height: frame.height),
        with: CanvasCell(block, style: style))
    }
    let full = eighths / 8
    fill(0..<full, "█")
    guard full < frame.width else { return }
    fill(full..<full + 1, Self.blocks[eighths % 8])
    fill(full + 1..<max(full + 1, frame.width), " ")
  }
}
