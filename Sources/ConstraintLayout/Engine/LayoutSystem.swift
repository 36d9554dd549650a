import ConstraintSolver

/// The constraints of one tree in a solver, and what belongs to what in it.
///
/// Rules:
/// 1. A box has unknowns from the first constraint that mentions it until its item leaves the tree.
///    All positions count from the root's corner.
/// 2. Constraints go to the solver when they are activated, are edited in place and removed when they
///    are deactivated; solving waits for the pass.
/// 3. A constraint has a handle here, or is broken and has a record, or is not here.
/// 4. A constraint the solver refused stays active and broken. It is added again, with its old age,
///    in the first pass after one of those it clashed with has changed.
@MainActor final class LayoutSystem {
  /// What is kept of a constraint that was given up.
  private struct Broken {
    let constraint: LayoutConstraint
    /// Those it clashed with, and how often each had changed by then.
    let opponents: [(constraint: LayoutConstraint, revision: Int)]

    /// Whether it may now hold.
    @MainActor var isStale: Bool { opponents.contains { $0.constraint.revision != $0.revision } }
  }

  /// No other system's, so that boxes can tell theirs without a weak reference.
  let serial: Int
  private static var lastSerial = 0
  private let root: LayoutBox
  /// Reports what concerns no other constraint.
  private let reporter: LayoutConstraint
  private var solver: Solver
  /// Boxes with unknowns.
  private(set) var boxes: [LayoutBox] = []
  /// Constraints by their handle's index.
  private var owners: [LayoutConstraint?] = []
  private var terms: ConstraintTerms
  private var broken: [Broken] = []
  /// True from a change of constraints until they are solved.
  private(set) var needsSolve = true
  /// True from any change until frames are set by it.
  var needsPass = true
  private(set) var statistics = LayoutStatistics()

  init(root: LayoutBox, reporter: LayoutConstraint, solver: consuming Solver) {
    self.root = root
    self.reporter = reporter
    self.solver = solver
    terms = ConstraintTerms(root: root)
    LayoutSystem.lastSerial += 1
    serial = LayoutSystem.lastSerial
    statistics.builds = 1
  }

  isolated deinit { removeAll() }

  /// Lets go of every constraint and box.
  func removeAll() {
    for constraint in everyConstraint { constraint.leaveSystem() }
    for box in boxes { box.leaveSystem() }
    boxes = []
    broken = []
    owners = []
  }

  private func noteChange() {
    needsSolve = true
    needsPass = true
  }

  private func refusal(_ constraint: LayoutConstraint, _ error: SolverError) -> LayoutError {
    .refused(constraint: constraint.description, reason: error.description)
  }

  /// Reports a refusal that no constraint is to blame for.
  func report(_ error: SolverError) { reporter.report(refusal(reporter, error)) }

  // MARK: Boxes

  /// Gives a box unknowns, where it has none yet.
  private func engage(_ box: LayoutBox) throws(SolverError) {
    guard box.systemSerial != serial else { return }
    var unknowns = LayoutBox.Unknowns()
    if box !== root {
      unknowns.left = try solver.addVariable()
      unknowns.top = try solver.addVariable()
    }
    unknowns.width = try solver.addVariable(isNonnegative: true)
    unknowns.height = try solver.addVariable(isNonnegative: true)
    box.join(self, unknowns)
    boxes.append(box)
    needsPass = true
  }

  /// Takes a box's unknowns away. Constraints of code on it are inactive by then.
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
      if let corner = constraint.cornerBox { try engage(corner) }
      let constant = terms.read(constraint)
      let handle = try solver.add(
        terms.terms, constraint.relation, constant: constant,
        priority: constraint.priority.rawValue,
        isProtected: constraint.origin == .imposed, age: age)
      own(constraint, handle, age: try solver.age(of: handle))
      statistics.additions += 1
      noteChange()
    } catch {
      constraint.leaveSystem()
      throw refusal(constraint, error)
    }
  }

  /// Notes whose the handle is.
  private func own(_ constraint: LayoutConstraint, _ handle: ConstraintHandle, age: UInt64) {
    constraint.join(self, handle, age: age)
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
      do { try solver.remove(handle) } catch { constraint.report(refusal(constraint, error)) }
    } else {
      forgetBroken(constraint)
    }
    constraint.leaveSystem()
    constraint.revision += 1
    noteChange()
  }

  /// Takes a changed constant over.
  func edit(_ constraint: LayoutConstraint) {
    guard let handle = constraint.handle else { return retry(constraint) }
    do {
      constraint.age = try solver.setConstant(terms.constant(of: constraint), of: handle)
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

  /// Takes changed baselines of an item over, its guides' included.
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

  /// Has a broken constraint come back as the last one changed, or with its age.
  private func retry(_ constraint: LayoutConstraint, age: UInt64? = nil) {
    forgetBroken(constraint)
    addReporting(constraint, age: age)
  }

  private func forgetBroken(_ constraint: LayoutConstraint) {
    broken.removeAll { $0.constraint === constraint }
  }

  // MARK: Solving

  /// Brings every box's solved frame to the optimum.
  func solve() {
    // What is broken meanwhile may let others hold. Each retry gives up a younger constraint for an
    // older one, so that this ends.
    while retriesStale() || needsSolve {
      needsSolve = false
      statistics.solves += 1
      do {
        // A constraint that clashes is out until it can hold, whether it was added or edited.
        for conflict in try solver.solve(revertsEdits: false) { resolve(conflict) }
      } catch {
        report(error)
      }
      statistics.pivots = solver.pivotCount
      readValues()
    }
  }

  /// Adds those broken ones again whose opponents have changed; false where there are none.
  private func retriesStale() -> Bool {
    if broken.isEmpty { return false }
    let stale = broken.filter(\.isStale)
    for record in stale { retry(record.constraint, age: record.constraint.age) }
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

  private func value(_ variable: Variable?) -> Double {
    guard let variable else { return 0 }
    return solver.value(of: variable)
  }

  private func resolve(_ conflict: SolverConflict) {
    let clashing = conflict.clashing.compactMap { owner(of: $0) }
    guard let constraint = owner(of: conflict.broken) else { return }
    let opponents = clashing.filter { $0 !== constraint }
    owners[conflict.broken.index] = nil
    constraint.noteBroken()
    broken.append(
      Broken(constraint: constraint, opponents: opponents.map { ($0, $0.revision) }))
    let identities = opponents.map(ObjectIdentifier.init)
    guard identities != constraint.reportedOpponents else { return }
    constraint.reportedOpponents = identities
    let sizes = conflict.nonnegative.compactMap { nonnegativeSize($0) }
    LayoutConflict(clashing: sizes + clashing, broken: constraint).tell()
  }

  /// What a report calls a width or height that may not be negative.
  private func nonnegativeSize(_ variable: Variable) -> LayoutConstraint? {
    for box in boxes {
      for attribute: LayoutAttribute in [.width, .height]
      where variable == (attribute == .width ? box.unknowns.width : box.unknowns.height) {
        return LayoutConstraint(
          LayoutAnchorPoint(box: box, attribute: attribute), .greaterThanOrEqual, nil, 1, 0, nil,
          origin: .imposed, label: "size not negative")
      }
    }
    return nil
  }

  private func owner(of handle: ConstraintHandle) -> LayoutConstraint? {
    handle.index < owners.count ? owners[handle.index] : nil
  }

  /// What a constraint's first side has more than its second, as of the last solution. Nil where one of
  /// its boxes is not here.
  func excess(of constraint: LayoutConstraint) -> Double? {
    guard constraint.first.box.systemSerial == serial,
      (constraint.second ?? constraint.first).box.systemSerial == serial
    else { return nil }
    var excess = terms.read(constraint)
    for term in terms.terms { excess += term.coefficient * solver.value(of: term.variable) }
    return excess
  }

  /// What the constraints leave open.
  func ambiguity() -> SolverAmbiguity? {
    solve()
    do { return try solver.ambiguity(of: boxes.flatMap { $0.variables }) } catch {
      report(error)
      return nil
    }
  }

  // MARK: Copies

  /// This system, just solved, for other trees of the class; nil where a constraint is broken.
  ///
  /// - Parameters:
  ///   - ordered: every box of the tree in the order that numbers them.
  ///   - held: the constraints that a copy will look for, in that order.
  func template(_ ordered: [LayoutBox], held: [LayoutConstraint]) -> LayoutTemplate? {
    guard broken.isEmpty else { return nil }
    var entries: [LayoutTemplate.Entry] = []
    let others = everyConstraint.filter { one in !held.contains { $0 === one } }
    for constraint in held + others {
      guard let handle = constraint.handle else { return nil }
      let box = constraint.first.box
      let content = box.contentConstraints.indices.first {
        box.contentConstraints[$0] === constraint
      }
      entries.append(
        LayoutTemplate.Entry(
          signature: constraint.signature, handle: handle,
          constant: terms.constant(of: constraint), age: constraint.age,
          content: content.map { (box.ordinal, $0) }))
    }
    return LayoutTemplate(
      solver: solver.copy(),
      boxes: ordered.map {
        LayoutTemplate.Box(
          unknowns: $0.systemSerial == serial ? $0.unknowns : nil, solved: $0.solved)
      },
      entries: entries)
  }

  /// Takes over a template, which the solver is a copy of. Constraints that this tree has and that
  /// one had not are added, the others removed.
  func adopt(
    _ template: LayoutTemplate, _ ordered: [LayoutBox], held: [LayoutConstraint]
  ) throws(SolverError) {
    boxes.reserveCapacity(ordered.count)
    for (box, known) in zip(ordered, template.boxes) {
      guard let unknowns = known.unknowns else { continue }
      box.join(self, unknowns)
      box.solved = known.solved
      boxes.append(box)
    }
    owners = [LayoutConstraint?](repeating: nil, count: template.handleCount)
    let entries = template.entries
    var taken = [Bool](repeating: false, count: entries.count)
    var missing: [LayoutConstraint] = []
    var next = 0
    for constraint in held {
      guard let index = template.entry(constraint.signature, from: next, taken: taken) else {
        missing.append(constraint)
        continue
      }
      taken[index] = true
      next = index + 1
      try adopt(constraint, entries[index])
    }
    for index in entries.indices where !taken[index] {
      let entry = entries[index]
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

  /// Takes over a constraint that the copied solver has already.
  private func adopt(
    _ constraint: LayoutConstraint, _ entry: LayoutTemplate.Entry
  ) throws(SolverError) {
    let constant = terms.constant(of: constraint)
    var age = entry.age
    if constant != entry.constant { age = try solver.setConstant(constant, of: entry.handle) }
    own(constraint, entry.handle, age: age)
  }
}
