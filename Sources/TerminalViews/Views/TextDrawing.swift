import Geometry
import Terminal
import TextLayout

/// Puts wrapped text on a canvas.
@MainActor public enum TextDrawing {
  /// How many columns `text` takes.
  static func width(of text: String) -> Int { TextMetrics.current.width(of: text) }

  /// Draws lines `lines` of `frame`, those there are, the first at `origin`.
  ///
  /// - Complexity: O(n) in the characters drawn.
  public static func draw(
    _ frame: TextFrame, in canvas: inout Canvas, at origin: Point, lines: Range<Int>, theme: Theme
  ) {
    for (row, index) in lines.clamped(to: 0..<frame.lines.count).enumerated() {
      draw(
        index, of: frame, in: &canvas, at: origin.offset(dx: 0, dy: row), theme: theme)
    }
  }

  private static func draw(
    _ index: Int, of frame: TextFrame, in canvas: inout Canvas, at origin: Point, theme: Theme
  ) {
    let line = frame.lines[index]
    for bar in 0..<line.quoteDepth {
      canvas.draw("▎", at: origin.offset(dx: bar * 2, dy: 0), style: theme.style(for: .quote))
    }
    var x = origin.x + line.indent
    if !line.marker.isEmpty {
      canvas.draw(
        line.marker, at: Point(x: x - width(of: line.marker), y: origin.y),
        style: theme.style(for: .secondary))
    }
    for fragment in frame.fragments(ofLine: index) {
      x += canvas.draw(
        fragment.text, at: Point(x: x, y: origin.y), style: theme.style(for: fragment.style))
    }
  }
}
