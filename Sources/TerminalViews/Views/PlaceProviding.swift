import VirtualList

/// A view inside a cell that can say what stands on each of its lines, so that a scroll position
/// survives every change of its height.
@MainActor public protocol PlaceProviding: View {
  /// What stands on `line`, 0 being the view's first: a character, or a line of a picture.
  func offset(atLine line: Int) -> Int

  /// The line on which `offset` stands now.
  func line(ofOffset offset: Int) -> Int
}
