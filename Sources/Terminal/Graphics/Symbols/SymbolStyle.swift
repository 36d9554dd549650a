/// Which characters and colours stand for the pixels of a picture.
public struct SymbolStyle: Hashable, Sendable {
  /// Colours to draw in.
  public var depth: ColorDepth
  /// Whether blocks that stand on the lower edge of a cell are drawn as high as they are meant to
  /// be.
  ///
  /// Where a font's glyphs are lower than the cell, as xterm shows them, a line of the background
  /// runs below each block, and all along a row of them.
  public var drawsLowerBlocks: Bool

  /// Blocks of every kind where `drawsLowerBlocks`, which is right on terminals that draw blocks
  /// themselves or give a cell the height of its font.
  public init(depth: ColorDepth, drawsLowerBlocks: Bool = true) {
    self.depth = depth
    self.drawsLowerBlocks = drawsLowerBlocks
  }

  /// All blocks in 24-bit colours.
  public static let trueColor = SymbolStyle(depth: .trueColor)
  /// All blocks in the 256 colours.
  public static let indexed256 = SymbolStyle(depth: .indexed256)

  /// Whether blocks on the lower edge can be relied on: everywhere but on terminals that draw them
  /// with the glyphs of a font, in cells that are often higher. Those are xterm, st and PuTTY; of
  /// the others that draw with a font none is known to leave lines between.
  ///
  /// - Parameters:
  ///   - version: what the terminal calls itself (XTVERSION); empty where it does not. st and PuTTY
  ///     do not, nor do old xterms, which set `XTERM_VERSION` for programs on the same machine.
  ///   - environment: `TERM` and `XTERM_VERSION` are looked at.
  static func drawsLowerBlocks(version: String, environment: [String: String]) -> Bool {
    let isNamed = !version.isEmpty && CapabilityProbe.Multiplexer(version: version) == nil
    if isNamed { return !version.lowercased().hasPrefix("xterm") }
    guard environment["XTERM_VERSION"]?.isEmpty ?? true else { return false }
    let term = environment["TERM"] ?? ""
    return !["st", "putty"].contains { term == $0 || term.hasPrefix($0 + "-") }
  }
}
