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
  /// themselves.
  public init(depth: ColorDepth, drawsLowerBlocks: Bool = true) {
    self.depth = depth
    self.drawsLowerBlocks = drawsLowerBlocks
  }

  /// All blocks in 24-bit colours.
  public static let trueColor = SymbolStyle(depth: .trueColor)
  /// All blocks in the 256 colours.
  public static let indexed256 = SymbolStyle(depth: .indexed256)

  /// Names by which terminals report themselves that are known to draw blocks themselves, without a
  /// font.
  private static let drawing = [
    "foot", "kitty", "ghostty", "wezterm", "alacritty", "vte", "konsole", "contour", "iterm2",
  ]

  /// Whether a terminal that calls itself this (XTVERSION) is known to draw blocks without a font.
  static func drawsBlocks(version: String) -> Bool {
    let version = version.lowercased()
    return drawing.contains { version.hasPrefix($0) }
  }
}
