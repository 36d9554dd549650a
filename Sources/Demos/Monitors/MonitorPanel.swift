import Geometry
import Terminal
import TerminalApp
import TerminalViews

/// A panel beside a list, or below it on a narrow screen, that shows the state of one part of the
/// program and is open from the start. It only reads that state, and never requests a frame.
@MainActor package class MonitorPanel: View, SidePanel {
  private static let narrowestSideBySide = 76
  private static let widths = 38...64

  final let pane: ListPane
  private var isBelow = false

  init(of pane: ListPane) {
    self.pane = pane
    super.init(name: "monitor")
  }

  /// Opens the panel, and binds F12 to close and open it.
  package final func add(to application: TerminalApplication) {
    application.window.add(self)
    let opening = Command<MonitorPanel>("monitor", "f12", help: "close and open the panel") {
      [weak application] panel, _ in application?.window.toggle(panel)
    }
    application.commands.add([opening], of: self, below: .inspector)
    application.window.toggle(self)
  }

  // MARK: Overridden by monitors

  package private(set) final lazy var commands: CommandTable = makeCommands()
  func makeCommands() -> CommandTable { CommandTable() }
  package var hint: String? { nil }
  package func willOpen(in application: TerminalApplication) {}
  package func didClose() {}
  /// Called in each frame, after the list's layout.
  func observe() {}
  /// The observed state as a text for an area of this size.
  func page(size: Size) -> MonitorPage { MonitorPage(theme) }

  // MARK: Layout and drawing

  package final func arrange(in area: Rect) -> Rect {
    isBelow = area.width < Self.narrowestSideBySide
    var list = area
    if isBelow {
      list.size.height = area.height / 2
      frame = Rect(
        x: area.minX, y: list.maxY, width: area.width, height: area.height - list.height)
    } else {
      let width = max(Self.widths.lowerBound, min(Self.widths.upperBound, area.width * 9 / 20))
      list.size.width = area.width - width
      frame = Rect(x: list.maxX, y: area.minY, width: width, height: area.height)
    }
    return list
  }

  package final func draw(over content: inout Canvas) {
    observe()
    setNeedsDisplay()
  }

  override package final func draw(in canvas: inout Canvas, at origin: Point) {
    let whole = Rect(origin: origin, size: frame.size)
    canvas.fill(whole, with: CanvasCell())
    var (edge, area) = (whole, whole)
    if isBelow {
      edge.size.height = 1
      area = Rect(
        x: whole.minX + 1, y: whole.minY + 1, width: whole.width - 2, height: whole.height - 1)
    } else {
      edge.size.width = 1
      area = Rect(x: whole.minX + 2, y: whole.minY, width: whole.width - 3, height: whole.height)
    }
    canvas.fill(edge, with: CanvasCell(isBelow ? "─" : "│", style: theme.lineStyle))
    guard area.width > 0, area.height > 0 else { return }
    page(size: area.size).draw(in: &canvas, area: area)
  }
}
