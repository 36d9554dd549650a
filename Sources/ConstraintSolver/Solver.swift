/// An incremental solver of linear constraints with priorities, for the layout of one cell.
///
/// Constraints are linear equations and inequalities over variables. Required ones (priority 1000)
/// hold. Optional ones are satisfied in order of priority, exactly and not by weights: a lower
/// priority counts only after every higher one is satisfied as well as possible; within one
/// priority the sum of violations |Σ| is minimal.
///
/// The method is the dual simplex on a dense dictionary, after Cassowary (Badros, Borning and
/// Stuckey, "The Cassowary Linear Arithmetic Constraint Solving Algorithm", 2001) with two changes:
/// each constraint has one marker with a piecewise linear cost instead of slack and error pairs,
/// and each priority has an objective row of its own.
///
///     Solver → Basis → Tableau, SymbolTable, PriorityRows
///     interface, conflicts   meaning of labels, simplexes   numbers, symbols, priorities
///
/// Rules:
/// 1. Adding, removing and editing do not solve; `solve` handles all changes at once.
/// 2. A new constraint enters at cost 0, so it is only a row out of its bounds; an edit also leaves
///    rows out of their bounds. `solve` is then one dual simplex for all of them.
/// 3. A row out of its bounds that no column can move proves a conflict of its own constraint with
///    those of its non-zero columns. The columns are independent, so the set is minimal.
/// 4. If neither rows nor prices are right (after conflicts and some removals), `repair` forgets
///    the prices, brings rows into bounds, recomputes prices and runs the primal simplex.
/// 5. `view` is refreshed after each call that may have moved a buffer.
/// 6. `solve` returns only with values checked against the constraints as given, by the columns
///    that values moved along or all together; if a check fails, the basis recomputes its numbers.
///
/// A dense dictionary suits cells, not documents: hence `variableLimit`, `constraintLimit`.
public struct Solver: ~Copyable {
  /// The maximum number of variables in a solver: 1,024, four for each of 256 views.
  public static var variableLimit: Int { 1024 }
  /// The maximum number of constraints in a solver: 4,096.
  public static var constraintLimit: Int { 4096 }
  /// The priority of required constraints.
  public static var required: Float { 1000 }
  private static var constantLimit: Double { 1e9 }

  /// The maximum number of times that a solve starts again with recomputed numbers.
  private static var maximumAttempts: Int { 40 }

  /// A required constraint before it was edited.
  private struct Edit {
    let handle: ConstraintHandle
    let constant: Double
    let age: UInt64
  }

  private(set) var basis: Basis
  /// The buffers that values are read from, for callers in other modules.
  @usableFromInline private(set) var view: ValueView
  /// Conflicts that no `solve` has returned yet.
  private var pendingConflicts: [SolverConflict] = []
  /// Edits since the last solve, in order; the first one of a constraint counts.
  private var edits: [Edit] = []

  /// The number of variables in the solver.
  public var variableCount: Int { basis.tableau.columnCount }
  /// The number of constraints in the solver, neither removed nor refused.
  public var constraintCount: Int { basis.constraintCount }
  /// The number of pivots so far: a measure of the work, for tests and the inspector.
  public var pivotCount: Int { basis.pivotCount }
  /// How often a buffer has grown so far: the number of allocations. A solver that only edits,
  /// removes and adds the same constraints again does not grow.
  public var growthCount: Int { basis.growthCount }

  /// A solver without variables. It grows as needed; the expected counts only save growing.
  public init(expectedVariables: Int = 32, expectedConstraints: Int = 40) {
    self.init(
      Basis(
        variables: min(max(0, expectedVariables), Solver.variableLimit),
        constraints: min(max(0, expectedConstraints), Solver.constraintLimit)))
  }

  private init(_ basis: consuming Basis) {
    view = basis.view
    self.basis = basis
  }

  /// An independent solver in the same state, in which the same variables and handles are valid.
  ///
  /// - Complexity: O(variables · constraints) bytes copied; nothing is solved again.
  public borrowing func copy() -> Solver {
    var other = Solver(basis.copy())
    other.pendingConflicts = pendingConflicts
    other.edits = edits
    return other
  }

  // MARK: Variables

  /// Adds a variable. Its value is 0 while no constraint mentions it.
  ///
  /// - Parameter isNonnegative: whether it is at least 0, as a required constraint that is never
  ///   refused; false by default.
  /// - Throws: `tooManyVariables`.
  /// - Complexity: O(1), amortised.
  public mutating func addVariable(isNonnegative: Bool = false) throws(SolverError) -> Variable {
    guard variableCount < Solver.variableLimit else {
      throw .tooManyVariables(limit: Solver.variableLimit)
    }
    let variable = basis.addVariable(isNonnegative: isNonnegative)
    view = basis.view
    return variable
  }

  /// Removes a variable that no constraint mentions.
  ///
  /// - Throws: `unknownVariable`, `variableInUse`, and the errors of `solve`.
  /// - Complexity: O(constraints), plus a solve if removed constraints are still to be cleared.
  public mutating func remove(_ variable: Variable) throws(SolverError) {
    let id = try basis.symbols.id(of: variable)
    let uses = Int(basis.symbols[id].uses)
    guard uses == 0 else { throw .variableInUse(variable, constraints: uses) }
    if basis.droppedCount > 0 { pendingConflicts = try solve() }
    if basis.symbols.position(of: id) < 0 { basis.refactor() }
    basis.removeVariable(id)
  }

  /// The variable's value as of the last `solve`; undefined between an edit and the next `solve`. 0
  /// if the variable is not in this solver.
  ///
  /// - Complexity: O(1).
  @inlinable
  public borrowing func value(of variable: Variable) -> Double {
    let id = Int(variable.symbol)
    guard id < view.count else { return 0 }
    let place = view.places[id]
    guard place.generation == variable.generation, place.position < 0 else { return 0 }
    return view.constants[Int(~place.position)]
  }

  // MARK: Constraints

  /// Adds Σ coefficient·variable + `constant` `relation` 0.
  ///
  /// Terms of the same variable are summed. Only `solve` detects that a required constraint cannot
  /// hold.
  /// - Parameters:
  ///   - priority: 1…1000; 1000 is required.
  ///   - isProtected: whether a conflict refuses another constraint instead, if there is one.
  ///   - age: the former `age(of:)` of a constraint that is added again, so that it does not count
  ///     as the last one added.
  /// - Throws: `priorityOutOfRange`, `constantOutOfRange`, `coefficientOutOfRange`,
  ///   `unknownVariable`, `tooManyConstraints`.
  /// - Complexity: O(terms · variables); O(variables · constraints) if it takes a column at once.
  @discardableResult
  public mutating func add(
    _ terms: Span<Term>, _ relation: Relation, constant: Double = 0,
    priority: Float = Solver.required, isProtected: Bool = false, age: UInt64? = nil
  ) throws(SolverError) -> ConstraintHandle {
    guard priority >= 1, priority <= Solver.required else { throw .priorityOutOfRange(priority) }
    return try enter(
      terms, relation, constant: constant, priority: priority, isProtected: isProtected, age: age)
  }

  /// Adds Σ coefficient·variable + `constant` `relation` 0; see `add(_:_:constant:priority:…)`.
  @discardableResult
  public mutating func add(
    _ terms: [Term], _ relation: Relation, constant: Double = 0,
    priority: Float = Solver.required, isProtected: Bool = false, age: UInt64? = nil
  ) throws(SolverError) -> ConstraintHandle {
    try add(
      terms.span, relation, constant: constant, priority: priority, isProtected: isProtected,
      age: age)
  }

  /// Adds a constraint written with operators; see `add(_:_:constant:priority:…)`.
  @discardableResult
  public mutating func add(
    _ constraint: LinearConstraint, priority: Float = Solver.required, isProtected: Bool = false
  ) throws(SolverError) -> ConstraintHandle {
    try add(
      constraint.sum.terms, constraint.relation, constant: constraint.sum.constant,
      priority: priority, isProtected: isProtected)
  }

  /// As `add`, but at any priority up to required.
  @inline(__always)
  mutating func enter(
    _ terms: Span<Term>, _ relation: Relation, constant: Double, priority: Float,
    isProtected: Bool, age: UInt64?
  ) throws(SolverError) -> ConstraintHandle {
    guard abs(constant) <= Solver.constantLimit else { throw .constantOutOfRange(constant) }
    guard constraintCount < Solver.constraintLimit else {
      throw .tooManyConstraints(limit: Solver.constraintLimit)
    }
    var largest = 0.0
    for index in terms.indices {
      let coefficient = abs(terms[index].coefficient)
      guard coefficient <= 1e6, coefficient >= 1e-6 || coefficient == 0 else {
        throw .coefficientOutOfRange(terms[index].coefficient)
      }
      if coefficient > largest { largest = coefficient }
      _ = try basis.symbols.id(of: terms[index].variable)
    }
    let handle = basis.addConstraint(
      terms, relation, constant: constant, priority: priority, isProtected: isProtected, age: age,
      largest: largest)
    view = basis.view
    return handle
  }

  /// Removes a constraint; after the next `solve` nothing of it is left.
  ///
  /// - Throws: `unknownConstraint`.
  /// - Complexity: O(variables).
  public mutating func remove(_ handle: ConstraintHandle) throws(SolverError) {
    basis.drop(try basis.symbols.id(of: handle))
  }

  /// Changes a constraint's constant, as given to `add`, and returns the constraint's age after
  /// that. If the change clashes with other required constraints, the next `solve` refuses it and
  /// restores the former constant.
  ///
  /// - Throws: `unknownConstraint`, `constantOutOfRange`.
  /// - Complexity: O(constraints).
  @discardableResult
  public mutating func setConstant(
    _ constant: Double, of handle: ConstraintHandle
  ) throws(SolverError) -> UInt64 {
    let id = try basis.symbols.id(of: handle)
    guard abs(constant) <= Solver.constantLimit else { throw .constantOutOfRange(constant) }
    let symbol = basis.symbols[id]
    if symbol.isRequired {
      edits.append(
        Edit(handle: handle, constant: symbol.constant / symbol.orientation, age: symbol.stamp))
    }
    basis.setConstant(constant, of: id)
    return basis.symbols[id].stamp
  }

  /// The order in which the constraint was added or last edited: later is higher.
  ///
  /// - Throws: `unknownConstraint`.
  public borrowing func age(of handle: ConstraintHandle) throws(SolverError) -> UInt64 {
    basis.symbols[try basis.symbols.id(of: handle)].stamp
  }

  /// Whether the constraint is in the solver, neither removed nor refused.
  public borrowing func contains(_ handle: ConstraintHandle) -> Bool {
    (try? basis.symbols.id(of: handle)) != nil
  }

  // MARK: Solving

  /// Brings all values to the optimum. If required constraints clash, one of them is refused, the
  /// rest is solved, and the conflict is returned; there may be several.
  ///
  /// - Parameter revertsEdits: whether a clash with an edited constraint refuses only the edit, and
  ///   the constraint itself only if its former constant clashes too; true by default.
  /// - Throws: `didNotConverge` if rounding defeats the simplex even on recomputed numbers.
  /// - Complexity: O(constraints) if nothing is out of place, else O(variables · constraints) per
  ///   pivot; an edit or a switch of a layout takes zero to three pivots.
  @discardableResult
  public mutating func solve(revertsEdits: Bool = true) throws(SolverError) -> [SolverConflict] {
    if basis.isSettled && pendingConflicts.isEmpty {
      if !edits.isEmpty { edits.removeAll(keepingCapacity: true) }
      return []
    }
    if !revertsEdits && !edits.isEmpty { edits.removeAll(keepingCapacity: true) }
    if basis.numbers.needsRefactoring() { basis.refactor() }
    var attempts = 0
    while !(settle() && basis.hasRightNumbers()) {
      // Numbers have drifted: recompute them, every 16th time from scratch.
      attempts += 1
      if attempts > Solver.maximumAttempts {
        basis.resetPriceTolerance()
        throw .didNotConverge(steps: attempts * basis.stepLimit)
      }
      basis.refactor(keepsBasis: attempts % 16 != 0, keepsPrices: attempts % 4 != 0)
      if attempts % 4 == 0 { basis.raisePriceTolerance() }
    }
    if attempts > 0 { basis.resetPriceTolerance() }
    if !edits.isEmpty { edits.removeAll(keepingCapacity: true) }
    if pendingConflicts.isEmpty { return [] }
    let found = pendingConflicts
    pendingConflicts = []
    return found
  }

  /// False if numbers have to be recomputed.
  @inline(__always) private mutating func settle() -> Bool {
    guard basis.pricing == .right else {
      return basis.hasViolatedRow() ? repair() : basis.settlePrices()
    }
    while true {
      switch basis.runDual() {
      case .solved: return basis.takeOutDroppedColumns() || basis.settlePrices()
      case .stalled: return false
      case .blockedByDropped: return repair()
      case .stuck(let row):
        switch resolveConflict(at: row) {
        case .pricesRight: break
        case .pricesWrong: return repair()
        case .none: return false
        }
      }
    }
  }

  /// From any state: forgets prices, brings rows into bounds, recomputes prices and settles them.
  private mutating func repair() -> Bool {
    basis.forgetPrices()
    while true {
      switch basis.runDual() {
      case .solved:
        basis.priceAnew()
        return basis.settlePrices()
      case .stalled, .blockedByDropped:
        basis.priceAnew()
        return false
      case .stuck(let row):
        if resolveConflict(at: row) == nil {
          basis.priceAnew()
          return false
        }
      }
    }
  }

  private enum Resolution {
    case pricesRight, pricesWrong
  }

  /// Resolves the clash of required constraints in a stuck row: refuses one, or its edits, and
  /// records the conflict. Edits that left the constant as it was are dropped without a conflict.
  /// `nil` if the constraints do not clash as given.
  private mutating func resolveConflict(at row: Int) -> Resolution? {
    let clashing = basis.clash(at: row)
    let constraints = clashing.filter { basis.symbols[$0].isConstraint }
    guard
      let broken = constraints.last(where: { !basis.symbols[$0].isProtected })
        ?? constraints.last, basis.proof(ofClashAt: row) == .clash
    else { return nil }
    let handle = basis.symbols.handle(broken)
    let edit = edits.first { $0.handle == handle }
    if let edit {
      let edited = basis.symbols[broken].constant
      edits.removeAll { $0.handle == handle }
      basis.setConstant(edit.constant, of: broken, age: edit.age)
      if basis.symbols[broken].constant == edited { return .pricesRight }
    }
    pendingConflicts.append(
      SolverConflict(
        broken: handle, clashing: constraints.map { basis.symbols.handle($0) },
        nonnegative: clashing.filter { basis.symbols[$0].isVariable }
          .map { basis.symbols.variable($0) },
        isEdit: edit != nil))
    if edit != nil { return .pricesRight }
    let isRow = broken == basis.tableau.basic(row)
    basis.drop(broken)
    return isRow ? .pricesRight : .pricesWrong
  }

  // MARK: Debugging

  /// The tableau as text: rows, columns, bounds and prices with a legend. Symbols are named by kind
  /// and id: `v` variable, `w` non-negative variable, `=` required equation, `>` required
  /// inequality, `~` and `^` their optional counterparts, `x` removed.
  ///
  /// - Complexity: O(variables · constraints).
  public borrowing func dump() -> String { basis.dump() }

  #if DEBUG
    /// Describes the first violated rule, or after a solve a missed optimum; `nil` if all is well.
    ///
    /// - Complexity: O(variables · constraints · terms).
    public borrowing func brokenInvariant(afterSolving: Bool) -> String? {
      basis.brokenRule(afterSolving: afterSolving)
    }
  #endif
}

/// The buffers that values are read from. They belong to the tableau and the symbol table, so a
/// view is valid until either grows.
@usableFromInline struct ValueView {
  @usableFromInline let places: UnsafePointer<Place>
  @usableFromInline let count: Int
  @usableFromInline let constants: UnsafePointer<Double>
}
