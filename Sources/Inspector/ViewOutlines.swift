import Geometry
import Terminal
import TerminalViews

/// Outlines views where they are drawn, by colour alone: what stands in them stays to be read.
@MainActor enum ViewOutlines {
  /// Outlines `views`, the one at `selected` last and brighter.
  ///
  /// - Parameters:
  ///   - origin: the cell's corner on the canvas.
  ///   - area: nothing outside it is touched.
  static func draw(
    _ views: [ViewReading], selected: Int, in canvas: inout Canvas, at origin: Point, area: Rect,
    theme: Theme, depth: ColorDepth
  ) {
    for (index, reading) in views.enumerated() where index != selected && index > 0 {
      outline(reading, in: &canvas, at: origin, area: area) { style in
        if depth == .none {
          style.attributes.insert(.underline)
        } else {
          style.background = theme.track
        }
      }
    }
    guard views.indices.contains(selected) else { return }
    outline(views[selected], in: &canvas, at: origin, area: area) { style in
      if depth == .none {
        style.attributes.formSymmetricDifference(.reverse)
      } else {
        style.background = theme.accent
        style.foreground = .palette(0)
        style.attributes.remove([.dim, .reverse])
      }
    }
  }

  private static func outline(
    _ reading: ViewReading, in canvas: inout Canvas, at origin: Point, area: Rect,
    _ change: (inout Style) -> Void
  ) {
    guard !reading.view.isHidden else { return }
    let frame = reading.frame.offset(dx: origin.x, dy: origin.y)
    guard !frame.isEmpty else { return }
    var edges = [Rect(x: frame.minX, y: frame.minY, width: frame.width, height: 1)]
    if frame.height > 1 {
      edges.append(Rect(x: frame.minX, y: frame.maxY - 1, width: frame.width, height: 1))
    }
    if frame.height > 2 {
      let sides = Rect(x: frame.minX, y: frame.minY + 1, width: 1, height: frame.height - 2)
      edges.append(sides)
      if frame.width > 1 { edges.append(sides.offset(dx: frame.width - 1, dy: 0)) }
    }
    for edge in edges {
      let shown = edge.intersection(area)
      if !shown.isEmpty { canvas.restyle(shown, change) }
    }
  }
}
