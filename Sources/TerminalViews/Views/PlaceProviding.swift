import VirtualList

/// A view inside a cell that can say what stands on each of its lines, so that a scroll position
/// survives every change of its height.
@MainActor public protocol PlaceProviding: View {
  /// What stands on `line`, 0 being the view's first: a character, or a line of a picture.
  func offset(atLine line: Int) -> Int

  /// The line on which `offset` stands now.
  func line(ofOffset offset: Int) -> Int

  /// The text that begins at `offset`, some words of it; empty, the default, where it is no text.
  func words(atOffset offset: Int) -> String

  /// The offset nearest to `offset` at which the text says `words`; nil, the default, where it
  /// nowhere does.
  func offset(ofWords words: String, near offset: Int) -> Int?
}

extension PlaceProviding {
  public func words(atOffset offset: Int) -> String { "" }
  public func offset(ofWords words: String, near offset: Int) -> Int? { nil }
}
