import Geometry
import Pixels

/// Draws pictures as sixels.
struct SixelPainter: BlockPainter {
  /// The most pixels on a side that xterm draws by default: it drops larger sixels whole.
  static let xtermMaximumSide = 1_000

  /// Whether the terminal reports that it draws sixels, and how large its cells are.
  static func isSupported(
    by terminal: TerminalCapabilities, environment: [String: String]
  ) -> Bool { terminal.drawsSixels && terminal.cellPixelSize != nil }

  /// xterm keeps few sixels.
  static var mayLosePictures: Bool { true }

  static func encode(_ source: PictureSource) -> EncodedPicture? {
    guard let cell = source.method.cell, let box = source.box(cell: cell) else { return nil }
    let picture = SixelPicture(
      source.pixels(scaledTo: box), cell: cell, background: source.method.background,
      symbols: source.method.symbols)
    return .graphic(.painted(picture))
  }

  var blocks = PaintedBlocks()
  /// The most pixels of one sequence on a side; `nil` for no limit.
  private let side: Int?

  init(version: String) { side = version.hasPrefix("XTerm") ? Self.xtermMaximumSide : nil }

  func largestPiece(columns: Int, samples: PixelSize) -> Size? {
    side.map { Size(width: max(1, $0 / samples.width), height: max(1, $0 / samples.height)) }
  }
}
