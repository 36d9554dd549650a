import Caches
import Pixels

/// What a loader remembers of pictures by their addresses: pixels, sizes, and what is missing of them.
struct ImageMemory {
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
    sizes = LRUCache(maximumCount: configuration.maximumKnownSizes)
    damages = LRUCache(maximumCount: configuration.retries.maximumFailures)
  }

  /// Bytes of pixels, and how many pictures they are of.
  var bytes: Int { images.totalCost }
  var count: Int { images.count }

  mutating func image(for url: String) -> LoadedImage? { images.value(for: url) }
  mutating func size(of url: String) -> PixelSize? { sizes.value(for: url) }
  func damage(of url: String) -> ImageError? { damages.peek(url) }

  mutating func note(_ size: PixelSize, of url: String) { sizes.insert(size, for: url) }

  mutating func keep(_ image: LoadedImage, for url: String) {
    damages.remove(url)
    if let damage = image.damage { damages.insert(damage, for: url) }
    if keepsPixels { images.insert(image, for: url, cost: image.pixels.byteCount) }
  }

  /// Pixels of which some are missing are to be fetched anew.
  mutating func forgetDamaged(_ url: String) {
    guard damages.peek(url) != nil else { return }
    damages.remove(url)
    images.remove(url)
  }

  mutating func removeImages() { images.removeAll() }
}
