import ConstraintLayout
import Geometry
import Terminal
import TerminalViews

/// Shows views on the screen by colour alone: the whole frame of a view is tinted, and its
/// characters stay readable. A picture keeps its colours; only its cells with the default
/// background are tinted.
///
/// Tints are the theme's block styles, which stand out and keep text legible. Without colours, the
/// outlines of views are underlined.
@MainActor struct ViewTints {
  /// The number of different colours.
  private static let count = 6

  let views: [ViewSnapshot]
  let theme: Theme
  let depth: ColorDepth

  /// The colour of a view of the cell; `nil` for the cell itself, for other views, and without
  /// colours.
  func color(of view: View?) -> Color? {
    guard let index = views.firstIndex(where: { $0.view === view }), index > 0 else { return nil }
    return color(index - 1)
  }

  private func color(_ index: Int) -> Color? {
    guard depth != .none else { return nil }
    let style = block(index)
    return style.background == .default ? style.foreground : style.background
  }

  private func block(_ index: Int) -> Style {
    depth == .none ? Style(attributes: .underline) : theme.block(UInt64(index % Self.count))
  }

  /// Tints the selected view in its colour, or, if that is the cell, the views in `shown`; visible
  /// leaf views outside of these in a quiet style. The cell's last line gets the colour of
  /// `holder`, and alternative frames of ambiguous views are outlined.
  ///
  /// - Parameters:
  ///   - holder: the view that determines the cell's bottom edge.
  ///   - origin: the cell's corner on the canvas.
  ///   - area: the area outside of which nothing is drawn.
  func draw(
    selected: Int, shown: [View], holder: View?, ambiguity: LayoutAmbiguity?,
    in canvas: inout Canvas, at origin: Point, area: Rect
  ) {
    let isColored = views.indices.map { index in
      index == selected || (selected == 0 && shown.contains { $0 === views[index].view })
    }
    for (index, snapshot) in views.enumerated()
    where index > 0 && !isColored[index] && !snapshot.view.isHidden
      && snapshot.view.subitems.isEmpty && !isInside(snapshot.view, colored: isColored)
    {
      tint(snapshot.frame, in: &canvas, at: origin, area: area, theme.quietBlock)
    }
    for (index, snapshot) in views.enumerated()
    where index > 0 && isColored[index] && !snapshot.view.isHidden {
      tint(snapshot.frame, in: &canvas, at: origin, area: area, block(index - 1))
    }
    for item in ambiguity?.items ?? [] {
      let (x, y) = (item.alternative.x.rounded(), item.alternative.y.rounded())
      guard max(abs(x), abs(y), item.alternative.width, item.alternative.height) < 10_000
      else { continue }
      let frame = Rect(
        x: Int(x), y: Int(y), width: Int(item.alternative.width.rounded()),
        height: Int(item.alternative.height.rounded()))
      outline(frame, in: &canvas, at: origin, area: area, block(Self.count - 1))
    }
    guard let cell = views.first?.frame, cell.height > 0, let holder else { return }
    let bottom = Rect(x: 0, y: cell.height - 1, width: cell.width, height: 1)
    // The cell itself has no colour.
    let index = views.firstIndex { $0.view === holder } ?? 0
    let style = index > 0 ? block(index - 1) : Style(attributes: .underline)
    tint(bottom, in: &canvas, at: origin, area: area, style)
  }

  /// Whether an ancestor of the view is tinted in its colour.
  private func isInside(_ view: View, colored: [Bool]) -> Bool {
    var around = view.superview
    while let next = around {
      if let index = views.firstIndex(where: { $0.view === next }), index > 0, colored[index] {
        return true
      }
      around = next.superview
    }
    return false
  }

  /// The frames of the pictures, relative to the cell.
  private var pictures: [Rect] {
    views.filter { $0.view is ImageView && !$0.view.isHidden }.map(\.frame)
  }

  private func tint(
    _ rect: Rect, in canvas: inout Canvas, at origin: Point, area: Rect, _ style: Style
  ) {
    guard depth != .none else { return outline(rect, in: &canvas, at: origin, area: area, style) }
    let shown = rect.offset(dx: origin.x, dy: origin.y).intersection(area)
    let pictures = pictures.map { $0.offset(dx: origin.x, dy: origin.y) }
    for y in shown.minY..<shown.maxY {
      // Restyles one run of cells after another: text up to a picture, the picture, and so on.
      var x = shown.minX
      while x < shown.maxX {
        let isPicture = pictures.contains { $0.contains(Point(x: x, y: y)) }
        var end = x + 1
        while end < shown.maxX,
          pictures.contains(where: { $0.contains(Point(x: end, y: y)) }) == isPicture
        {
          end += 1
        }
        canvas.restyle(Rect(x: x, y: y, width: end - x, height: 1)) { old in
          // Replaces attributes, too: on many terminals, bold turns black text grey.
          if !isPicture {
            old = style
          } else if old.background == .default {
            old.background = style.background
          }
        }
        x = end
      }
    }
  }

  private func outline(
    _ rect: Rect, in canvas: inout Canvas, at origin: Point, area: Rect, _ style: Style
  ) {
    let frame = rect.offset(dx: origin.x, dy: origin.y)
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
      guard !shown.isEmpty else { continue }
      // Replaces attributes, too: on many terminals, bold turns black text grey.
      canvas.restyle(shown) { old in
        guard depth != .none else {
          old.attributes.insert(.underline)
          return
        }
        old = style
      }
    }
  }
}
