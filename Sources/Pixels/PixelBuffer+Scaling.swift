extension PixelBuffer {
  /// The picture drawn at `target` by a box filter: each pixel is the mean of the area it covers,
  /// colours weighted by alpha. An empty target gives an empty buffer; of an empty picture a
  /// transparent one.
  ///
  /// - Complexity: O(pixels of both).
  public func scaled(to target: PixelSize) -> PixelBuffer {
    if target == size { return self }
    guard !target.isEmpty else {
      return PixelBuffer(size: PixelSize(width: 0, height: 0), bytes: [])
    }
    guard !size.isEmpty else {
      return PixelBuffer(size: target, red: 0, green: 0, blue: 0, alpha: 0)
    }
    let filter = BoxFilter(from: size, to: target)
    let count = target.width * target.height * 4
    let scaled = [UInt8](unsafeUninitializedCapacity: count) { out, written in
      bytes.withUnsafeBytes { filter.run($0, into: out) }
      written = count
    }
    return PixelBuffer(size: target, bytes: scaled)
  }
}
