/// The content at a line of a row, whatever the width: a character in a part of its text, or a line
/// of a picture. Only the row's cell interprets `part` and `offset`; the list stores and returns
/// them.
public struct Place: Hashable, Sendable {
  /// The view within the cell.
  public var part: Int32
  /// The character or line within that view.
  public var offset: Int32

  /// Creates a place from its part and offset.
  public init(part: Int32, offset: Int32) {
    self.part = part
    self.offset = offset
  }
}
