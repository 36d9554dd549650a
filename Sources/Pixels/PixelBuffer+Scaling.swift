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

  /// The part of the picture that lies in the given rectangle, which is cut to the picture.
  ///
  /// - Complexity: O(pixels of the part).
  public func cropped(x: Int, y: Int, width: Int, height: Int) -> PixelBuffer {
    let left = min(max(0, x), size.width)
    let top = min(max(0, y), size.height)
    let right = min(max(left, x + width), size.width)
    let bottom = min(max(top, y + height), size.height)
    let part = PixelSize(width: right - left, height: bottom - top)
    if part == size { return self }
    var cut: [UInt8] = []
    cut.reserveCapacity(part.width * part.height * 4)
    if part.width > 0 {
      for row in top..<bottom {
        let start = (row * size.width + left) * 4
        cut.append(contentsOf: bytes[start..<start + part.width * 4])
      }
    }
    return PixelBuffer(
      size: part.width > 0 ? part : PixelSize(width: 0, height: part.height), bytes: cut)
  }

  /// The picture scaled to cover `target` wholly, its middle kept and what hangs over cut off.
  ///
  /// - Complexity: O(pixels of both).
  public func filling(_ target: PixelSize) -> PixelBuffer {
    guard !target.isEmpty, !size.isEmpty else { return scaled(to: target) }
    var width = size.width
    var height = size.height
    if size.width * target.height > size.height * target.width {
      width = max(1, size.height * target.width / target.height)
    } else {
      height = max(1, size.width * target.height / target.width)
    }
    return cropped(
      x: (size.width - width) / 2, y: (size.height - height) / 2, width: width, height: height
    ).scaled(to: target)
  }
}
