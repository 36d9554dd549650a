/// A picture as rows of straight-alpha RGBA bytes, top row first.
public struct PixelBuffer: Sendable, Hashable {
  /// The width and height in pixels.
  public let size: PixelSize
  /// `size.width * size.height * 4` bytes: red, green, blue, alpha, not premultiplied.
  public let bytes: [UInt8]

  /// - Precondition: `bytes.count == size.width * size.height * 4`.
  public init(size: PixelSize, bytes: [UInt8]) {
    precondition(bytes.count == size.width * size.height * 4, "byte count does not fit the size")
    self.size = size
    self.bytes = bytes
  }

  /// A buffer of one colour; straight alpha.
  ///
  /// - Complexity: O(pixels).
  public init(
    size: PixelSize, red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255
  ) {
    let size = PixelSize(width: max(0, size.width), height: max(0, size.height))
    let count = size.width * size.height
    self.size = size
    self.bytes = [UInt8](unsafeUninitializedCapacity: count * 4) { out, written in
      for pixel in 0..<count {
        out[pixel * 4] = red
        out[pixel * 4 + 1] = green
        out[pixel * 4 + 2] = blue
        out[pixel * 4 + 3] = alpha
      }
      written = count * 4
    }
  }

  /// The buffer's cost in a cache, in bytes.
  public var byteCount: Int { bytes.count }

  /// The pixel at (x, y) as red, green, blue, alpha.
  ///
  /// - Precondition: `x` and `y` lie within `size`.
  public subscript(x: Int, y: Int) -> SIMD4<UInt8> {
    precondition(x >= 0 && x < size.width && y >= 0 && y < size.height, "pixel out of range")
    let index = (y * size.width + x) * 4
    return SIMD4(bytes[index], bytes[index + 1], bytes[index + 2], bytes[index + 3])
  }

  /// Whether every pixel is fully opaque.
  ///
  /// - Complexity: O(pixels), ending at the first that is not.
  public var isOpaque: Bool {
    bytes.withUnsafeBufferPointer { source in
      var index = 3
      while index < source.count {
        if source[index] != 255 { return false }
        index += 4
      }
      return true
    }
  }
}
