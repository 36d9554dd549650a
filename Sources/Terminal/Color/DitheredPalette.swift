/// The 256 colours for pictures: the nearest entry after a light ordered dither, which breaks up
/// the bands of slow gradients and leaves edges alone.
struct DitheredPalette {
  /// The ordered pattern of Bayer (1973), four by four, as offsets of ±10 levels. Half the distance
  /// between two levels of the cube would be ±20, which is visible as noise.
  private static let offsets: [Int32] = [
    0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5,
  ].map { ($0 * 2 - 15) * 10 / 15 }

  private let offsets = Self.offsets

  /// The entry for `color` (red, green, blue, each 0 to 255) at a cell.
  ///
  /// - Complexity: O(1).
  func color(_ color: SIMD4<Int32>, x: Int, y: Int) -> Color {
    let offset = offsets[(y & 3) * 4 + (x & 3)]
    let moved = (color &+ offset).clamped(
      lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 255))
    return .nearestIndexed(to: RGB(UInt8(moved.x), UInt8(moved.y), UInt8(moved.z)))
  }
}
