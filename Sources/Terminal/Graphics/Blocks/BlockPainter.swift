import Geometry
import Pixels

/// A painter whose terminal draws pictures at the cursor, over the cells of the screen, in blocks
/// (``PaintedBlocks``). It encodes pictures as ``PaintedPicture``.
protocol BlockPainter: PicturePainter {
  var blocks: PaintedBlocks { get set }
  /// The most columns and rows that one sequence draws of a block with `columns` columns; `nil` for
  /// no limit.
  ///
  /// - Parameter samples: the pixels sent per cell.
  func largestPiece(columns: Int, samples: PixelSize) -> Size?
}

/// A picture that the terminal paints over its cells, block by block.
protocol PaintedPicture: Sendable {
  /// The cell size, in pixels, that it was rendered for.
  var cell: PixelSize { get }
  /// The pixels sent per cell: fewer than the cell has if the terminal enlarges the picture.
  var samples: PixelSize { get }
  /// The picture in block characters, drawn in its place while it moves.
  var symbols: Canvas { get }
  /// Its memory cost in bytes.
  var byteCount: Int { get }
  /// The bytes that draw these rows and columns at the cursor; empty outside the picture.
  func block(rows: Range<Int>, columns: Range<Int>) -> [UInt8]
}

extension PaintedPicture {
  var samples: PixelSize { cell }
}

extension BlockPainter {
  static var paintsOverCells: Bool { true }

  var showsPaintedPictures: Bool { blocks.areShown }

  /// Pictures that the frame no longer shows are hidden by the cells that replace them. Pictures
  /// rendered for another cell size are left out: their replacements are being rendered.
  mutating func show(
    _ frame: Canvas, since old: Canvas?, cursor: Point, renderer: PictureRenderer
  ) -> PictureBytes {
    let shelf = renderer.shelf
    var bytes = PictureBytes()
    _ = shelf.takeReleasedIDs()
    guard blocks.areShown || !shelf.isEmpty else { return bytes }
    let cell = renderer.method.cell
    for block in blocks.show(frame, since: old) {
      guard case .painted(let picture) = shelf.graphic(block.id), picture.cell == cell else {
        continue
      }
      let largest = largestPiece(columns: block.columns.count, samples: picture.samples)
      for piece in block.pieces(atMost: largest) {
        let drawn = picture.block(rows: piece.rows, columns: piece.columns)
        guard !drawn.isEmpty else { continue }
        bytes.after += Point(x: piece.x, y: piece.y).sequence.utf8
        bytes.after += drawn
      }
    }
    if !bytes.after.isEmpty { bytes.after += cursor.sequence.utf8 }
    return bytes
  }
}
