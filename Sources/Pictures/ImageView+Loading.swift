import HTTPTransport
import ImageDecoding
import ImageLoading
import Pixels
import Terminal
import TerminalApp
import TerminalViews

extension ImageView {
  /// Shows the picture at `url`, an `http`, `https` or `data:` URL, when it has come; none where
  /// that is nil or it cannot be had. What was asked for before is forgotten, so that cells may be
  /// used again.
  ///
  /// The view takes the picture's proportions as soon as its first bytes have told them.
  ///
  /// - Parameters:
  ///   - store: what fetches and keeps it; the application's by default.
  ///   - size: its size in pixels, where that is known before.
  public func load(
    _ url: String?, from store: PictureStore? = nil, size: PixelSize? = nil
  ) {
    let slot = loader as? PictureSlot ?? makeSlot(in: store ?? .standard)
    guard let url else { return slot.clear() }
    slot.show(url, reach: .publicAddresses, declaredSize: size, priority: .visible)
    slot.frameDidChange()
  }

  private func makeSlot(in store: PictureStore) -> PictureSlot {
    let slot = PictureSlot(view: self, store: store)
    loader = slot
    onResize = { [weak slot] in slot?.frameDidChange() }
    return slot
  }
}

extension ImageLoader {
  /// A loader over libcurl and the system's codecs, as programs of their own want it: pictures are
  /// decoded by a `DecoderProgram` where one lies beside the program, else in the program itself.
  ///
  /// - Parameter userAgent: what servers are told.
  public static func standard(userAgent: String = "TerminalApp") -> ImageLoader {
    ImageLoader(
      transport: CurlTransport(userAgent: userAgent),
      decoder: SystemImageDecoder(program: .installed()))
  }
}

extension PictureStore {
  private static weak var shared: PictureStore?

  /// The pictures of the application that runs, made when it is first asked for.
  public static var standard: PictureStore {
    if let shared, shared.application === TerminalApplication.current { return shared }
    let application = TerminalApplication.current
    let renderer = application?.screen?.pictures ?? PictureRenderer(method: .none)
    let store = PictureStore(loader: .standard(), renderer: renderer)
    store.application = application
    application?.requestGates.append(store)
    application?.screen?.onPictureMethodChange = { [weak store] in store?.methodDidChange() }
    store.loader.onActivityChange = { [weak application] _ in application?.setNeedsFrameSoon() }
    shared = store
    return store
  }
}
