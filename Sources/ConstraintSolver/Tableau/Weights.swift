/// The weight of each label of a tableau, in the tableau's own memory: rows forwards from `origin`
/// and columns backwards, so that a label's position is an index and takes no branch.
struct Weights {
  private let origin: UnsafeMutablePointer<Double>
  private let rowCapacity: Int
  private let columnCapacity: Int

  /// Keeps weights of `rows` rows and `columns` columns, multiples of eight, in `memory`.
  init(memory: UnsafeMutablePointer<Double>, rows: Int, columns: Int) {
    origin = memory + columns
    rowCapacity = rows
    columnCapacity = columns
  }

  mutating func removeAll() {
    (origin - columnCapacity).update(repeating: 0, count: columnCapacity + rowCapacity)
  }

  /// Copies the weights of the first `rows` rows and `columns` columns.
  mutating func copy(_ other: Weights, rows: Int, columns: Int) {
    (origin - columns).update(from: other.origin - columns, count: columns + rows)
  }

  @inline(__always) func row(_ row: Int) -> Double { origin[row] }

  @inline(__always) func column(_ column: Int) -> Double { origin[~column] }

  /// Adds to the weight of the label at `position`, a column or `~row`.
  @inline(__always) mutating func add(_ amount: Double, at position: Int32) {
    origin[Int(~position)] += amount
  }

  /// Exchanges the weights of a row's label and a column's.
  @inline(__always) mutating func exchange(row: Int, column: Int) {
    let weight = origin[row]
    origin[row] = origin[~column]
    origin[~column] = weight
  }

  /// Removes a row by moving the last one into its place, and leaves a 0 there, because sums run
  /// over whole vectors.
  @inline(__always) mutating func remove(row: Int, last: Int) {
    origin[row] = origin[last]
    origin[last] = 0
  }

  /// Removes a column by moving the last one into its place, and leaves a 0 there.
  mutating func remove(column: Int, last: Int) {
    origin[~column] = origin[~last]
    origin[~last] = 0
  }

  /// Σ weight · value over the first `rows` rows.
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
