import Pixels

/// A decoded picture. Equal only to itself, so that it is a cheap key for derived data.
public struct LoadedImage: Hashable, Identifiable, Sendable {
  /// Unique in the life of a loader.
  public let id: UInt64
  /// The picture's own size, as displayed; `pixels` may be smaller.
  public let size: PixelSize
  /// The decoded pixels, scaled down to fit the box that was requested, proportions kept.
  public let pixels: PixelBuffer

  /// Why the picture is incomplete; `nil` if it is complete.
  public let damage: ImageError?

  /// The box that it was decoded to fit; `nil` if unknown.
  private let box: PixelSize?

  /// Creates a picture, for loaders.
  ///
  /// - Parameter box: the box that it was decoded to fit.
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

  /// Whether it has enough pixels to be shown in `box` as sharply as it can be.
  public func suffices(for box: PixelSize) -> Bool {
    // The decoder has returned all pixels that the picture has for such a box.
    if let own = self.box, own.width >= box.width, own.height >= box.height { return true }
    let needed = size.fitted(in: box)
    return pixels.size.width >= needed.width && pixels.size.height >= needed.height
  }

  public static func == (a: LoadedImage, b: LoadedImage) -> Bool { a.id == b.id }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
