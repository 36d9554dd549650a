/// An extent in pixels.
public struct PixelSize: Hashable, Sendable {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// An extent of `width` by `height` pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Whether it has no pixels.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The number of pixels; `nil` if it exceeds `Int` or a side is negative.
  public var area: Int? {
    guard width >= 0, height >= 0 else { return nil }
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? nil : product
  }

  /// Width and height exchanged.
  package var transposed: PixelSize { PixelSize(width: height, height: width) }

  /// The largest size of these proportions within `box`, never larger than `self`, each side at
  /// least 1 if `self` has pixels.
  public func fitted(in box: PixelSize) -> PixelSize {
    guard !isEmpty else { return PixelSize(width: 0, height: 0) }
    let scale = min(1, Double(box.width) / Double(width), Double(box.height) / Double(height))
    guard scale < 1 else { return self }
    return PixelSize(
      width: max(1, min(width, Int((Double(width) * scale).rounded()))),
      height: max(1, min(height, Int((Double(height) * scale).rounded()))))
  }
}
