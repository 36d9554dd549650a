import ConstraintSolver

/// first `relation` `multiplier` · second + `constant`, at a priority.
///
/// It is created inactive; once activated, it belongs to the nearest common ancestor of its items.
/// Changing its constant while it is active is cheap: the solver edits it in place and rebuilds
/// nothing.
///
/// Rules:
/// 1. The box of its first item keeps it alive while it is active, and then until the box next
///    drops inactive ones without another owner (`MadeConstraints`). The engine and the boxes keep
///    those that the engine makes.
/// 2. While active it is in the chain of its tree's root, which also keeps it alive. Those of the
///    engine are in their system's chain instead, and have no holder.
/// 3. Its state in a system is valid only while its first box is in that system: `isPlaced`.
///
/// Properties that are `@exclusivity(unchecked)` are only read and written as a whole.
@MainActor public final class LayoutConstraint {
  /// The creator of a constraint.
  public enum Origin: Hashable, Sendable {
    /// Code, through anchors.
    case code
    /// The engine, from an item's intrinsic size.
    case content
    /// The engine: the size imposed on the root, or the pull to its smallest height.
    case imposed
    /// A layout guide.
    case guide
  }

  /// The left side.
  public let first: LayoutAnchorPoint
  /// How the left side relates to the right side.
  public let relation: LayoutRelation
  /// The anchor of the right side; `nil` if that side is only the constant.
  public let second: LayoutAnchorPoint?
  /// The factor of the second anchor.
  public let multiplier: Double
  /// The creator of the constraint.
  public let origin: Origin
  /// The source line that made it; `nil` if the engine or a guide made it.
  public let source: Source?
  /// A name for reports.
  @exclusivity(unchecked) public var label: String?

  /// Whether it is activated; true also while it is given up in a conflict (`isBroken`).
  public var isActive: Bool {
    get { holder != nil }
    set { newValue ? activateReporting() : deactivate() }
  }

  /// In columns or rows. A value beyond ±1e9 or not a number is refused: the constant stays, and
  /// `error` says so.
  public var constant: Double {
    get { storedConstant }
    set {
      guard newValue != storedConstant else { return }
      guard abs(newValue) <= 1e9 else {
        report(.refused(constraint: description, reason: "constant \(newValue)"))
        return
      }
      storedConstant = newValue
      revision += 1
      reportedOpponents = []
      system?.edit(self)
    }
  }

  /// 1…1000. Any other value is refused: the priority stays, and `error` says so; an inactive
  /// constraint cannot be activated before it is given a valid one. While active, it cannot change
  /// from required to optional or back either.
  public var priority: LayoutPriority {
    get { storedPriority }
    set {
      if !isActive { refusedPriority = newValue.isValid ? nil : newValue }
      guard newValue.isValid else { return report(newValue) }
      guard newValue != storedPriority else { return }
      guard !isActive || (newValue == .required) == (storedPriority == .required) else {
        report(
          .requiredPriorityChange(
            constraint: description, from: storedPriority.rawValue, to: newValue.rawValue))
        return
      }
      changePriority(to: newValue)
    }
  }

  private func priorityRefusal(_ priority: LayoutPriority) -> LayoutError {
    .refused(constraint: description, reason: "priority \(priority.rawValue)")
  }

  /// Sets the priority, even from required to optional or back, as content size constraints may.
  func changePriority(to priority: LayoutPriority) {
    storedPriority = priority
    revision += 1
    system?.replace(self)
  }

  /// Why the last activation or change was refused.
  @exclusivity(unchecked) public internal(set) var error: LayoutError?
  /// Whether it is active but given up in a conflict.
  public var isBroken: Bool { isPlaced && storedHandle == nil }

  /// Called with every refusal, which is also stored in `error`. If this is `nil`, the default, the
  /// refusal is written to standard error.
  public static var onError: ((LayoutConstraint, LayoutError) -> Void)?

  /// The box of the nearest common ancestor while active; that item clears it in its `deinit`.
  @exclusivity(unchecked) var holder: LayoutBox?
  /// Its neighbours in its chain.
  @exclusivity(unchecked) var links = ConstraintChain.Links()
  /// The constraint made before it on its first box.
  @exclusivity(unchecked) var madeBefore: LayoutConstraint?
  /// The serial number of its last activation, by which merged chains are ordered.
  private(set) var activation = 0
  private static var lastActivation = 0
  /// Counts changes, so that a broken constraint is retried when its opponents change.
  var revision = 0
  /// The serial of the system that has it or a record of it; 0 for none.
  private var systemSerial = 0
  private var storedHandle: ConstraintHandle?
  /// The solver's count when it last added or changed the constraint.
  var age: UInt64 = 0
  /// Opponents named in its last conflict report, which is not repeated.
  var reportedOpponents: [ObjectIdentifier] = []
  private var storedConstant: Double
  private var storedPriority: LayoutPriority
  /// A priority out of range: the constraint cannot be activated with it.
  private var refusedPriority: LayoutPriority?

  init(
    _ first: LayoutAnchorPoint, _ relation: LayoutRelation, _ second: LayoutAnchorPoint?,
    _ multiplier: Double, _ constant: Double, _ source: Source?,
    priority: LayoutPriority = .required, origin: Origin = .code, label: String? = nil
  ) {
    self.first = first
    self.relation = relation
    self.second = second
    self.multiplier = multiplier
    self.storedConstant = constant
    self.source = source
    self.storedPriority = priority.isValid ? priority : .required
    refusedPriority = priority.isValid ? nil : priority
    self.origin = origin
    self.label = label
    if origin == .code || origin == .guide { first.box.made.insert(self) }
  }

  /// Sets the priority and returns the constraint, for use in the expression that makes it.
  public func withPriority(_ priority: LayoutPriority) -> LayoutConstraint {
    self.priority = priority
    return self
  }

  /// Sets the label and returns the constraint, for use in the expression that makes it.
  public func labeled(_ label: String) -> LayoutConstraint {
    self.label = label
    return self
  }

  // MARK: Activation

  /// Activates the constraint; does nothing if it is active.
  ///
  /// - Throws: `unrelatedTrees`, `itemGone`, `mixedDirections`, `noSuperitem`, `refused`.
  /// - Complexity: O(depth of the tree + variables of its engine).
  public func activate() throws(LayoutError) {
    guard holder == nil else { return }
    do {
      try check()
      let ancestor = try commonAncestor()
      let root = ancestor.root
      holder = ancestor.box
      root.held.append(self)
      LayoutConstraint.lastActivation += 1
      activation = LayoutConstraint.lastActivation
      revision += 1
      try root.existingEngine?.system.add(self)
      if error != nil { error = nil }
    } catch {
      deactivate()
      self.error = error
      throw error
    }
  }

  /// Deactivates the constraint; does nothing if it is inactive.
  ///
  /// - Complexity: O(variables of its engine).
  public func deactivate() {
    guard let holder else { return }
    holder.item?.root.held.remove(self)
    self.holder = nil
    revision += 1
    reportedOpponents = []
    system?.remove(self)
  }

  /// Activates all. One that cannot be activated stays inactive, with its `error` set and reported.
  ///
  /// - Complexity: that of activating each of them.
  public static func activate(_ constraints: [LayoutConstraint]) {
    for constraint in constraints { constraint.activateReporting() }
  }

  /// Deactivates all.
  ///
  /// - Complexity: that of deactivating each of them.
  public static func deactivate(_ constraints: [LayoutConstraint]) {
    for constraint in constraints { constraint.deactivate() }
  }

  private func activateReporting() {
    do { try activate() } catch { tell(error) }
  }

  // MARK: System

  /// Whether a system has it, or a record of it while it is broken.
  var isPlaced: Bool { systemSerial != 0 && first.box.systemSerial == systemSerial }

  /// The system that has it or its record.
  var system: LayoutSystem? { isPlaced ? first.box.system : nil }

  /// Its handle in the system; `nil` also while it is broken.
  var handle: ConstraintHandle? { isPlaced ? storedHandle : nil }

  func join(_ system: LayoutSystem, _ handle: ConstraintHandle, age: UInt64) {
    systemSerial = system.serial
    storedHandle = handle
    self.age = age
  }

  func leaveSystem() {
    systemSerial = 0
    storedHandle = nil
  }

  /// Records that the solver has dropped it.
  func noteBroken() {
    storedHandle = nil
    // The constraints that it clashed with may hold now.
    revision += 1
  }

  func report(_ error: LayoutError) {
    self.error = error
    tell(error)
  }

  /// Reports a priority that is out of range.
  func report(_ priority: LayoutPriority) { report(priorityRefusal(priority)) }

  private func tell(_ error: LayoutError) {
    guard let handler = Self.onError else {
      return LayoutLog.write("\(description): \(error)")
    }
    handler(self, error)
  }

  private func check() throws(LayoutError) {
    guard abs(storedConstant) <= 1e9 else {
      throw .refused(constraint: description, reason: "constant \(storedConstant)")
    }
    let size = abs(multiplier)
    guard size == 0 || (size >= 1e-6 && size <= 1e6) else {
      throw .refused(constraint: description, reason: "multiplier \(multiplier)")
    }
    if let refusedPriority { throw priorityRefusal(refusedPriority) }
    guard second != nil || first.attribute.isSize else {
      throw .noSuperitem(item: first.box.name)
    }
    if let second {
      let a = first.attribute
      let b = second.attribute
      if (a.isDirectional && b.isAbsoluteSide) || (a.isAbsoluteSide && b.isDirectional) {
        throw .mixedDirections(constraint: description)
      }
    }
  }

  func commonAncestor() throws(LayoutError) -> LayoutItem {
    guard let item = first.box.item else { throw .itemGone(constraint: description) }
    guard let second else { return item }
    guard let other = second.box.item else { throw .itemGone(constraint: description) }
    // Usually one is inside the other, or both are siblings.
    if other === item || other.superitem === item { return item }
    var candidate = item.superitem
    if let above = candidate, other === above || other.superitem === above { return above }
    if other.isDescendant(of: item) { return item }
    while let ancestor = candidate {
      if other.isDescendant(of: ancestor) { return ancestor }
      candidate = ancestor.superitem
    }
    throw .unrelatedTrees(first: item.name, second: other.name)
  }
}

/// The items, guides and attributes that it involves.
extension LayoutConstraint {
  func mentions(_ box: LayoutBox) -> Bool { first.box === box || second?.box === box }

  /// Whether it involves `item` or one of its descendants.
  func reaches(into item: LayoutItem) -> Bool {
    first.box.item?.isDescendant(of: item) == true
      || second?.box.item?.isDescendant(of: item) == true
  }

  /// Whether its constant depends on an item's baseline.
  var hasBaseline: Bool {
    first.attribute.isBaseline || second?.attribute.isBaseline == true
  }

  /// The box from whose corner positions are measured if they are multiplied: that of the nearest
  /// common ancestor.
  var cornerBox: LayoutBox? {
    guard multiplier != 1, let second, !first.attribute.isSize, !second.attribute.isSize else {
      return nil
    }
    return holder ?? (try? commonAncestor())?.box
  }

  /// Whether it depends on the layout direction.
  var isDirectional: Bool {
    first.attribute.isDirectional || second?.attribute.isDirectional == true
  }

  var isMirrored: Bool {
    isDirectional && first.box.item?.effectiveLayoutDirection == .rightToLeft
  }

  var signature: LayoutTemplate.Signature {
    LayoutTemplate.Signature(
      first: .init(box: first.box.ordinal, attribute: first.attribute),
      second: second.map { .init(box: $0.box.ordinal, attribute: $0.attribute) },
      relation: relation, multiplier: multiplier, origin: origin, isMirrored: isMirrored,
      priority: priority)
  }

  /// Whether the engine made it, for a content size or to impose a size on the root.
  var isMadeByEngine: Bool { origin == .content || origin == .imposed }

  /// A constraint that the engine imposes on a root.
  static func imposed(
    on root: LayoutItem, _ attribute: LayoutAttribute, _ label: String, _ constant: Double = 0,
    priority: LayoutPriority = .required
  ) -> LayoutConstraint {
    LayoutConstraint(
      root.anchorPoint(attribute), .equal, nil, 1, constant, nil, priority: priority,
      origin: .imposed, label: label)
  }

  /// One of the four content size constraints of an item: see `LayoutBox.contentConstraints`.
  static func content(of item: LayoutItem, _ index: Int, _ size: Double) -> LayoutConstraint {
    let isHugging = index % 2 == 1
    return LayoutConstraint(
      item.anchorPoint(index < 2 ? .width : .height),
      isHugging ? .lessThanOrEqual : .greaterThanOrEqual, nil, 1, size, nil,
      priority: item.contentPriority(index), origin: .content,
      label: isHugging ? "content hugging" : "content compression resistance")
  }
}
