import Pixels

/// The terminal's capabilities, according to its environment, its terminfo entry and its own
/// replies.
public struct TerminalCapabilities: Hashable, Sendable {
  /// The colours to use.
  public var colorDepth = ColorDepth.none
  /// The size of a cell in pixels; `nil` if it is unknown.
  public var cellPixelSize: PixelSize?
  /// Whether the terminal reports the size of a cell when it is queried.
  var reportsCellSize = false
  /// Whether it draws skin tones and families as one character of two columns.
  package var drawsWholeClusters = false
  /// Whether it shows the output between two marks at once (mode 2026).
  package var synchronizesOutput = false
  /// The multiplexer between the terminal and this program; `nil` if none is known.
  var multiplexer: CapabilityProbe.Multiplexer?
  /// Whether it reports that it draws sixels.
  var drawsSixels = false
  /// The name and version that it reports (XTVERSION); empty if it reports none.
  public var version = ""
  /// Whether it is known to support links (OSC 8).
  package var supportsLinks: Bool { LinkSequences.areTaken(version: version) }
  /// The terminal's own colours.
  public var colors = TerminalColors()

  /// The width of a cell divided by its height, 0.25 to 1; 0.5 if it is unknown.
  public var cellAspect: Double {
    guard let size = cellPixelSize, size.width > 0, size.height > 0 else { return 0.5 }
    return min(max(Double(size.width) / Double(size.height), 0.25), 1)
  }

  /// Whether the number in a terminal's name and version, such as `tmux 3.4`, `tmux 3.5a` or
  /// `tmux next-3.6`, is not below `least`.
  static func isVersion(_ version: String, atLeast least: [Int]) -> Bool {
    let numbers = version.drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "." }
      .split(separator: ".").compactMap { Int($0) }
    return !numbers.lexicographicallyPrecedes(least)
  }
}
