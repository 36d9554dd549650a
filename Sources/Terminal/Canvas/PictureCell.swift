/// Which part of which picture a cell of a canvas stands for, where the terminal draws the picture.
///
/// Such a cell looks like a no-break space to whoever reads text off a canvas. Its code tells row
/// and column; the picture's number stands in place of a foreground, which it has no use for.
struct PictureCell: Hashable {
  /// Given by the ``PictureShelf``.
  var id: UInt32
  /// Below ``limit``, both.
  var row: Int
  var column: Int

  /// Rows and columns that can be told apart: more than a screen has.
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

  /// Whether a terminal draws part of a picture here.
  var isPicture: Bool { code.isPicture }

  /// The part of a picture that stands here; nil for text.
  var picture: PictureCell? {
    guard isPicture else { return nil }
    return PictureCell(
      id: UInt32(bitPattern: style.foreground.rawValue),
      row: Int(code.rawValue >> 15 & UInt32(PictureCell.limit - 1)),
      column: Int(code.rawValue & UInt32(PictureCell.limit - 1)))
  }
}
