import Geometry
import Pixels

/// What a screen sends for pictures beside its cells, if its terminal draws pictures itself.
struct PictureOutput {
  let renderer: PictureRenderer
  private var kitty = KittyPainter()
  private var sixel: SixelPainter
  private var motion = SixelMotion()

  /// - Parameter version: how the terminal calls itself.
  init(renderer: PictureRenderer, version: String) {
    self.renderer = renderer
    sixel = SixelPainter(version: version)
  }

  /// What goes with a frame.
  struct Parts {
    /// Before its cells.
    var before: [UInt8] = []
    /// After its cells.
    var after: [UInt8] = []
    /// By which numbers the terminal knows pictures; nil where it draws no placeholders.
    var numbers: [UInt32: UInt32]?
  }

  /// - Parameters:
  ///   - old: what the screen shows; nil where it is redrawn.
  ///   - cursor: where the cursor stands after the frame's cells.
  /// - Complexity: O(cells), and no more than a question while there are no pictures.
  mutating func parts(for frame: Canvas, since old: Canvas?, cursor: Point) -> Parts {
    var parts = Parts()
    switch renderer.method {
    case .none, .symbols: break
    case .kitty:
      let ids = renderer.shelf.isEmpty ? [] : Self.pictures(in: frame)
      (parts.before, parts.after) = kitty.show(ids, of: renderer.shelf)
      parts.numbers = kitty.numbers
    case .sixel(let cell, _, _):
      _ = renderer.shelf.takeGone()
      guard sixel.showsSixels || !renderer.shelf.isEmpty else { break }
      let blocks = sixel.blocks(of: frame, since: old)
      parts.after = sixel.bytes(blocks, of: renderer.shelf, cell: cell, cursor: cursor)
    }
    return parts
  }

  // MARK: Sixels

  /// Whether sixels stand on the screen, as they did with the last frame.
  var showsSixels: Bool { sixel.showsSixels }

  /// What comes next was moved by the reader; `goesOn` where more is known to follow.
  mutating func announceMotion(goesOn: Bool) { motion.announce(goesOn: goesOn) }

  /// When pictures that are drawn as symbols for the time being are to be sharp; nil where none
  /// are.
  var restsAt: SixelMotion.Instant? { motion.restsAt }

  /// The frame was shown by `now`.
  mutating func frameShown(at now: SixelMotion.Instant) { motion.end(at: now) }

  /// They are not to be sharp yet: keys wait to be read.
  mutating func waitForKeys(at now: SixelMotion.Instant) { motion.wait(at: now) }

  /// `frame` with symbols for pictures that move; nil where it is to be shown as it is.
  ///
  /// - Complexity: O(cells), and O(1) where pictures are not sixels or there are none.
  mutating func standIn(for frame: Canvas, at now: SixelMotion.Instant) -> Canvas? {
    guard case .sixel = renderer.method else { return nil }
    guard !renderer.shelf.isEmpty else {
      motion.begin([], at: now)
      return nil
    }
    motion.begin(Self.places(in: frame), at: now)
    guard !motion.asSymbols.isEmpty else { return nil }
    var drawn = frame
    var symbols: [UInt32: Canvas] = [:]
    for place in motion.asSymbols where symbols[place.id] == nil {
      if case .sixel(let picture) = renderer.shelf.graphic(place.id) {
        symbols[place.id] = picture.symbols
      }
    }
    let width = frame.size.width
    for index in frame.cells.indices where frame.cells[index].isPicture {
      guard let part = frame.cells[index].picture,
        motion.asSymbols.contains(Self.place(of: part, at: index, width: width))
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

  // MARK: Both

  /// What makes the terminal forget all pictures it was sent.
  var farewell: [UInt8] { kitty.farewell }

  /// The terminal has forgotten all pictures.
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
