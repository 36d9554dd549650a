import ConstraintSolver

/// The unknowns of one item or guide. Constraints hold boxes, not items, so that they keep no item
/// alive.
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
  /// Constraints made with it on the left side, for the inspector.
  var made = KnownConstraints()

  /// Takes itself back when it ends or lets go of the box.
  private(set) unowned var system: LayoutSystem?
  /// Its system's `serial`; 0 where it has none.
  private(set) var systemSerial = 0
  private(set) var unknowns = Unknowns()
  /// Frame as solved, from the root's corner.
  var solved = FractionalRect.zero

  // Content sizes as constraints: at least at the resistance, at most at the hugging, per axis.
  var contentConstraints = InlineArray<4, LayoutConstraint?>(repeating: nil)
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

  func join(_ system: LayoutSystem, _ unknowns: Unknowns) {
    self.system = system
    systemSerial = system.serial
    self.unknowns = unknowns
  }

  func leaveSystem() {
    system = nil
    systemSerial = 0
    unknowns = Unknowns()
    contentConstraints = InlineArray(repeating: nil)
    isContentSizeValid = false
    widthOfHeight = nil
  }
}
