import Geometry
import Terminal
import TextLayout

/// Draws wrapped text on a canvas.
@MainActor public enum TextDrawing {
  /// Draws the lines of `frame` whose indices are in `lines`, the first of them at `origin`;
  /// ignores indices beyond the frame's lines.
  ///
  /// - Parameters:
  ///   - style: the base style: its colours apply to text to which the theme gives none, its
  ///     attributes are added to the theme's.
  ///   - links: the numbers of the text's links, which are set on the cells of their text.
  ///   - shift: returns the columns to leave blank before a line of the given width; with `nil`,
  ///     the default, lines begin at the left, and those of right-to-left text at the right.
  /// - Complexity: O(n) in the characters drawn.
  public static func draw(
    _ frame: TextFrame, in canvas: inout Canvas, at origin: Point, lines: Range<Int>, theme: Theme,
    style: Style = .plain, links: LinkGroup? = nil, shift: ((_ columns: Int) -> Int)? = nil
  ) {
    for (row, index) in lines.clamped(to: 0..<frame.lines.count).enumerated() {
      let line = frame.lines[index]
      let isMirrored = shift == nil && frame.startsAtRight(line: index)
      let origin = origin.offset(dx: shift?(line.indent + line.width) ?? 0, dy: row)
      draw(
        index, of: frame, isMirrored: isMirrored, in: &canvas, at: origin, theme: theme,
        style: style, links: links)
    }
  }

  private static func draw(
    _ index: Int, of frame: TextFrame, isMirrored: Bool, in canvas: inout Canvas,
    at origin: Point, theme: Theme, style: Style, links: LinkGroup?
  ) {
    let line = frame.lines[index]
    let isPlain = style == .plain
    /// The position of content that takes `columns` columns from `x` on.
    func place(_ x: Int, columns: Int) -> Point {
      origin.offset(dx: isMirrored ? frame.width - x - columns : x, dy: 0)
    }
    for bar in 0..<line.quoteDepth {
      canvas.draw(
        isMirrored ? "▕" : "▎", at: place(bar * 2, columns: 1), style: theme.lineStyle)
    }
    if !line.marker.isEmpty {
      let columns = TextMetrics.current.width(of: line.marker)
      canvas.draw(
        isMirrored ? frame.marker(ofLine: index) : line.marker,
        at: place(line.indent - columns, columns: columns), style: theme.style(for: .secondary))
    }
    var x = place(line.indent, columns: line.width).x
    for fragment in frame.fragments(ofLine: index) {
      let own = theme.style(for: fragment.style)
      let columns = canvas.draw(
        fragment.text, at: Point(x: x, y: origin.y), style: isPlain ? own : own.over(style))
      if let links, let link = fragment.style.link {
        canvas.setLink(links.number(of: link), x: x, y: origin.y, columns: columns)
      }
      x += columns
    }
  }
}

extension Style {
  /// This style with the colours of `base` if it has none, and the attributes of both.
  func over(_ base: Style) -> Style {
    Style(
      foreground: foreground == .default ? base.foreground : foreground,
      background: background == .default ? base.background : background,
      attributes: attributes.union(base.attributes))
  }
}
