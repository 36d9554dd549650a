import Pixels

/// How a screen draws pictures. Chosen when the screen is opened; it changes if the cells get
/// another size, or if answers of the terminal come later.
public struct PictureMethod: Hashable, Sendable {
  /// The way of drawing; `off` for no pictures, never `auto`.
  public let mode: PictureMode
  /// The size of the terminal's cells in pixels; `nil` if pictures are not drawn in pixels.
  public internal(set) var cell: PixelSize?
  /// Blended with translucent pixels if the terminal does not do so; `nil` if it is unknown.
  public let background: RGB?
  /// The style of symbols, as which pictures are also drawn that are too large for the terminal or,
  /// if it paints them over their cells, that move.
  public let symbols: SymbolStyle

  /// A method with these settings.
  ///
  /// - Parameter mode: `auto` draws no pictures, as `off` does.
  public init(
    _ mode: PictureMode, cell: PixelSize?, background: RGB? = nil, symbols: SymbolStyle
  ) {
    self.mode = mode == .auto ? .off : mode
    self.cell = cell
    self.background = background
    self.symbols = symbols
  }

  /// No pictures.
  public static var none: PictureMethod {
    PictureMethod(.off, cell: nil, symbols: SymbolStyle(depth: .none))
  }

  /// As block characters.
  public static func symbols(_ style: SymbolStyle) -> PictureMethod {
    PictureMethod(.symbols, cell: nil, symbols: style)
  }

  /// The size of a cell in pixels if the terminal does not report it.
  static let defaultCellSize = PixelSize(width: 8, height: 16)

  /// Chooses the method for the user's wish and the terminal's capabilities.
  ///
  /// - `auto` selects the first method that the terminal is known to draw correctly, and symbols
  ///   inside a multiplexer.
  /// - A method that the user names is selected without these conditions.
  /// - Terminals with 16 colours or fewer, and those whose `TERM` is `linux` or `dumb`, get no
  ///   pictures.
  ///
  /// - Parameter environment: `TERM`, `TMUX`, `STY`, `XTERM_VERSION` and what painters ask for are
  ///   read.
  static func choose(
    _ mode: PictureMode, capabilities: TerminalCapabilities, environment: [String: String]
  ) -> PictureMethod {
    let term = environment["TERM"] ?? ""
    guard capabilities.colorDepth.allowsPictures, term != "linux", term != "dumb" else {
      return .none
    }
    let chosen =
      mode == .auto ? bestMode(capabilities: capabilities, environment: environment) : mode
    guard let painter = chosen.painter else { return .none }
    let symbols = SymbolStyle(
      depth: capabilities.colorDepth,
      drawsLowerBlocks: SymbolStyle.drawsLowerBlocks(
        version: capabilities.version, environment: environment))
    return PictureMethod(
      chosen, cell: painter.cellSize(on: capabilities),
      background: capabilities.colors.background, symbols: symbols)
  }

  private static func bestMode(
    capabilities: TerminalCapabilities, environment: [String: String]
  ) -> PictureMode {
    let multiplexer =
      capabilities.multiplexer
      ?? CapabilityProbe.Multiplexer(term: environment["TERM"] ?? "", environment: environment)
    guard multiplexer == nil else { return .symbols }
    return PictureMode.allCases.first {
      $0.painter?.isSupported(by: capabilities, environment: environment) ?? false
    } ?? .symbols
  }

  /// The painter of this method; `nil` for no pictures.
  var painter: (any PicturePainter.Type)? { mode.painter }

  /// Whether the terminal paints pictures over their cells.
  var paintsOverCells: Bool { painter?.paintsOverCells ?? false }

  /// Whether pictures are drawn at all.
  public var showsPictures: Bool { mode != .off }

  /// The pixels of a picture that one cell can show: decoding more of them gains nothing.
  public var cellSamples: PixelSize {
    guard showsPictures else { return PixelSize(width: 1, height: 1) }
    // As wide as its samples; twice as high as wide, like the cell, because pictures have square
    // pixels.
    return cell ?? PixelSize(width: CellSamples.side, height: 2 * CellSamples.side)
  }

  /// The same method with another cell size, if it has one.
  func withCell(_ cell: PixelSize) -> PictureMethod {
    var method = self
    if method.cell != nil { method.cell = cell }
    return method
  }
}
