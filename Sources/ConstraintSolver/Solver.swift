/// An incremental solver of linear constraints with priorities, for the layout of one cell.
///
/// Constraints are linear equations and inequalities over free variables. Required ones (priority
/// 1000) hold; of the optional ones those of a higher priority are satisfied as well as can be
/// before any lower one is looked at, exactly and not by weights; within one priority the sum of
/// violations |Σ| is least.
///
/// The method is the dual simplex on a dense dictionary, after Cassowary (Badros, Borning and
/// Stuckey, "The Cassowary Linear Arithmetic Constraint Solving Algorithm", 2001) with two changes:
/// each constraint has one marker with a piecewise linear cost instead of slack and error pairs,
/// and each priority its own objective row.
///
///     Solver → Basis → Tableau, SymbolTable, PriorityRows
///     what is asked, conflicts   what labels mean, simplexes   numbers, symbols, priorities
///
/// Rules:
/// 1. Adding, removing and editing do not solve; `solve` does, once for all.
/// 2. A new constraint enters at cost 0 and is thereby only a row out of its bounds; so does an
///    edit leave rows out of their bounds. `solve` is then one dual simplex for all of them.
/// 3. A row out of its bounds that nothing may move names a conflict: itself and its non-zero
///    columns. The columns are independent, so the set is minimal.
/// 4. Where neither rows nor prices are right (after conflicts and some removals), `repair` forgets
///    the prices, makes the rows right, new prices and runs the primal simplex.
/// 5. `view` is taken again after whatever may have moved a buffer.
/// 6. What `solve` returns with was held against the constraints as they were given, by the columns
///    that values moved along or all together; where it did not stand that, the basis remade its
///    numbers.
///
/// A dense dictionary is for cells, not for documents: hence `variableLimit`, `constraintLimit`.
public struct Solver: ~Copyable {
  /// Most variables a solver takes: 1,024, four for each of 256 views.
  public static var variableLimit: Int { 1024 }
  /// Most constraints a solver takes: 4,096.
  public static var constraintLimit: Int { 4096 }
  /// The priority of required constraints.
  public static var required: Float { 1000 }
  private static var constantLimit: Double { 1e9 }

  /// How often a solve goes on with fresh numbers.
  private static var mostAttempts: Int { 40 }

  /// A required constraint as it was before it was edited.
  private struct Edit {
    let handle: ConstraintHandle
    let constant: Double
    let age: UInt64
  }

  private(set) var basis: Basis
  /// Where values are read, for callers in other modules.
  @usableFromInline private(set) var view: ValueView
  /// Found before the solve that will return them.
  private var pendingConflicts: [SolverConflict] = []
  /// Since the last solve, in their order; of one constraint the first counts.
  private var edits: [Edit] = []

  /// Variables in the solver.
  public var variableCount: Int { basis.tableau.columnCount }
  /// Constraints in the solver, neither removed nor refused.
  public var constraintCount: Int { basis.constraintCount }
  /// Pivots since the solver was made: its work, for tests and the inspector.
  public var pivotCount: Int { basis.pivotCount }
  /// How often a buffer had to grow since the solver was made: its allocations. A solver whose
  /// constraints only come back, are edited and go again does not grow.
  public var growthCount: Int { basis.growthCount }

  /// A solver without variables. It grows as needed; the numbers only save growing.
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

  /// An independent solver in the same state, in which the same variables and handles are good.
  ///
  /// - Complexity: O(variables · constraints) bytes copied; nothing is solved again.
  public borrowing func copy() -> Solver {
    var other = Solver(basis.copy())
    other.pendingConflicts = pendingConflicts
    other.edits = edits
    return other
  }

  // MARK: Variables

  /// A new variable. While no constraint mentions it its value is 0.
  ///
  /// - Parameter isNonnegative: whether it is at least 0, as a required constraint that is never
  ///   given up; false by default.
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

  /// Removes a variable that no constraint mentions any more.
  ///
  /// - Throws: `unknownVariable`, `variableInUse`, and what `solve` throws.
  /// - Complexity: O(constraints), besides solving where removed constraints are still to be
  ///   cleared.
  public mutating func remove(_ variable: Variable) throws(SolverError) {
    let id = try basis.symbols.id(of: variable)
    let uses = Int(basis.symbols[id].uses)
    guard uses == 0 else { throw .variableInUse(variable, constraints: uses) }
    if basis.droppedCount > 0 { pendingConflicts = try solve() }
    if basis.symbols.position(of: id) < 0 { basis.refactor() }
    basis.removeVariable(id)
  }

  /// The variable's value as of the last `solve`; between an edit and the next `solve` any value.
  /// 0 for a variable that is not in this solver.
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
  /// Terms of one variable are summed. A required constraint that cannot hold is found by `solve`.
  /// - Parameters:
  ///   - priority: 1…1000; 1000 is required.
  ///   - isProtected: in a conflict another one is given up wherever there is one.
  ///   - age: where the constraint was here before, its former `age(of:)`, so that it does not
  ///     count as the last one added.
  /// - Throws: errors of range and of unknown variables, `tooManyConstraints`.
  /// - Complexity: O(terms · variables); O(variables · constraints) where it takes a column at
  ///   once.
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

  /// As `add`, at any priority up to required.
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

  /// Removes a constraint; nothing of it stays once `solve` has run.
  ///
  /// - Throws: `unknownConstraint`.
  /// - Complexity: O(variables).
  public mutating func remove(_ handle: ConstraintHandle) throws(SolverError) {
    basis.drop(try basis.symbols.id(of: handle))
  }

  /// Changes a constraint's constant, as given to `add`, and returns its age. Where the next
  /// `solve` finds that it clashes with others it refuses the change: the constraint is then as it
  /// was.
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

  /// When the constraint was added or last edited; later is higher.
  ///
  /// - Throws: `unknownConstraint`.
  public borrowing func age(of handle: ConstraintHandle) throws(SolverError) -> UInt64 {
    basis.symbols[try basis.symbols.id(of: handle)].stamp
  }

  /// True while the constraint is in the solver, neither removed nor refused.
  public borrowing func contains(_ handle: ConstraintHandle) -> Bool {
    (try? basis.symbols.id(of: handle)) != nil
  }

  // MARK: Solving

  /// Brings all values to the optimum. Where required constraints clash one of them is refused, the
  /// rest is solved, and what clashed is returned; several conflicts where there are several.
  ///
  /// - Parameter revertsEdits: whether of a constraint that was edited only the edit is refused, as
  ///   long as its former constant does not clash; true by default.
  /// - Throws: `didNotConverge`, when rounding defeats the simplex even on freshly computed
  ///   numbers.
  /// - Complexity: O(constraints) where nothing is out of place, else O(variables · constraints) a
  ///   pivot; an edit or a switch of a layout takes zero to three.
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
      // Numbers have drifted: on fresh ones, at last with nothing that was known before.
      attempts += 1
      if attempts > Solver.mostAttempts {
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

  /// False where a simplex did not end within its steps.
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

  /// From any state: prices forgotten, rows made right, prices remade and right.
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

  /// The stuck row's required constraints clash: refuses one, or its last edit, and notes the
  /// report. Nil where they do not clash as they were given.
  private mutating func resolveConflict(at row: Int) -> Resolution? {
    let clashing = basis.clash(at: row)
    let constraints = clashing.filter { basis.symbols[$0].isConstraint }
    guard
      let broken = constraints.last(where: { !basis.symbols[$0].isProtected })
        ?? constraints.last, basis.proof(ofClashAt: row) == .clash
    else { return nil }
    let handle = basis.symbols.handle(broken)
    let edit = edits.first { $0.handle == handle }
    pendingConflicts.append(
      SolverConflict(
        broken: handle, clashing: constraints.map { basis.symbols.handle($0) },
        nonnegative: clashing.filter { basis.symbols[$0].isVariable }
          .map { basis.symbols.variable($0) },
        isEdit: edit != nil))
    if let edit {
      edits.removeAll { $0.handle == handle }
      basis.setConstant(edit.constant, of: broken, age: edit.age)
      return .pricesRight
    }
    let isRow = broken == basis.tableau.basic(row)
    basis.drop(broken)
    return isRow ? .pricesRight : .pricesWrong
  }

  // MARK: Debugging

  /// The tableau as text: rows, columns, bounds and prices with a legend. Symbols are named by kind
  /// and id: `v` variable, `=` required equation, `>` required inequality, `~` and `^` the same
  /// optional, `x` removed.
  ///
  /// - Complexity: O(variables · constraints).
  public borrowing func dump() -> String { basis.dump() }

  #if DEBUG
    /// The first rule the state breaks, or nil. After `solve` also whether the state is an optimum.
    ///
    /// - Complexity: O(variables · constraints · terms).
    public borrowing func brokenInvariant(afterSolving: Bool) -> String? {
      basis.brokenRule(afterSolving: afterSolving)
    }
  #endif
}

/// The buffers that values are read from. They are the tableau's and the symbol table's own, so a
/// view is good until either grows.
@usableFromInline struct ValueView {
  @usableFromInline let places: UnsafePointer<Place>
  @usableFromInline let count: Int
  @usableFromInline let constants: UnsafePointer<Double>
}
