import Pixels

extension PixelSize {
  /// Pixels that a side of a terminal's cell is taken to have at most: those of 80 by 24 cells on a
  /// screen of 7,680 by 4,320 have 96 by 180.
  static let longestCellSide = 255

  /// The size of a cell as a terminal or its driver tells it; nil where no cell can have it, as
  /// pictures are made as large as the cells they cover.
  static func cell(width: Int, height: Int) -> PixelSize? {
    let sides = 1...longestCellSide
    guard sides.contains(width), sides.contains(height) else { return nil }
    return PixelSize(width: width, height: height)
  }
}
