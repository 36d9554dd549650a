import Geometry

/// Tracks the blocks of pictures on the screen, and finds those that a frame has to paint.
///
/// 1. For ncurses a picture cell is a no-break space in a colour that no other row of a picture
///    has: so it overwrites stale cells, and a terminal erases pictures that are overwritten.
/// 2. Rows of a picture are painted over their cells after ncurses has drawn the frame: rows that
///    are new or have moved, and rows that ncurses may have written over. Within a row it writes
///    only the columns from the first that differs to the last.
/// 3. Consecutive rows are one sequence: that is shorter, and xterm keeps few of them.
/// 4. Lines are moved only while no pictures are on the screen (``LineMove``): terminals differ in
///    whether pictures move along.
/// 5. Nothing is painted in the last row of the screen: the screen would scroll.
/// 6. No sequence is larger than the terminal draws.
struct PaintedBlocks {
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

    /// Splits the block into pieces of at most these columns and rows; `nil` for no limit.
    ///
    /// - Complexity: O(pieces).
    func pieces(atMost size: Size?) -> [Block] {
      guard let size, columns.count > size.width || rows.count > size.height else { return [self] }
      return stride(from: 0, to: rows.count, by: size.height).flatMap { down in
        stride(from: 0, to: columns.count, by: size.width).map { across in
          Block(
            x: x + across, y: y + down, id: id,
            rows: (rows.lowerBound + down..<rows.upperBound).prefix(size.height),
            columns: (columns.lowerBound + across..<columns.upperBound).prefix(size.width))
        }
      }
    }
  }

  /// Whether the last frame shows pictures.
  private(set) var areShown = false

  /// The blocks to paint after `frame`. `old` is the canvas on the screen, `nil` if there is none.
  ///
  /// - Complexity: O(cells).
  mutating func show(_ frame: Canvas, since old: Canvas?) -> [Block] {
    areShown = false
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
        areShown = true
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
}
