import Geometry
import Pixels

/// Which strips of sixels stand on the screen, and which must be painted with a frame.
///
/// 1. ncurses knows of picture cells only that they hold a no-break space in a colour that no other row
///    of a picture has: so it overwrites what is stale, and a terminal erases what is overwritten.
/// 2. Strips are painted over their cells once ncurses has drawn the frame: those that were not there,
///    or stood elsewhere, and those it may have written over. Within a row it writes nothing outside the
///    columns from the first that differs to the last.
/// 3. ncurses moves no lines where pictures are sixels (`TerminfoEntry.withoutMoving()`), for terminals
///    differ in whether sixels move along.
/// 4. Nothing is painted in the last row of the screen: the screen would scroll.
struct SixelPainter {
  /// Neighbouring columns of one row of a picture.
  struct Run: Hashable {
    var x: Int
    var y: Int
    var id: UInt32
    var row: Int
    var columns: Range<Int>
  }

  /// Whether the last frame shows strips.
  private(set) var showsStrips = false

  /// The runs to paint after `frame`, `old` being what the screen shows, nil for nothing.
  ///
  /// - Complexity: O(cells).
  mutating func runs(of frame: Canvas, since old: Canvas?) -> [Run] {
    showsStrips = false
    let (width, height) = (frame.size.width, frame.size.height)
    let old = old?.size == frame.size ? old : nil
    var runs: [Run] = []
    frame.cells.withUnsafeBufferPointer { new in
      for y in 0..<height {
        let found = Self.runs(in: new, y: y, width: width)
        guard !found.isEmpty else { continue }
        showsStrips = true
        guard y < height - 1 else { continue }
        guard let old else {
          runs += found
          continue
        }
        let row = (y * width)..<((y + 1) * width)
        let changed = old.cells.withUnsafeBufferPointer {
          UnsafeBufferPointer(rebasing: new[row]).changedColumns(
            since: UnsafeBufferPointer(rebasing: $0[row]))
        }
        runs += found.filter { run in
          changed.overlaps(run.x..<(run.x + run.columns.count))
        }
      }
    }
    return runs
  }

  private static func runs(
    in cells: UnsafeBufferPointer<CanvasCell>, y: Int, width: Int
  ) -> [Run] {
    var runs: [Run] = []
    for x in 0..<width where cells[y * width + x].isPicture {
      guard let part = cells[y * width + x].picture else { continue }
      if let last = runs.last, last.id == part.id, last.row == part.row,
        last.columns.upperBound == part.column, last.x + last.columns.count == x
      {
        runs[runs.count - 1].columns = last.columns.lowerBound..<(part.column + 1)
      } else {
        runs.append(
          Run(x: x, y: y, id: part.id, row: part.row, columns: part.column..<(part.column + 1)))
      }
    }
    return runs
  }

  /// The bytes that paint `runs`: the cursor comes back to where it stood.
  ///
  /// Pictures made for cells of another size are left out: they are remade already.
  func bytes(_ runs: [Run], of shelf: PictureShelf, cell: PixelSize) -> [UInt8] {
    var bytes: [UInt8] = []
    for run in runs {
      guard case .sixel(let picture) = shelf.graphic(run.id), picture.cell == cell else { continue }
      let strip = picture.strip(row: run.row, columns: run.columns)
      guard !strip.isEmpty else { continue }
      bytes += bytes.isEmpty ? "\u{1B}7".utf8 : "".utf8
      bytes += "\u{1B}[\(run.y + 1);\(run.x + 1)H".utf8
      bytes += strip
    }
    if !bytes.isEmpty { bytes += "\u{1B}8".utf8 }
    return bytes
  }
}
