import Geometry
import Terminal
import VirtualList

/// A scroll bar one column wide whose thumb begins and ends at eighths of a cell, in the theme's
/// colours of marks and lines.
@MainActor public final class ScrollBar: View {
  /// The extent of the thumb, in eighths of a cell from the top.
  public var thumb = ScrollThumb(start: 0, length: 0) {
    didSet { if thumb != oldValue { setNeedsDisplay() } }
  }

  /// Blocks that fill a cell from the bottom, by eighths.
  private static let blocks: [Unicode.Scalar] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  override public func draw(in canvas: inout Canvas, at origin: Point) {
    // A thumb as long as the track means that all rows show: the bar is blank then, and erases a
    // former one.
    guard thumb.length < frame.height * ScrollBarModel.unit else {
      return canvas.fill(Rect(origin: origin, size: frame.size), with: CanvasCell())
    }
    canvas.fill(
      Rect(origin: origin, size: frame.size), with: CanvasCell("▕", style: theme.lineStyle))
    let unit = ScrollBarModel.unit
    let end = min(frame.height, (thumb.end + unit - 1) / unit)
    for y in 0..<max(0, end) where y >= thumb.start / unit {
      canvas.fill(
        Rect(x: origin.x, y: origin.y + y, width: 1, height: 1), with: cell(at: y))
    }
  }

  private func cell(at y: Int) -> CanvasCell {
    let top = y * ScrollBarModel.unit
    let bottom = top + ScrollBarModel.unit
    let (start, end) = (max(top, thumb.start), min(bottom, thumb.end))
    guard start < end else { return CanvasCell("▕", style: theme.lineStyle) }
    if end == bottom {
      return CanvasCell(Self.blocks[bottom - start], style: theme.markStyle)
    }
    // The end of the thumb: the rest of the cell is drawn as a block, reversed.
    return CanvasCell(
      Self.blocks[bottom - end],
      style: Style(foreground: theme.mark, attributes: .reverse))
  }
}
