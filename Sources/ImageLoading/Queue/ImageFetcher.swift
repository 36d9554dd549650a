import HTTP
import HTTPCache

/// Creates the fetches of a loader, with its transport, decoder and disk cache.
struct ImageFetcher: Sendable {
  let transport: any HTTPTransport
  let decoder: any ImageDecoder
  let configuration: ImageLoaderConfiguration
  /// Where responses are kept; `nil` if the loader keeps none.
  let disk: HTTPCache?

  init(
    transport: any HTTPTransport, decoder: any ImageDecoder,
    configuration: ImageLoaderConfiguration, disk: HTTPCache?
  ) {
    (self.transport, self.decoder, self.configuration) = (transport, decoder, configuration)
    self.disk = configuration.usesCache ? disk : nil
  }

  /// Whether the picture may be on the disk, so that it is looked for there first.
  func mayBeOnDisk(_ link: HTTPLink) -> Bool { disk != nil && HTTPCache.canStore(link.url) }

  /// Removes the response for an address from the disk.
  func drop(_ url: String) { disk?.drop(url) }

  func fetch(of link: HTTPLink) -> ImageFetch {
    ImageFetch(
      link: link, transport: transport, decoder: decoder, configuration: configuration,
      cache: mayBeOnDisk(link) ? disk : nil)
  }
}
