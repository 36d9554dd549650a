import Geometry
import Pixels

/// Draws pictures as sixels.
struct SixelPainter: BlockPainter {
  /// The largest side in pixels that xterm draws by default; it drops larger sixel images entirely.
  static let xtermMaximumSide = 1_000

  /// Whether the terminal reports that it draws sixels, and the size of its cells in pixels.
  static func isSupported(
    by terminal: TerminalCapabilities, environment: [String: String]
  ) -> Bool { terminal.drawsSixels && terminal.cellPixelSize != nil }

  /// xterm keeps only a few sixel images, and forgets the others.
  static var mayLosePictures: Bool { true }

  static func encode(_ source: PictureSource) -> EncodedPicture? {
    guard let cell = source.method.cell, let box = source.box(cell: cell) else { return nil }
    let picture = SixelPicture(
      source.pixels(scaledTo: box), cell: cell, background: source.method.background,
      symbols: source.method.symbols)
    return .graphic(.painted(picture))
  }

  var blocks = PaintedBlocks()
  /// The largest side of one sequence's image in pixels; `nil` for no limit.
  private let maximumSide: Int?

  init(version: String) {
    maximumSide = version.hasPrefix("XTerm") ? Self.xtermMaximumSide : nil
  }

  func largestPiece(columns: Int, samples: PixelSize) -> Size? {
    maximumSide.map {
      Size(width: max(1, $0 / samples.width), height: max(1, $0 / samples.height))
    }
  }
}
