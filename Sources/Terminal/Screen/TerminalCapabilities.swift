import Pixels

/// What the terminal can do, as told by its environment, its terminfo entry and its own replies.
public struct TerminalCapabilities: Hashable, Sendable {
  /// The colours to be used.
  public var colorDepth = ColorDepth.none
  /// The size of a cell in pixels; nil where the terminal does not tell.
  public var cellPixelSize: PixelSize?
  /// Tells the size of a cell when asked for it.
  var reportsCellSize = false
  /// Draws skin tones and families as one character of two columns.
  package var drawsWholeClusters = false
  /// Shows what comes between two marks at once (mode 2026).
  package var synchronizesOutput = false
  /// A program between the terminal and this one; nil where none is known of.
  var multiplexer: CapabilityProbe.Multiplexer?
  /// Says it draws sixels.
  var drawsSixels = false
  /// Name and version as the terminal reports them (XTVERSION); empty where it does not.
  public var version = ""
  /// Takes links (OSC 8), and is known to.
  package var takesLinks: Bool { LinkSequences.areTaken(version: version) }
  /// The terminal's own colours.
  public var colors = TerminalColors()

  /// Width of a cell divided by its height: 0.5 where it is not known.
  public var cellAspect: Double {
    guard let size = cellPixelSize, size.width > 0, size.height > 0 else { return 0.5 }
    return min(max(Double(size.width) / Double(size.height), 0.25), 1)
  }
}
