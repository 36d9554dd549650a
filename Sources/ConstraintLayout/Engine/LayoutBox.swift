import ConstraintSolver

/// The unknowns of one item or guide. Constraints hold boxes, not items, so that they keep no item
/// alive.
///
/// Properties without a check of exclusive access are changed by calls that lead nowhere else.
@MainActor final class LayoutBox {
  /// Its variables in a solver. The root has neither left nor top, which are 0.
  struct Unknowns {
    var left: Variable?
    var top: Variable?
    var width: Variable?
    var height: Variable?
  }

  /// The item, or the guide's owner; takes itself back when it ends.
  unowned var item: LayoutItem?
  /// The guide's name where this is a guide's.
  var guideName: String?
  /// Its number in a tree that has a class.
  var ordinal = 0
  /// Constraints made with it on the left side.
  @exclusivity(unchecked) var made = MadeConstraints()

  /// Takes itself back when it lets go of the box, at the latest when its root ends.
  private(set) var system: LayoutSystem?
  /// Its system's `serial`; 0 where it has none.
  private(set) var systemSerial = 0
  private(set) var unknowns = Unknowns()
  /// Frame as solved, from the root's corner.
  var solved = FractionalRect.zero

  /// The constraints of a content size: at least at the resistance, at most at the hugging; across,
  /// then down.
  @exclusivity(unchecked) var contentConstraints: InlineArray<4, LayoutConstraint?> =
    .init(repeating: nil)
  var isContentSizeValid = false
  /// Whether a constraint was ever set on its baselines.
  var hasBaselines = false
  /// Columns that the height was last asked for.
  var widthOfHeight: Int?

  var name: String {
    let owner = item?.name ?? "gone"
    return guideName.map { "\(owner).\($0)" } ?? owner
  }

  /// The item, where this is not a guide's.
  var ownItem: LayoutItem? { guideName == nil ? item : nil }

  var variables: [Variable] {
    let own = unknowns
    return [own.left, own.top, own.width, own.height].compactMap { $0 }
  }

  /// Which of the content size's a constraint is.
  func contentIndex(of constraint: LayoutConstraint) -> Int? {
    contentConstraints.indices.first { contentConstraints[$0] === constraint }
  }

  /// What a report calls that the width or height is not negative, where the variable is one of
  /// them.
  func nonnegativeSize(_ variable: Variable) -> LayoutConstraint? {
    guard variable == unknowns.width || variable == unknowns.height else { return nil }
    return LayoutConstraint(
      LayoutAnchorPoint(box: self, attribute: variable == unknowns.width ? .width : .height),
      .greaterThanOrEqual, nil, 1, 0, nil, origin: .imposed, label: "size not negative")
  }

  func join(_ system: LayoutSystem, _ unknowns: Unknowns) {
    self.system = system
    systemSerial = system.serial
    self.unknowns = unknowns
  }

  func leaveSystem() {
    system = nil
    systemSerial = 0
    unknowns = Unknowns()
    contentConstraints = .init(repeating: nil)
    isContentSizeValid = false
    widthOfHeight = nil
  }

  /// Its item or guide has ended.
  func end() {
    item = nil
    made.end()
  }
}
