import Geometry
import ImageLoading
import Pixels
import Terminal

/// Pictures as cells: fetched by the loader, turned into cells off the main actor, kept while they are
/// likely to be shown again.
///
///     url ──▶ ImageLoader ──▶ pixels ──▶ SymbolRasterizer (off main, two at a time) ──▶ cells
///                                                   └──────── kept by (url, size, shape), by bytes
@MainActor public final class PictureStore {
  /// The shape a picture is cut to.
  public typealias Shape = SymbolRasterizer.Mask

  private struct Key: Hashable {
    var url: String
    var size: Size
    var shape: Shape
  }

  public let loader: ImageLoader
  /// How many colours there are; `.none` and `.ansi16` show no pictures.
  public let depth: ColorDepth
  private var rendered: ByteCache<Key, Canvas>
  private var waiting: [Key: [@MainActor (Canvas) -> Void]] = [:]
  private let keepsCells: Bool
  /// Slots that want to ask for their pictures when requests go on; nil while they go at once.
  private var deferred: [PictureSlot]?
  /// How often cells were at hand when they were asked for.
  public private(set) var cellHits = 0

  /// - Parameters:
  ///   - cacheBytes: what finished cells may take, in bytes. 24 MB by default.
  ///   - keepsCells: false to make them anew each time, as with every cache off.
  public init(
    loader: ImageLoader, depth: ColorDepth, cacheBytes: Int = 24 << 20, keepsCells: Bool = true
  ) {
    self.loader = loader
    self.depth = depth
    self.keepsCells = keepsCells
    self.rendered = ByteCache(limit: cacheBytes)
  }

  /// Whether pictures can be shown at all.
  public var showsPictures: Bool { depth >= .indexed256 }

  /// Cells of `url` at exactly this size, if they are at hand.
  public func cells(of url: String, size: Size, shape: Shape) -> Canvas? {
    guard let cells = rendered[Key(url: url, size: size, shape: shape)] else { return nil }
    cellHits += 1
    return cells
  }

  /// The pictures of which cells are being made.
  var rendering: Set<String> { Set(waiting.keys.map(\.url)) }

  /// From now on no slot asks for anything: rows may come and go that nobody will see.
  public func deferRequests() { if deferred == nil { deferred = [] } }

  /// Slots that still show what they wanted to ask for do so now.
  public func resumeRequests() {
    guard let slots = deferred else { return }
    deferred = nil
    for slot in slots { slot.resume() }
  }

  /// - Returns: false where requests go at once; else `slot` is told when they do again.
  func defers(_ slot: PictureSlot) -> Bool {
    guard deferred != nil else { return false }
    deferred?.append(slot)
    return true
  }

  /// Makes cells out of `image` and calls `completion` with them on the main actor.
  public func render(
    _ image: LoadedImage, of url: String, size: Size, shape: Shape,
    completion: @escaping @MainActor (Canvas) -> Void
  ) {
    let key = Key(url: url, size: size, shape: shape)
    if let canvas = rendered[key] { return completion(canvas) }
    if waiting[key] != nil {
      waiting[key]?.append(completion)
      return
    }
    waiting[key] = [completion]
    let pixels = image.pixels
    let depth = depth
    Task {
      let canvas = await Self.rasterize(pixels, size: size, depth: depth, shape: shape)
      if keepsCells {
        rendered.insert(
          canvas, for: key, bytes: canvas.cells.count * MemoryLayout<CanvasCell>.stride)
      }
      for completion in waiting.removeValue(forKey: key) ?? [] { completion(canvas) }
    }
  }

  @concurrent private static func rasterize(
    _ pixels: PixelBuffer, size: Size, depth: ColorDepth, shape: Shape
  ) async -> Canvas {
    SymbolRasterizer.canvas(for: pixels, size: size, depth: depth, background: nil, mask: shape)
  }
}
