import Pixels

extension PixelSize {
  /// The longest side of a terminal's cell, in pixels. Each of 80 by 24 cells on a screen of 7,680
  /// by 4,320 has 96 by 180.
  static let maximumCellSide = 255

  /// The size of a cell as a terminal or its driver reports it; `nil` if no cell can have it.
  /// Pictures are rendered as large as the cells they cover, so a wrong size could cost any amount
  /// of memory.
  static func cell(width: Int, height: Int) -> PixelSize? {
    let sides = 1...maximumCellSide
    guard sides.contains(width), sides.contains(height) else { return nil }
    return PixelSize(width: width, height: height)
  }
}
