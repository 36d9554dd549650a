extension PixelBuffer {
  /// The part of the picture that begins at (`x`, `y`), of size `part`; transparent outside the
  /// picture, and empty if `part` is.
  ///
  /// - Complexity: O(pixels of the part).
  package func cropped(x: Int, y: Int, to part: PixelSize) -> PixelBuffer {
    if x == 0, y == 0, part == size { return self }
    guard !part.isEmpty else {
      return PixelBuffer(size: PixelSize(width: 0, height: 0), bytes: [])
    }
    let (first, end) = (max(0, x), min(size.width, x + part.width))
    let count = part.width * part.height * 4
    let cropped = [UInt8](unsafeUninitializedCapacity: count) { out, written in
      out.update(repeating: 0)
      written = count
      guard first < end else { return }
      bytes.withUnsafeBufferPointer { bytes in
        for row in max(0, y)..<max(max(0, y), min(size.height, y + part.height)) {
          let source = UnsafeBufferPointer(
            rebasing: bytes[((row * size.width + first) * 4)..<((row * size.width + end) * 4)])
          let start = ((row - y) * part.width + first - x) * 4
          _ = UnsafeMutableBufferPointer(rebasing: out[start..<(start + source.count)])
            .update(fromContentsOf: source)
        }
      }
    }
    return PixelBuffer(size: part, bytes: cropped)
  }
}
