import VirtualList

/// A view inside a cell that knows the content of each of its lines, so that a scroll position
/// survives every change of its height.
@MainActor public protocol PlaceProviding: View {
  /// The content of `line`, counted from the view's first: the offset of a character, or of a line
  /// of a picture.
  func offset(atLine line: Int) -> Int

  /// The line where `offset` is now.
  func line(ofOffset offset: Int) -> Int

  /// Some words of the text that begins at `offset`; empty, the default, if there is no text.
  func words(atOffset offset: Int) -> String

  /// The offset nearest to `offset` at which the text is `words`; `nil`, the default, if there is
  /// none.
  func offset(ofWords words: String, near offset: Int) -> Int?
}

extension PlaceProviding {
  public func words(atOffset offset: Int) -> String { "" }
  public func offset(ofWords words: String, near offset: Int) -> Int? { nil }
}
