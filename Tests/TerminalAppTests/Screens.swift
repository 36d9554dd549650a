import Geometry
import System
import Terminal
import TerminalViews
import TestSupport
import Testing

@testable import TerminalApp

/// A view on a screen without a terminal, driven by events from tests.
@MainActor final class TestScreen {
  let application: TerminalApplication
  private let display: CanvasDisplay
  private let scheduler = MainQueueScheduler(isManual: true)

  init(
    _ content: View, width: Int = 40, height: Int = 14, environment: [String: String] = [:],
    starter: ProgramStarter? = nil
  ) {
    display = CanvasDisplay(size: Size(width: width, height: height))
    application = TerminalApplication(
      content, display: display, scheduler: scheduler, environment: environment,
      starter: starter ?? ProgramStarter { _, _ in .failure(SystemFailure(code: ENOENT)) })
    application.begin()
    scheduler.run()
  }

  /// Types every character of `text`.
  @discardableResult func type(_ text: String) -> TestScreen { send(InputEvent.typing(text)) }

  /// Sends events that arrive together.
  @discardableResult func send(_ events: [InputEvent]) -> TestScreen {
    for case .resize(let size) in events { display.resize(to: size) }
    application.handle(events)
    scheduler.run()
    return self
  }

  /// Makes a change that is not an event, and draws it.
  @discardableResult func after(_ change: () -> Void) -> TestScreen {
    change()
    scheduler.run()
    return self
  }

  func press(_ x: Int, _ y: Int) { mouse(.press(.left), x, y) }

  func mouse(_ kind: MouseEvent.Kind, _ x: Int, _ y: Int) {
    send([.mouse(MouseEvent(kind, at: Point(x: x, y: y)))])
  }

  /// The text copied last, and whether the display accepts copies.
  var copied: String? { display.copied }
  var takesCopies: Bool {
    get { display.takesCopies }
    set { display.takesCopies = newValue }
  }

  /// Waits until concurrent work has made the condition true, and draws changes.
  func wait(until isSo: () -> Bool) async {
    await eventually(isSo)
    scheduler.run()
  }

  var canvas: Canvas { display.shown }
  var cursor: Point? { display.cursor }

  /// The rows without trailing blanks.
  var lines: [String] {
    (0..<canvas.size.height).map { y in
      let text = canvas.text(row: y)
      return String(
        text[..<(text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex)])
    }
  }

  /// The marked stretches of cells above the status lines and left of the scroll bar, from the top.
  var marked: [String] {
    var stretches: [String] = []
    for y in 0..<max(0, canvas.size.height - 2) {
      var stretch = ""
      // Tests use only narrow characters here.
      for (x, character) in canvas.text(row: y).dropLast().enumerated() {
        guard !canvas[x, y].style.attributes.contains(.reverse) else {
          stretch.append(character)
          continue
        }
        if !stretch.isEmpty { stretches.append(stretch) }
        stretch = ""
      }
      if !stretch.isEmpty { stretches.append(stretch) }
    }
    return stretches
  }

  func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }
}
