import Pixels

/// How pictures come onto the screen; chosen once, when it is opened.
public enum PictureMethod: Hashable, Sendable {
  /// Not at all.
  case none
  /// As half blocks and quadrants, in so many colours.
  case symbols(ColorDepth)
  /// By the terminal, as sixels: `cell` is the size of its cells in pixels, `background` what is
  /// translucent is laid over, nil where it is not known.
  case sixel(cell: PixelSize, background: RGB?)
  /// By the terminal, in place of kitty's placeholder characters. Pictures larger than placeholders
  /// can tell are drawn as symbols in `depth` colours.
  case kitty(cell: PixelSize, depth: ColorDepth)

  /// The size of a cell in pixels where the terminal does not tell it.
  static let usualCell = PixelSize(width: 8, height: 16)

  /// The method to use for what the user asks for on a terminal of these abilities.
  ///
  /// - `auto` takes kitty's placeholders where the terminal is one of those known to draw them, for
  ///   others that answer kitty's query show boxes instead; then sixels where the terminal says it
  ///   draws them and how large its cells are; neither inside a multiplexer; else symbols.
  /// - What is asked for by name is done as asked, but for terminals of 16 colours or fewer and those
  ///   that can only be `linux` or `dumb`: there are no pictures there.
  ///
  /// - Parameter environment: TERM, TMUX and STY are looked at.
  static func choose(
    _ mode: PictureMode, capabilities: TerminalCapabilities, environment: [String: String]
  ) -> PictureMethod {
    let depth = capabilities.colorDepth
    let term = environment["TERM"] ?? ""
    guard depth.allowsPictures, term != "linux", term != "dumb" else { return .none }
    let cell = capabilities.cellPixelSize ?? usualCell
    let kitty = PictureMethod.kitty(cell: cell, depth: depth)
    let sixel = PictureMethod.sixel(cell: cell, background: capabilities.background)
    switch mode {
    case .off: return .none
    case .symbols: return .symbols(depth)
    case .kitty: return kitty
    case .sixel: return sixel
    case .auto:
      let isInside =
        environment["TMUX"] != nil || environment["STY"] != nil || term.hasPrefix("tmux")
        || term.hasPrefix("screen")
      if isInside { return .symbols(depth) }
      if drawsPlaceholders(version: capabilities.version) { return kitty }
      if capabilities.drawsSixels, capabilities.cellPixelSize != nil { return sixel }
      return .symbols(depth)
    }
  }

  /// Whether a terminal that calls itself this is known to draw pictures in place of placeholders:
  /// kitty from 0.28 on, Ghostty, and st with kitty graphics.
  static func drawsPlaceholders(version: String) -> Bool {
    let version = version.lowercased()
    if version.hasPrefix("ghostty") || version.hasPrefix("st-graphics") { return true }
    guard version.hasPrefix("kitty") else { return false }
    let numbers = version.dropFirst("kitty".count).drop { !$0.isNumber }
      .prefix { $0.isNumber || $0 == "." }
      .split(separator: ".").compactMap { Int($0) }
    guard let major = numbers.first else { return false }
    return major > 0 || (numbers.count > 1 && numbers[1] >= 28)
  }

  /// Whether there are pictures at all.
  public var showsPictures: Bool { self != .none }

  /// The same method for cells of another size.
  func withCell(_ cell: PixelSize) -> PictureMethod {
    switch self {
    case .none, .symbols: self
    case .sixel(_, let background): .sixel(cell: cell, background: background)
    case .kitty(_, let depth): .kitty(cell: cell, depth: depth)
    }
  }
}
