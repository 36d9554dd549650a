import Caches
import Geometry
import ImageLoading
import Pixels
import System
import Terminal
import TerminalApp

/// Pictures at their sizes on the screen: fetched by the loader, rendered off the main actor in the
/// screen's picture format, and cached.
///
///     url ──▶ ImageLoader ──▶ pixels ──▶ PictureRenderer (on `threads`) ──▶ picture
///                                             └──── cached by (url, size, shape, method), by bytes
@MainActor public final class PictureStore: RequestGate {
  /// The shape that a picture is clipped to.
  public typealias Shape = SymbolRasterizer.Mask

  private struct Key: Hashable {
    var url: String
    var size: Size
    var shape: Shape
    var method: PictureMethod
  }

  /// A picture being rendered, from all the pixels that it can show or from fewer.
  private struct Work: Hashable {
    var key: Key
    var isSharp: Bool
  }

  private struct WeakPresenter {
    weak var presenter: ImagePresenter?
  }

  /// The application that the store was created for, if any.
  weak var application: TerminalApplication?
  /// Fetches and decodes the pictures.
  public let loader: ImageLoader
  /// Renders the pictures as cells.
  public let renderer: PictureRenderer
  private var rendered: LRUCache<Key, Picture>
  private var waiting: [Work: [@MainActor (Picture) -> Void]] = [:]
  private var presenters: [WeakPresenter] = []
  /// The full-size view on the screen, if there is one.
  private weak var fullPicture: FullPictureView?
  private let keepsCells: Bool
  /// Presenters that wait until requests are resumed, each once; `nil` while requests are sent at
  /// once.
  private var deferred: (presenters: [ImagePresenter], ids: Set<ObjectIdentifier>)?
  /// The number of pictures that `picture(of:size:shape:)` found in the cache.
  package private(set) var cellHits = 0

  /// Creates a store of pictures that `loader` fetches.
  ///
  /// - Parameters:
  ///   - renderer: renders the pictures; the screen's own.
  ///   - cacheBytes: the limit of cached rendered pictures, in bytes. 24 MiB by default.
  ///   - keepsCells: false to render them each time, as with all caches off.
  public init(
    loader: ImageLoader, renderer: PictureRenderer, cacheBytes: Int = 24 << 20,
    keepsCells: Bool = true
  ) {
    self.loader = loader
    self.renderer = renderer
    self.keepsCells = keepsCells
    self.rendered = LRUCache(maximumCost: cacheBytes)
    loader.onPostponed = { [weak self] url in
      for entry in self?.presenters ?? [] where entry.presenter?.url == url {
        entry.presenter?.wasPostponed()
      }
    }
  }

  /// Creates a store of pictures drawn as symbols in `depth` colours; none with 16 or fewer.
  public convenience init(
    loader: ImageLoader, depth: ColorDepth, cacheBytes: Int = 24 << 20, keepsCells: Bool = true
  ) {
    let method = depth.allowsPictures ? PictureMethod.symbols(SymbolStyle(depth: depth)) : .none
    self.init(
      loader: loader, renderer: PictureRenderer(method: method), cacheBytes: cacheBytes,
      keepsCells: keepsCells)
  }

  /// Whether the terminal shows pictures at all.
  public var showsPictures: Bool { renderer.method.showsPictures }

  /// The rendered picture at `url` of exactly this size, if it is cached.
  ///
  /// - Complexity: O(1).
  public func picture(of url: String, size: Size, shape: Shape) -> Picture? {
    guard let picture = rendered.value(for: key(url, size, shape)) else { return nil }
    cellHits += 1
    return picture
  }

  /// Drops all rendered pictures of a URL.
  ///
  /// - Complexity: O(pictures).
  func forget(_ url: String) {
    for key in rendered.keysByRecency where key.url == url { rendered.remove(key) }
  }

  /// The URLs of pictures that are being rendered; those of previews begin with `blurhash:`.
  package var rendering: Set<String> { Set(waiting.keys.map(\.key.url)) }

  /// Defers the requests of all presenters, because rows may come and go without being seen.
  public func deferRequests() { if deferred == nil { deferred = ([], []) } }

  /// Sends the deferred requests that are still needed, the most urgent first.
  ///
  /// - Complexity: O(presenters that wait).
  public func resumeRequests() {
    guard let presenters = deferred?.presenters else { return }
    deferred = nil
    let byUrgency = Dictionary(grouping: presenters, by: \.priority)
    for priority in ImagePriority.allCases.reversed() {
      for presenter in byUrgency[priority] ?? [] { presenter.resume() }
    }
  }

  /// - Returns: false if requests are sent at once; else `presenter` is resumed later.
  func defers(_ presenter: ImagePresenter) -> Bool {
    guard let isNew = deferred?.ids.insert(ObjectIdentifier(presenter)).inserted else {
      return false
    }
    if isNew { deferred?.presenters.append(presenter) }
    return true
  }

  /// The source that a picture is rendered from.
  enum Source: Sendable {
    case pixels(PixelBuffer)
    /// The text of a `BlurHash`; no pixels if it is malformed.
    case blurHash(String)

    /// The width and height in pixels that a hash is rendered to; its waves have no finer detail.
    private static let blurSide = 32

    fileprivate var pixels: PixelBuffer {
      switch self {
      case .pixels(let pixels): pixels
      case .blurHash(let text):
        BlurHash(text)?.pixels(PixelSize(width: Self.blurSide, height: Self.blurSide))
          ?? PixelBuffer(size: PixelSize(width: 0, height: 0), bytes: [])
      }
    }
  }

  /// The largest usual size of a picture in a list, in cells. If the view follows its picture,
  /// decodes are at least that large, so that a resized window needs no second one.
  private static let largestUsual = Size(width: 96, height: 48)

  /// The box that a picture of `size` cells is decoded to fit; a cell more in each direction, since
  /// proportions are rounded to cells.
  ///
  /// - Parameters:
  ///   - size: `nil` if unknown.
  ///   - isFixed: whether the view has its size regardless of the picture.
  func box(for size: Size?, isFixed: Bool) -> PixelSize {
    var cells = size ?? Self.largestUsual
    if !isFixed {
      cells.width = max(cells.width, Self.largestUsual.width)
      cells.height = max(cells.height, Self.largestUsual.height)
    }
    let (cell, largest) = (renderer.method.cellSamples, loader.configuration.largestDecodeTarget)
    return PixelSize(
      width: min(largest.width, (cells.width + 1) * cell.width),
      height: min(largest.height, (cells.height + 1) * cell.height))
  }

  /// The threads that scale pictures and encode them for the screen.
  static let threads = WorkerThreads(limit: WorkerThreads.defaultLimit)

  /// Renders `source` and calls `completion` with the picture on the main actor.
  ///
  /// - Parameter keeps: false if it will be rendered again from more pixels.
  func render(
    _ source: Source, of url: String, size: Size, shape: Shape, keeps: Bool = true,
    completion: @escaping @MainActor (Picture) -> Void
  ) {
    let key = key(url, size, shape)
    if let picture = rendered.value(for: key) { return completion(picture) }
    let work = Work(key: key, isSharp: keeps)
    if waiting[work] != nil {
      waiting[work]?.append(completion)
      return
    }
    waiting[work] = [completion]
    let renderer = renderer
    Task.detached(executorPreference: Self.threads) {
      let picture = await renderer.picture(of: source.pixels, size: size, mask: shape)
      await self.take(picture, of: work)
    }
  }

  private func take(_ picture: Picture, of work: Work) {
    if keepsCells, work.isSharp { rendered.insert(picture, for: work.key, cost: picture.byteCount) }
    for completion in waiting.removeValue(forKey: work) ?? [] { completion(picture) }
  }

  private func key(_ url: String, _ size: Size, _ shape: Shape) -> Key {
    Key(url: url, size: size, shape: shape, method: renderer.method)
  }

  // MARK: Presenters

  /// Adds a presenter that shows pictures of this store.
  func add(_ presenter: ImagePresenter) {
    presenters.removeAll { $0.presenter == nil }
    presenters.append(WeakPresenter(presenter: presenter))
  }

  /// Sets the view that shows a picture in full size.
  func add(_ view: FullPictureView) { fullPicture = view }

  /// Call it when the renderer's method has changed: visible pictures are rendered again.
  ///
  /// - Complexity: O(presenters).
  public func methodDidChange() {
    for entry in presenters { entry.presenter?.methodDidChange() }
    fullPicture?.methodDidChange()
  }
}
