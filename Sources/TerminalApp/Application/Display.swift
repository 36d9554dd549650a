import Geometry
import Terminal

/// The surface that an application presents frames on and receives events from.
@MainActor protocol Display: AnyObject {
  var size: Size { get }
  var colorDepth: ColorDepth { get }
  /// The terminal's own colours, as far as it reports them.
  var colors: TerminalColors { get }
  /// Whether a frame appears all at once (synchronized output).
  var showsWholeFrames: Bool { get }
  /// The bytes sent by frames so far.
  var bytesWritten: Int { get }
  /// Whether the wheel, buttons and drags are reported.
  var reportsMouse: Bool { get set }

  /// Waits for the terminal's answers to the startup queries, as long as the first frame can wait.
  func awaitAnswers()
  /// Begins to deliver events, in batches.
  func start(onEvents: @escaping @MainActor ([InputEvent]) -> Void)
  /// Shows `canvas` and replaces it with another one to draw into.
  func present(_ canvas: inout Canvas, cursor: Point?, showsCursor: Bool)
  /// Announces that the next frame shows a move by the user; `goesOn` if more frames of that move
  /// follow.
  func willShowMove(goesOn: Bool)
  /// Makes the next frame draw every cell again.
  func invalidate()
  func suspend()
  /// Lends the terminal to another program until `takeBack`; returns the terminal's descriptors, or
  /// `nil` without a terminal.
  func lend() -> (input: Int32, output: Int32)?
  /// Stops this program after the program on the terminal was stopped; returns when continued.
  func stopWhileLent()
  /// Reclaims the terminal after `lend`.
  ///
  /// - Parameter isInOrder: whether the other program ended without an error.
  func takeBack(isInOrder: Bool)
  /// The frame on the screen; `nil` if the next frame redraws everything.
  var shownCanvas: Canvas? { get }
  /// Asks the terminal to put text into its clipboard.
  ///
  /// - Returns: `false` if the terminal is known to refuse.
  func copy(_ text: String) -> Bool
}

extension Display {
  func awaitAnswers() {}
  func lend() -> (input: Int32, output: Int32)? { nil }
  func stopWhileLent() {}
  func takeBack(isInOrder: Bool) {}
}

extension Screen: Display {
  var colors: TerminalColors { capabilities.colors }
  var showsWholeFrames: Bool { capabilities.synchronizesOutput }
}
