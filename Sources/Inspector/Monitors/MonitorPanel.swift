import Geometry
import Terminal
import TerminalApp
import TerminalViews

/// The content of a ``MonitorPanel``: the state of one part of the program, read for each frame.
@MainActor package protocol Monitor: AnyObject {
  /// The keys that matter, for the status line.
  var hint: String { get }
  var commands: CommandTable { get }
  func willOpen(in application: TerminalApplication)
  func didClose()
  /// Called in each frame, after the list's layout.
  func observe()
  /// Draws the observed state.
  func draw(in canvas: inout Canvas, area: Rect, theme: Theme)
}

/// A panel beside a list, or below it on a narrow screen, that shows a monitor and is open from the
/// start. It only reads the program's state, and never requests a frame.
@MainActor package final class MonitorPanel: View, SidePanel {
  private static let narrowestSideBySide = 76
  private static let widths = 38...64

  private let monitor: any Monitor
  private var isBelow = false

  package init(_ monitor: any Monitor) {
    self.monitor = monitor
    super.init(name: "monitor")
  }

  /// Opens the panel, and binds F12 to close and open it.
  package func add(to application: TerminalApplication) {
    application.window.add(self)
    let opening = Command<MonitorPanel>("monitor", "f12", help: "close and open the panel") {
      [weak application] panel, _ in application?.window.toggle(panel)
    }
    application.commands.add([opening], of: self, below: .inspector)
    application.window.toggle(self)
  }

  package var commands: CommandTable { monitor.commands }
  package var hint: String? { monitor.hint }
  package func willOpen(in application: TerminalApplication) { monitor.willOpen(in: application) }
  package func didClose() { monitor.didClose() }

  package func arrange(in area: Rect) -> Rect {
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

  package func draw(over content: inout Canvas) {
    monitor.observe()
    setNeedsDisplay()
  }

  override package func draw(in canvas: inout Canvas, at origin: Point) {
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
    monitor.draw(in: &canvas, area: area, theme: theme)
  }
}
