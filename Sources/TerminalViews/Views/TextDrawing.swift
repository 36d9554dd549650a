import Geometry
import Terminal
import TextLayout

/// Puts wrapped text on a canvas.
@MainActor public enum TextDrawing {
  /// Draws lines `lines` of `frame`, those there are, the first at `origin`.
  ///
  /// - Parameters:
  ///   - style: what the theme leaves open: colours where text has none of its own, and attributes.
  ///   - links: the numbers of the text's links, which the cells of each then have.
  ///   - shift: columns before a line of so many columns.
  /// - Complexity: O(n) in the characters drawn.
  public static func draw(
    _ frame: TextFrame, in canvas: inout Canvas, at origin: Point, lines: Range<Int>, theme: Theme,
    style: Style = .plain, links: LinkGroup? = nil,
    shift: (_ columns: Int) -> Int = { _ in 0 }
  ) {
    for (row, index) in lines.clamped(to: 0..<frame.lines.count).enumerated() {
      let line = frame.lines[index]
      let origin = origin.offset(dx: shift(line.indent + line.width), dy: row)
      draw(
        index, of: frame, in: &canvas, at: origin, theme: theme, style: style, links: links)
    }
  }

  private static func draw(
    _ index: Int, of frame: TextFrame, in canvas: inout Canvas, at origin: Point, theme: Theme,
    style: Style, links: LinkGroup?
  ) {
    let line = frame.lines[index]
    let isPlain = style == .plain
    for bar in 0..<line.quoteDepth {
      canvas.draw("▎", at: origin.offset(dx: bar * 2, dy: 0), style: theme.style(for: .quote))
    }
    var x = origin.x + line.indent
    if !line.marker.isEmpty {
      canvas.draw(
        line.marker, at: Point(x: x - TextMetrics.current.width(of: line.marker), y: origin.y),
        style: theme.style(for: .secondary))
    }
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
  /// This one with the colours of `base` where it has none, and the attributes of both.
  func over(_ base: Style) -> Style {
    Style(
      foreground: foreground == .default ? base.foreground : foreground,
      background: background == .default ? base.background : background,
      attributes: attributes.union(base.attributes))
  }
}
