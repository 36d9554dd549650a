import ConstraintLayout
import Geometry
import HTTP
import ImageLoading
import Pixels
import Terminal
import TerminalViews
import TextLayout

/// One picture in as many pixels as it has: whole, or one pixel of it for one of the terminal's, in
/// which it is moved about.
///
/// Rules:
/// 1. It fetches and decodes for itself, in a box of ``decodeTarget``; when it goes, all of that
///    does.
/// 2. Cells are made off the main actor, of what shows alone, one part at a time: however large the
///    picture is, they cost what the screen does.
/// 3. While they are made, the cells at hand stay, moved to where they belong by now.
/// 4. What arrives for another picture than the one shown is dropped (`generation`).
@MainActor package final class FullPictureView: View {
  /// How large it is shown.
  package enum Scale: Hashable, Sendable {
    /// As large as fits, small ones up to twice their size.
    case fitting
    /// One pixel for one pixel; where cells are drawn instead, eight for a column.
    case actual
  }

  /// How far the picture has come.
  package enum State: Hashable, Sendable {
    case empty
    case loading
    case loaded
    /// Why it will not come, in one clause.
    case failed(String)
  }

  /// What pictures are decoded to fit: larger ones are scaled down.
  package static let decodeTarget = PixelSize(width: 4_096, height: 4_096)
  /// Bytes of pixels kept: those of one such picture.
  static let memory = decodeTarget.width * decodeTarget.height * 4
  /// Small pictures are enlarged so many times at most.
  private static let enlargement = 2

  /// How far it has come.
  package private(set) var state = State.empty {
    didSet { if state != oldValue { setNeedsDisplay() } }
  }
  /// The picture's own size in pixels; nil while it is not known.
  package private(set) var pixelSize: PixelSize?

  private let loader: ImageLoader
  private let renderer: PictureRenderer
  private var url: (text: String, reach: HTTPReach)?
  private var request: ImageRequest?
  private var image: LoadedImage?
  private var generation = 0
  private var isRendering = false
  private var shown: (part: Part, picture: Picture)?
  /// The column and row of the picture at the upper left corner.
  private var corner = Point(x: 0, y: 0)

  /// A part of a picture in cells of the screen.
  private struct Part: Hashable, Sendable {
    var image: UInt64
    var method: PictureMethod
    /// Columns and rows of the whole picture.
    var whole: Size
    /// The columns and rows of it that show.
    var area: Rect
    /// Pixels of a cell; nil where the picture is scaled to the cells.
    var cell: PixelSize?
  }

  /// - Parameter store: by whose means it fetches, decodes and makes cells.
  package init(store: PictureStore) {
    loader = store.loader.decoding(toFit: Self.decodeTarget, keeping: Self.memory)
    renderer = store.renderer
    super.init(name: "picture")
    store.add(self)
  }

  // MARK: What is shown

  /// Shows the picture at `url`, whole, in the place of any other.
  ///
  /// - Parameter reach: how far whoever names it may lead.
  package func show(_ url: String, reach: HTTPReach) {
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

  /// Shows nothing, and asks for nothing any more.
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

  /// Asks again for a picture that has failed.
  ///
  /// - Returns: false where none has.
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

  /// The pixels at hand where they are fewer than the picture's own.
  package var reducedSize: PixelSize? {
    guard let image, image.pixels.size != image.size else { return nil }
    return image.pixels.size
  }

  // MARK: Scale and place

  /// How large it is shown; what was in the middle stays there.
  package var scale = Scale.fitting {
    didSet {
      guard scale != oldValue else { return }
      if scale == .actual { center() }
      update()
      setNeedsDisplay()
    }
  }

  /// Whether there is more of the picture than shows.
  package var canMove: Bool {
    guard let whole = wholeSize else { return false }
    return whole.width > frame.width || whole.height > frame.height
  }

  /// Moves what shows by so many columns and rows, within the picture.
  ///
  /// - Returns: false where it is at its edge already.
  package func move(columns: Int, rows: Int) -> Bool {
    let place = clamped(
      Point(x: saturating(corner.x, columns), y: saturating(corner.y, rows)))
    guard place != corner else { return false }
    corner = place
    update()
    setNeedsDisplay()
    return true
  }

  private func saturating(_ a: Int, _ b: Int) -> Int {
    let (sum, isOver) = a.addingReportingOverflow(b)
    return isOver ? (b > 0 ? .max : .min) : sum
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

  /// To be called when pictures are made in another way than the one shown was.
  func methodDidChange() {
    corner = clamped(corner)
    update()
  }

  /// Pixels that a cell stands for where the picture has its own size.
  private var cellPixels: PixelSize {
    switch renderer.method {
    case .sixel(let cell, _, _), .kitty(let cell, _): return cell
    case .none, .symbols:
      let height = (Double(ImageView.pixelsPerColumn) / LayoutMetrics.cellAspect).rounded()
      return PixelSize(width: ImageView.pixelsPerColumn, height: max(1, Int(height)))
    }
  }

  /// Columns and rows of the whole picture at this scale; nil while it is not there.
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
      let picture = await PictureStore.threads.value {
        Self.picture(part, of: image.pixels, by: renderer)
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
    // It may have been moved on meanwhile.
    update()
  }

  private nonisolated static func picture(
    _ part: Part, of pixels: PixelBuffer, by renderer: PictureRenderer
  ) -> Picture {
    guard let cell = part.cell else { return renderer.picture(of: pixels, size: part.area.size) }
    let box = PixelSize(
      width: part.area.width * cell.width, height: part.area.height * cell.height)
    let cropped = pixels.cropped(
      x: part.area.minX * cell.width, y: part.area.minY * cell.height, to: box)
    return renderer.picture(of: cropped, size: part.area.size)
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

  /// One line in the middle.
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
