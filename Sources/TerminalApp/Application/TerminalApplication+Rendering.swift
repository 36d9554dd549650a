import Geometry
import Terminal
import TerminalViews

extension TerminalApplication {
  /// The screen after `events`, without a terminal: for tests of views.
  ///
  /// - Parameter size: columns and rows.
  /// - Complexity: that of drawing the frames.
  public static func render(
    _ content: View, size: Size, events: [InputEvent] = [], theme: Theme = .standard
  ) -> Canvas {
    let display = CanvasDisplay(size: size)
    let scheduler = MainQueueScheduler(isManual: true)
    let application = TerminalApplication(
      content, display: display, scheduler: scheduler, theme: theme)
    application.begin()
    scheduler.run()
    for event in events {
      if case .resize(let size) = event { display.resize(to: size) }
      application.handle([event])
      scheduler.run()
    }
    return display.shown
  }
}

extension InputEvent {
  /// The keys that type `text`, one for each of its code points; a line break is Enter.
  public static func typing(_ text: String) -> [InputEvent] {
    text.unicodeScalars.map { $0 == "\n" ? .key(.enter) : .key(.character(Character($0))) }
  }
}

/// A display without a terminal that keeps the last frame.
@MainActor final class CanvasDisplay: Display {
  private(set) var size: Size
  private(set) var shown: Canvas
  private(set) var cursor: Point?
  let colorDepth = ColorDepth.trueColor
  /// The colours of the imaginary terminal.
  var colors = TerminalColors()
  let showsWholeFrames = false
  let bytesWritten = 0
  var reportsMouse = true

  init(size: Size) {
    self.size = Size(width: max(0, size.width), height: max(0, size.height))
    shown = Canvas(size: self.size)
  }

  func resize(to size: Size) { self.size = size }

  func start(onEvents: @escaping @MainActor ([InputEvent]) -> Void) {}

  func present(_ canvas: inout Canvas, cursor: Point?, showsCursor: Bool) {
    swap(&shown, &canvas)
    self.cursor = showsCursor ? cursor : nil
  }

  func willShowMove(goesOn: Bool) {}
  func invalidate() {}
  func suspend() {}
  var shownCanvas: Canvas? { shown }
  /// The text copied last, in base64; `nil` if nothing was copied.
  private(set) var copied: String?
  var takesCopies = true

  func copy(base64: String) -> Bool {
    if takesCopies { copied = base64 }
    return takesCopies
  }
}
