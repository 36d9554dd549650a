import ConstraintLayout
import Geometry
import Terminal
import TerminalViews
import Testing
import TextLayout

@testable import Inspector

/// The inspector's texts and outlines are readable on light and dark backgrounds.
@MainActor @Suite struct InspectorLooksTests {
  /// Black on white and grey on black, as terminals report these colours.
  private static let grounds: [(background: RGB, text: RGB)] = [
    (RGB(255, 255, 255), RGB(0, 0, 0)), (RGB(0, 0, 0), RGB(229, 229, 229)),
  ]

  private static func theme(on index: Int, _ depth: ColorDepth) -> Theme {
    var colors = TerminalColors()
    (colors.background, colors.foreground) = grounds[index]
    colors.palette = (0..<16).map { Color.palette($0).rgb ?? RGB(0, 0, 0) }
    return Theme(.auto, for: colors, depth: depth)
  }

  /// The contrast between a style's text and its background.
  private static func contrast(of style: Style, on index: Int) -> Double {
    let text = style.foreground.rgb ?? grounds[index].text
    return text.contrast(with: style.background.rgb ?? grounds[index].background)
  }

  @Test(arguments: [0, 1]) func thePanelsTextIsReadable(ground: Int) {
    var report = InspectorReport()
    let cell = ListViewCell(name: "cell")
    report.addCell(
      LayoutSnapshot(of: cell), note: "note", change: "change", growth: "growth",
      color: { _ in .palette(166) })
    report.addViews(LayoutSnapshot(of: cell).views, selected: 0)
    report.addFrames([1, 2, 3])
    let panel = InspectorPanel(name: "panel")
    panel.theme = Self.theme(on: ground, .trueColor)
    for isBelow in [true, false] {
      panel.isBelow = isBelow
      panel.page = report.page
      panel.title = "title"
      panel.frame = Rect(x: 0, y: 0, width: 40, height: 20)
      var canvas = Canvas(size: panel.frame.size)
      panel.draw(in: &canvas, at: .zero)
      var texts = 0
      for cell in canvas.cells where cell.scalars.0 > 0x20 {
        #expect(!cell.style.attributes.contains(.dim))
        let isMark = [0x2502, 0x2500, 0x258C].contains(cell.scalars.0)
        // The inspector chooses the colours of marks.
        guard !isMark || cell.style.foreground != .palette(166) else { continue }
        let contrast = Self.contrast(of: cell.style, on: ground)
        #expect(contrast >= (isMark ? 3 : 4.5), "\(cell.style)")
        if !isMark { texts += 1 }
      }
      #expect(texts > 50)
    }
  }

  @Test(arguments: [ColorDepth.ansi16, .indexed256, .trueColor], [0, 1])
  func tintedTextStaysReadable(depth: ColorDepth, ground: Int) {
    let cell = ListViewCell(name: "cell")
    for index in 0..<8 {
      let view = View(name: "view \(index)")
      view.frame = Rect(x: 0, y: index * 3, width: 10, height: 3)
      cell.addSubview(view)
    }
    cell.frame = Rect(x: 0, y: 0, width: 20, height: 30)
    let layout = LayoutSnapshot(of: cell)
    let theme = Self.theme(on: ground, depth)
    let tints = ViewTints(views: layout.views, theme: theme, depth: depth)
    for selected in layout.views.indices {
      var canvas = Canvas(size: Size(width: 20, height: 30))
      // As drawn by a view with a style of its own.
      canvas.fill(
        canvas.bounds,
        with: CanvasCell("x", style: Style(foreground: .palette(3), attributes: [.bold, .dim])))
      tints.draw(
        selected: selected, shown: [layout.views[2].view], holder: layout.views[1].view,
        ambiguity: nil, in: &canvas, at: .zero,
        area: Rect(x: 0, y: 0, width: 20, height: 30))
      let styles = Set(canvas.cells.map(\.style)).filter {
        $0.background != .default || $0.attributes.contains(.reverse)
      }
      #expect(styles.count >= 2)
      for style in styles {
        // In reverse video, text and background differ, too.
        #expect(Self.contrast(of: style, on: ground) >= 4.5, "\(style) of \(depth)")
        #expect(style.attributes.isDisjoint(with: [.bold, .dim]))
      }
      // The last line has the colour of the view that holds it.
      let last = canvas.cells[29 * 20 + 5].style
      let shown = last.background == .default ? last.foreground : last.background
      #expect(shown == tints.color(of: layout.views[1].view))
    }
  }

  /// The second possible frame of an ambiguous view is outlined, and the report names it.
  @Test func theSecondSolutionIsDrawn() throws {
    let cell = ListViewCell(name: "cell")
    let loose = View(name: "loose")
    cell.addSubview(loose)
    loose.leading(offset: 2)
    loose.width(4)
    loose.height(1)
    loose.topAnchor.constraint(greaterThanOrEqualTo: cell.topAnchor, constant: 1).isActive = true
    loose.bottomAnchor.constraint(lessThanOrEqualTo: cell.bottomAnchor).isActive = true
    cell.layout(width: 20, height: 10)
    let ambiguity = try #require(cell.layoutAmbiguity())
    let other = try #require(ambiguity.items.first).alternative
    let layout = LayoutSnapshot(of: cell)
    var canvas = Canvas(size: Size(width: 20, height: 10))
    ViewTints(views: layout.views, theme: .standard, depth: .trueColor).draw(
      selected: 0, shown: [], holder: nil, ambiguity: ambiguity, in: &canvas, at: .zero,
      area: Rect(x: 0, y: 0, width: 20, height: 10))
    let lines = (0..<10).filter { canvas.cells[$0 * 20 + 3].style.background != .default }
    #expect(Set(lines) == [loose.frame.minY, Int(other.y.rounded())])
    #expect(lines.count == 2)
    var report = InspectorReport()
    let reasons = try #require(LayoutSnapshot.reasons(for: .bottom, of: loose))
    report.addReasons(
      reasons.chain, isOpen: reasons.isOpen, for: "loose.bottom", at: 2,
      isColumn: false, ambiguity: ambiguity)
    let text = report.page.text.paragraphs.map(\.string).joined(separator: "\n")
    #expect(text.contains("loose is ambiguous down: (2, "))
  }

  @Test func withoutColoursOutlinesAreUnderlined() {
    let cell = ListViewCell(name: "cell")
    let view = View(name: "view")
    view.frame = Rect(x: 0, y: 0, width: 4, height: 1)
    cell.addSubview(view)
    let layout = LayoutSnapshot(of: cell)
    var canvas = Canvas(size: Size(width: 8, height: 1))
    ViewTints(views: layout.views, theme: .standard, depth: .none).draw(
      selected: 1, shown: [], holder: nil, ambiguity: nil, in: &canvas, at: .zero,
      area: Rect(x: 0, y: 0, width: 8, height: 1))
    #expect(canvas.cells[0].style == Style(attributes: .underline))
    #expect(canvas.cells[5].style == .plain)
  }

  /// Every cell of a view is tinted; of a picture, only what its pixels leave blank.
  @Test func wholeViewsAreTinted() {
    let cell = ListViewCell(name: "cell")
    let label = View(name: "label")
    label.frame = Rect(x: 0, y: 0, width: 6, height: 3)
    let icon = View(name: "icon")
    icon.frame = Rect(x: 8, y: 0, width: 4, height: 2)
    let picture = ImageView(name: "picture", followsPicture: false)
    picture.frame = Rect(x: 0, y: 0, width: 4, height: 2)
    icon.addSubview(picture)
    cell.addSubview(label)
    cell.addSubview(icon)
    cell.frame = Rect(x: 0, y: 0, width: 14, height: 4)
    let layout = LayoutSnapshot(of: cell)
    let theme = Self.theme(on: 1, .trueColor)
    let tints = ViewTints(views: layout.views, theme: theme, depth: .trueColor)
    var canvas = Canvas(size: Size(width: 14, height: 4))
    canvas.fill(canvas.bounds, with: CanvasCell("x"))
    let pixel = Style(foreground: Color(RGB(1, 2, 3)), background: Color(RGB(4, 5, 6)))
    let corner = Style(foreground: Color(RGB(7, 8, 9)))
    canvas.fill(Rect(x: 8, y: 0, width: 4, height: 2), with: CanvasCell("▀", style: pixel))
    canvas.fill(Rect(x: 8, y: 0, width: 1, height: 1), with: CanvasCell("▗", style: corner))
    tints.draw(
      selected: 0, shown: [label, icon], holder: nil, ambiguity: nil, in: &canvas, at: .zero,
      area: canvas.bounds)
    func style(_ x: Int, _ y: Int) -> Style { canvas.cells[y * 14 + x].style }
    for y in 0..<3 {
      for x in 0..<6 { #expect(style(x, y).background == tints.color(of: label)) }
    }
    #expect(style(9, 1) == pixel && style(11, 0) == pixel)
    #expect(style(8, 0).foreground == corner.foreground)
    #expect(style(8, 0).background == tints.color(of: icon))
    #expect(style(7, 0) == .plain && style(13, 3) == .plain)
  }
}
