/// An extent in pixels.
public struct PixelSize: Hashable, Sendable {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A picture as rows of straight-alpha RGBA bytes, top row first.
public struct PixelBuffer: Sendable, Hashable {
  public let size: PixelSize
  /// `size.width * size.height * 4` bytes: red, green, blue, alpha, not premultiplied.
  public let bytes: [UInt8]

  /// - Precondition: `bytes.count == size.width * size.height * 4`.
  public init(size: PixelSize, bytes: [UInt8]) {
    precondition(bytes.count == size.width * size.height * 4, "byte count does not fit the size")
    self.size = size
    self.bytes = bytes
  }

  /// What the buffer costs a cache, in bytes.
  public var byteCount: Int { bytes.count }
}
