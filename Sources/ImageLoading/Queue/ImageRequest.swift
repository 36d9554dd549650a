import HTTP
import Pixels

/// One caller's request for one picture. Releasing it does not cancel it.
@MainActor public final class ImageRequest {
  /// The picture's address.
  public let url: String
  /// How urgent the picture is; may be changed while it is under way.
  public var priority: ImagePriority {
    didSet { if priority != oldValue { loader?.setPriority(priority, of: id) } }
  }
  /// The box that the picture is decoded to fit, in pixels; the loader's own if `nil`. A change has
  /// no effect once decoding has begun.
  public var box: PixelSize?
  let id: UInt64
  let link: HTTPLink
  /// `nil` once the request has ended or was cancelled.
  private var handler: (@MainActor (ImageEvent) -> Void)?
  private weak var loader: ImageLoader?

  init(
    id: UInt64, link: HTTPLink, priority: ImagePriority, box: PixelSize?, loader: ImageLoader,
    handler: @escaping @MainActor (ImageEvent) -> Void
  ) {
    (self.id, self.link, self.priority, self.box) = (id, link, priority, box)
    (self.loader, self.handler) = (loader, handler)
    url = link.url
  }

  /// Ends the request: its handler is not called any more. Cancelling the last request of a URL
  /// ends the fetch.
  ///
  /// - Complexity: O(n) in the pictures under way and the picture's requests.
  public func cancel() {
    guard handler != nil else { return }
    handler = nil
    loader?.cancel(self)
  }

  /// Calls the handler, for the last time if the event ends the request.
  func report(_ event: ImageEvent) {
    let handler = handler
    switch event {
    case .size: break
    case .image, .failure: self.handler = nil
    }
    handler?(event)
  }
}
