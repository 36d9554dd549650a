import ConstraintLayout
import Geometry
import Terminal

/// A picture as cells, or what stands for it while there is none.
///
/// It shows cells that were made elsewhere, off the main actor: it never scales anything itself, so that
/// drawing it is a copy. Cells of another size than its frame's are clipped, not stretched.
@MainActor public final class ImageView: View {
  /// What is shown while there is no picture.
  public enum Placeholder: Hashable, Sendable {
    /// Nothing at all.
    case empty
    /// An area in the colour `background`, with `text` in its middle where there is room.
    case area(background: Color, text: String)
  }

  /// The picture, ready to be copied.
  public var image: Canvas? {
    didSet { setNeedsDisplay() }
  }

  public var placeholder: Placeholder = .empty {
    didSet { if placeholder != oldValue { setNeedsDisplay() } }
  }

  /// Looks of the placeholder's text.
  public var theme: Theme = .standard

  override public func draw(in canvas: inout Canvas, at origin: Point) {
    let bounds = Rect(origin: origin, size: frame.size)
    if let image {
      let shown = Rect(origin: .zero, size: image.size)
        .intersection(Rect(origin: .zero, size: frame.size))
      canvas.copy(image, from: shown, to: origin)
      return
    }
    guard case .area(let background, let text) = placeholder, !bounds.isEmpty else { return }
    let style = Style(
      foreground: theme.style(for: .secondary).foreground, background: background,
      attributes: theme.style(for: .secondary).attributes)
    canvas.fill(bounds, with: CanvasCell(" ", style: style))
    let columns = TextDrawing.width(of: text)
    guard columns <= bounds.width else { return }
    let x = bounds.minX + (bounds.width - columns) / 2
    canvas.draw(text, at: Point(x: x, y: bounds.minY + (bounds.height - 1) / 2), style: style)
  }
}

extension ImageView: PlaceProviding {
  public func offset(atLine line: Int) -> Int { max(0, min(line, frame.height - 1)) }

  /// A picture's line stays the same line; where it got smaller, its last one.
  public func line(ofOffset offset: Int) -> Int { max(0, min(offset, frame.height - 1)) }
}
