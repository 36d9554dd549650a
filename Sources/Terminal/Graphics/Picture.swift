import Geometry

/// A picture made for a size in cells, ready to be copied onto a canvas.
///
/// Where the terminal draws pictures itself, the cells only name the parts of one; what the
/// terminal needs for it lives as long as a copy of this value does. Cells that outlive it are
/// blank.
public struct Picture: Sendable {
  /// What is copied onto a canvas.
  public let cells: Canvas
  /// How it was made.
  public let method: PictureMethod
  /// What keeping it costs, in bytes.
  public let byteCount: Int
  private let lease: PictureLease?

  /// Columns and rows.
  public var size: Size { cells.size }

  /// A picture that is its cells.
  public init(cells: Canvas, method: PictureMethod) {
    self.cells = cells
    self.method = method
    byteCount = cells.cells.count * MemoryLayout<CanvasCell>.stride
    lease = nil
  }

  /// A picture that the terminal draws.
  init(size: Size, method: PictureMethod, lease: PictureLease) {
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
