import ConstraintSolver
import Geometry

/// The solver of one tree, and what belongs to what in it.
///
/// Rules:
/// 1. A box has unknowns from the first constraint that mentions it until its item leaves the tree.
///    The root's left and top are 0 and no unknowns; all positions count from its corner.
/// 2. Constraints go to the solver when they are activated, are edited in place and removed when they
///    are deactivated; solving waits for the pass.
/// 3. A constraint the solver refused stays active and broken. It is added again, with its old age,
///    in the first pass after one of those it clashed with has changed.
@MainActor final class LayoutEngine {
  /// Its owner.
  unowned let root: LayoutItem
  /// No other engine's, so that boxes can tell theirs without a weak reference.
  let serial: Int
  private static var lastSerial = 0
  var solver: Solver
  /// Boxes with unknowns.
  var boxes: [LayoutBox] = []
  /// Constraints by their handle's index.
  var owners: [LayoutConstraint?] = []
  var terms: [Term] = []
  var broken: [Broken] = []
  var needsPass = true
  /// True from a change of constraints until they are solved.
  var needsSolve = true
  /// True while an item may want `updateConstraints` to be called.
  var updatesConstraints = true
  var statistics = LayoutStatistics()

  /// What the tree shares with others; nil also once the tree has changed.
  var layoutClass: LayoutClass?
  /// The solved engine of its class that this one's solver was copied from.
  private var original: LayoutTemplate?
  /// All boxes of the tree by their numbers; of trees with a class only.
  var orderedBoxes: [LayoutBox] = []

  let imposedWidth: LayoutConstraint
  let imposedHeight: LayoutConstraint
  let fittingHeight: LayoutConstraint
  var laidOutSize: (width: Int, height: Int?)?
  /// True from a solution until the frames are set by it.
  var framesAreBehind = true

  struct Broken {
    let constraint: LayoutConstraint
    /// Those it clashed with, and how often each had changed by then.
    let opponents: [(constraint: LayoutConstraint, revision: Int)]

    /// Whether it may now hold.
    @MainActor var isStale: Bool { opponents.contains { $0.constraint.revision != $0.revision } }
  }

  init(root: LayoutItem) {
    self.root = root
    LayoutEngine.lastSerial += 1
    serial = LayoutEngine.lastSerial
    func imposed(
      _ attribute: LayoutAttribute, _ priority: LayoutPriority, _ label: String
    ) -> LayoutConstraint {
      LayoutConstraint(
        root.anchorPoint(attribute), .equal, nil, 1, 0, nil, priority: priority, origin: .imposed,
        label: label)
    }
    imposedWidth = imposed(.width, .required, "Encapsulated-Layout-Width")
    imposedHeight = imposed(.height, .required, "Encapsulated-Layout-Height")
    fittingHeight = imposed(.height, .fittingSizeLevel, "Fitting-Height")
    statistics.builds = 1
    layoutClass = root.layoutClass
    if let layoutClass {
      orderedBoxes = LayoutEngine.boxesInOrder(of: root)
      for index in orderedBoxes.indices { orderedBoxes[index].ordinal = index }
      if let template = layoutClass.template, template.boxes.count == orderedBoxes.count {
        original = template
      }
    }
    solver = original?.solver.copy() ?? Solver()
  }

  isolated deinit { tearDown() }

  /// Takes in the root's tree: a copy of its class's engine, or built anew.
  func takeInTree() {
    if let original {
      self.original = nil
      do { return try adopt(original) } catch {
        // A copy that refuses what its original took is of no use; the tree is built on its own.
        imposedWidth.report(refusal(imposedWidth, error))
        tearDown()
        solver = Solver()
        leaveClass()
      }
    }
    addReporting(imposedWidth)
    addReporting(fittingHeight)
    attach(root)
  }

  /// The tree is no longer like the others of its class.
  func leaveClass() {
    layoutClass = nil
    orderedBoxes = []
  }

  // MARK: Trees

  /// Takes in an item that joined the tree, with all below it.
  func attach(_ item: LayoutItem) {
    if item !== root { leaveClass() }
    updatesConstraints = true
    for constraint in item.heldConstraints() { addReporting(constraint) }
    needsPass = true
  }

  /// Lets go of an item that left the tree, with all below it.
  func detach(_ item: LayoutItem) {
    leaveClass()
    for constraint in item.heldConstraints() where constraint.engine === self {
      remove(constraint)
    }
    releaseBoxes(item)
    needsPass = true
  }

  private func releaseBoxes(_ item: LayoutItem) {
    release(item.box)
    for guide in item.guides { release(guide.box) }
    for child in item.subitems { releaseBoxes(child) }
  }

  /// Forgets every constraint and box: the tree becomes part of another.
  func tearDown() {
    for constraint in everyConstraint {
      constraint.engine = nil
      constraint.handle = nil
      constraint.isBroken = false
    }
    for box in boxes { forget(box) }
    boxes = []
    broken = []
    owners = []
  }

  private func forget(_ box: LayoutBox) {
    box.engine = nil
    box.engineSerial = 0
    box.left = nil
    box.top = nil
    box.width = nil
    box.height = nil
    box.contentConstraints = [nil, nil, nil, nil]
    box.isContentSizeValid = false
    box.widthOfHeight = nil
  }

  /// Gives a box unknowns, where it has none yet.
  private func engage(_ box: LayoutBox) throws(SolverError) {
    guard box.engineSerial != serial else { return }
    if box !== root.box {
      box.left = try solver.addVariable()
      box.top = try solver.addVariable()
    }
    box.width = try solver.addVariable()
    box.height = try solver.addVariable()
    box.engine = self
    box.engineSerial = serial
    boxes.append(box)
    if layoutClass != nil, !orderedBoxes.contains(where: { $0 === box }) { leaveClass() }
    needsPass = true
  }

  /// Takes a box's unknowns away. Constraints of code on it are inactive by then.
  func release(_ box: LayoutBox) {
    guard box.engineSerial == serial else { return }
    for case let constraint? in box.contentConstraints { remove(constraint) }
    for case let variable? in [box.left, box.top, box.width, box.height] {
      do { try solver.remove(variable) } catch {
        imposedWidth.report(refusal(imposedWidth, error))
      }
    }
    forget(box)
    boxes.removeAll { $0 === box }
  }

  // MARK: Constraints

  /// Every constraint that was handed to the solver, broken ones too, in no particular order.
  var everyConstraint: [LayoutConstraint] {
    owners.compactMap { $0 } + broken.map(\.constraint)
  }

  /// Hands a constraint to the solver.
  func add(_ constraint: LayoutConstraint, age: UInt64? = nil) throws(LayoutError) {
    guard constraint.handle == nil else { return }
    do {
      try engage(constraint.first.box)
      if let second = constraint.second { try engage(second.box) }
      let constant = prepareTerms(of: constraint)
      let handle = try solver.add(
        terms, constraint.relation.solved, constant: constant,
        priority: constraint.priority.rawValue,
        isProtected: constraint.origin == .imposed, age: age)
      own(constraint, handle, age: try solver.age(of: handle))
      statistics.additions += 1
      noteChange()
    } catch {
      constraint.engine = nil
      throw refusal(constraint, error)
    }
  }

  /// Notes whose the handle is.
  func own(_ constraint: LayoutConstraint, _ handle: ConstraintHandle, age: UInt64) {
    constraint.handle = handle
    constraint.age = age
    constraint.engine = self
    constraint.isBroken = false
    while owners.count <= handle.index { owners.append(nil) }
    owners[handle.index] = constraint
  }

  /// As `add`; a refusal makes the constraint inactive and is reported.
  func addReporting(_ constraint: LayoutConstraint, age: UInt64? = nil) {
    do { try add(constraint, age: age) } catch {
      constraint.deactivate()
      constraint.report(error)
    }
  }

  func remove(_ constraint: LayoutConstraint) {
    if let handle = constraint.handle {
      owners[handle.index] = nil
      constraint.handle = nil
      do { try solver.remove(handle) } catch { constraint.report(refusal(constraint, error)) }
    } else {
      broken.removeAll { $0.constraint === constraint }
    }
    constraint.isBroken = false
    constraint.engine = nil
    constraint.revision += 1
    noteChange()
  }

  /// Takes a changed constant over.
  func edit(_ constraint: LayoutConstraint) {
    guard let handle = constraint.handle else {
      // Broken: it comes back with the new constant as the last one changed.
      retry(constraint)
      return
    }
    let constant = solverConstant(of: constraint)
    do {
      constraint.age = try solver.setConstant(constant, of: handle)
    } catch {
      constraint.report(refusal(constraint, error))
    }
    statistics.edits += 1
    noteChange()
  }

  /// Takes a changed priority or direction over.
  func replace(_ constraint: LayoutConstraint) {
    guard constraint.handle != nil else { return retry(constraint) }
    remove(constraint)
    addReporting(constraint, age: constraint.age)
  }

  private func retry(_ constraint: LayoutConstraint) {
    broken.removeAll { $0.constraint === constraint }
    addReporting(constraint)
  }

  func replaceDirectional() {
    for constraint in everyConstraint where constraint.isDirectional { replace(constraint) }
  }

  func owner(of handle: ConstraintHandle) -> LayoutConstraint? {
    handle.index < owners.count ? owners[handle.index] : nil
  }

  /// Takes note that the solver has let go of a constraint.
  func markBroken(_ constraint: LayoutConstraint, _ record: Broken) {
    if let handle = constraint.handle { owners[handle.index] = nil }
    constraint.handle = nil
    constraint.isBroken = true
    broken.append(record)
  }

  private func noteChange() {
    needsSolve = true
    needsPass = true
  }

  func refusal(_ constraint: LayoutConstraint, _ error: SolverError) -> LayoutError {
    .refused(constraint: constraint.description, reason: error.description)
  }

  // MARK: Terms

  /// The constant that goes with a constraint's terms.
  func solverConstant(of constraint: LayoutConstraint) -> Double {
    guard !constraint.hasBaseline else { return prepareTerms(of: constraint) }
    return -constraint.constant
  }

  /// Fills `terms` with first − multiplier · second and returns the constant to go with it.
  ///
  /// A constraint on leading or trailing in a right-to-left item is written as seen in a mirror:
  /// positions across count from the root's right edge leftwards.
  func prepareTerms(of constraint: LayoutConstraint) -> Double {
    terms.removeAll(keepingCapacity: true)
    let isMirrored = isMirrored(constraint)
    var constant = -constraint.constant
    constant += append(constraint.first, 1, isMirrored)
    if let second = constraint.second {
      constant += append(second, -constraint.multiplier, isMirrored)
    }
    return constant
  }

  func isMirrored(_ constraint: LayoutConstraint) -> Bool {
    constraint.isDirectional
      && constraint.first.box.item?.effectiveLayoutDirection == .rightToLeft
  }

  private func append(_ point: LayoutAnchorPoint, _ factor: Double, _ isMirrored: Bool) -> Double {
    let box = point.box
    var constant = 0.0
    func add(_ variable: Variable?, _ share: Double) {
      if let variable { terms.append(Term(variable, factor * share)) }
    }
    /// A position across, `share` of the box's width from its left edge.
    func across(_ share: Double) {
      let sign: Double = isMirrored ? -1 : 1
      if isMirrored { add(root.box.width, 1) }
      add(box.left, sign)
      if share != 0 { add(box.width, sign * share) }
    }
    switch point.attribute {
    case .left: across(0)
    case .right: across(1)
    case .leading: across(isMirrored ? 1 : 0)
    case .trailing: across(isMirrored ? 0 : 1)
    case .centerX: across(0.5)
    case .width: add(box.width, 1)
    case .height: add(box.height, 1)
    case .top: add(box.top, 1)
    case .bottom:
      add(box.top, 1)
      add(box.height, 1)
    case .centerY:
      add(box.top, 1)
      add(box.height, 0.5)
    case .firstBaseline:
      add(box.top, 1)
      constant = factor * (box.item?.firstBaselineOffset ?? 0)
    }
    return constant
  }
}

extension LayoutRelation {
  fileprivate var solved: Relation {
    switch self {
    case .lessThanOrEqual: .lessThanOrEqual
    case .equal: .equal
    case .greaterThanOrEqual: .greaterThanOrEqual
    }
  }
}

extension LayoutConstraint {
  /// Whether an item's baseline counts in its constant.
  var hasBaseline: Bool {
    first.attribute == .firstBaseline || second?.attribute == .firstBaseline
  }

  /// Whether the layout direction matters to it.
  var isDirectional: Bool {
    first.attribute.isDirectional || second?.attribute.isDirectional == true
  }
}
