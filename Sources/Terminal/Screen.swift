import Geometry

/// The terminal as a grid of cells.
@MainActor public final class Screen {
  /// Columns and rows.
  public private(set) var size = Size(width: 80, height: 24)
  /// What the terminal can do, as far as it is known.
  public private(set) var capabilities = TerminalCapabilities(colorDepth: .none)
  /// Bytes sent by frames so far, where the configuration counts them; else 0.
  public private(set) var bytesWritten = 0

  /// Opens the terminal, asks it what it can do and takes it over.
  public init(_ configuration: ScreenConfiguration) throws(TerminalError) {
    throw TerminalError.termNotSet
  }

  /// Colours the screen shows.
  public var colorDepth: ColorDepth { capabilities.colorDepth }
  /// Width of a cell divided by its height.
  public var cellAspect: Double { capabilities.cellAspect }

  /// Begins to deliver events, in batches, on the main actor; those typed since the opening first.
  public func start(onEvents: @escaping @MainActor ([InputEvent]) -> Void) {}

  /// Shows `canvas`, sending only what differs from the last frame; what is larger than the screen
  /// is cut.
  ///
  /// - Parameters:
  ///   - cursor: where the cursor stands, for screen readers; nil for the lower left corner.
  ///   - showsCursor: whether it is seen.
  public func present(_ canvas: Canvas, cursor: Point? = nil, showsCursor: Bool = false) {}

  /// Makes the next frame draw every cell again.
  public func invalidate() {}

  /// Gives the terminal back and stops the process as Ctrl-Z does; returns when it is continued.
  /// `.resumed` follows, after `.resize` where the size has changed.
  public func suspend() {}

  /// Gives the terminal back for good. Doing it again changes nothing.
  public func close() {}
}
