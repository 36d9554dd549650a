import Caches
import Pixels

/// What a loader remembers of pictures by their addresses: pixels, sizes, and what is missing of
/// them.
///
/// Addresses count as well, since one may be as long as its picture (`data:`).
struct ImageMemory {
  /// Bytes of the addresses of which sizes are kept, and of those of which something is missing, at
  /// most: 20,000 of 1,600 each.
  static let addressBytes = 32_000_000
  /// Those of pictures that are kept count where they are longer than this.
  static let usualAddress = 8_192

  private let keepsPixels: Bool
  private var images: LRUCache<String, LoadedImage>
  private var sizes: LRUCache<String, PixelSize>
  private var damages: LRUCache<String, ImageError>

  init(_ configuration: ImageLoaderConfiguration) {
    keepsPixels = configuration.usesCache
    images = LRUCache(
      maximumCost: configuration.memoryCacheBytes,
      maximumCount: configuration.memoryCacheCount ?? .max,
      evictionBatch: configuration.memoryCacheEvictionBatch)
    sizes = LRUCache(
      maximumCost: Self.addressBytes, maximumCount: configuration.maximumKnownSizes)
    damages = LRUCache(
      maximumCost: Self.addressBytes, maximumCount: configuration.retries.maximumFailures)
  }

  /// Bytes of pixels and of long addresses, and how many pictures they are of.
  var bytes: Int { images.totalCost }
  var count: Int { images.count }

  mutating func image(for url: String) -> LoadedImage? { images.value(for: url) }
  mutating func size(of url: String) -> PixelSize? { sizes.value(for: url) }
  func damage(of url: String) -> ImageError? { damages.peek(url) }

  mutating func note(_ size: PixelSize, of url: String) {
    sizes.insert(size, for: url, cost: url.utf8.count)
  }

  mutating func keep(_ image: LoadedImage, for url: String) {
    damages.remove(url)
    if let damage = image.damage { damages.insert(damage, for: url, cost: url.utf8.count) }
    guard keepsPixels else { return }
    let address = url.utf8.count > Self.usualAddress ? url.utf8.count : 0
    images.insert(image, for: url, cost: image.pixels.byteCount + address)
  }

  /// Pixels of which some are missing are to be fetched anew.
  mutating func forgetDamaged(_ url: String) {
    guard damages.peek(url) != nil else { return }
    damages.remove(url)
    images.remove(url)
  }

  mutating func removeImages() { images.removeAll() }
}
