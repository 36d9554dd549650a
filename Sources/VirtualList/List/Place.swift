/// What stands at a line of a row, whatever the width: a character of a part of its text, or a line
/// of a picture. Only the row's cell gives `part` and `offset` a meaning; the list keeps and
/// returns them.
public struct Place: Hashable, Sendable {
  /// The view that stands there.
  public var part: Int32
  /// What of it.
  public var offset: Int32

  /// A place by its part and offset.
  public init(part: Int32, offset: Int32) {
    self.part = part
    self.offset = offset
  }
}
