import Geometry
import TextLayout

/// A grid of cells that views draw into, and that a screen shows. Rules of all drawing:
///
/// 1. Drawing outside the canvas or its `clip` has no effect and is no error.
/// 2. After any call every leading cell of width 2 is followed by its trailing cell, and no
///    trailing cell stands alone: if one half is overwritten or cut off, the other becomes a blank.
public struct Canvas: Sendable {
  /// Columns and rows.
  public private(set) var size: Size
  /// The cells, row by row: `size.width * size.height`.
  public internal(set) var cells: [CanvasCell]
  /// The cells that drawing may change: all of them, unless a view draws into its part.
  public private(set) var clip: Rect

  /// A canvas of equal cells, by default blanks; a negative width or height counts as 0.
  ///
  /// - Complexity: O(cells).
  public init(size: Size, filledWith cell: CanvasCell = CanvasCell()) {
    self.size = Size(width: max(0, size.width), height: max(0, size.height))
    self.cells = Array(repeating: cell, count: self.size.width * self.size.height)
    clip = Rect(origin: .zero, size: self.size)
  }

  /// Calls `body`, whose drawing is clipped to `rect` as well.
  public mutating func clipped(to rect: Rect, _ body: (inout Canvas) -> Void) {
    let outer = clip
    clip = outer.intersection(rect)
    body(&self)
    clip = outer
  }

  /// Makes it a canvas of this size and of blanks, in its present memory if that is enough.
  ///
  /// - Complexity: O(n) in the cells.
  package mutating func reset(size: Size) {
    self.size = Size(width: max(0, size.width), height: max(0, size.height))
    clip = bounds
    let count = self.size.width * self.size.height
    if cells.count > count { cells.removeLast(cells.count - count) }
    cells.withUnsafeMutableBufferPointer { $0.update(repeating: CanvasCell()) }
    if cells.count < count {
      cells.append(contentsOf: repeatElement(CanvasCell(), count: count - cells.count))
    }
  }

  /// The whole canvas as a rectangle at the origin.
  public var bounds: Rect { Rect(origin: .zero, size: size) }

  /// One cell. Setting half of a wide character leaves the other half to the caller.
  ///
  /// - Precondition: the cell lies inside `bounds`.
  public subscript(x: Int, y: Int) -> CanvasCell {
    get { cells[y * size.width + x] }
    set { cells[y * size.width + x] = newValue }
  }

  // MARK: Drawing

  /// Fills the existing cells of `rect` with `cell`. A cell of width 2 is repeated every two
  /// columns, with a blank in an odd last column.
  ///
  /// - Complexity: O(cells filled).
  public mutating func fill(_ rect: Rect, with cell: CanvasCell) {
    let area = rect.intersection(clip)
    guard !area.isEmpty else { return }
    for y in area.minY..<area.maxY {
      splitWideCharacters(row: y, from: area.minX, to: area.maxX)
    }
    let first = area.minY * size.width + area.minX
    if cell.width == 2 {
      for x in 0..<area.width {
        let fits = x % 2 == 1 || x + 1 < area.width
        cells[first + x] = !fits ? cell.blank : x % 2 == 1 ? .trailing(style: cell.style) : cell
      }
    } else {
      for x in 0..<area.width { cells[first + x] = cell.width == 1 ? cell : cell.blank }
    }
    // The other rows are copies of the first.
    cells.withUnsafeMutableBufferPointer { cells in
      guard let row = cells.baseAddress.map({ $0 + first }) else { return }
      for y in 1..<max(1, area.height) {
        (row + y * size.width).update(from: row, count: area.width)
      }
    }
  }

  /// Blanks all cells outside `rect`.
  ///
  /// - Complexity: O(cells blanked).
  package mutating func clear(outside rect: Rect) {
    let kept = rect.intersection(bounds)
    guard !kept.isEmpty else { return fill(bounds, with: CanvasCell()) }
    let (width, height) = (size.width, size.height)
    let around = [
      Rect(x: 0, y: 0, width: width, height: kept.minY),
      Rect(x: 0, y: kept.minY, width: kept.minX, height: kept.size.height),
      Rect(x: kept.maxX, y: kept.minY, width: width - kept.maxX, height: kept.size.height),
      Rect(x: 0, y: kept.maxY, width: width, height: height - kept.maxY),
    ]
    for part in around where !part.isEmpty { fill(part, with: CanvasCell()) }
  }

  /// Draws one line of text from `origin` to the right, and returns the number of columns it took.
  ///
  /// Text beyond `maximumWidth` or the right edge is left out; a wide character that an edge cuts
  /// leaves a blank. A control character is drawn as □, in one column.
  ///
  /// - Parameter maximumWidth: the most columns; `nil` for up to the right edge.
  /// - Returns: columns from `origin`, including those left of the left edge; 0 if the row is
  ///   outside the clip.
  /// - Complexity: O(n) in the characters of `text`.
  @discardableResult
  public mutating func draw(
    _ text: some StringProtocol, at origin: Point, style: Style = .plain,
    maximumWidth: Int? = nil
  ) -> Int {
    let start = clip.minX
    var limit = clip.maxX
    if let maximumWidth, maximumWidth < limit - origin.x { limit = origin.x + max(0, maximumWidth) }
    guard origin.y >= clip.minY, origin.y < clip.maxY, origin.x < limit else { return 0 }
    var x = origin.x
    let wasASCII = text.utf8.withContiguousStorageIfAvailable { bytes -> Bool in
      guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return false }
      let end = min(limit, x + bytes.count)
      let first = max(start, x)
      if first < end { splitWideCharacters(row: origin.y, from: first, to: end) }
      var cell = CanvasCell(" ", style: style)
      for column in first..<max(first, end) {
        cell.code = CellCode(scalar: UInt32(bytes[column - x]))
        cells[origin.y * size.width + column] = cell
      }
      x = end
      return true
    }
    if wasASCII == true { return x - origin.x }
    var isFull = false
    TextMetrics.current.forEachGlyph(in: text) { glyph in
      guard !isFull else { return }
      if x + glyph.width > limit {
        isFull = true
        if x >= start, x < limit { put(CanvasCell(" ", style: style), x: x, y: origin.y) }
        return
      }
      if x >= start {
        put(CanvasCell(glyph, style: style), x: x, y: origin.y)
      } else if x + glyph.width > start {
        put(CanvasCell(" ", style: style), x: start, y: origin.y)
      }
      x += glyph.width
    }
    return x - origin.x
  }

  /// Copies the cells of `rect` in `source`, with its upper left corner at `destination`.
  ///
  /// - Complexity: O(cells copied).
  public mutating func copy(_ source: Canvas, from rect: Rect, to destination: Point) {
    let dx = destination.x - rect.minX
    let dy = destination.y - rect.minY
    let target = rect.intersection(source.bounds).offset(dx: dx, dy: dy).intersection(clip)
    guard !target.isEmpty else { return }
    for y in target.minY..<target.maxY {
      splitWideCharacters(row: y, from: target.minX, to: target.maxX)
      let sourceStart = (y - dy) * source.size.width - dx
      let start = y * size.width
      source.cells.withUnsafeBufferPointer { from in
        cells.withUnsafeMutableBufferPointer { to in
          guard let from = from.baseAddress, let to = to.baseAddress else { return }
          (to + start + target.minX).update(
            from: from + sourceStart + target.minX, count: target.width)
        }
      }
      if cells[start + target.minX].width == 0 {
        cells[start + target.minX] = cells[start + target.minX].blank
      }
      if cells[start + target.maxX - 1].width == 2 {
        cells[start + target.maxX - 1] = cells[start + target.maxX - 1].blank
      }
    }
  }

  /// Changes the style of the existing cells of `rect`; both halves of a wide character at an edge
  /// change together.
  ///
  /// - Complexity: O(cells changed).
  public mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
    let area = rect.intersection(clip)
    for y in area.minY..<area.maxY {
      let start = y * size.width
      var first = start + area.minX
      var end = start + area.maxX
      if cells[first].width == 0, area.minX > 0 { first -= 1 }
      if area.maxX < size.width, cells[end].width == 0 { end += 1 }
      for index in first..<end {
        let old = cells[index].style.foreground
        change(&cells[index].style)
        // A picture's cell holds its id there.
        if cells[index].isPicture { cells[index].style.foreground = old }
      }
    }
  }

  /// Assigns a link to the existing cells of a row from `x` on.
  ///
  /// - Parameter number: from a ``LinkGroup``; 0 for none.
  /// - Complexity: O(columns).
  public mutating func setLink(_ number: UInt32, x: Int, y: Int, columns: Int) {
    let area = Rect(x: x, y: y, width: columns, height: 1).intersection(clip)
    guard !area.isEmpty else { return }
    let start = area.minY * size.width
    for index in (start + area.minX)..<(start + area.maxX) { cells[index].link = number }
  }

  /// The characters of all cells of a link, row by row.
  ///
  /// - Complexity: O(cells).
  package func text(ofLink number: UInt32) -> String {
    var text = String.UnicodeScalarView()
    for cell in cells where cell.link == number && cell.width > 0 {
      text.append(contentsOf: cell.unicodeScalars)
    }
    return String(text)
  }

  /// The characters of a row without styles, for tests and for text taken from the screen.
  ///
  /// - Precondition: the canvas has that row.
  /// - Complexity: O(columns).
  public func text(row y: Int) -> String {
    var text = String.UnicodeScalarView()
    for cell in cells[(y * size.width)..<((y + 1) * size.width)] where cell.width > 0 {
      text.append(contentsOf: cell.unicodeScalars)
    }
    return String(text)
  }

  /// Draws one whole character, which must fit.
  private mutating func put(_ cell: CanvasCell, x: Int, y: Int) {
    let end = x + Int(cell.width)
    splitWideCharacters(row: y, from: x, to: end)
    cells[y * size.width + x] = cell
    if cell.width == 2 { cells[y * size.width + x + 1] = .trailing(style: cell.style) }
  }

  /// Blanks those halves of wide characters at the ends of `start..<end` that lie outside it.
  private mutating func splitWideCharacters(row y: Int, from start: Int, to end: Int) {
    guard start < end else { return }
    let row = y * size.width
    if start > 0, cells[row + start].width == 0 {
      cells[row + start - 1] = cells[row + start - 1].blank
    }
    if end < size.width, cells[row + end].width == 0 {
      cells[row + end] = cells[row + end].blank
    }
  }

  // MARK: Comparing

  /// The number of rows by which most of `old` moved up to become this canvas: negative for down, 0
  /// if it did not move, no move was found, or the sizes differ.
  ///
  /// A heuristic that saves work and never changes the frame: it searches for a few rows of `old`,
  /// and accepts a shift if half of a dozen rows agree with it.
  ///
  /// - Complexity: O(rows) comparisons of one cell, and O(columns) for each that finds it equal.
  func verticalShift(since old: Canvas) -> Int {
    let (width, height) = (size.width, size.height)
    guard old.size == size, height > 2, width > 0 else { return 0 }
    return cells.withUnsafeBufferPointer { new in
      old.cells.withUnsafeBufferPointer { old in
        func isSame(_ newRow: Int, _ oldRow: Int) -> Bool {
          guard newRow >= 0, newRow < height, oldRow >= 0, oldRow < height else { return false }
          return CanvasCell.areEqual(new, at: newRow * width, old, at: oldRow * width, count: width)
        }
        func agrees(_ shift: Int) -> Bool {
          let looked = stride(from: 0, to: height, by: max(1, height / 12))
          var (count, same) = (0, 0)
          for row in looked {
            count += 1
            if isSame(row, row + shift) { same += 1 }
          }
          return same * 2 >= count
        }
        for sample in [height / 2, height / 3, height * 2 / 3] {
          let cells = sample * width..<(sample + 1) * width
          let column = UnsafeBufferPointer(rebasing: old[cells]).firstDifference(
            from: UnsafeBufferPointer(rebasing: new[cells]))
          guard column < width else { continue }
          // A cell whose column has changed is a good one to search for.
          let sought = old[sample * width + column]
          for distance in 1..<height {
            for shift in [distance, -distance] {
              let row = sample - shift
              guard row >= 0, row < height, new[row * width + column] == sought,
                isSame(row, sample), agrees(shift)
              else { continue }
              return shift
            }
          }
        }
        return 0
      }
    }
  }
}
