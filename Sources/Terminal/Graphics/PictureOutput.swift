import Geometry

/// The pictures of a screen's frames: sharp or as symbols, and the bytes sent for them in addition
/// to the cells.
struct PictureOutput {
  let renderer: PictureRenderer
  /// `nil` if no pictures are drawn.
  private var painter: (any PicturePainter)?
  private var motion = PictureMotion()

  /// - Parameter version: the terminal's name and version (XTVERSION).
  init(renderer: PictureRenderer, version: String) {
    self.renderer = renderer
    painter = renderer.method.painter.map { $0.init(version: version) }
  }

  /// The bytes that show the pictures of a frame and hide all others.
  ///
  /// - Parameters:
  ///   - old: the canvas on the screen; `nil` if all of it is redrawn.
  ///   - cursor: the cursor's position after the frame's cells.
  /// - Complexity: O(cells), and O(1) while there are no pictures.
  mutating func bytes(for frame: Canvas, since old: Canvas?, cursor: Point) -> PictureBytes {
    let renderer = renderer
    return painter?.show(frame, since: old, cursor: cursor, renderer: renderer) ?? PictureBytes()
  }

  /// Whether the last frame shows pictures that are painted over their cells.
  var showsPaintedPictures: Bool { painter?.showsPaintedPictures ?? false }

  /// The bytes that hide all pictures for good.
  var farewell: [UInt8] { painter?.farewell ?? [] }

  /// Notes that the terminal no longer holds any pictures.
  mutating func forget() { painter?.forget() }

  // MARK: Motion

  /// Announces that the next frame shows a move by the user; `goesOn` if more frames of that move
  /// follow.
  mutating func announceMotion(goesOn: Bool) { motion.announce(goesOn: goesOn) }

  /// The time at which pictures that are drawn as symbols during a motion become sharp; `nil` if
  /// there are none.
  var sharpeningTime: PictureMotion.Instant? { motion.sharpeningTime }

  /// Records that the frame was shown by `now`.
  mutating func frameShown(at now: PictureMotion.Instant) { motion.end(at: now) }

  /// Delays sharp pictures because keys are waiting to be read.
  mutating func postponeSharpening(at now: PictureMotion.Instant) { motion.wait(at: now) }

  /// `frame` with symbols in place of moving pictures; `nil` if it is shown unchanged.
  ///
  /// - Complexity: O(cells), and O(1) if pictures are not painted over cells or there are none.
  mutating func standIn(for frame: Canvas, at now: PictureMotion.Instant) -> Canvas? {
    guard renderer.method.paintsOverCells else { return nil }
    guard !renderer.shelf.isEmpty else {
      motion.begin([], at: now)
      return nil
    }
    let width = frame.size.width
    motion.begin(frame.pictures { Self.place(of: $0, at: $1, width: width) }, at: now)
    guard !motion.symbolPlaces.isEmpty else { return nil }
    var drawn = frame
    var symbols: [UInt32: Canvas] = [:]
    for place in motion.symbolPlaces where symbols[place.id] == nil {
      if case .painted(let picture) = renderer.shelf.graphic(place.id) {
        symbols[place.id] = picture.symbols
      }
    }
    for index in frame.cells.indices where frame.cells[index].isPicture {
      guard let part = frame.cells[index].picture,
        motion.symbolPlaces.contains(Self.place(of: part, at: index, width: width))
      else { continue }
      var cell = CanvasCell(" ", style: Style(background: frame.cells[index].style.background))
      if let known = symbols[part.id], part.column < known.size.width,
        part.row < known.size.height
      {
        var symbol = known[part.column, part.row]
        if symbol.style.background == .default {
          symbol.style.background = cell.style.background
        }
        cell = symbol
      }
      drawn.cells[index] = cell
    }
    return drawn
  }

  private static func place(
    of part: PictureCell, at index: Int, width: Int
  ) -> PictureMotion.Place {
    PictureMotion.Place(id: part.id, x: index % width - part.column, y: index / width - part.row)
  }
}
