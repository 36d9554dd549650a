/// Trees of one structure, such as the cells of one reuse identifier: the first is built and
/// solved, the others copy its solved engine and only edit it.
///
/// Give it to roots before their first layout (`LayoutItem.layoutClass`). Trees of a class have the
/// same items and guides in the same order; constraints may differ, be switched and edited. A tree
/// that gains an item or guide after its first layout solves for itself from then on.
@MainActor public final class LayoutClass {
  /// What it is called, for reports.
  public let name: String
  /// The first tree's system as it was once solved.
  var template: LayoutTemplate?

  /// The template, where it is of a tree with so many boxes.
  func template(boxCount: Int) -> LayoutTemplate? {
    template?.boxes.count == boxCount ? template : nil
  }

  /// A class of which no tree is known yet; its name is shown where trees are described.
  public init(name: String = "") { self.name = name }
}
