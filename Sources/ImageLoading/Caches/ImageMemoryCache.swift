import Caches
import Pixels

/// A loader's memory of pictures by their addresses: pixels, sizes and damage.
///
/// Addresses count as well, since one may be as long as its picture (`data:`).
struct ImageMemoryCache {
  /// Maximum bytes of the addresses of known sizes, and of those of known damage: 20,000 of 1,600
  /// each.
  static let addressBytes = 32_000_000
  /// The address of a kept picture counts if it is longer than this.
  static let countedAddressLength = 8_192

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

  /// Bytes of pixels and of long addresses, and the number of pictures.
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
    let address = url.utf8.count > Self.countedAddressLength ? url.utf8.count : 0
    images.insert(image, for: url, cost: image.pixels.byteCount + address)
  }

  /// Removes a damaged picture, so that it is fetched again.
  mutating func removeDamaged(_ url: String) {
    guard damages.peek(url) != nil else { return }
    damages.remove(url)
    images.remove(url)
  }

  mutating func removeImages() { images.removeAll() }
}
