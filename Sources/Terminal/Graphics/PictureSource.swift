import Geometry
import Pixels

/// A picture to be encoded for a number of cells.
struct PictureSource: Sendable {
  /// The most pixels of a picture that the terminal draws: enough for a screen of 7,680 by 4,320.
  /// Larger pictures are drawn as symbols.
  static let pixelLimit = 1 << 25
  /// The most pixels of such a picture on a side: the buffer in which sixels are encoded grows with
  /// the width alone.
  static let sideLimit = 1 << 14

  let pixels: PixelBuffer
  /// The columns and rows that it is stretched over.
  let size: Size
  /// The part that is shown.
  let mask: SymbolRasterizer.Mask
  let method: PictureMethod

  /// The size in pixels of its cells, if each has `cell`; `nil` if it is empty or more than the
  /// terminal may draw.
  func box(cell: PixelSize) -> PixelSize? {
    let (width, isTooWide) = size.width.multipliedReportingOverflow(by: cell.width)
    let (height, isTooHigh) = size.height.multipliedReportingOverflow(by: cell.height)
    let box = PixelSize(width: width, height: height)
    guard !isTooWide, !isTooHigh, !box.isEmpty, max(width, height) <= Self.sideLimit,
      let area = box.area, area <= Self.pixelLimit
    else { return nil }
    return box
  }

  /// The factor, at most 1, by which a box can be scaled without losing pixels of the picture: the
  /// terminal enlarges by itself.
  func sufficientScale(of box: PixelSize) -> Double {
    min(
      1,
      max(
        Double(pixels.size.width) / Double(box.width),
        Double(pixels.size.height) / Double(box.height)))
  }

  /// The pixels in another size, cut to the mask.
  ///
  /// - Complexity: O(pixels of the source and of the result).
  func pixels(scaledTo box: PixelSize) -> PixelBuffer {
    let scaled = pixels.scaled(to: box)
    return mask == .circle ? scaled.maskedToEllipse() : scaled
  }
}
