import Pixels

/// How a screen draws pictures. Chosen when the screen is opened; later only the cell size changes.
public enum PictureMethod: Hashable, Sendable {
  /// No pictures.
  case none
  /// As block characters.
  case symbols(SymbolStyle)
  /// By the terminal, as sixels. `cell` is the size of its cells in pixels; translucent pixels are
  /// blended with `background`, `nil` if it is unknown. Pictures that move or are too large are
  /// drawn as `symbols`.
  case sixel(cell: PixelSize, background: RGB?, symbols: SymbolStyle)
  /// By the terminal, in place of kitty's placeholder characters. Pictures with more cells than
  /// placeholders can number are drawn as `symbols`.
  case kitty(cell: PixelSize, symbols: SymbolStyle)

  /// The size of a cell in pixels if the terminal does not report it.
  static let defaultCellSize = PixelSize(width: 8, height: 16)

  /// Chooses the method for the user's wish and the terminal's capabilities.
  ///
  /// - `auto` selects kitty's placeholders on terminals that are known to draw them: others that
  ///   answer kitty's query show boxes instead. Next come sixels, if the terminal reports that it
  ///   draws them and how large its cells are. Otherwise, and inside a multiplexer, it selects
  ///   symbols.
  /// - A method that the user names is selected without these conditions.
  /// - Terminals with 16 colours or fewer, and those whose `TERM` is `linux` or `dumb`, get no
  ///   pictures.
  ///
  /// - Parameter environment: `TERM`, `TMUX`, `STY` and `XTERM_VERSION` are read.
  static func choose(
    _ mode: PictureMode, capabilities: TerminalCapabilities, environment: [String: String]
  ) -> PictureMethod {
    let depth = capabilities.colorDepth
    let term = environment["TERM"] ?? ""
    guard depth.allowsPictures, term != "linux", term != "dumb" else { return .none }
    let cell = capabilities.cellPixelSize ?? defaultCellSize
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

  /// Whether a terminal with this name and version (XTVERSION) is known to draw pictures in place
  /// of placeholders: kitty from 0.28 on, Ghostty, and st with kitty graphics.
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

  /// Whether pictures are drawn at all.
  public var showsPictures: Bool { self != .none }

  /// The pixels of a picture that one cell can show: decoding more of them gains nothing.
  public var cellSamples: PixelSize {
    switch self {
    case .none: PixelSize(width: 1, height: 1)
    // As wide as its samples; twice as high as wide, like the cell, because pictures have square
    // pixels.
    case .symbols: PixelSize(width: CellSamples.side, height: 2 * CellSamples.side)
    case .sixel(let cell, _, _), .kitty(let cell, _): cell
    }
  }

  /// The same method with another cell size.
  func withCell(_ cell: PixelSize) -> PictureMethod {
    switch self {
    case .none, .symbols: self
    case .sixel(_, let background, let symbols):
      .sixel(cell: cell, background: background, symbols: symbols)
    case .kitty(_, let symbols): .kitty(cell: cell, symbols: symbols)
    }
  }
}
