import HTTP
import HTTPCache

/// Creates the fetches of a loader, with its transport, decoder and disk cache.
struct ImageFetcher: Sendable {
  let transport: any HTTPTransport
  let decoder: any ImageDecoder
  let configuration: ImageLoaderConfiguration
  /// The disk cache of responses; `nil` if the loader uses none.
  let disk: HTTPCache?

  init(
    transport: any HTTPTransport, decoder: any ImageDecoder,
    configuration: ImageLoaderConfiguration, disk: HTTPCache?
  ) {
    (self.transport, self.decoder, self.configuration) = (transport, decoder, configuration)
    self.disk = configuration.usesCache ? disk : nil
  }

  /// Whether the picture may be in the disk cache, which is then searched first.
  func mayBeOnDisk(_ link: HTTPLink) -> Bool { disk != nil && HTTPCache.canStore(link.url) }

  /// Removes the response for an address from the disk cache.
  func drop(_ url: String) { disk?.drop(url) }

  func fetch(of link: HTTPLink) -> ImageFetch {
    ImageFetch(
      link: link, transport: transport, decoder: decoder, configuration: configuration,
      cache: mayBeOnDisk(link) ? disk : nil)
  }
}
