import Geometry
import HTTP
import ImageLoading
import Pixels
import Terminal
import TerminalViews

/// One picture's place in a cell: asks for the picture, gives the view its size as soon as that is
/// known, and its cells when they are made.
///
/// Rules:
/// 1. Whatever arrives for a picture that the slot no longer shows is dropped: each `show` and
///    `clear` starts a new generation, and every callback knows the one it belongs to.
/// 2. The slot changes the view's size at most twice for a picture: when the size becomes known,
///    and when the picture fails. Neither happens twice for one generation. A declared size holds,
///    whatever comes: a picture of other proportions is fitted into it.
/// 3. While the store's requests are deferred nothing is asked for; cells that are there are shown.
/// 4. Cells are asked for only for the size that layout gave the view.
/// 5. The picture is decoded for that size. Where there are fewer pixels, those are shown until a
///    decode of more has come, which is asked for once for each size; where it fails, they stay.
@MainActor public final class PictureSlot {
  /// How far its picture has come.
  public enum State: Hashable, Sendable {
    /// No picture is wanted.
    case empty
    /// Nothing of it is known yet.
    case waiting
    /// Its size is known.
    case sized
    /// Its cells are in the view.
    case shown
    /// It will not come; why, in one clause.
    case failed(String)
  }

  /// Where the picture is shown.
  public let view: ImageView
  /// The picture shown or wanted; nil where there is none.
  public private(set) var url: String?
  private var reach = HTTPReach.publicAddresses
  private var declaredSize: PixelSize?
  private var blurHash: String?
  /// How far it has come.
  public private(set) var state = State.empty
  /// Called when the view's size or the slot's state have changed through an arrival.
  public var onChange: (() -> Void)?

  private let store: PictureStore
  private let shape: PictureStore.Shape
  private var generation = 0
  private var request: ImageRequest?
  private var image: LoadedImage?
  /// The store knows that it waits, for whatever it shows by then.
  var isDeferred = false
  /// What is to be done when the store's requests go on.
  private var isWaitingToPaint = false
  private var isWaitingToAsk = false
  /// The size for which more pixels were asked for than there were.
  private var sharpenedSize: Size?
  /// More pixels have come than what is shown was made of.
  private var isSharper = false

  /// A place for pictures of `store` in `view`.
  public init(view: ImageView, store: PictureStore, shape: PictureStore.Shape = .none) {
    self.view = view
    self.store = store
    self.shape = shape
    store.add(self)
  }

  /// Starts showing the picture at `url`; it is asked for once layout has given the view its frame.
  ///
  /// - Parameters:
  ///   - reach: how far whoever names it may lead.
  ///   - declaredSize: its size where the source says, so that the row has its height at once.
  ///   - blurHash: what stands for it until it is there; nothing by default.
  public func show(
    _ url: String, reach: HTTPReach, declaredSize: PixelSize? = nil, blurHash: String? = nil,
    priority: ImagePriority
  ) {
    clear()
    self.url = url
    self.reach = reach
    self.declaredSize = declaredSize
    self.blurHash = blurHash
    self.priority = priority
    view.pixelSize = declaredSize ?? store.loader.knownSize(of: url)
    view.keepsSize = declaredSize != nil
    if let failure = store.loader.knownFailure(of: url, reach: reach) {
      fail(failure)
    } else {
      state = .waiting
      view.isTriedAgain = store.loader.isTriedAgain(url, reach: reach)
      view.placeholder = .loading
    }
  }

  /// Asks for the picture again where it has failed, or at once where it waits to be tried again.
  ///
  /// - Returns: whether there was anything to try again.
  @discardableResult public func tryAgain() -> Bool {
    guard let url else { return false }
    let loader = store.loader
    let hasFailed = if case .failed = state { true } else { false }
    if hasFailed || state == .shown && loader.damage(of: url) != nil {
      loader.tryAgain(url, reach: reach)
      store.forget(url)
      show(
        url, reach: reach, declaredSize: declaredSize, blurHash: blurHash, priority: priority)
      onChange?()
      // Where layout changes nothing it does not say so either.
      paint()
      return true
    }
    guard loader.isWaiting(url, reach: reach) else { return false }
    loader.tryAgain(url, reach: reach)
    return true
  }

  private func fail(_ error: ImageError) {
    state = .failed("\(error)")
    view.failure = "\(error)"
    view.placeholder = .failed
  }

  /// Forgets the picture and what was asked for.
  public func clear() {
    generation += 1
    request?.cancel()
    request = nil
    url = nil
    image = nil
    isWaitingToPaint = false
    isWaitingToAsk = false
    sharpenedSize = nil
    isSharper = false
    state = .empty
    view.pixelSize = nil
    view.image = nil
    view.preview = nil
    view.placeholder = .none
    view.keepsSize = false
    view.failure = ""
    view.isTriedAgain = false
  }

  /// How urgent the picture is now.
  public var priority = ImagePriority.near {
    didSet { request?.priority = priority }
  }

  /// Whether there is nothing left to come: no picture, one that is shown, or one that has failed.
  package var isAtRest: Bool {
    if case .failed = state { true } else { state == .empty || state == .shown }
  }

  /// - Parameter size: the cells it is for; nil where they are not known yet.
  private func load(_ url: String, for size: Size?) {
    let generation = generation
    request = store.loader.load(
      url, reach: reach, priority: priority, fitting: box(for: size)
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
      self.image = image
      isSharper = view.image != nil
      if isSharper, let url { store.forget(url) }
      // Its cells can be made as soon as layout has given the view its frame.
      if !view.isLaidOut || declaredSize == nil && view.pixelSize != image.size { completeSoon() }
      take(image.size)
      // In a cell layout gives the view its frame for that size first, and says so; elsewhere
      // nobody may.
      if view.isLaidOut || !view.followsPicture || view.onResize != nil { paint() }
    case .failure(let error):
      request = nil
      guard view.image == nil else { return }
      fail(error)
      onChange?()
    }
  }

  private func take(_ size: PixelSize) {
    guard declaredSize == nil, view.pixelSize != size else { return }
    view.pixelSize = size
    onChange?()
  }

  /// Where its row shows, nobody is to wait for the picture any longer than for a frame.
  private func completeSoon() {
    if priority == .visible { view.application?.setNeedsCompletingFrame() }
  }

  /// The cells that the picture takes of the view's: all, unless its size is not the declared one.
  private var pictureSize: Size {
    let box = view.frame.size
    guard let url, let declaredSize, view.followsPicture,
      let size = store.loader.knownSize(of: url) ?? image?.size
    else { return box }
    return size.fitted(into: box, declaredAs: declaredSize)
  }

  /// Asks for the picture although the view has no cells yet, as where its height waits for the
  /// size that the picture tells. Does nothing once it was asked for.
  package func askForPicture() {
    guard let url, state == .waiting, request == nil, !isWaitingToAsk else { return }
    isWaitingToAsk = store.defers(self)
    if !isWaitingToAsk { load(url, for: nil) }
  }

  /// The store's requests go on.
  func resume() {
    isDeferred = false
    let (paints, asks) = (isWaitingToPaint, isWaitingToAsk)
    isWaitingToPaint = false
    isWaitingToAsk = false
    if paints { paint() }
    if asks { askForPicture() }
  }

  /// To be called when layout has given the view its frame.
  public func frameDidChange() {
    // Layout may leave the view the frame that it has.
    view.isLaidOut = true
    paint()
  }

  /// To be called when a try of its picture has failed and another is to be made later.
  func wasPostponed() { view.isTriedAgain = !isAtRest }

  /// To be called when pictures are made in another way than those shown were.
  func methodDidChange() { if view.image != nil { paint() } }

  private func paint() {
    let size = pictureSize
    let isShown =
      view.image?.size == size && view.image?.method == store.renderer.method && !isSharper
    guard let url, !size.isEmpty, !isShown else { return }
    if !isSharper, let picture = store.picture(of: url, size: size, shape: shape) {
      return finish(picture)
    }
    guard !isWaitingToPaint else { return }
    isWaitingToPaint = store.defers(self)
    guard !isWaitingToPaint else { return }
    guard let image = image ?? store.loader.cachedImage(for: url) else {
      if case .failed = state { return }
      if let request { request.box = box(for: size) } else { load(url, for: size) }
      return paintPreview()
    }
    let suffices = image.suffices(for: box(for: size))
    if !suffices { sharpen(url, for: size) }
    let generation = generation
    store.render(
      .pixels(image.pixels), of: url, size: size, shape: shape, keeps: suffices
    ) { [weak self] picture in
      guard let self, self.generation == generation, self.pictureSize == size else { return }
      self.finish(picture, isSharp: suffices)
      // The way may have changed while it was made.
      self.paint()
    }
  }

  private func box(for size: Size?) -> PixelSize {
    store.box(for: size, isFixed: !view.followsPicture)
  }

  private func sharpen(_ url: String, for size: Size) {
    guard sharpenedSize != size else { return }
    sharpenedSize = size
    request?.cancel()
    load(url, for: size)
  }

  /// What stands for the picture until it is there, at the size that it will have.
  private func paintPreview() {
    let size = view.frame.size
    guard let blurHash, view.preview?.size != size else { return }
    let generation = generation
    store.render(.blurHash(blurHash), of: "blurhash:" + blurHash, size: size, shape: shape) {
      [weak self] picture in
      guard let self, self.generation == generation, self.view.frame.size == size else { return }
      self.view.preview = picture
    }
  }

  /// - Parameter isSharp: false where more pixels are on their way.
  private func finish(_ picture: Picture, isSharp: Bool = true) {
    // Before the view asks for a frame that nobody waits for.
    if view.image == nil { completeSoon() }
    view.preview = nil
    view.image = picture
    view.failure = url.flatMap { store.loader.damage(of: $0) }.map { "\($0)" } ?? ""
    state = .shown
    // The pixels have done their work; a new size asks the loader's cache first.
    image = nil
    isSharper = false
    guard isSharp else { return }
    request?.cancel()
    request = nil
  }
}
