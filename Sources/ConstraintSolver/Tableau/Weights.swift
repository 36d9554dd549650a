/// What each label of a tableau weighs, in the tableau's own memory: rows forwards from `origin`
/// and columns backwards, so that a label's position is an index and nobody asks which of the two
/// it is.
struct Weights {
  private let origin: UnsafeMutablePointer<Double>
  private let rowCapacity: Int
  private let columnCapacity: Int

  /// Numbers for so many rows and columns, multiples of eight, in `memory`.
  init(memory: UnsafeMutablePointer<Double>, rows: Int, columns: Int) {
    origin = memory + columns
    rowCapacity = rows
    columnCapacity = columns
  }

  mutating func removeAll() {
    (origin - columnCapacity).update(repeating: 0, count: columnCapacity + rowCapacity)
  }

  /// Takes over those of so many rows and columns.
  mutating func copy(_ other: Weights, rows: Int, columns: Int) {
    (origin - columns).update(from: other.origin - columns, count: columns + rows)
  }

  @inline(__always) func row(_ row: Int) -> Double { origin[row] }

  @inline(__always) func column(_ column: Int) -> Double { origin[~column] }

  /// Adds to the weight of the label at a column, or at `~row`.
  @inline(__always) mutating func add(_ amount: Double, at position: Int32) {
    origin[Int(~position)] += amount
  }

  /// A row's label and a column's change places.
  @inline(__always) mutating func exchange(row: Int, column: Int) {
    let weight = origin[row]
    origin[row] = origin[~column]
    origin[~column] = weight
  }

  /// Puts the last row in the place of another. Sums run over whole vectors, so it leaves a zero.
  @inline(__always) mutating func remove(row: Int, last: Int) {
    origin[row] = origin[last]
    origin[last] = 0
  }

  /// Puts the last column in the place of another.
  mutating func remove(column: Int, last: Int) {
    origin[~column] = origin[~last]
    origin[~last] = 0
  }

  /// Σ weight · value of so many rows.
  @inline(__always)
  func weightedSum(of values: UnsafePointer<Double>, rows: Int) -> Double {
    var value = UnsafeRawPointer(values).assumingMemoryBound(to: SIMD8<Double>.self)
    var weight = UnsafeRawPointer(origin).assumingMemoryBound(to: SIMD8<Double>.self)
    let end = value + ((rows &+ 7) >> 3)
    var sums = SIMD8<Double>.zero
    while value < end {
      sums += value.pointee * weight.pointee
      value += 1
      weight += 1
    }
    return Tableau.sum(sums)
  }
}
