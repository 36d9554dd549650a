import CNcurses

extension CanvasCell {
  /// The cell that shows `character`, width 1 or 2; nil for one that shows nothing.
  static func displaying(_ character: Character, style: Style) -> CanvasCell? {
    guard let first = character.unicodeScalars.first else { return nil }
    if first.value < 0x20 || (0x7F..<0xA0).contains(first.value) { return nil }
    let width = curses_column_width(first.value)
    var cell = CanvasCell(first, style: style, width: UInt8(clamping: max(1, width)))
    if width < 1 { cell.scalars.0 = 0x25A1 }
    return cell
  }
}
