import ConstraintLayout
import Geometry
import HTTP
import ImageLoading
import Pixels
import Terminal
import TerminalViews
import TextLayout

/// One picture at full resolution: fitted to the view, or at one decoded pixel per terminal pixel
/// with panning.
///
/// Rules:
/// 1. It has a loader of its own, which decodes to fit ``decodeTarget`` and is released with the
///    view, together with its cached pixels.
/// 2. Cells are made off the main actor, only for the visible part, one part at a time. At the
///    scale `actual` their cost depends on the screen, not on the size of the picture.
/// 3. Meanwhile the present cells stay, shifted to their new position.
/// 4. Events for a picture other than the one shown are dropped (`generation`).
@MainActor package final class FullPictureView: View {
  /// The scale at which it is shown.
  package enum Scale: Hashable, Sendable {
    /// As large as fits; small pictures are at most doubled in size.
    case fitting
    /// One decoded pixel per terminal pixel; if drawn as symbols, eight decoded pixels per column.
    case actual
  }

  /// The loading state of the picture.
  package enum State: Hashable, Sendable {
    /// No picture was requested, or this screen shows none.
    case empty
    case loading
    case loaded
    /// Why it could not be loaded, in one clause.
    case failed(String)
  }

  /// The box that pictures are decoded to fit: larger ones are scaled down.
  package static let decodeTarget = PixelSize(width: 4_096, height: 4_096)
  /// The limit of cached pixels in bytes: those of one picture of the size `decodeTarget`.
  static let memory = decodeTarget.width * decodeTarget.height * 4
  /// The greatest factor by which small pictures are enlarged.
  private static let enlargement = 2

  /// The loading state.
  package private(set) var state = State.empty {
    didSet { if state != oldValue { setNeedsDisplay() } }
  }
  /// The picture's own size in pixels; `nil` until it is known.
  package private(set) var pixelSize: PixelSize?

  private let loader: ImageLoader
  private let renderer: PictureRenderer
  private var url: (text: String, reach: RequestScope)?
  private var request: ImageRequest?
  private var image: LoadedImage?
  private var generation = 0
  private var isRendering = false
  private var shown: (part: Part, picture: Picture)?
  /// The column and row of the picture at the view's upper left corner.
  private var corner = Point(x: 0, y: 0)

  /// A part of a picture, in cells of the screen.
  private struct Part: Hashable, Sendable {
    var image: UInt64
    var method: PictureMethod
    /// The size of the whole picture in cells.
    var whole: Size
    /// The visible cells of it.
    var area: Rect
    /// The size of a cell in pixels; `nil` if the picture is scaled to the cells.
    var cell: PixelSize?
  }

  /// - Parameter store: the store whose loader and renderer are used.
  package init(store: PictureStore) {
    loader = store.loader.decoding(toFit: Self.decodeTarget, keeping: Self.memory)
    renderer = store.renderer
    super.init(name: "picture")
    store.add(self)
  }

  // MARK: Loading

  /// Shows the picture at `url` instead of the present one.
  ///
  /// - Parameter reach: the addresses that the source of `url` may lead to.
  package func show(_ url: String, reach: RequestScope) {
    clear()
    self.url = (url, reach)
    guard renderer.method.showsPictures else { return }
    state = .loading
    pixelSize = loader.knownSize(of: url)
    let generation = generation
    request = loader.load(url, reach: reach) { [weak self] event in
      guard let self, self.generation == generation else { return }
      take(event)
    }
  }

  /// Removes the picture and cancels its request.
  package func clear() {
    generation += 1
    request?.cancel()
    request = nil
    url = nil
    image = nil
    shown = nil
    pixelSize = nil
    corner = Point(x: 0, y: 0)
    state = .empty
  }

  /// Requests the picture again if it has failed.
  ///
  /// - Returns: whether it had failed.
  package func tryAgain() -> Bool {
    guard let url, case .failed = state else { return false }
    loader.tryAgain(url.text, reach: url.reach)
    show(url.text, reach: url.reach)
    return true
  }

  private func take(_ event: ImageEvent) {
    switch event {
    case .size(let size): pixelSize = size
    case .image(let image):
      request = nil
      self.image = image
      pixelSize = image.size
      state = .loaded
      update()
    case .failure(let error):
      request = nil
      state = .failed("\(error)")
    }
    setNeedsDisplay()
  }

  /// The size of the decoded pixels if it is smaller than the picture's own.
  package var reducedSize: PixelSize? {
    guard let image, image.pixels.size != image.size else { return nil }
    return image.pixels.size
  }

  // MARK: Scale and position

  /// The scale of the picture; switching to `actual` shows its middle.
  package var scale = Scale.fitting {
    didSet {
      guard scale != oldValue else { return }
      if scale == .actual { center() }
      update()
      setNeedsDisplay()
    }
  }

  /// Whether the picture is larger than the view.
  package var canMove: Bool {
    guard let whole = wholeSize else { return false }
    return whole.width > frame.width || whole.height > frame.height
  }

  /// Moves the visible part by columns and rows, within the picture.
  ///
  /// - Returns: false if it is at the edge already.
  package func move(columns: Int, rows: Int) -> Bool {
    let place = clamped(corner.offset(dx: columns, dy: rows))
    guard place != corner else { return false }
    corner = place
    update()
    setNeedsDisplay()
    return true
  }

  private func center() {
    guard let whole = wholeSize else { return }
    corner = clamped(
      Point(x: (whole.width - frame.width) / 2, y: (whole.height - frame.height) / 2))
  }

  private func clamped(_ point: Point) -> Point {
    let whole = wholeSize ?? .zero
    return Point(
      x: max(0, min(point.x, whole.width - frame.width)),
      y: max(0, min(point.y, whole.height - frame.height)))
  }

  override package var frame: Rect {
    didSet {
      guard frame.size != oldValue.size else { return }
      corner = clamped(corner)
      update()
    }
  }

  /// Call it when the renderer's method has changed.
  func methodDidChange() {
    corner = clamped(corner)
    update()
  }

  /// The size of a cell in pixels at scale `actual`.
  private var cellPixels: PixelSize {
    if let cell = renderer.method.cell { return cell }
    let height = (Double(ImageView.pixelsPerColumn) / LayoutMetrics.cellAspect).rounded()
    return PixelSize(width: ImageView.pixelsPerColumn, height: max(1, Int(height)))
  }

  /// The size of the whole picture in cells at this scale; `nil` until it is loaded.
  private var wholeSize: Size? {
    guard let pixels = image?.pixels.size, !pixels.isEmpty, !frame.size.isEmpty else { return nil }
    let cell = cellPixels
    let own = Size(
      width: (pixels.width + cell.width - 1) / cell.width,
      height: (pixels.height + cell.height - 1) / cell.height)
    guard scale == .fitting else { return own }
    let rowsPerColumn =
      Double(pixels.height) / Double(pixels.width) * LayoutMetrics.cellAspect
    let byHeight = Int((Double(frame.height) / rowsPerColumn).rounded(.down))
    let width = max(1, min(frame.width, byHeight, own.width * Self.enlargement))
    let height = Int((Double(width) * rowsPerColumn).rounded())
    return Size(width: width, height: max(1, min(height, frame.height)))
  }

  // MARK: Cells

  private var wantedPart: Part? {
    guard let image, let whole = wholeSize else { return nil }
    let area = Rect(
      origin: corner,
      size: Size(width: min(whole.width, frame.width), height: min(whole.height, frame.height)))
    return Part(
      image: image.id, method: renderer.method, whole: whole, area: area,
      cell: scale == .actual ? cellPixels : nil)
  }

  private func update() {
    guard !isRendering, let image, let part = wantedPart, part != shown?.part else { return }
    isRendering = true
    let (renderer, generation) = (renderer, generation)
    Task { [weak self] in
      let picture = await withTaskExecutorPreference(PictureStore.threads) {
        await Self.picture(part, of: image.pixels, by: renderer)
      }
      self?.finish(part, picture, generation)
    }
  }

  private func finish(_ part: Part, _ picture: Picture, _ generation: Int) {
    isRendering = false
    if generation == self.generation {
      shown = (part, picture)
      setNeedsDisplay()
    }
    // The visible part may have changed meanwhile.
    update()
  }

  @concurrent private static func picture(
    _ part: Part, of pixels: PixelBuffer, by renderer: PictureRenderer
  ) async -> Picture {
    guard let cell = part.cell else {
      return await renderer.picture(of: pixels, size: part.area.size)
    }
    let box = PixelSize(
      width: part.area.width * cell.width, height: part.area.height * cell.height)
    let cropped = pixels.cropped(
      x: part.area.minX * cell.width, y: part.area.minY * cell.height, to: box)
    return await renderer.picture(of: cropped, size: part.area.size)
  }

  override package func draw(in canvas: inout Canvas, at origin: Point) {
    guard let shown else { return drawState(in: &canvas, at: origin) }
    var place = origin
    if shown.part.whole == wholeSize {
      place = place.offset(
        dx: shown.part.area.minX - corner.x, dy: shown.part.area.minY - corner.y)
    }
    let cells = shown.picture.size
    place = place.offset(
      dx: max(0, (frame.width - shown.part.whole.width) / 2),
      dy: max(0, (frame.height - shown.part.whole.height) / 2))
    canvas.copy(shown.picture.cells, from: Rect(origin: .zero, size: cells), to: place)
  }

  /// Draws the state as one line in the middle.
  private func drawState(in canvas: inout Canvas, at origin: Point) {
    let words: String
    switch state {
    case .empty where url != nil: words = "no pictures on this terminal, or with these settings"
    case .empty, .loaded: words = ""
    case .loading: words = "…"
    case .failed(let reason): words = "✕ \(Sanitizer.line(reason))"
    }
    guard !words.isEmpty, frame.height > 0 else { return }
    let line = TextMetrics.current.truncated(words, toWidth: frame.width)
    let columns = TextMetrics.current.width(of: line)
    canvas.draw(
      line,
      at: origin.offset(dx: max(0, (frame.width - columns) / 2), dy: (frame.height - 1) / 2),
      style: theme.style(for: .secondary), maximumWidth: frame.width)
  }
}
