import Pixels

/// A decoded picture. Equal only to itself, so that it is a cheap key for what is made of it.
public struct LoadedImage: Hashable, Identifiable, Sendable {
  /// Given once in the life of a loader.
  public let id: UInt64
  /// The picture's own size, as it is meant to be seen; `pixels` may be smaller.
  public let size: PixelSize
  /// Scaled down to the loader's `decodeTarget`, proportions kept.
  public let pixels: PixelBuffer

  /// Why there is not all of it; nil where there is.
  public let damage: ImageError?

  /// A picture, as a loader makes it.
  public init(id: UInt64, size: PixelSize, pixels: PixelBuffer, damage: ImageError? = nil) {
    self.damage = damage
    self.id = id
    self.size = size
    self.pixels = pixels
  }

  public static func == (a: LoadedImage, b: LoadedImage) -> Bool { a.id == b.id }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
