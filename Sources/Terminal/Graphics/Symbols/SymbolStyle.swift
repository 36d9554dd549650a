/// The block characters and colours that symbols may use.
public struct SymbolStyle: Hashable, Sendable {
  /// The colours to draw in.
  public var depth: ColorDepth
  /// Whether blocks on the lower edge of a cell are drawn at their full height.
  ///
  /// If a font's glyphs are lower than the cell, as in xterm, a line of the background shows below
  /// each block, and along a whole row of them.
  public var drawsLowerBlocks: Bool

  /// A style with blocks of every kind if `drawsLowerBlocks`, which is right for terminals that
  /// draw blocks themselves or give a cell the height of its font.
  public init(depth: ColorDepth, drawsLowerBlocks: Bool = true) {
    self.depth = depth
    self.drawsLowerBlocks = drawsLowerBlocks
  }

  /// All blocks in 24-bit colours.
  public static let trueColor = SymbolStyle(depth: .trueColor)
  /// All blocks in the 256 colours.
  public static let indexed256 = SymbolStyle(depth: .indexed256)

  /// Whether blocks on the lower edge can be relied on. They cannot on terminals that draw them
  /// with the glyphs of a font, in cells that are often higher: xterm, st and PuTTY. No other
  /// terminal that draws them with a font is known to leave lines between them.
  ///
  /// - Parameters:
  ///   - version: the name that the terminal reports (XTVERSION); empty if it reports none. st and
  ///     PuTTY do not, nor do old xterms, which set `XTERM_VERSION` for programs on the same
  ///     machine.
  ///   - environment: `TERM` and `XTERM_VERSION` are read.
  static func drawsLowerBlocks(version: String, environment: [String: String]) -> Bool {
    let isNamed = !version.isEmpty && CapabilityProbe.Multiplexer(version: version) == nil
    if isNamed { return !version.lowercased().hasPrefix("xterm") }
    guard environment["XTERM_VERSION"]?.isEmpty ?? true else { return false }
    let term = environment["TERM"] ?? ""
    return !["st", "putty"].contains { term == $0 || term.hasPrefix($0 + "-") }
  }
}
