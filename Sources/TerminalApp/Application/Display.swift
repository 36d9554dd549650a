import Geometry
import Terminal

/// What an application shows its frames on and takes its events from.
@MainActor protocol Display: AnyObject {
  var size: Size { get }
  var colorDepth: ColorDepth { get }
  /// Whether it shows each frame at once.
  var showsWholeFrames: Bool { get }
  /// Bytes sent by frames so far.
  var bytesWritten: Int { get }

  /// Begins to deliver events, in batches.
  func start(onEvents: @escaping @MainActor ([InputEvent]) -> Void)
  /// Shows `canvas` and gives back another one to draw into.
  func present(_ canvas: inout Canvas, cursor: Point?, showsCursor: Bool)
  /// Makes the next frame draw every cell again.
  func invalidate()
  func suspend()
}

extension Screen: Display {
  var showsWholeFrames: Bool { capabilities.synchronizesOutput }
}

/// A display without a terminal, which keeps the last frame.
@MainActor final class CanvasDisplay: Display {
  private(set) var size: Size
  private(set) var shown: Canvas
  private(set) var cursor: Point?
  let colorDepth = ColorDepth.trueColor
  let showsWholeFrames = false
  let bytesWritten = 0

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

  func invalidate() {}
  func suspend() {}
}
