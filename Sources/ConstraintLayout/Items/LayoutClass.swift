/// Trees of one structure, such as the cells of one reuse identifier: the first is built and
/// solved, the others copy its solved engine and only edit it.
///
/// Set it on roots before their first layout (`LayoutItem.layoutClass`). Trees of a class have the
/// same items and guides in the same order; constraints may differ, be switched and edited. A tree
/// that gains an item or guide after its first layout shares nothing from then on.
@MainActor public final class LayoutClass {
  /// The name, for debugging; layout does not use it.
  public let name: String
  /// The first tree's system, as solved once.
  var template: LayoutTemplate?

  /// The template, if its tree has `boxCount` boxes.
  func template(boxCount: Int) -> LayoutTemplate? {
    template?.boxes.count == boxCount ? template : nil
  }

  /// A class without any tree yet.
  public init(name: String = "") { self.name = name }
}
