import ConstraintSolver

/// The solver of one tree, and the boxes and constraints placed in it.
///
/// Rules:
/// 1. A box has unknowns from the first constraint that mentions it until its item or guide leaves
///    the tree. All positions count from the root's corner.
/// 2. A constraint goes to the solver when it is activated, is edited in place, and is removed when
///    it is deactivated; solving is left to the pass.
/// 3. A constraint has a solver handle, or is broken and listed in `broken`, or is not in this
///    system. `root.held` chains the constraints made by code, `own` those made by the engine.
/// 4. A constraint that the solver refused stays active and broken. It is added again, with its old
///    age, in the first pass after one of those it clashed with has changed.
///
/// Properties that are `@exclusivity(unchecked)` are changed by calls that call no other code.
@MainActor final class LayoutSystem {
  /// Differs from that of every other system, and of this one before it was restarted, so that it
  /// identifies the boxes and constraints placed in it.
  private(set) var serial = 0
  private static var lastSerial = 0
  /// The item whose engine owns the system.
  private unowned let root: LayoutItem
  private let rootBox: LayoutBox
  @exclusivity(unchecked) private var solver: Solver
  /// Boxes with unknowns.
  @exclusivity(unchecked) private(set) var boxes: [LayoutBox] = []
  /// Imposed and content size constraints.
  @exclusivity(unchecked) private var own = ConstraintChain()
  private var broken = BrokenConstraints()
  /// True after a change of constraints, until they are solved.
  private(set) var needsSolve = true
  /// True after any change, until frames are set.
  var needsPass = true
  @exclusivity(unchecked) private(set) var statistics = LayoutStatistics()

  /// - Parameter boxCount: the number of boxes to reserve room for.
  init(root: LayoutItem, solver: consuming Solver, boxCount: Int) {
    self.root = root
    rootBox = root.box
    self.solver = solver
    statistics.builds = 1
    boxes.reserveCapacity(boxCount)
    takeSerial()
  }

  private func takeSerial() {
    LayoutSystem.lastSerial += 1
    serial = LayoutSystem.lastSerial
  }

  /// Releases every constraint and box.
  func removeAll() {
    for box in boxes { box.leaveSystem() }
    boxes = []
    broken = BrokenConstraints()
    own.removeAll()
  }

  /// Starts over with an empty solver.
  func restart() {
    removeAll()
    solver = Solver()
    takeSerial()
  }

  private func noteChange() {
    needsSolve = true
    needsPass = true
  }

  private func refusal(_ constraint: LayoutConstraint, _ error: SolverError) -> LayoutError {
    .refused(constraint: constraint.description, reason: error.description)
  }

  /// Reports a solver error that belongs to no single constraint, in the name of the imposed-width
  /// constraint.
  func report(_ error: SolverError) {
    let imposed = LayoutConstraint.imposed(on: root, .width, "Encapsulated-Layout-Width")
    imposed.report(refusal(imposed, error))
  }

  // MARK: Boxes

  /// Gives a box unknowns if it has none yet; returns the variable of its width.
  @discardableResult
  private func engage(_ box: LayoutBox) throws(SolverError) -> Variable {
    if box.systemSerial == serial, let width = box.unknowns.width { return width }
    var unknowns = LayoutBox.Unknowns()
    if box !== rootBox {
      unknowns.left = try solver.addVariable()
      unknowns.top = try solver.addVariable()
    }
    let width = try solver.addVariable(isNonnegative: true)
    unknowns.width = width
    unknowns.height = try solver.addVariable(isNonnegative: true)
    box.join(self, unknowns)
    boxes.append(box)
    needsPass = true
    return width
  }

  /// Removes a box's unknowns. Constraints of code on it must have been removed.
  func release(_ box: LayoutBox) {
    guard box.systemSerial == serial else { return }
    for index in box.contentConstraints.indices {
      if let constraint = box.contentConstraints[index] { remove(constraint) }
    }
    for variable in box.variables {
      do { try solver.remove(variable) } catch { report(error) }
    }
    box.leaveSystem()
    boxes.removeAll { $0 === box }
  }

  // MARK: Constraints

  /// Every constraint that the solver has, in its order there, then the broken ones.
  var everyConstraint: [LayoutConstraint] {
    let all = root.held.all + own.all
    return all.compactMap { one in one.handle.map { (one, $0.index) } }.sorted { $0.1 < $1.1 }.map(
      \.0)
      + broken.all
  }

  /// Adds a constraint to the solver.
  func add(_ constraint: LayoutConstraint, age: UInt64? = nil) throws(LayoutError) {
    guard constraint.handle == nil else { return }
    do {
      let width = try engage(constraint.first.box)
      if let second = constraint.second {
        try engage(second.box)
        if let corner = constraint.cornerBox { try engage(corner) }
      }
      let terms = ConstraintTerms(constraint, root: rootBox, width: width)
      let handle = try solver.add(
        terms.terms.span.extracting(first: terms.count), constraint.relation,
        constant: terms.constant, priority: constraint.priority.rawValue,
        isProtected: constraint.origin == .imposed, age: age)
      place(constraint, handle, age: try solver.age(of: handle))
      statistics.additions += 1
      noteChange()
    } catch {
      forget(constraint)
      throw refusal(constraint, error)
    }
  }

  /// Records the solver's handle of a constraint.
  private func place(_ constraint: LayoutConstraint, _ handle: ConstraintHandle, age: UInt64) {
    if constraint.isMadeByEngine && !constraint.isPlaced { own.append(constraint) }
    constraint.join(self, handle, age: age)
  }

  private func forget(_ constraint: LayoutConstraint) {
    if constraint.isMadeByEngine && constraint.isPlaced { own.remove(constraint) }
    constraint.leaveSystem()
  }

  /// Like `add`, but a refusal deactivates the constraint and is reported.
  func addReporting(_ constraint: LayoutConstraint, age: UInt64? = nil) {
    do { try add(constraint, age: age) } catch {
      constraint.deactivate()
      constraint.report(error)
    }
  }

  func remove(_ constraint: LayoutConstraint) {
    if let handle = constraint.handle {
      do { try solver.remove(handle) } catch { constraint.report(refusal(constraint, error)) }
    } else {
      broken.remove(constraint)
    }
    forget(constraint)
    constraint.revision += 1
    noteChange()
  }

  /// The constant that goes with a constraint's terms.
  private func constant(of constraint: LayoutConstraint) -> Double {
    guard constraint.hasBaseline, let width = constraint.first.box.unknowns.width else {
      return -constraint.constant
    }
    return ConstraintTerms(constraint, root: rootBox, width: width).constant
  }

  /// Applies a changed constant.
  func edit(_ constraint: LayoutConstraint) {
    guard let handle = constraint.handle else { return retry(constraint) }
    do {
      constraint.age = try solver.setConstant(constant(of: constraint), of: handle)
    } catch {
      constraint.report(refusal(constraint, error))
    }
    statistics.edits += 1
    noteChange()
  }

  /// Applies a changed priority or direction.
  func replace(_ constraint: LayoutConstraint) {
    guard constraint.handle != nil else { return retry(constraint) }
    remove(constraint)
    addReporting(constraint, age: constraint.age)
  }

  /// Applies changed baselines of an item and its guides.
  func editBaselines(of item: LayoutItem) {
    for constraint in everyConstraint
    where constraint.hasBaseline
      && (constraint.first.box.item === item || constraint.second?.box.item === item)
    {
      constraint.revision += 1
      edit(constraint)
    }
  }

  func replaceDirectional() {
    for constraint in everyConstraint where constraint.isDirectional { replace(constraint) }
  }

  /// Adds a broken constraint again, as the most recently changed one or with its former `age`.
  private func retry(_ constraint: LayoutConstraint, age: UInt64? = nil) {
    broken.remove(constraint)
    addReporting(constraint, age: age)
  }

  // MARK: Solving

  /// Brings every box's solved frame to the optimum.
  func solve() {
    // A constraint that is broken here may let others hold. Each retry gives up a younger
    // constraint for an older one, so this ends.
    while retriesStale() || needsSolve {
      needsSolve = false
      statistics.solves += 1
      do {
        // A clashing constraint is out until it can hold, whether it was added or edited.
        let conflicts = try solver.solve(revertsEdits: false)
        if !conflicts.isEmpty { resolve(conflicts) }
      } catch {
        report(error)
      }
      statistics.pivots = solver.pivotCount
      readValues()
    }
  }

  /// Adds broken constraints again whose opponents have changed; false if there are none.
  private func retriesStale() -> Bool {
    if broken.isEmpty { return false }
    let stale = broken.stale
    for constraint in stale { retry(constraint, age: constraint.age) }
    return !stale.isEmpty
  }

  private func readValues() {
    for box in boxes {
      let unknowns = box.unknowns
      box.solved = FractionalRect(
        x: value(unknowns.left), y: value(unknowns.top), width: value(unknowns.width),
        height: value(unknowns.height))
    }
  }

  @inline(__always) private func value(_ variable: Variable?) -> Double {
    guard let variable else { return 0 }
    return solver.value(of: variable)
  }

  private func resolve(_ conflicts: [SolverConflict]) {
    let owners = owners
    for conflict in conflicts {
      guard let constraint = owners[conflict.broken] else { continue }
      let clashing = conflict.clashing.compactMap { owners[$0] }
      let opponents = clashing.filter { $0 !== constraint }
      constraint.noteBroken()
      broken.add(constraint, against: opponents)
      let identities = opponents.map(ObjectIdentifier.init)
      if identities == constraint.reportedOpponents { continue }
      constraint.reportedOpponents = identities
      let sizes = nonnegativeSizes(conflict.nonnegative)
      LayoutConflict(clashing: sizes + clashing, broken: constraint).deliver()
    }
  }

  private var owners: [ConstraintHandle: LayoutConstraint] {
    var owners: [ConstraintHandle: LayoutConstraint] = [:]
    for constraint in everyConstraint {
      if let handle = constraint.handle { owners[handle] = constraint }
    }
    return owners
  }

  private func nonnegativeSizes(_ variables: [Variable]) -> [LayoutConstraint] {
    variables.compactMap { variable in
      boxes.lazy.compactMap { $0.nonnegativeSize(variable) }.first
    }
  }

  /// A constraint's first side minus its second, as of the last solution. `nil` if one of its boxes
  /// is not in the system.
  func excess(of constraint: LayoutConstraint) -> Double? {
    guard constraint.first.box.systemSerial == serial,
      (constraint.second ?? constraint.first).box.systemSerial == serial,
      let width = constraint.first.box.unknowns.width
    else { return nil }
    let terms = ConstraintTerms(constraint, root: rootBox, width: width)
    var excess = terms.constant
    for index in 0..<terms.count {
      excess += terms.terms[index].coefficient * solver.value(of: terms.terms[index].variable)
    }
    return excess
  }

  /// The constraints that determine the sum of `terms`, as of the last solution, or of one without
  /// `imposed`.
  ///
  /// - Returns: the constraints, and in `isOpen` whether the sum also depends on a symbol that no
  ///   constraint holds.
  func reasons(
    for terms: [Term], without imposed: LayoutConstraint?
  ) -> (constraints: [LayoutConstraint], isOpen: Bool) {
    var probe = solver.copy()
    if let handle = imposed?.handle {
      do {
        try probe.remove(handle)
        try probe.solve()
      } catch {
        report(error)
      }
    }
    let reasons = probe.reasons(for: terms)
    let owners = owners
    let found = reasons.constraints.compactMap { owners[$0] }
    return (found + nonnegativeSizes(reasons.nonnegative), reasons.isOpen)
  }

  /// The values that the constraints leave open. Solves first. `nil` if there are none, or after a
  /// solver error, which is reported.
  func ambiguity() -> SolverAmbiguity? {
    solve()
    do { return try solver.ambiguity(of: boxes.flatMap { $0.variables }) } catch {
      report(error)
      return nil
    }
  }

  // MARK: Copies

  /// A template of this solved system for its class; `nil` if a constraint is broken.
  ///
  /// - Parameters:
  ///   - ordered: every box of the tree, in numbering order.
  ///   - held: the constraints that a copy will look up, in that order.
  func template(_ ordered: [LayoutBox], held: [LayoutConstraint]) -> LayoutTemplate? {
    guard broken.isEmpty else { return nil }
    let others = own.all.filter { one in !held.contains { $0 === one } }
    return LayoutTemplate(
      solver: solver.copy(), serial: serial, ordered, constraints: held + others
    ) { constant(of: $0) }
  }

  /// Takes over a template that the solver is a copy of. Constraints of this tree that the template
  /// lacks are added. Those that this tree lacks are removed, except content sizes of the same
  /// priority, which this tree takes over.
  func adopt(
    _ template: LayoutTemplate, _ ordered: [LayoutBox], held: [LayoutConstraint]
  ) throws(SolverError) {
    for (box, known) in zip(ordered, template.boxes) {
      guard let unknowns = known.unknowns else { continue }
      box.join(self, unknowns)
      box.solved = known.solved
      boxes.append(box)
    }
    let (missing, left) = try template.match(held) { (constraint, entry) throws(SolverError) in
      try adopt(constraint, entry)
    }
    for entry in left {
      if let content = entry.content, let item = ordered[content.box].ownItem {
        let constraint = LayoutConstraint.content(of: item, content.index, -entry.constant)
        if constraint.priority == entry.signature.priority {
          ordered[content.box].contentConstraints[content.index] = constraint
          try adopt(constraint, entry)
          continue
        }
      }
      try solver.remove(entry.handle)
    }
    for constraint in missing { addReporting(constraint) }
    statistics.copies += 1
    noteChange()
  }

  /// Takes over a constraint that the copied solver already has.
  private func adopt(
    _ constraint: LayoutConstraint, _ entry: LayoutTemplate.Entry
  ) throws(SolverError) {
    let constant = constant(of: constraint)
    var age = entry.age
    if constant != entry.constant { age = try solver.setConstant(constant, of: entry.handle) }
    place(constraint, entry.handle, age: age)
  }
}
