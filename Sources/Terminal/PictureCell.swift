/// Which part of which picture a cell of a canvas stands for, where the terminal draws the picture.
///
/// Such a cell looks like a no-break space to whoever reads text off a canvas; what tells it from one
/// is a number in place of its second code point that no text can hold.
struct PictureCell: Hashable {
  /// Given by the ``PictureShelf``.
  var id: UInt32
  var row: Int
  var column: Int

  fileprivate static let mark: UInt32 = 0x8000_0000
}

extension CanvasCell {
  init(_ part: PictureCell) {
    self.init("\u{A0}")
    scalars = (
      0xA0, PictureCell.mark, part.id, UInt32(truncatingIfNeeded: part.row),
      UInt32(truncatingIfNeeded: part.column)
    )
  }

  /// Whether a terminal draws part of a picture here.
  var isPicture: Bool { scalars.1 == PictureCell.mark }

  /// The part of a picture that stands here; nil for text.
  var picture: PictureCell? {
    guard isPicture else { return nil }
    return PictureCell(id: scalars.2, row: Int(scalars.3), column: Int(scalars.4))
  }
}
