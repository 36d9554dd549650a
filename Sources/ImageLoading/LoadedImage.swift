import Pixels

/// A decoded picture. Equal only to itself, so that it is a cheap key for what is made of it.
public struct LoadedImage: Hashable, Identifiable, Sendable {
  /// Given once in the life of a loader.
  public let id: UInt64
  /// The picture's own size, as it is meant to be seen; `pixels` may be smaller.
  public let size: PixelSize
  /// Scaled down to what was asked for, or was when it was decoded, proportions kept.
  public let pixels: PixelBuffer

  /// Why there is not all of it; nil where there is.
  public let damage: ImageError?

  /// What it was decoded to fit; nil where nobody says.
  private let box: PixelSize?

  /// A picture, as a loader makes it.
  ///
  /// - Parameter box: what it was decoded to fit.
  public init(
    id: UInt64, size: PixelSize, pixels: PixelBuffer, damage: ImageError? = nil,
    box: PixelSize? = nil
  ) {
    self.damage = damage
    self.box = box
    self.id = id
    self.size = size
    self.pixels = pixels
  }

  /// Whether it has the pixels to be shown in `box` as sharp as it can be there.
  public func suffices(for box: PixelSize) -> Bool {
    // The decoder has given what it has.
    if let own = self.box, own.width >= box.width, own.height >= box.height { return true }
    let needed = size.fitted(in: box)
    return pixels.size.width >= needed.width && pixels.size.height >= needed.height
  }

  public static func == (a: LoadedImage, b: LoadedImage) -> Bool { a.id == b.id }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
