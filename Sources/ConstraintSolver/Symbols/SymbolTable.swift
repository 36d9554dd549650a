/// All symbols of a solver by id: their kinds, their places in the tableau, the terms of
/// constraints, and the validity of handles.
///
/// Rules:
/// 1. An id is in use from `take…` to `release`. Unused ids form a chain through `position`.
/// 2. A handle is valid while its generation is its id's, which rises when the symbol is spent.
/// 3. Terms are kept with the sign and scale of the marker, without zero terms; a variable's `uses`
///    counts them.
/// 4. Ids and ranges of terms are reused, so that a solver whose constraints come and go allocates
///    nothing once it has grown.
struct SymbolTable: ~Copyable {
  private(set) var count = 0
  private(set) var growthCount = 0
  private let capacity: Int
  private let block: UnsafeMutableRawPointer
  private let symbols: UnsafeMutablePointer<Symbol>
  private let places: UnsafeMutablePointer<Place>
  /// The first id to reuse, or -1.
  private var free: Int32 = -1

  private var termCount = 0
  private let termCapacity: Int
  private let terms: UnsafeMutablePointer<Term>
  private var lastStamp: UInt64 = 0
  /// Σ check number · constant over all constraints: rule 6 of `Basis`.
  private(set) var checkConstant = 0.0

  /// The least capacity of a constraint's range of terms, so that the next constraint can reuse it.
  private static var smallestRange: Int { 4 }

  init(capacity: Int) {
    let capacity = max(16, capacity)
    self.init(capacity: capacity, termCapacity: capacity * SymbolTable.smallestRange)
  }

  private init(capacity: Int, termCapacity: Int) {
    self.capacity = capacity
    self.termCapacity = termCapacity
    let symbolBytes = capacity * MemoryLayout<Symbol>.stride
    let termBytes = termCapacity * MemoryLayout<Term>.stride
    block = .allocate(
      byteCount: symbolBytes + termBytes + capacity * MemoryLayout<Place>.stride, alignment: 16)
    symbols = block.bindMemory(to: Symbol.self, capacity: capacity)
    terms = (block + symbolBytes).bindMemory(to: Term.self, capacity: termCapacity)
    places = (block + symbolBytes + termBytes).bindMemory(to: Place.self, capacity: capacity)
  }

  deinit { block.deallocate() }

  func copy() -> SymbolTable {
    var other = copyWithoutTerms(capacity: capacity, termCapacity: termCapacity)
    other.terms.update(from: terms, count: termCount)
    other.termCount = termCount
    return other
  }

  private func copyWithoutTerms(capacity: Int, termCapacity: Int) -> SymbolTable {
    var other = SymbolTable(capacity: capacity, termCapacity: termCapacity)
    other.count = count
    other.free = free
    other.lastStamp = lastStamp
    other.checkConstant = checkConstant
    other.symbols.update(from: symbols, count: count)
    other.places.update(from: places, count: count)
    return other
  }

  /// A copy in buffers of other sizes, with the ranges of terms compacted.
  private func copy(capacity: Int, termCapacity: Int) -> SymbolTable {
    var other = copyWithoutTerms(capacity: capacity, termCapacity: termCapacity)
    for id in 0..<count {
      let symbol = other.symbols + id
      if symbol.pointee.kind == .unused {
        symbol.pointee.termCapacity = 0
        continue
      }
      let range = terms + Int(symbol.pointee.termStart)
      (other.terms + other.termCount).update(from: range, count: Int(symbol.pointee.termCount))
      symbol.pointee.termStart = Int32(other.termCount)
      other.termCount += Int(symbol.pointee.termCapacity)
    }
    return other
  }

  @inline(__always) subscript(id: Int32) -> Symbol {
    get { symbols[Int(id)] }
    _modify { yield &symbols[Int(id)] }
  }

  /// A constraint's terms with the sign and scale of its marker. Valid until the table changes.
  @inline(__always) func terms(of id: Int32) -> UnsafeBufferPointer<Term> {
    let symbol = symbols + Int(id)
    return UnsafeBufferPointer(
      start: terms + Int(symbol.pointee.termStart), count: Int(symbol.pointee.termCount))
  }

  // MARK: Places

  /// A column, or `~row` for a basic symbol.
  @inline(__always) func position(of id: Int32) -> Int32 { places[Int(id)].position }

  @inline(__always) mutating func place(_ id: Int32, inRow row: Int) {
    places[Int(id)].position = ~Int32(row)
  }

  @inline(__always) mutating func place(_ id: Int32, inColumn column: Int) {
    places[Int(id)].position = Int32(column)
  }

  /// A view of the values, which are in `constants`.
  func view(of constants: UnsafePointer<Double>) -> ValueView {
    ValueView(places: places, count: count, constants: constants)
  }

  // MARK: Handles

  func variable(_ id: Int32) -> Variable {
    Variable(symbol: id, generation: places[Int(id)].generation)
  }

  func handle(_ id: Int32) -> ConstraintHandle {
    ConstraintHandle(symbol: id, generation: places[Int(id)].generation)
  }

  @inline(__always) func id(of variable: Variable) throws(SolverError) -> Int32 {
    let id = Int(variable.symbol)
    guard id >= 0, id < count, symbols[id].isVariable,
      places[id].generation == variable.generation
    else { throw .unknownVariable(variable) }
    return variable.symbol
  }

  @inline(__always) func id(of handle: ConstraintHandle) throws(SolverError) -> Int32 {
    let id = Int(handle.symbol)
    guard id >= 0, id < count, symbols[id].isConstraint,
      places[id].generation == handle.generation
    else { throw .unknownConstraint(handle) }
    return handle.symbol
  }

  // MARK: Adding and removing symbols

  mutating func takeVariable(isNonnegative: Bool) -> Int32 {
    let id = take(terms: 0)
    let symbol = symbols + Int(id)
    symbol.pointee.kind = isNonnegative ? .nonnegative : .variable
    symbol.pointee.side = 0
    symbol.pointee.uses = 0
    // Older than every constraint.
    symbol.pointee.stamp = 0
    return id
  }

  /// A marker for Σ coefficient·variable + `constant` `relation` 0, without a place yet. `largest`
  /// is the largest magnitude of its coefficients.
  @inline(__always)
  mutating func takeMarker(
    _ terms: Span<Term>, _ relation: Relation, constant: Double, priority: Float,
    isProtected: Bool, age: UInt64?, largest: Double
  ) -> Int32 {
    let id = take(terms: terms.count)
    let isRequired = priority == Solver.required
    let symbol = symbols + Int(id)
    symbol.pointee.kind =
      relation == .equal
      ? (isRequired ? .equality : .softEquality) : (isRequired ? .inequality : .softInequality)
    symbol.pointee.side = relation == .equal ? 0 : 1
    symbol.pointee.isProtected = isProtected
    symbol.pointee.priority = priority
    symbol.pointee.orientation =
      (relation == .lessThanOrEqual ? -1 : 1) * (isRequired ? SymbolTable.scale(largest) : 1)
    symbol.pointee.constant = constant * symbol.pointee.orientation
    if let age { lastStamp = max(lastStamp, age) } else { lastStamp += 1 }
    symbol.pointee.stamp = age ?? lastStamp
    store(terms, of: id)
    checkConstant += SymbolTable.checkNumber(id) * symbol.pointee.constant
    return id
  }

  /// The power of 2 that brings `largest` to 1…2, by its exponent alone: `binade` is a call.
  @inline(__always) private static func scale(_ largest: Double) -> Double {
    largest == 0 ? 1 : Double(bitPattern: (2046 - largest.bitPattern >> 52) << 52)
  }

  /// A constraint's check number: of few bits, so that sums with it are mostly exact.
  @inline(__always) static func checkNumber(_ id: Int32) -> Double {
    Double(bitPattern: 0x3FF << 52 | UInt64((UInt32(bitPattern: id) &* 0x9E37_79B1) >> 24) << 44)
  }

  /// Sums the constants again, which clears accumulated rounding.
  mutating func sumConstants() {
    checkConstant = 0
    for id in 0..<Int32(count) where symbols[Int(id)].isConstraint {
      checkConstant += SymbolTable.checkNumber(id) * symbols[Int(id)].constant
    }
  }

  @inline(__always) private mutating func store(_ span: Span<Term>, of id: Int32) {
    let symbol = symbols + Int(id)
    let orientation = symbol.pointee.orientation
    let first = terms + Int(symbol.pointee.termStart)
    var end = first
    for index in span.indices where span[index].coefficient != 0 {
      end.pointee = span[index]
      end.pointee.coefficient *= orientation
      symbols[Int(end.pointee.variable.symbol)].uses &+= 1
      end += 1
    }
    symbol.pointee.termCount = Int32(end - first)
  }

  /// Applies a changed constant; returns by how much the marker's value rises.
  mutating func setConstant(_ constant: Double, of id: Int32) -> Double {
    let symbol = symbols + Int(id)
    let oriented = constant * symbol.pointee.orientation
    let change = oriented - symbol.pointee.constant
    if change == 0 { return 0 }
    symbol.pointee.constant = oriented
    checkConstant += change * SymbolTable.checkNumber(id)
    lastStamp += 1
    symbol.pointee.stamp = lastStamp
    return change
  }

  /// Invalidates a symbol's handles. The id stays in use until `release`.
  @inline(__always) mutating func spend(_ id: Int32) {
    if symbols[Int(id)].isConstraint {
      checkConstant -= SymbolTable.checkNumber(id) * symbols[Int(id)].constant
    }
    places[Int(id)].generation += 1
    symbols[Int(id)].kind = .dropped
  }

  /// Makes a spent symbol's id available again.
  @inline(__always) mutating func release(_ id: Int32) {
    symbols[Int(id)].kind = .unused
    places[Int(id)].position = free
    free = id
  }

  /// A new or reused id with room for `terms` terms. Its generation survives reuse.
  private mutating func take(terms: Int) -> Int32 {
    let id: Int32
    if free >= 0 {
      id = free
      free = places[Int(id)].position
    } else {
      if count == capacity { grow(capacity: capacity * 2, termCapacity: termCapacity) }
      id = Int32(count)
      count += 1
      symbols[Int(id)] = Symbol()
      places[Int(id)] = Place(position: 0, generation: 0)
    }
    if Int(symbols[Int(id)].termCapacity) < terms {
      let wanted = max(terms, SymbolTable.smallestRange)
      if termCount + wanted > termCapacity { grow(terms: wanted) }
      symbols[Int(id)].termStart = Int32(termCount)
      symbols[Int(id)].termCapacity = Int32(wanted)
      termCount += wanted
    }
    symbols[Int(id)].termCount = 0
    return id
  }

  /// Makes room for `room` more terms, by compacting ranges or in a larger buffer.
  private mutating func grow(terms room: Int) {
    var used = room
    for id in 0..<count where symbols[id].kind != .unused { used += Int(symbols[id].termCapacity) }
    grow(capacity: capacity, termCapacity: max(termCapacity, used * 2))
  }

  private mutating func grow(capacity: Int, termCapacity: Int) {
    var larger = copy(capacity: capacity, termCapacity: termCapacity)
    larger.growthCount = growthCount + 1
    self = larger
  }
}
