import Pixels

/// How pictures come onto the screen; chosen once, when it is opened.
public enum PictureMethod: Hashable, Sendable {
  /// Not at all.
  case none
  /// As block characters.
  case symbols(SymbolStyle)
  /// By the terminal, as sixels: `cell` is the size of its cells in pixels, `background` what is
  /// translucent is laid over, nil where it is not known. Pictures that move, and those too large,
  /// are drawn as `symbols`.
  case sixel(cell: PixelSize, background: RGB?, symbols: SymbolStyle)
  /// By the terminal, in place of kitty's placeholder characters. Pictures larger than placeholders
  /// can tell are drawn as `symbols`.
  case kitty(cell: PixelSize, symbols: SymbolStyle)

  /// The size of a cell in pixels where the terminal does not tell it.
  static let usualCell = PixelSize(width: 8, height: 16)

  /// The method to use for what the user asks for on a terminal of these abilities.
  ///
  /// - `auto` takes kitty's placeholders where the terminal is one of those known to draw them, for
  ///   others that answer kitty's query show boxes instead; then sixels where the terminal says it
  ///   draws them and how large its cells are; neither inside a multiplexer; else symbols.
  /// - What is asked for by name is done as asked, but for terminals of 16 colours or fewer and
  ///   those that can only be `linux` or `dumb`: there are no pictures there.
  ///
  /// - Parameter environment: TERM, TMUX, STY and XTERM_VERSION are looked at.
  static func choose(
    _ mode: PictureMode, capabilities: TerminalCapabilities, environment: [String: String]
  ) -> PictureMethod {
    let depth = capabilities.colorDepth
    let term = environment["TERM"] ?? ""
    guard depth.allowsPictures, term != "linux", term != "dumb" else { return .none }
    let cell = capabilities.cellPixelSize ?? usualCell
    let symbols = SymbolStyle(
      depth: depth,
      drawsLowerBlocks: SymbolStyle.drawsLowerBlocks(
        version: capabilities.version, environment: environment))
    let kitty = PictureMethod.kitty(cell: cell, symbols: symbols)
    let sixel = PictureMethod.sixel(
      cell: cell, background: capabilities.colors.background, symbols: symbols)
    switch mode {
    case .off: return .none
    case .symbols: return .symbols(symbols)
    case .kitty: return kitty
    case .sixel: return sixel
    case .auto:
      let multiplexer =
        capabilities.multiplexer
        ?? CapabilityProbe.Multiplexer(term: term, environment: environment)
      if multiplexer != nil { return .symbols(symbols) }
      if drawsPlaceholders(version: capabilities.version) { return kitty }
      if capabilities.drawsSixels, capabilities.cellPixelSize != nil { return sixel }
      return .symbols(symbols)
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

  /// The pixels of a picture that a cell can show: what is decoded for so many cells need not have
  /// more.
  public var cellSamples: PixelSize {
    switch self {
    case .none: PixelSize(width: 1, height: 1)
    // As wide as its samples; pictures have square pixels and cells are twice as high as wide.
    case .symbols: PixelSize(width: CellSamples.side, height: 2 * CellSamples.side)
    case .sixel(let cell, _, _), .kitty(let cell, _): cell
    }
  }

  /// The same method for cells of another size.
  func withCell(_ cell: PixelSize) -> PictureMethod {
    switch self {
    case .none, .symbols: self
    case .sixel(_, let background, let symbols):
      .sixel(cell: cell, background: background, symbols: symbols)
    case .kitty(_, let symbols): .kitty(cell: cell, symbols: symbols)
    }
  }
}
