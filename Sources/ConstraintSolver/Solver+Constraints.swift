/// Adding, removing and editing constraints. None of these solves; `solve` does, once for all.
extension Solver {
  /// Adds Σ coefficient·variable + `constant` `relation` 0.
  ///
  /// Terms of one variable are summed. A required constraint that cannot hold is found by `solve`.
  /// - Parameters:
  ///   - priority: 1…1000; 1000 is required.
  ///   - isProtected: in a conflict another one is given up wherever there is one.
  ///   - age: where the constraint was here before, its former `age(of:)`, so that it does not count
  ///     as the last one added.
  /// - Throws: errors of range and of unknown variables, `tooManyConstraints`.
  /// - Complexity: O(terms · variables); O(variables · constraints) where it takes a column at once.
  @discardableResult
  public mutating func add(
    _ terms: Span<Term>, _ relation: Relation, constant: Double = 0,
    priority: Int = Solver.required, isProtected: Bool = false, age: UInt64? = nil
  ) throws(SolverError) -> ConstraintHandle {
    guard priority >= 1, priority <= Solver.required else { throw .priorityOutOfRange(priority) }
    return try enter(
      terms, relation, constant: constant, priority: priority, isProtected: isProtected, age: age)
  }

  /// As `add`, at any priority up to required.
  @inline(__always)
  mutating func enter(
    _ terms: Span<Term>, _ relation: Relation, constant: Double, priority: Int,
    isProtected: Bool, age: UInt64?
  ) throws(SolverError) -> ConstraintHandle {
    guard abs(constant) <= Solver.constantLimit else { throw .constantOutOfRange(constant) }
    guard constraintCount < Solver.constraintLimit else {
      throw .tooManyConstraints(limit: Solver.constraintLimit)
    }
    for index in terms.indices {
      let coefficient = abs(terms[index].coefficient)
      guard coefficient == 0 || (coefficient >= 1e-6 && coefficient <= 1e6) else {
        throw .coefficientOutOfRange(terms[index].coefficient)
      }
      _ = try checked(terms[index].variable)
    }

    let id = symbols.take(terms: terms.count)
    let orientation: Double = relation == .lessThanOrEqual ? -1 : 1
    let symbol = symbols.symbols + Int(id)
    let isRequired = priority == Solver.required
    symbol.pointee.kind =
      relation == .equal
      ? (isRequired ? .equality : .softEquality) : (isRequired ? .inequality : .softInequality)
    symbol.pointee.side = relation == .equal ? 0 : 1
    symbol.pointee.isProtected = isProtected
    symbol.pointee.priority = Int32(priority)
    symbol.pointee.orientation = orientation
    symbol.pointee.constant = constant * orientation
    if let age {
      symbol.pointee.stamp = age
      lastStamp = max(lastStamp, age)
    } else {
      lastStamp += 1
      symbol.pointee.stamp = lastStamp
    }
    if !isRequired { takePriorityRow(Int(id)) }
    store(terms, of: Int(id))
    noteScale(constant)
    constraintCount += 1
    enter(id)
    noteGrowth()
    return ConstraintHandle(symbol: id, generation: symbols.places[Int(id)].generation)
  }

  /// Adds Σ coefficient·variable + `constant` `relation` 0; see `add(_:_:constant:priority:…)`.
  @discardableResult
  public mutating func add(
    _ terms: [Term], _ relation: Relation, constant: Double = 0,
    priority: Int = Solver.required, isProtected: Bool = false, age: UInt64? = nil
  ) throws(SolverError) -> ConstraintHandle {
    try add(
      terms.span, relation, constant: constant, priority: priority, isProtected: isProtected,
      age: age)
  }

  /// Removes a constraint; nothing of it stays once `solve` has run.
  ///
  /// - Throws: `unknownConstraint`.
  /// - Complexity: O(variables).
  public mutating func remove(_ handle: ConstraintHandle) throws(SolverError) {
    drop(try checked(handle))
  }

  /// Changes a constraint's constant, as given to `add`, and returns its age.
  ///
  /// - Throws: `unknownConstraint`, `constantOutOfRange`.
  /// - Complexity: O(constraints).
  @discardableResult
  public mutating func setConstant(
    _ constant: Double, of handle: ConstraintHandle
  ) throws(SolverError) -> UInt64 {
    let id = try checked(handle)
    guard abs(constant) <= Solver.constantLimit else { throw .constantOutOfRange(constant) }
    let symbol = symbols.symbols + id
    let oriented = constant * symbol.pointee.orientation
    let change = oriented - symbol.pointee.constant
    if change == 0 { return symbol.pointee.stamp }
    symbol.pointee.constant = oriented
    lastStamp += 1
    symbol.pointee.stamp = lastStamp
    noteScale(constant)
    let position = symbols.places[id].position
    if position < 0 {
      tableau.constants[Int(~position)] += change
      tableau.noteMoved(Int(~position))
    } else {
      // The column's symbol stands for s, and the new marker is s + change.
      tableau.shift(column: Int(position), by: -change)
    }
    return symbol.pointee.stamp
  }

  private mutating func noteScale(_ constant: Double) {
    guard abs(constant) > scale else { return }
    scale = abs(constant)
    tableau.tolerance = feasibilityTolerance
  }

  /// The constant as last given.
  ///
  /// - Throws: `unknownConstraint`.
  public borrowing func constant(of handle: ConstraintHandle) throws(SolverError) -> Double {
    let id = try checked(handle)
    return symbols.symbols[id].constant * symbols.symbols[id].orientation
  }

  /// When the constraint was added or last edited; later is higher.
  ///
  /// - Throws: `unknownConstraint`.
  public borrowing func age(of handle: ConstraintHandle) throws(SolverError) -> UInt64 {
    symbols.symbols[try checked(handle)].stamp
  }

  /// True while the constraint is in the solver, neither removed nor refused.
  public borrowing func contains(_ handle: ConstraintHandle) -> Bool {
    (try? checked(handle)) != nil
  }

  /// The left side's value as of the last `solve`, relation and zero left out: 0 where an equation
  /// holds, and by how much an inequality holds or fails.
  ///
  /// - Throws: `unknownConstraint`.
  public borrowing func residual(of handle: ConstraintHandle) throws(SolverError) -> Double {
    let id = try checked(handle)
    let position = symbols.places[id].position
    guard position < 0 else { return 0 }
    return tableau.constants[Int(~position)] * symbols.symbols[id].orientation
  }

  static var constantLimit: Double { 1e9 }
  /// Smaller cells are never pivoted on.
  static var smallestPivot: Double { 1e-9 }
  /// Prices closer than this are equal.
  static var priceTolerance: Double { 1e-9 }
  /// How far a row may be out of its bounds.
  var feasibilityTolerance: Double { 1e-9 * scale }
}
