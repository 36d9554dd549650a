import Geometry
import Terminal

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
  /// The answers of the imaginary terminal, which a first frame waits for.
  var onAwait: () -> Void = {}

  init(size: Size) {
    self.size = Size(width: max(0, size.width), height: max(0, size.height))
    shown = Canvas(size: self.size)
  }

  func resize(to size: Size) { self.size = size }

  func awaitAnswers() { onAwait() }
  func start(onEvents: @escaping @MainActor ([InputEvent]) -> Void) {}

  func present(_ canvas: inout Canvas, cursor: Point?, showsCursor: Bool) {
    swap(&shown, &canvas)
    self.cursor = showsCursor ? cursor : nil
  }

  func willShowMove(goesOn: Bool) {}
  func invalidate() {}
  func suspend() {}
  var shownCanvas: Canvas? { shown }
  /// The text copied last; `nil` if nothing was copied.
  private(set) var copied: String?
  var takesCopies = true

  func copy(_ text: String) -> Bool {
    if takesCopies { copied = text }
    return takesCopies
  }
}
