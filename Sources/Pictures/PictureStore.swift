import Caches
import Geometry
import ImageLoading
import Pixels
import System
import Terminal
import TerminalApp

/// Pictures at their sizes on the screen: fetched by the loader, made off the main actor in the way
/// the screen shows them, kept while they are likely to be shown again.
///
///     url ──▶ ImageLoader ──▶ pixels ──▶ PictureRenderer (off main, two at a time) ──▶ picture
///                                             └──── kept by (url, size, shape, method), by bytes
@MainActor public final class PictureStore: RequestGate {
  /// The shape a picture is cut to.
  public typealias Shape = SymbolRasterizer.Mask

  private struct Key: Hashable {
    var url: String
    var size: Size
    var shape: Shape
    var method: PictureMethod
  }

  /// A picture that is being made, of all the pixels it can show or of fewer.
  private struct Work: Hashable {
    var key: Key
    var isSharp: Bool
  }

  private struct WeakSlot {
    weak var slot: PictureSlot?
  }

  /// The application whose pictures these are, where it made the store.
  weak var application: TerminalApplication?
  /// What fetches the pictures.
  public let loader: ImageLoader
  /// What makes cells of them.
  public let renderer: PictureRenderer
  private var rendered: LRUCache<Key, Picture>
  private var waiting: [Work: [@MainActor (Picture) -> Void]] = [:]
  private var slots: [WeakSlot] = []
  /// The one that is shown, where one is.
  private weak var fullPicture: FullPictureView?
  private let keepsCells: Bool
  /// Slots that want to ask for their pictures when requests go on; nil while they go at once.
  private var deferred: [PictureSlot]?
  /// How often a picture was at hand when it was asked for.
  package private(set) var cellHits = 0

  /// A store of pictures that `loader` fetches.
  ///
  /// - Parameters:
  ///   - renderer: makes the pictures; the screen's own.
  ///   - cacheBytes: what finished pictures may take, in bytes. 24 MB by default.
  ///   - keepsCells: false to remake them each time, as with every cache off.
  public init(
    loader: ImageLoader, renderer: PictureRenderer, cacheBytes: Int = 24 << 20,
    keepsCells: Bool = true
  ) {
    self.loader = loader
    self.renderer = renderer
    self.keepsCells = keepsCells
    self.rendered = LRUCache(maximumCost: cacheBytes)
    loader.onPostponed = { [weak self] url in
      for place in self?.slots ?? [] where place.slot?.url == url { place.slot?.wasPostponed() }
    }
  }

  /// A store of pictures drawn as symbols in so many colours; none with 16 or fewer.
  public convenience init(
    loader: ImageLoader, depth: ColorDepth, cacheBytes: Int = 24 << 20, keepsCells: Bool = true
  ) {
    let method = depth.allowsPictures ? PictureMethod.symbols(SymbolStyle(depth: depth)) : .none
    self.init(
      loader: loader, renderer: PictureRenderer(method: method), cacheBytes: cacheBytes,
      keepsCells: keepsCells)
  }

  /// Whether pictures can be shown at all.
  public var showsPictures: Bool { renderer.method.showsPictures }

  /// The picture at `url` at exactly this size, if it is at hand.
  ///
  /// - Complexity: O(1).
  public func picture(of url: String, size: Size, shape: Shape) -> Picture? {
    guard let picture = rendered.value(for: key(url, size, shape)) else { return nil }
    cellHits += 1
    return picture
  }

  /// Pictures of that address are to be made anew.
  ///
  /// - Complexity: O(pictures).
  func forget(_ url: String) {
    for key in rendered.keysByRecency where key.url == url { rendered.remove(key) }
  }

  /// The addresses of pictures that are being made.
  package var rendering: Set<String> { Set(waiting.keys.map(\.key.url)) }

  /// From now on no slot asks for anything: rows may come and go that nobody will see.
  public func deferRequests() { if deferred == nil { deferred = [] } }

  /// Slots that still show what they wanted to ask for do so now, the most urgent first.
  ///
  /// - Complexity: O(slots that wait).
  public func resumeRequests() {
    guard let slots = deferred else { return }
    deferred = nil
    let byUrgency = Dictionary(grouping: slots, by: \.priority)
    for priority in ImagePriority.allCases.reversed() {
      for slot in byUrgency[priority] ?? [] { slot.resume() }
    }
  }

  /// - Returns: false where requests go at once; else `slot` is told when they do again.
  func defers(_ slot: PictureSlot) -> Bool {
    guard deferred != nil else { return false }
    if !slot.isDeferred {
      slot.isDeferred = true
      deferred?.append(slot)
    }
    return true
  }

  /// What pictures are made of.
  enum Source: Sendable {
    case pixels(PixelBuffer)
    /// The text of a `BlurHash`; nothing where it is none.
    case blurHash(String)

    /// Pixels of each side that are made of a hash: its waves have no more in them.
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

  /// The largest place in a list: of 96 columns. A picture whose place follows it is decoded for no
  /// less, so that another width of the window asks nobody for it again.
  private static let largestUsual = Size(width: 96, height: 48)

  /// The pixels that a picture in `size` cells is made of; a cell more each way, since proportions
  /// are rounded to cells.
  ///
  /// - Parameters:
  ///   - size: nil where it is not known yet.
  ///   - isFixed: the place has its size whatever the picture.
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

  /// On which pictures are scaled and packed for the screen.
  static let threads = WorkerThreads(limit: WorkerThreads.usualLimit)

  /// Makes a picture out of `source` and calls `completion` with it on the main actor.
  ///
  /// - Parameter keeps: false where it has to be made again of more pixels.
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
      let picture = await renderer.makePicture(of: source.pixels, size: size, mask: shape)
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

  // MARK: Slots

  /// A slot that shows pictures of this store.
  func add(_ slot: PictureSlot) {
    slots.removeAll { $0.slot == nil }
    slots.append(WeakSlot(slot: slot))
  }

  /// A view that shows one of its pictures in full size.
  func add(_ view: FullPictureView) { fullPicture = view }

  /// To be called when the renderer makes pictures in another way: those shown are remade.
  ///
  /// - Complexity: O(slots).
  public func methodDidChange() {
    for place in slots { place.slot?.methodDidChange() }
    fullPicture?.methodDidChange()
  }
}
