/// Pictures for the tests: PNG files with uncompressed pixels.
public enum TestPicture {
  /// 320 x 240 pixels, blue above, orange below.
  public static let png = PNGFile.stored(width: 320, height: 240) { y in
    row(320, y < 120 ? [30, 90, 200] : [230, 120, 20])
  }

  /// A picture of a single colour.
  public static func flat(width: Int, height: Int, _ color: [UInt8]) -> [UInt8] {
    let row = row(width, color)
    return PNGFile.stored(width: width, height: height) { _ in row }
  }

  /// Blocks of 8 x 16 pixels, each of a colour that encodes its column and row, counted from 1 as
  /// the darkest colours cannot be distinguished.
  public static func numbered(columns: Int, rows: Int) -> [UInt8] {
    let lines = (0..<rows).map { number -> [UInt8] in
      (0..<columns).flatMap { column -> [UInt8] in
        row(8, [UInt8(column + 1), UInt8(number + 1), 128])
      }
    }
    return PNGFile.stored(width: columns * 8, height: rows * 16) { lines[$0 / 16] }
  }

  private static func row(_ width: Int, _ color: [UInt8]) -> [UInt8] {
    Array(repeatElement(color, count: width).joined())
  }
}
