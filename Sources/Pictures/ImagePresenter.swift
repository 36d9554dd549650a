import Geometry
import HTTP
import ImageLoading
import Pixels
import Terminal
import TerminalViews

/// Manages the picture of an image view: requests it, sets the size of the view as soon as that of
/// the picture is known, and sets the cells when they are made.
///
/// Rules:
/// 1. Events for a picture that the presenter no longer shows are dropped: each `show` and `clear`
///    starts a new generation, and every callback knows its own.
/// 2. The presenter changes the view's size at most twice for a picture, once when the size becomes
///    known and once when the picture fails. A declared size stays: a picture of other proportions
///    is fitted into it.
/// 3. While the store defers requests none is sent; cached cells are shown.
/// 4. Cells are requested only for the size that layout gave the view.
/// 5. The picture is decoded for that size. If fewer pixels are cached, they are shown until a
///    decode with more is done, which is requested once for each size; if that fails, they stay.
@MainActor public final class ImagePresenter {
  /// The loading state of its picture.
  public enum State: Hashable, Sendable {
    /// No picture was requested.
    case empty
    /// The picture was requested; its size is unknown.
    case waiting
    /// Its size is known.
    case sized
    /// Its cells are in the view.
    case shown
    /// It could not be loaded; the reason, in one clause.
    case failed(String)
  }

  /// The view that shows the picture.
  public let view: ImageView
  /// The URL of the picture shown or requested; `nil` if there is none.
  public var url: String? { source?.url }
  /// The loading state.
  public private(set) var state = State.empty
  /// Called after the picture's size has become known, and after it has failed or is tried again.
  public var onChange: (() -> Void)?

  /// The picture that `show` was called for.
  private struct Source {
    let url: String
    let reach: RequestScope
    let declaredSize: PixelSize?
    let blurHash: String?
  }

  /// Work that waits for the store to resume requests.
  private enum DeferredWork {
    case paint, request
  }

  private let store: PictureStore
  private let shape: PictureStore.Shape
  private var source: Source?
  private var generation = 0
  private var request: ImageRequest?
  /// The pixels that have arrived and are not yet painted, and whether they replace a picture made
  /// of fewer pixels.
  private var arrived: (image: LoadedImage, isSharper: Bool)?
  private var deferredWork: Set<DeferredWork> = []
  /// The size for which a decode with more pixels was requested.
  private var sharpenedSize: Size?

  /// Creates a presenter that shows pictures of `store` in `view`.
  public init(view: ImageView, store: PictureStore, shape: PictureStore.Shape = .none) {
    self.view = view
    self.store = store
    self.shape = shape
    store.add(self)
  }

  /// Starts showing the picture at `url`; it is requested once layout has given the view its frame.
  ///
  /// - Parameters:
  ///   - reach: the addresses that the source of `url` may lead to.
  ///   - declaredSize: its size if the source states it, so that the row has its height at once.
  ///   - blurHash: a preview shown until it is loaded; none by default.
  public func show(
    _ url: String, reach: RequestScope, declaredSize: PixelSize? = nil, blurHash: String? = nil,
    priority: ImagePriority
  ) {
    show(
      Source(url: url, reach: reach, declaredSize: declaredSize, blurHash: blurHash),
      priority: priority)
  }

  private func show(_ source: Source, priority: ImagePriority) {
    clear()
    self.source = source
    self.priority = priority
    view.pixelSize = source.declaredSize ?? store.loader.knownSize(of: source.url)
    view.keepsSizeOnFailure = source.declaredSize != nil
    if let failure = store.loader.knownFailure(of: source.url, reach: source.reach) {
      fail(failure)
    } else {
      state = .waiting
      view.isBeingRetried = store.loader.isBeingRetried(source.url, reach: source.reach)
      view.placeholder = .loading
    }
  }

  /// Requests the picture again if it has failed or is incomplete, or at once if a retry is
  /// scheduled.
  ///
  /// - Returns: whether there was anything to retry.
  /// - Complexity: O(n) in the rendered pictures of the store and the pictures under way.
  @discardableResult public func tryAgain() -> Bool {
    guard let source else { return false }
    let (loader, url) = (store.loader, source.url)
    let hasFailed = if case .failed = state { true } else { false }
    if hasFailed || state == .shown && loader.damage(of: url) != nil {
      loader.tryAgain(url, reach: source.reach)
      store.forget(url)
      show(source, priority: priority)
      onChange?()
      // Layout reports nothing if the frame stays the same.
      paint()
      return true
    }
    guard loader.isWaiting(url, reach: source.reach) else { return false }
    loader.tryAgain(url, reach: source.reach)
    return true
  }

  private func fail(_ error: ImageError) {
    state = .failed("\(error)")
    view.failure = "\(error)"
    view.placeholder = .failed
  }

  /// Removes the picture and cancels its request.
  public func clear() {
    generation += 1
    request?.cancel()
    request = nil
    source = nil
    arrived = nil
    deferredWork = []
    sharpenedSize = nil
    state = .empty
    view.pixelSize = nil
    view.image = nil
    view.preview = nil
    view.placeholder = .none
    view.keepsSizeOnFailure = false
    view.failure = ""
    view.isBeingRetried = false
  }

  /// The current priority of the picture's request.
  public var priority = ImagePriority.near {
    didSet { request?.priority = priority }
  }

  /// Whether nothing is pending: there is no picture, it is shown, or it has failed.
  package var isAtRest: Bool {
    if case .failed = state { true } else { state == .empty || state == .shown }
  }

  /// - Parameter size: the size in cells to decode for; `nil` if unknown.
  private func load(_ source: Source, for size: Size?) {
    let generation = generation
    request = store.loader.load(
      source.url, reach: source.reach, priority: priority, fitting: box(for: size)
    ) { [weak self] event in
      guard let self, self.generation == generation else { return }
      self.take(event)
    }
  }

  private func take(_ event: ImageEvent) {
    switch event {
    case .size(let size):
      if state == .waiting { state = .sized }
      take(size)
    case .image(let image):
      request = nil
      arrived = (image, isSharper: view.image != nil)
      if view.image != nil, let url { store.forget(url) }
      // Its cells cannot be made before layout has given the view its frame.
      if !view.isLaidOut || source?.declaredSize == nil && view.pixelSize != image.size {
        completeSoon()
      }
      take(image.size)
      // In a cell, layout first sets the view's frame for that size and reports it; elsewhere no
      // report may come.
      if view.isLaidOut || !view.followsPicture || view.onResize != nil { paint() }
    case .failure(let error):
      request = nil
      guard view.image == nil else { return }
      fail(error)
      onChange?()
    }
  }

  private func take(_ size: PixelSize) {
    guard source?.declaredSize == nil, view.pixelSize != size else { return }
    view.pixelSize = size
    onChange?()
  }

  /// If the row is visible, requests a frame that shows the picture without further delay.
  private func completeSoon() {
    if priority == .visible { view.application?.setNeedsCompletingFrame() }
  }

  /// The size in cells that the picture takes up: that of the view, unless the picture's
  /// proportions differ from those of its declared size.
  private var pictureSize: Size {
    let box = view.frame.size
    guard let source, let declaredSize = source.declaredSize, view.followsPicture,
      let size = store.loader.knownSize(of: source.url) ?? arrived?.image.size
    else { return box }
    return size.fitted(into: box, declaredAs: declaredSize)
  }

  /// Requests the picture even if the view has no cells yet, as when its height depends on the
  /// picture's size. Does nothing if it was already requested.
  package func askForPicture() {
    guard let source, state == .waiting, request == nil else { return }
    if !isDeferred(.request) { load(source, for: nil) }
  }

  /// Performs the deferred work.
  func resume() {
    let work = deferredWork
    deferredWork = []
    if work.contains(.paint) { paint() }
    if work.contains(.request) { askForPicture() }
  }

  /// Whether `work` has to wait until the store resumes requests.
  private func isDeferred(_ work: DeferredWork) -> Bool {
    guard !deferredWork.contains(work) else { return true }
    guard store.defers(self) else { return false }
    deferredWork.insert(work)
    return true
  }

  /// Call it when layout has given the view its frame.
  public func frameDidChange() {
    // Layout may give the view the same frame again.
    view.isLaidOut = true
    paint()
  }

  /// Call it when a fetch of the picture has failed and a retry is planned.
  func wasPostponed() { view.isBeingRetried = !isAtRest }

  /// Call it when the renderer's method has changed.
  func methodDidChange() { if view.image != nil { paint() } }

  private func paint() {
    let size = pictureSize
    let isSharper = arrived?.isSharper == true
    let isShown =
      view.image?.size == size && view.image?.method == store.renderer.method && !isSharper
    guard let source, !size.isEmpty, !isShown else { return }
    if !isSharper, let picture = store.picture(of: source.url, size: size, shape: shape) {
      return finish(picture)
    }
    guard !isDeferred(.paint) else { return }
    guard let image = arrived?.image ?? store.loader.cachedImage(for: source.url) else {
      if case .failed = state { return }
      if let request { request.box = box(for: size) } else { load(source, for: size) }
      return paintPreview(of: source)
    }
    let suffices = image.suffices(for: box(for: size))
    if !suffices { sharpen(source, for: size) }
    let generation = generation
    store.render(
      .pixels(image.pixels), of: source.url, size: size, shape: shape, keeps: suffices
    ) { [weak self] picture in
      guard let self, self.generation == generation, self.pictureSize == size else { return }
      self.finish(picture, isSharp: suffices)
      // The method may have changed meanwhile.
      self.paint()
    }
  }

  private func box(for size: Size?) -> PixelSize {
    store.box(for: size, isFixed: !view.followsPicture)
  }

  private func sharpen(_ source: Source, for size: Size) {
    guard sharpenedSize != size else { return }
    sharpenedSize = size
    request?.cancel()
    load(source, for: size)
  }

  /// Draws the preview, at the picture's size, until the picture is loaded.
  private func paintPreview(of source: Source) {
    let size = view.frame.size
    guard let blurHash = source.blurHash, view.preview?.size != size else { return }
    let generation = generation
    store.render(.blurHash(blurHash), of: "blurhash:" + blurHash, size: size, shape: shape) {
      [weak self] picture in
      guard let self, self.generation == generation, self.view.frame.size == size else { return }
      self.view.preview = picture
    }
  }

  /// - Parameter isSharp: false if more pixels are being decoded.
  private func finish(_ picture: Picture, isSharp: Bool = true) {
    // Before the view requests a frame of lower urgency.
    if view.image == nil { completeSoon() }
    view.preview = nil
    view.image = picture
    view.failure = url.flatMap { store.loader.damage(of: $0) }.map { "\($0)" } ?? ""
    state = .shown
    // The pixels are no longer needed; for a new size the loader's cache is consulted first.
    arrived = nil
    guard isSharp else { return }
    request?.cancel()
    request = nil
  }
}
