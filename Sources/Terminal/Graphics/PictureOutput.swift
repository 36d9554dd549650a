import Geometry
import Pixels

/// What a screen sends for pictures beside its cells, if its terminal draws pictures itself.
struct PictureOutput {
  let renderer: PictureRenderer
  private var kitty = KittyPainter()
  private var sixel = SixelPainter()

  init(renderer: PictureRenderer) { self.renderer = renderer }

  /// What goes with a frame.
  struct Parts {
    /// Before its cells.
    var before: [UInt8] = []
    /// After its cells.
    var after: [UInt8] = []
    /// By which numbers the terminal knows pictures; nil where it draws no placeholders.
    var numbers: [UInt32: UInt32]?
  }

  /// - Parameter old: what the screen shows; nil where it is redrawn.
  /// - Complexity: O(cells), and no more than a question while there are no pictures.
  mutating func parts(for frame: Canvas, since old: Canvas?) -> Parts {
    var parts = Parts()
    switch renderer.method {
    case .none, .symbols: break
    case .kitty:
      let ids = renderer.shelf.isEmpty ? [] : Self.pictures(in: frame)
      (parts.before, parts.after) = kitty.show(ids, of: renderer.shelf)
      parts.numbers = kitty.numbers
    case .sixel(let cell, _):
      _ = renderer.shelf.takeGone()
      let former = sixel.showsStrips
      guard former || !renderer.shelf.isEmpty else { break }
      let runs = sixel.runs(of: frame, since: old)
      parts.after = sixel.bytes(runs, of: renderer.shelf, cell: cell)
    }
    return parts
  }

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
