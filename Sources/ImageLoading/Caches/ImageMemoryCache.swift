import Caches
import Pixels

/// A loader's memory caches, by the pictures' addresses: pixels, sizes and damage.
///
/// Addresses count toward the limits, since one may be as long as its picture (`data:`).
struct ImageMemoryCache {
  /// Maximum bytes of the addresses in `sizes`, and of those in `knownDamage`: 20,000 addresses of
  /// 1,600 bytes.
  static let addressBytes = 32_000_000
  /// The length in bytes above which an address adds to the cost of its picture's pixels.
  static let countedAddressLength = 8_192

  private let keepsPixels: Bool
  private var images: LRUCache<String, LoadedImage>
  private var sizes: LRUCache<String, PixelSize>
  private var knownDamage: LRUCache<String, ImageError>

  init(_ configuration: ImageLoaderConfiguration) {
    keepsPixels = configuration.usesCache
    images = LRUCache(
      maximumCost: configuration.memoryCacheBytes,
      maximumCount: configuration.memoryCacheCount ?? .max,
      evictionBatch: configuration.memoryCacheEvictionBatch)
    sizes = LRUCache(
      maximumCost: Self.addressBytes, maximumCount: configuration.maximumKnownSizes)
    knownDamage = LRUCache(
      maximumCost: Self.addressBytes, maximumCount: configuration.retries.maximumFailures)
  }

  /// Bytes of pixels and of long addresses.
  var bytes: Int { images.totalCost }
  /// The number of pictures.
  var count: Int { images.count }

  mutating func image(for url: String) -> LoadedImage? { images.value(for: url) }
  mutating func size(of url: String) -> PixelSize? { sizes.value(for: url) }
  func damage(of url: String) -> ImageError? { knownDamage.peek(url) }

  mutating func note(_ size: PixelSize, of url: String) {
    sizes.insert(size, for: url, cost: url.utf8.count)
  }

  mutating func keep(_ image: LoadedImage, for url: String) {
    knownDamage.remove(url)
    if let damage = image.damage { knownDamage.insert(damage, for: url, cost: url.utf8.count) }
    guard keepsPixels else { return }
    let address = url.utf8.count > Self.countedAddressLength ? url.utf8.count : 0
    images.insert(image, for: url, cost: image.pixels.byteCount + address)
  }

  /// Removes a damaged picture, so that it is fetched again.
  mutating func removeDamaged(_ url: String) {
    guard knownDamage.peek(url) != nil else { return }
    knownDamage.remove(url)
    images.remove(url)
  }

  mutating func removeImages() { images.removeAll() }
}
