/// The only scroll state of a list: which row crosses the top edge, and what of it stands there.
public struct ScrollAnchor: Hashable, Sendable {
  /// The row's identity.
  public var rowID: RowID
  /// The row's index at present; follows the identity through updates.
  public var row: Int
  /// What stands at the top edge. Changes only when the user moves.
  public var place: Place
  /// Lines of the row above the top edge, derived from `place` for the present width and content.
  public var line: Int

  /// An anchor at a line of the list as it is now.
  init(at position: ScrollPosition, in environment: some ListEnvironment) {
    rowID = environment.rowID(at: position.row)
    row = position.row
    place = environment.place(atLine: position.line, inRow: position.row)
    line = position.line
  }

  var position: ScrollPosition { ScrollPosition(row: row, line: line) }
}
