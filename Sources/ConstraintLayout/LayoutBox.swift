import ConstraintSolver

/// The unknowns of one item or guide. Constraints hold boxes, not items, so that they keep no item
/// alive.
@MainActor final class LayoutBox {
  /// The item, or the guide's owner; takes itself back when it ends.
  unowned var item: LayoutItem?
  /// The guide's name where this is a guide's.
  var guideName: String?
  /// Takes itself back when it ends or lets go of the box.
  unowned var engine: LayoutEngine?
  /// Its engine's `serial`; 0 where it has none.
  var engineSerial = 0
  /// Its number in a tree that has a class.
  var ordinal = 0
  /// Constraints made with it on the left side, for the inspector.
  var made = KnownConstraints()
  var left: Variable?
  var top: Variable?
  var width: Variable?
  var height: Variable?
  /// Frame as solved, from the root's corner.
  var solved = FractionalRect.zero

  // Content sizes as constraints: at least at the resistance, at most at the hugging, per axis.
  var contentConstraints: [LayoutConstraint?] = [nil, nil, nil, nil]
  var isContentSizeValid = false
  /// Columns that the height was last asked for.
  var widthOfHeight: Int?

  var name: String {
    let owner = item?.name ?? "gone"
    return guideName.map { "\(owner).\($0)" } ?? owner
  }
}
