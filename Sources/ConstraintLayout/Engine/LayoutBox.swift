import ConstraintSolver

/// The unknowns of one item or guide. Constraints hold boxes, not items, so that they keep no item
/// alive.
///
/// Properties that are `@exclusivity(unchecked)` are changed by calls that call no other code.
@MainActor final class LayoutBox {
  /// The variables in a solver. The root has neither left nor top, which are 0.
  struct Unknowns {
    var left: Variable?
    var top: Variable?
    var width: Variable?
    var height: Variable?
  }

  /// The item, or the guide's owner; cleared when it ends.
  unowned var item: LayoutItem?
  /// The guide's name if this is a guide's box.
  var guideName: String?
  /// The box's number in a tree that has a class.
  var ordinal = 0
  /// Constraints made with it on the left side.
  @exclusivity(unchecked) var made = MadeConstraints()

  /// The system, which clears this when it releases the box, at the latest when its root ends.
  private(set) var system: LayoutSystem?
  /// The `serial` of the system; 0 if there is none.
  private(set) var systemSerial = 0
  private(set) var unknowns = Unknowns()
  /// The solved frame, from the root's corner.
  var solved = FractionalRect.zero

  /// The content size's constraints: at least it (compression resistance), at most it (hugging);
  /// horizontal, then vertical.
  @exclusivity(unchecked) var contentConstraints: InlineArray<4, LayoutConstraint?> =
    .init(repeating: nil)
  var isContentSizeValid = false
  /// Whether a constraint has ever used its baselines.
  var hasBaselines = false
  /// The columns for which the height was last asked for.
  var widthOfHeight: Int?

  var name: String {
    let owner = item?.name ?? "gone"
    return guideName.map { "\(owner).\($0)" } ?? owner
  }

  /// The item, unless this is a guide's box.
  var ownItem: LayoutItem? { guideName == nil ? item : nil }

  var variables: [Variable] {
    let own = unknowns
    return [own.left, own.top, own.width, own.height].compactMap { $0 }
  }

  /// The index of a constraint among those of the content size.
  func contentIndex(of constraint: LayoutConstraint) -> Int? {
    contentConstraints.indices.first { contentConstraints[$0] === constraint }
  }

  /// The constraint that a report names for a width or height that is not negative; `nil` if the
  /// variable is neither.
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

  /// Called when its item or guide ends.
  func end() {
    item = nil
    made.end()
  }
}
