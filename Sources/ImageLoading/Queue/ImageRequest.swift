import Pixels

/// One caller's wish for one picture. Dropping it does not cancel it.
@MainActor public final class ImageRequest {
  /// What was asked for.
  public let url: String
  /// May be changed while it waits.
  public var priority: ImagePriority {
    didSet { if priority != oldValue { loader?.setPriority(priority, of: id) } }
  }
  /// The box that the picture is decoded for, in pixels: what is known of it when decoding begins.
  /// Nil: the loader's own.
  public var box: PixelSize? {
    didSet { if box != oldValue { loader?.setBox(box, of: id) } }
  }
  let id: UInt64
  private weak var loader: ImageLoader?

  init(id: UInt64, url: String, priority: ImagePriority, box: PixelSize?, loader: ImageLoader) {
    self.box = box
    self.id = id
    self.url = url
    self.priority = priority
    self.loader = loader
  }

  /// From now on its handler is not called. The last request of a URL to go ends the fetch.
  public func cancel() {
    loader?.cancel(id)
    loader = nil
  }
}
