import Geometry

/// A picture rendered for a size in cells, ready to be copied onto a canvas.
///
/// If the terminal draws pictures itself, the cells only refer to parts of the picture, and the
/// data that the terminal needs lives as long as a copy of this value. Cells that outlive it are
/// blank.
public struct Picture: Sendable {
  /// The cells to copy onto a canvas.
  public let cells: Canvas
  /// The method that rendered it.
  public let method: PictureMethod
  /// Its memory cost in bytes.
  public let byteCount: Int
  private let lease: GraphicRegistration?

  /// Columns and rows.
  public var size: Size { cells.size }

  /// A picture that is drawn with characters.
  public init(cells: Canvas, method: PictureMethod) {
    self.cells = cells
    self.method = method
    byteCount = cells.cells.count * MemoryLayout<CanvasCell>.stride
    lease = nil
  }

  /// A picture that the terminal draws.
  init(size: Size, method: PictureMethod, lease: GraphicRegistration) {
    var cells = Canvas(size: size)
    for row in 0..<cells.size.height {
      for column in 0..<cells.size.width {
        cells[column, row] = CanvasCell(PictureCell(id: lease.id, row: row, column: column))
      }
    }
    self.cells = cells
    self.method = method
    self.lease = lease
    byteCount = cells.cells.count * MemoryLayout<CanvasCell>.stride + lease.byteCount
  }
}
