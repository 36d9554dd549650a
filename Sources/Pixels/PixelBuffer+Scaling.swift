import CBoxFilter

extension PixelBuffer {
  /// The picture scaled to `target` by a box filter: each pixel is the mean of the area it covers,
  /// colours weighted by alpha. An empty target gives an empty buffer; an empty picture, a side
  /// above 2^30, or no memory for the sums of a row, gives a transparent one.
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
    let count = target.width * target.height * 4
    let scaled = [UInt8](unsafeUninitializedCapacity: count) { out, written in
      out.initialize(repeating: 0)
      bytes.withUnsafeBufferPointer { run(from: $0, to: target, into: out) }
      written = count
    }
    return PixelBuffer(size: target, bytes: scaled)
  }

  private func run(
    from source: UnsafeBufferPointer<UInt8>, to target: PixelSize,
    into out: UnsafeMutableBufferPointer<UInt8>
  ) {
    guard let source = source.baseAddress, let out = out.baseAddress,
      let filter = box_filter_start(
        UInt32(clamping: size.width), UInt32(clamping: size.height),
        UInt32(clamping: target.width), UInt32(clamping: target.height), 0, out)
    else { return }
    for y in 0..<size.height {
      box_filter_add_row(filter, UInt32(clamping: y), source + y * size.width * 4)
    }
    box_filter_end(filter)
  }
}
