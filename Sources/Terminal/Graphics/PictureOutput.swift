import Geometry
import Pixels

/// Encodes the bytes that a screen sends for pictures in addition to its cells, if its terminal
/// draws pictures itself.
struct PictureOutput {
  let renderer: PictureRenderer
  private var kitty = KittyPainter()
  private var sixel: SixelPainter
  private var motion = SixelMotion()

  /// - Parameter version: the terminal's name and version (XTVERSION).
  init(renderer: PictureRenderer, version: String) {
    self.renderer = renderer
    sixel = SixelPainter(version: version)
  }

  /// The bytes of a frame's pictures.
  struct Parts {
    /// Sent before the frame's cells.
    var before: [UInt8] = []
    /// Sent after the frame's cells.
    var after: [UInt8] = []
    /// The terminal's numbers of its pictures, by their ids on the shelf; `nil` if it draws no
    /// placeholders.
    var numbers: [UInt32: UInt32]?
  }

  /// - Parameters:
  ///   - old: the canvas on the screen; `nil` if all of it is redrawn.
  ///   - cursor: the cursor's position after the frame's cells.
  /// - Complexity: O(cells), and O(1) while there are no pictures.
  mutating func parts(for frame: Canvas, since old: Canvas?, cursor: Point) -> Parts {
    var parts = Parts()
    switch renderer.method {
    case .none, .symbols: break
    case .kitty:
      let ids = renderer.shelf.isEmpty ? [] : Self.pictures(in: frame)
      (parts.before, parts.after) = kitty.show(ids, of: renderer.shelf)
      parts.numbers = kitty.numbers
    case .sixel(let cell, _, _):
      _ = renderer.shelf.takeReleasedIDs()
      guard sixel.showsSixels || !renderer.shelf.isEmpty else { break }
      let blocks = sixel.blocks(of: frame, since: old)
      parts.after = sixel.bytes(blocks, of: renderer.shelf, cell: cell, cursor: cursor)
    }
    return parts
  }

  // MARK: Sixels

  /// Whether the last frame shows sixels.
  var showsSixels: Bool { sixel.showsSixels }

  /// Announces that the next frame shows a move by the user; `goesOn` if more frames of that move
  /// follow.
  mutating func announceMotion(goesOn: Bool) { motion.announce(goesOn: goesOn) }

  /// The time at which pictures that are drawn as symbols during a motion become sharp; `nil` if
  /// there are none.
  var sharpeningTime: SixelMotion.Instant? { motion.sharpeningTime }

  /// Records that the frame was shown by `now`.
  mutating func frameShown(at now: SixelMotion.Instant) { motion.end(at: now) }

  /// Delays sharp pictures because keys are waiting to be read.
  mutating func postponeSharpening(at now: SixelMotion.Instant) { motion.wait(at: now) }

  /// `frame` with symbols in place of moving pictures; `nil` if it is shown unchanged.
  ///
  /// - Complexity: O(cells), and O(1) if pictures are not sixels or there are none.
  mutating func standIn(for frame: Canvas, at now: SixelMotion.Instant) -> Canvas? {
    guard case .sixel = renderer.method else { return nil }
    guard !renderer.shelf.isEmpty else {
      motion.begin([], at: now)
      return nil
    }
    motion.begin(Self.places(in: frame), at: now)
    guard !motion.symbolPlaces.isEmpty else { return nil }
    var drawn = frame
    var symbols: [UInt32: Canvas] = [:]
    for place in motion.symbolPlaces where symbols[place.id] == nil {
      if case .sixel(let picture) = renderer.shelf.graphic(place.id) {
        symbols[place.id] = picture.symbols
      }
    }
    let width = frame.size.width
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

  private static func places(in frame: Canvas) -> Set<SixelMotion.Place> {
    var places: Set<SixelMotion.Place> = []
    var last: SixelMotion.Place?
    let width = frame.size.width
    frame.cells.withUnsafeBufferPointer { cells in
      for index in cells.indices where cells[index].isPicture {
        guard let part = cells[index].picture else { continue }
        let place = place(of: part, at: index, width: width)
        guard place != last else { continue }
        last = place
        places.insert(place)
      }
    }
    return places
  }

  private static func place(
    of part: PictureCell, at index: Int, width: Int
  ) -> SixelMotion.Place {
    SixelMotion.Place(id: part.id, x: index % width - part.column, y: index / width - part.row)
  }

  // MARK: Kitty's graphics

  /// The bytes that delete all pictures at the terminal.
  var farewell: [UInt8] { kitty.farewell }

  /// Notes that the terminal no longer holds any pictures.
  mutating func forget() { kitty.forget() }

  private static func pictures(in frame: Canvas) -> Set<UInt32> {
    var ids: Set<UInt32> = []
    var last: UInt32 = 0
    frame.cells.withUnsafeBufferPointer { cells in
      for cell in cells {
        guard let id = cell.picture?.id, id != last else { continue }
        last = id
        ids.insert(id)
      }
    }
    return ids
  }
}
