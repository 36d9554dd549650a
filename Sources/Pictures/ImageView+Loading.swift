import HTTPTransport
import ImageDecoding
import ImageLoading
import Pixels
import Terminal
import TerminalApp
import TerminalViews

extension ImageView {
  /// Loads and shows the picture at `url`, an `http`, `https` or `data:` URL; shows none if `url`
  /// is `nil` or loading fails. An earlier load is cancelled, so that cells can be reused.
  ///
  /// The view takes the picture's proportions as soon as its first bytes reveal them.
  ///
  /// - Parameters:
  ///   - store: fetches and caches it; the application's store by default. The view keeps the store
  ///     of the first call.
  ///   - size: its size in pixels, if known beforehand.
  public func load(
    _ url: String?, from store: PictureStore? = nil, size: PixelSize? = nil
  ) {
    let presenter = loader as? ImagePresenter ?? makePresenter(in: store ?? .standard)
    guard let url else { return presenter.clear() }
    presenter.show(url, reach: .publicAddresses, declaredSize: size, priority: .visible)
    presenter.frameDidChange()
  }

  private func makePresenter(in store: PictureStore) -> ImagePresenter {
    let presenter = ImagePresenter(view: self, store: store)
    loader = presenter
    onResize = { [weak presenter] in presenter?.frameDidChange() }
    return presenter
  }
}

extension ImageLoader {
  /// A loader over libcurl and the system's codecs, for programs that use this library: pictures
  /// are decoded by a `DecoderProgram` if one is installed beside the program, else in the program
  /// itself.
  ///
  /// - Parameter userAgent: the `User-Agent` sent to servers.
  public static func standard(userAgent: String = "TerminalApp") -> ImageLoader {
    ImageLoader(
      transport: CurlTransport(userAgent: userAgent),
      decoder: SystemImageDecoder(program: .installed()))
  }
}

extension PictureStore {
  private static weak var shared: PictureStore?

  /// The store of the running application, created on first use.
  public static var standard: PictureStore {
    if let shared, shared.application === TerminalApplication.current { return shared }
    let application = TerminalApplication.current
    let renderer = application?.screen?.pictures ?? PictureRenderer(method: .none)
    let store = PictureStore(loader: .standard(), renderer: renderer)
    store.application = application
    application?.add(store)
    application?.screen?.onPictureMethodChange = { [weak store] in store?.methodDidChange() }
    store.loader.onActivityChange = { [weak application] _ in application?.setNeedsFrameSoon() }
    shared = store
    return store
  }
}
