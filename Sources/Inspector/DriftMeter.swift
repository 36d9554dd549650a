import Geometry
import Terminal
import TerminalViews
import VirtualList

/// Measures from the drawn cells how far the content at the reader's top edge has moved.
///
/// 1. After each move of the reader the next frame drawn is the reference: the cells on the list's
///    first line, and the view of the row's cell that they belong to.
/// 2. After every other frame the reference is searched for in the drawn cells: text by its
///    characters, so that it is found even if it is wrapped to another width; pictures by their
///    line. The distance of its line from the top edge is the drift. If the reference now spans
///    several lines, any of them may be at the top edge, since a place chosen at another width may
///    be inside it. If the reference was the row's last line and below all views, so may any later
///    line of the row: its end may have moved. The list's scroll anchor is not used.
/// 3. While the list follows its end, the reference is the last line, at the bottom edge.
/// 4. If the list would leave lines blank after its last one, the top edge must give way: that is
///    not drift and is reported separately.
@MainActor struct DriftMeter {
  enum Reading: Hashable {
    /// The list shows no row.
    case none
    /// Lines downward; 0 is the right place.
    case lines(Int)
    /// The reference is not on the screen.
    case lost
  }

  private(set) var reading = Reading.none
  /// The largest drift since the start, in lines; a lost reference counts as one line.
  private(set) var worst = 0
  /// Lines by which the top edge gave way so that the list ends at the bottom edge.
  private(set) var endCorrection = 0
  private(set) var isFollowing = false
  private var reference: Reference?
  private var hasMoved = true

  /// The content that was at the top edge.
  private struct Reference {
    enum Part {
      /// A line above all views that provide places.
      case above(Int)
      /// A line of a text view; of the whole cell if it names no views.
      case text(view: Int?, line: Int, frame: Rect)
      case picture(view: Int, line: Int)
      /// This many lines below a view's last line; as many or more if it is the row's last line.
      case below(view: Int, lines: Int, isLast: Bool)
    }

    let rowID: RowID
    /// The line of the list at which the row's cell began.
    let y: Int
    let part: Part
    /// The list's first line as drawn.
    let cells: [CanvasCell]
    /// The whole row as drawn.
    let backing: Canvas
  }

  /// Makes the next frame the new reference, after the reader has moved.
  mutating func noteMove() { hasMoved = true }

  /// Measures the drift on a canvas that shows only the list.
  ///
  /// - Complexity: O(width) while nothing moves, O(cells of the row) otherwise.
  mutating func observe(_ list: ListView, on canvas: Canvas) {
    endCorrection = 0
    isFollowing = list.isFollowing
    guard let top = list.visibleFrames.first, !isFollowing else {
      reference = nil
      if isFollowing { take(endReading(list)) } else { reading = .none }
      return
    }
    guard let reference, !hasMoved else {
      hasMoved = false
      reference = capture(top, list, canvas)
      return take(.lines(0))
    }
    if rowID(top.row, list) == reference.rowID, top.y == reference.y,
      line(0, list, canvas).elementsEqual(reference.cells, by: { $0.scalars == $1.scalars })
    {
      return take(.lines(0))
    }
    take(measure(reference, list, canvas))
  }

  private mutating func take(_ new: Reading) {
    reading = new
    switch new {
    case .none: break
    case .lines(let lines): worst = max(worst, abs(lines))
    case .lost: worst = max(worst, 1)
    }
  }

  private func rowID(_ row: Int, _ list: ListView) -> RowID? {
    list.dataSource?.listView(list, rowIDForRowAt: IndexPath(row: row))
  }

  /// A line of the list as drawn, without the scroll bar.
  private func line(_ y: Int, _ list: ListView, _ canvas: Canvas) -> ArraySlice<CanvasCell> {
    let frame = Rect(
      x: list.rowMargin, y: y, width: list.rowWidth, height: 1
    ).intersection(canvas.bounds)
    let start = frame.minY * canvas.size.width + frame.minX
    return canvas.cells[start..<start + frame.width * frame.height]
  }

  private func endReading(_ list: ListView) -> Reading {
    guard let last = list.visibleFrames.last, last.row == list.numberOfRows - 1 else {
      return .lost
    }
    return .lines(
      list.isAtTop ? min(0, list.frame.height - last.maxY) : last.maxY - list.frame.height)
  }

  // MARK: The reference

  private func capture(
    _ top: ListModel.VisibleRow, _ list: ListView, _ canvas: Canvas
  ) -> Reference? {
    guard let cell = list.cellForRow(at: IndexPath(row: top.row)), let id = rowID(top.row, list)
    else { return nil }
    return Reference(
      rowID: id, y: top.y, part: part(ofLine: max(0, -top.y), in: cell),
      cells: Array(line(0, list, canvas)), backing: cell.backing)
  }

  /// The view that a line of the cell belongs to, in the order in which the cell names its views.
  private func part(ofLine line: Int, in cell: ListViewCell) -> Reference.Part {
    var part = Reference.Part.above(line)
    if cell.placeProviders.isEmpty {
      part = .text(view: nil, line: line, frame: inside(cell))
    }
    for (index, view) in cell.placeProviders.enumerated() where view.frame.height > 0 {
      let frame = view.frame(in: cell)
      if line >= frame.minY, line < frame.maxY {
        return view is Label
          ? .text(view: index, line: line - frame.minY, frame: frame)
          : .picture(view: index, line: line - frame.minY)
      }
      if line >= frame.maxY {
        part = .below(
          view: index, lines: line - frame.maxY, isLast: line == cell.frame.height - 1)
      }
    }
    return part
  }

  /// The cell without the column of the selection mark.
  private func inside(_ cell: ListViewCell) -> Rect {
    Rect(x: 1, y: 0, width: max(0, cell.frame.width - 1), height: cell.frame.height)
  }

  // MARK: Finding the reference

  private mutating func measure(
    _ reference: Reference, _ list: ListView, _ canvas: Canvas
  ) -> Reading {
    guard
      let shown = list.visibleFrames.first(where: { rowID($0.row, list) == reference.rowID }),
      let cell = list.cellForRow(at: IndexPath(row: shown.row)),
      let lines = lines(of: reference, in: cell, shown, list, canvas)
    else { return .lost }
    let bounds = 0...max(0, shown.height - 1)
    let low = shown.y + min(max(lines.lowerBound, bounds.lowerBound), bounds.upperBound)
    let high = shown.y + min(max(lines.upperBound, bounds.lowerBound), bounds.upperBound)
    let drift = low > 0 ? low : min(0, high)
    if drift > 0, list.isAtEnd, let last = list.visibleFrames.last,
      last.maxY == list.frame.height || list.isAtTop
    {
      endCorrection = drift
      return .lines(0)
    }
    return .lines(drift)
  }

  /// The lines of the cell of which one should be at the top edge.
  private func lines(
    of reference: Reference, in cell: ListViewCell, _ shown: ListModel.VisibleRow,
    _ list: ListView, _ canvas: Canvas
  ) -> ClosedRange<Int>? {
    let views = cell.placeProviders
    func frame(_ index: Int) -> Rect? {
      views.indices.contains(index) ? views[index].frame(in: cell) : nil
    }
    switch reference.part {
    case .above(let line): return line...line
    case .below(let index, let lines, let isLast):
      return frame(index).map {
        let line = $0.maxY + lines
        return line...(isLast ? max(line, shown.height - 1) : line)
      }
    case .picture(let index, let line):
      return frame(index).map {
        let line = $0.minY + min(line, max(0, $0.height - 1))
        return line...line
      }
    case .text(let index, let line, let old):
      guard let now = index.map(frame) ?? inside(cell) else { return nil }
      guard now.height > 0 else { return now.minY...now.minY }
      let before = DrawnText(
        (old.minY..<old.maxY).map { self.row($0, of: reference.backing, columns: old) })
      let after = DrawnText(
        (now.minY..<now.maxY).map { y in
          (0..<list.frame.height).contains(shown.y + y)
            ? self.columns(now, of: self.line(shown.y + y, list, canvas))
            : self.row(y, of: cell.backing, columns: now)
        })
      return after.lines(of: before, line: line).map {
        now.minY + $0.lowerBound...now.minY + $0.upperBound
      }
    }
  }

  private func row(_ y: Int, of canvas: Canvas, columns: Rect) -> ArraySlice<CanvasCell> {
    guard (0..<canvas.size.height).contains(y) else { return [] }
    let start = y * canvas.size.width
    return self.columns(columns, of: canvas.cells[start..<start + canvas.size.width])
  }

  private func columns(_ frame: Rect, of line: ArraySlice<CanvasCell>) -> ArraySlice<CanvasCell> {
    let columns = (max(0, frame.minX)..<max(0, frame.maxX)).clamped(to: 0..<line.count)
    return line[line.startIndex + columns.lowerBound..<line.startIndex + columns.upperBound]
  }
}
