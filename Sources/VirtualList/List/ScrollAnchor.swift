/// The only scroll state of a list: the row at the top edge, and the place in it that is there.
public struct ScrollAnchor: Hashable, Sendable {
  /// The row's identity.
  public var rowID: RowID
  /// The row's present index; follows the identity through updates.
  public var row: Int
  /// The content at the top edge. Changes only when the user moves.
  public var place: Place
  /// Lines of the row above the top edge, derived from `place` for the present width and content.
  public var line: Int

  /// Creates an anchor at a present line of the list.
  init(at position: ScrollPosition, in environment: some ListEnvironment) {
    rowID = environment.rowID(at: position.row)
    row = position.row
    place = environment.place(atLine: position.line, inRow: position.row)
    line = position.line
  }

  var position: ScrollPosition { ScrollPosition(row: row, line: line) }
}
