/// All symbols of a solver by id, where each stands in the tableau, and the terms constraints were
/// made of. Ids and term ranges of removed constraints are used again, so that a solver whose
/// constraints come and go allocates nothing once it has grown.
struct SymbolTable: ~Copyable {
  private(set) var count = 0
  private(set) var capacity: Int
  private(set) var growthCount = 0
  private(set) var symbols: UnsafeMutablePointer<Symbol>
  private(set) var places: UnsafeMutablePointer<Place>

  /// First of the ids to be used again, -1 where there is none.
  private var free: Int32 = -1
  private var termCount = 0
  private var termCapacity: Int
  private(set) var termSymbols: UnsafeMutablePointer<Int32>
  private(set) var termCoefficients: UnsafeMutablePointer<Double>

  /// Terms that a constraint's range holds at least, so that ranges fit the next constraint too.
  private static var smallestRange: Int { 4 }

  init(capacity: Int) {
    self.capacity = max(16, capacity)
    termCapacity = self.capacity * 4
    symbols = .allocate(capacity: self.capacity)
    places = .allocate(capacity: self.capacity)
    termSymbols = .allocate(capacity: termCapacity)
    termCoefficients = .allocate(capacity: termCapacity)
  }

  deinit {
    symbols.deallocate()
    places.deallocate()
    termSymbols.deallocate()
    termCoefficients.deallocate()
  }

  func copy() -> SymbolTable {
    var other = SymbolTable(capacity: capacity)
    other.count = count
    other.free = free
    other.symbols.update(from: symbols, count: count)
    other.places.update(from: places, count: count)
    other.growTerms(to: termCapacity)
    other.termCount = termCount
    other.termSymbols.update(from: termSymbols, count: termCount)
    other.termCoefficients.update(from: termCoefficients, count: termCount)
    return other
  }

  /// A fresh or used-again id, with room for `terms` terms. Its generation outlives it.
  mutating func take(terms: Int) -> Int32 {
    let id: Int32
    if free >= 0 {
      id = free
      free = places[Int(id)].position
    } else {
      if count == capacity { growSymbols() }
      id = Int32(count)
      count += 1
      symbols[Int(id)] = Symbol()
      places[Int(id)] = Place(position: 0, generation: 0)
    }
    let symbol = symbols + Int(id)
    if Int(symbol.pointee.termCapacity) < terms {
      let wanted = max(terms, SymbolTable.smallestRange)
      if termCount + wanted > termCapacity { compactTerms(room: wanted) }
      symbol.pointee.termStart = Int32(termCount)
      symbol.pointee.termCapacity = Int32(wanted)
      termCount += wanted
    }
    symbol.pointee.termCount = 0
    return id
  }

  /// Gives an id back. Its handles were spent when its generation rose.
  mutating func release(_ id: Int32) {
    symbols[Int(id)].kind = .unused
    places[Int(id)].position = free
    free = id
  }

  private mutating func growSymbols() {
    growthCount += 1
    let larger = capacity * 2
    let newSymbols = UnsafeMutablePointer<Symbol>.allocate(capacity: larger)
    let newPlaces = UnsafeMutablePointer<Place>.allocate(capacity: larger)
    newSymbols.update(from: symbols, count: count)
    newPlaces.update(from: places, count: count)
    symbols.deallocate()
    places.deallocate()
    symbols = newSymbols
    places = newPlaces
    capacity = larger
  }

  private mutating func growTerms(to newCapacity: Int) {
    guard newCapacity > termCapacity else { return }
    let newSymbols = UnsafeMutablePointer<Int32>.allocate(capacity: newCapacity)
    let newCoefficients = UnsafeMutablePointer<Double>.allocate(capacity: newCapacity)
    newSymbols.update(from: termSymbols, count: termCount)
    newCoefficients.update(from: termCoefficients, count: termCount)
    termSymbols.deallocate()
    termCoefficients.deallocate()
    termSymbols = newSymbols
    termCoefficients = newCoefficients
    termCapacity = newCapacity
  }

  /// Moves all ranges in use together, dropping abandoned ones, and makes room for `room` more.
  private mutating func compactTerms(room: Int) {
    growthCount += 1
    var live = 0
    for id in 0..<count where symbols[id].kind != .unused {
      live += Int(symbols[id].termCapacity)
    }
    let newCapacity = max(termCapacity, (live + room) * 2)
    let newSymbols = UnsafeMutablePointer<Int32>.allocate(capacity: newCapacity)
    let newCoefficients = UnsafeMutablePointer<Double>.allocate(capacity: newCapacity)
    var end = 0
    for id in 0..<count {
      guard symbols[id].kind != .unused else {
        symbols[id].termCapacity = 0
        continue
      }
      let start = Int(symbols[id].termStart)
      let used = Int(symbols[id].termCount)
      (newSymbols + end).update(from: termSymbols + start, count: used)
      (newCoefficients + end).update(from: termCoefficients + start, count: used)
      symbols[id].termStart = Int32(end)
      end += Int(symbols[id].termCapacity)
    }
    termSymbols.deallocate()
    termCoefficients.deallocate()
    termSymbols = newSymbols
    termCoefficients = newCoefficients
    termCapacity = newCapacity
    termCount = end
  }
}
