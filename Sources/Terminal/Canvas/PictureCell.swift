/// The part of a picture that a cell of a canvas stands for, if the terminal draws the picture.
///
/// In the text of a canvas such a cell is a no-break space. Its code holds row and column; the
/// picture's id takes the place of the foreground, which the cell does not use.
struct PictureCell: Hashable {
  /// Assigned by the ``GraphicRegistry``.
  var id: UInt32
  /// Row and column are both below ``limit``.
  var row: Int
  var column: Int

  /// The number of rows and of columns that can be expressed: more than a screen has.
  static let limit = 1 << 15
}

extension CanvasCell {
  init(_ part: PictureCell) {
    self.init("\u{A0}")
    let row = UInt32(min(max(0, part.row), PictureCell.limit - 1))
    let column = UInt32(min(max(0, part.column), PictureCell.limit - 1))
    code = CellCode(rawValue: CellCode.firstPicture | row << 15 | column)
    style.foreground = Color(rawValue: Int32(bitPattern: part.id))
  }

  /// Whether the terminal draws a part of a picture here.
  var isPicture: Bool { code.isPicture }

  /// The part of a picture in this cell; `nil` for text.
  var picture: PictureCell? {
    guard isPicture else { return nil }
    return PictureCell(
      id: UInt32(bitPattern: style.foreground.rawValue),
      row: Int(code.rawValue >> 15 & UInt32(PictureCell.limit - 1)),
      column: Int(code.rawValue & UInt32(PictureCell.limit - 1)))
  }
}

extension Canvas {
  /// The results of `body` for the cells of pictures, which it is called with beside their indices.
  ///
  /// - Complexity: O(cells).
  func pictures<Value: Hashable>(_ body: (PictureCell, Int) -> Value) -> Set<Value> {
    var found: Set<Value> = []
    // Most cells have the same result as the one before.
    var last: Value?
    cells.withUnsafeBufferPointer { cells in
      for index in cells.indices where cells[index].isPicture {
        guard let part = cells[index].picture else { continue }
        let value = body(part, index)
        guard value != last else { continue }
        last = value
        found.insert(value)
      }
    }
    return found
  }
}
