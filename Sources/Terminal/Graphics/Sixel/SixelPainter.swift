import Geometry
import Pixels

/// Tracks the blocks of sixels on the screen, and paints those that a frame needs.
///
/// 1. For ncurses a picture cell is a no-break space in a colour that no other row of a picture
///    has: so it overwrites stale cells, and a terminal erases sixels that are overwritten.
/// 2. Rows of a picture are painted over their cells after ncurses has drawn the frame: rows that
///    are new or have moved, and rows that ncurses may have written over. Within a row it writes
///    only the columns from the first that differs to the last.
/// 3. Consecutive rows are one sequence: that is shorter, and xterm keeps few of them.
/// 4. Lines are moved only while no sixels are on the screen (``LineMove``): terminals differ in
///    whether sixels move along.
/// 5. Nothing is painted in the last row of the screen: the screen would scroll.
/// 6. No sequence has more pixels on a side than the terminal draws: xterm drops larger ones whole.
struct SixelPainter {
  /// A rectangle of a picture's cells, at its position on the screen.
  struct Block: Hashable {
    var x: Int
    var y: Int
    var id: UInt32
    var rows: Range<Int>
    var columns: Range<Int>

    /// Whether `next` has the same columns of the picture's next row, right below this block.
    func isContinued(by next: Block) -> Bool {
      next.id == id && next.x == x && next.columns == columns && next.y == y + rows.count
        && next.rows.lowerBound == rows.upperBound
    }
  }

  /// The most pixels on a side that xterm draws by default.
  static let xtermMaximumSide = 1_000

  /// The most pixels of one sequence on a side; `nil` for no limit.
  let side: Int?
  /// Whether the last frame shows sixels.
  private(set) var showsSixels = false

  /// - Parameter version: the terminal's name and version (XTVERSION).
  init(version: String) { side = version.hasPrefix("XTerm") ? Self.xtermMaximumSide : nil }

  /// The blocks to paint after `frame`. `old` is the canvas on the screen, `nil` if there is none.
  ///
  /// - Complexity: O(cells).
  mutating func blocks(of frame: Canvas, since old: Canvas?) -> [Block] {
    showsSixels = false
    let (width, height) = (frame.size.width, frame.size.height)
    let old = old?.size == frame.size ? old : nil
    var blocks: [Block] = []
    /// The indices of blocks that the next row may continue.
    var open: [Int] = []
    frame.cells.withUnsafeBufferPointer { new in
      for y in 0..<height {
        var found = Self.runs(in: new, y: y, width: width)
        guard !found.isEmpty else {
          open.removeAll(keepingCapacity: true)
          continue
        }
        showsSixels = true
        guard y < height - 1 else { continue }
        if let old {
          let row = (y * width)..<((y + 1) * width)
          let changed = old.cells.withUnsafeBufferPointer {
            UnsafeBufferPointer(rebasing: new[row]).changedColumns(
              since: UnsafeBufferPointer(rebasing: $0[row]))
          }
          found.removeAll { !changed.overlaps($0.x..<($0.x + $0.columns.count)) }
        }
        open = found.map { run in
          if let index = open.first(where: { blocks[$0].isContinued(by: run) }) {
            blocks[index].rows = blocks[index].rows.lowerBound..<run.rows.upperBound
            return index
          }
          blocks.append(run)
          return blocks.count - 1
        }
      }
    }
    return blocks
  }

  /// The blocks of one row.
  private static func runs(
    in cells: UnsafeBufferPointer<CanvasCell>, y: Int, width: Int
  ) -> [Block] {
    var runs: [Block] = []
    for x in 0..<width where cells[y * width + x].isPicture {
      guard let part = cells[y * width + x].picture else { continue }
      if let last = runs.last, last.id == part.id, last.rows.lowerBound == part.row,
        last.columns.upperBound == part.column, last.x + last.columns.count == x
      {
        runs[runs.count - 1].columns = last.columns.lowerBound..<(part.column + 1)
      } else {
        runs.append(
          Block(
            x: x, y: y, id: part.id, rows: part.row..<(part.row + 1),
            columns: part.column..<(part.column + 1)))
      }
    }
    return runs
  }

  /// The bytes that paint `blocks` and return the cursor to `cursor`.
  ///
  /// Pictures rendered for another cell size are left out: their replacements are being rendered.
  func bytes(_ blocks: [Block], of shelf: GraphicRegistry, cell: PixelSize, cursor: Point)
    -> [UInt8]
  {
    var bytes: [UInt8] = []
    for block in blocks.flatMap({ pieces(of: $0, cell: cell) }) {
      guard case .sixel(let picture) = shelf.graphic(block.id), picture.cell == cell else {
        continue
      }
      let drawn = picture.block(rows: block.rows, columns: block.columns)
      guard !drawn.isEmpty else { continue }
      bytes += Point(x: block.x, y: block.y).sequence.utf8
      bytes += drawn
    }
    if !bytes.isEmpty { bytes += cursor.sequence.utf8 }
    return bytes
  }

  /// Splits the block into pieces no larger than the terminal draws.
  private func pieces(of block: Block, cell: PixelSize) -> [Block] {
    guard let side else { return [block] }
    let (wide, high) = (max(1, side / cell.width), max(1, side / cell.height))
    guard block.columns.count > wide || block.rows.count > high else { return [block] }
    return stride(from: 0, to: block.rows.count, by: high).flatMap { down in
      stride(from: 0, to: block.columns.count, by: wide).map { across in
        let rows = (block.rows.lowerBound + down)..<block.rows.upperBound
        let columns = (block.columns.lowerBound + across)..<block.columns.upperBound
        return Block(
          x: block.x + across, y: block.y + down, id: block.id, rows: rows.prefix(high),
          columns: columns.prefix(wide))
      }
    }
  }
}
