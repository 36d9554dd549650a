import Geometry
import Terminal

/// What an application shows its frames on and takes its events from.
@MainActor protocol Display: AnyObject {
  var size: Size { get }
  var colorDepth: ColorDepth { get }
  /// Its own colours, as far as it tells them.
  var colors: TerminalColors { get }
  /// Whether it shows each frame at once.
  var showsWholeFrames: Bool { get }
  /// Bytes sent by frames so far.
  var bytesWritten: Int { get }
  /// Whether it reports wheel, buttons and drags.
  var reportsMouse: Bool { get set }

  /// Begins to deliver events, in batches.
  func start(onEvents: @escaping @MainActor ([InputEvent]) -> Void)
  /// Shows `canvas` and gives back another one to draw into.
  func present(_ canvas: inout Canvas, cursor: Point?, showsCursor: Bool)
  /// The next frame shows what the reader has moved; `goesOn` where others of the same move follow.
  func willShowMove(goesOn: Bool)
  /// Makes the next frame draw every cell again.
  func invalidate()
  func suspend()
  /// Gives the terminal to another program until `takeBack`; nil where there is none to give.
  func lend() -> (input: Int32, output: Int32)?
  /// The program that has the terminal was stopped; returns when this one is continued after that.
  func stopWhileLent()
  /// `isInOrder` where the program has ended well.
  func takeBack(isInOrder: Bool)
  /// The frame that is shown; nil where the next one draws all again.
  var shownCanvas: Canvas? { get }
  /// Has the terminal put text, in base64, into its clipboard.
  ///
  /// - Returns: false where it is known not to.
  func copy(base64: String) -> Bool
}

extension Display {
  func lend() -> (input: Int32, output: Int32)? { nil }
  func stopWhileLent() {}
  func takeBack(isInOrder: Bool) {}
}

extension Screen: Display {
  var colors: TerminalColors { capabilities.colors }
  var showsWholeFrames: Bool { capabilities.synchronizesOutput }
}
