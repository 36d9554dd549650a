/// An incremental solver of linear constraints with priorities, for the layout of one cell.
///
/// Constraints are linear equations and inequalities over free variables. Required ones (priority
/// 1000) hold; of the optional ones those of a higher priority are satisfied as well as can be
/// before any lower one is looked at, exactly and not by weights; within one priority the sum of
/// violations |Σ| is least.
///
/// The method is the dual simplex on a dense dictionary, after Cassowary (Badros, Borning and
/// Stuckey, "The Cassowary Linear Arithmetic Constraint Solving Algorithm", 2001) with two changes:
/// each constraint has one marker with a piecewise linear cost instead of slack and error pairs, and
/// each priority its own objective row.
///
/// Rules:
/// 1. Non-basic symbols are 0. There are as many columns as variables, and a row a constraint;
///    markers of removed constraints (`dropped`) may stay until the next solve ends.
/// 2. Between calls either every column is priced right (`isDualFeasible`: no move from 0 pays, as
///    far as optional constraints basic at cost 0 are concerned), or the flag is false.
/// 3. A new constraint enters at cost 0 and is thereby only a row out of its bounds; so does an
///    edit leave rows out of their bounds. `solve` is then one dual simplex for all of them.
/// 4. A row out of its bounds that nothing may move names a conflict: itself and its non-zero
///    columns. The columns are independent, so the set is minimal.
/// 5. Where neither rows nor prices are right (after conflicts and some removals), `repair` forgets
///    the prices, makes the rows right, prices anew and runs the primal simplex.
///
/// A dense dictionary is for cells, not for documents: hence `variableLimit`, `constraintLimit`.
public struct Solver: ~Copyable {
  /// Most variables a solver takes: 1,024, four for each of 256 views.
  public static var variableLimit: Int { 1024 }
  /// Most constraints a solver takes: 4,096.
  public static var constraintLimit: Int { 4096 }
  /// The priority of required constraints.
  public static var required: Int { 1000 }

  var tableau: Tableau
  var symbols: SymbolTable
  var priorityRows = PriorityRows()

  /// Where values are read, for callers in other modules.
  @usableFromInline var view: ValueView

  public internal(set) var variableCount = 0
  public internal(set) var constraintCount = 0
  /// Pivots since the solver was made: its work, for tests and the inspector.
  public internal(set) var pivotCount = 0
  /// How often a buffer had to grow since the solver was made: its allocations. A solver whose
  /// constraints only come back, are edited and go again does not grow.
  public var growthCount: Int {
    tableau.growthCount + symbols.growthCount + priorityRows.growthCount
  }

  var droppedCount = 0
  /// Variables that are columns: free to be taken by new constraints.
  var freeVariableCount = 0
  var isDualFeasible = true
  /// While true optional constraints are free and cost nothing: the first half of `repair`.
  var isRelaxed = false
  var lastStamp: UInt64 = 0
  var pivotsAtRefactoring = 0
  /// Largest magnitude of a constant seen, at least 1: what tolerances are relative to.
  var scale = 1.0
  var pendingConflicts: [SolverConflict] = []

  /// A solver without variables. It grows as needed; the numbers only save growing.
  public init(expectedVariables: Int = 32, expectedConstraints: Int = 40) {
    tableau = Tableau(
      rows: min(max(1, expectedConstraints), Solver.constraintLimit),
      columns: min(max(1, expectedVariables), Solver.variableLimit), slots: 4)
    symbols = SymbolTable(
      capacity: min(max(0, expectedVariables), Solver.variableLimit)
        + min(max(0, expectedConstraints), Solver.constraintLimit))
    view = ValueView(places: symbols.places, count: 0, constants: tableau.constants)
  }

  private init(copying other: borrowing Solver) {
    tableau = other.tableau.copy()
    symbols = other.symbols.copy()
    priorityRows = other.priorityRows.copy()
    view = ValueView(
      places: symbols.places, count: symbols.count, constants: tableau.constants)
    variableCount = other.variableCount
    constraintCount = other.constraintCount
    pivotCount = other.pivotCount
    droppedCount = other.droppedCount
    freeVariableCount = other.freeVariableCount
    isDualFeasible = other.isDualFeasible
    lastStamp = other.lastStamp
    pivotsAtRefactoring = other.pivotsAtRefactoring
    scale = other.scale
    pendingConflicts = other.pendingConflicts
  }

  /// An independent solver in the same state, in which the same variables and handles are good.
  ///
  /// - Complexity: O(variables · constraints) bytes copied; nothing is solved again.
  public borrowing func copy() -> Solver { Solver(copying: self) }

  // MARK: Variables

  /// A new variable. While no constraint mentions it its value is 0.
  ///
  /// - Throws: `tooManyVariables`.
  /// - Complexity: O(1), amortised.
  public mutating func addVariable() throws(SolverError) -> Variable {
    guard variableCount < Solver.variableLimit else {
      throw .tooManyVariables(limit: Solver.variableLimit)
    }
    let id = symbols.take(terms: 0)
    symbols.symbols[Int(id)].kind = .variable
    symbols.symbols[Int(id)].uses = 0
    tableau.reserve(rows: 0, columns: tableau.columnCount + 1, slots: 0)
    symbols.places[Int(id)].position = Int32(tableau.appendColumn(id))
    variableCount += 1
    freeVariableCount += 1
    noteGrowth()
    return Variable(symbol: id, generation: symbols.places[Int(id)].generation)
  }

  /// Removes a variable that no constraint mentions any more.
  ///
  /// - Throws: `unknownVariable`, `variableInUse`, and what `solve` throws.
  /// - Complexity: O(constraints), besides solving where removed constraints are still to be cleared.
  public mutating func remove(_ variable: Variable) throws(SolverError) {
    let id = try checked(variable)
    let uses = Int(symbols.symbols[id].uses)
    guard uses == 0 else { throw .variableInUse(variable, constraints: uses) }
    if droppedCount > 0 { pendingConflicts = try solve() }
    if symbols.places[id].position < 0 { try refactor() }
    let column = Int(symbols.places[id].position)
    let moved = tableau.removeColumn(column)
    if moved >= 0 { symbols.places[Int(moved)].position = Int32(column) }
    symbols.places[id].generation += 1
    symbols.release(Int32(id))
    variableCount -= 1
    freeVariableCount -= 1
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

  /// After anything that may have moved a buffer.
  mutating func noteGrowth() {
    view = ValueView(
      places: symbols.places, count: symbols.count, constants: tableau.constants)
  }

  @inline(__always) func checked(_ variable: Variable) throws(SolverError) -> Int {
    let id = Int(variable.symbol)
    guard id >= 0, id < symbols.count, symbols.symbols[id].kind == .variable,
      symbols.places[id].generation == variable.generation
    else { throw .unknownVariable(variable) }
    return id
  }

  @inline(__always) func checked(_ handle: ConstraintHandle) throws(SolverError) -> Int {
    let id = Int(handle.symbol)
    guard id >= 0, id < symbols.count, symbols.symbols[id].isConstraint,
      symbols.places[id].generation == handle.generation
    else { throw .unknownConstraint(handle) }
    return id
  }
}

/// The buffers that values are read from. They are the tableau's and the symbol table's own, so a
/// view is good until either grows.
@usableFromInline struct ValueView {
  @usableFromInline let places: UnsafeMutablePointer<Place>
  @usableFromInline let count: Int
  @usableFromInline let constants: UnsafeMutablePointer<Double>
}
