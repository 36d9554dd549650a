import Pixels

/// Draws pictures as block characters, which every terminal shows.
struct SymbolPainter: PicturePainter {
  static func isSupported(
    by terminal: TerminalCapabilities, environment: [String: String]
  ) -> Bool { true }

  static func cellSize(on terminal: TerminalCapabilities) -> PixelSize? { nil }

  static func encode(_ source: PictureSource) -> EncodedPicture? { .cells(cells(of: source)) }

  /// The picture in the style of its method.
  ///
  /// - Complexity: O(pixels + cells).
  static func cells(of source: PictureSource) -> Canvas {
    SymbolRasterizer.canvas(
      for: source.pixels, size: source.size, style: source.method.symbols, mask: source.mask)
  }

  init(version: String) {}
}
