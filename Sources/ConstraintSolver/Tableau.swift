/// The dictionary x_B = b + A·x_N on flat buffers: rows of doubles at a stride that is a multiple of
/// eight, `b` and the rows' bounds apart, one objective row per priority level in use.
///
/// Rules:
/// 1. Labels (`basic`, `nonbasic`) are symbol ids; a pivot swaps one pair and moves no other.
/// 2. Cells past `columnCount`, rows past `rowCount` and objective rows not in use are zero, and
///    their bounds infinite, so that kernels run over whole vectors of eight.
/// 3. Nothing here knows what a symbol means; costs and bounds are the solver's.
/// 4. While `violations.mayExist` is false every row is within its bounds: whatever moves a constant
///    or a bound looks at the rows it moves, so that a pass which moves none out of bounds scans
///    nothing.
/// 5. `movable` has a bit a column. Most columns of a layout are markers of required equations, which
///    stay 0: whoever looks for a column to move looks at the others alone.
struct Tableau: ~Copyable {
  private(set) var rowCount = 0
  private(set) var columnCount = 0
  private(set) var rowCapacity: Int
  private(set) var stride: Int
  private(set) var slotCapacity: Int
  private(set) var growthCount = 0
  /// How far a row may be out of its bounds.
  var tolerance = 1e-9
  /// What is known of rows out of their bounds.
  var violations = Violations()

  private var block: UnsafeMutableRawPointer
  private let byteCount: Int
  private(set) var cells: UnsafeMutablePointer<Double>
  private(set) var objective: UnsafeMutablePointer<Double>
  private(set) var constants: UnsafeMutablePointer<Double>
  private(set) var lower: UnsafeMutablePointer<Double>
  private(set) var upper: UnsafeMutablePointer<Double>
  private(set) var basic: UnsafeMutablePointer<Int32>
  private(set) var nonbasic: UnsafeMutablePointer<Int32>
  private var movable: UnsafeMutablePointer<UInt64>

  init(rows: Int, columns: Int, slots: Int) {
    self.init(
      reserving: Tableau.padded(rows), stride: Tableau.padded(columns), slots: max(1, slots))
    let doubles = Tableau.doubles(rowCapacity, stride, slotCapacity)
    cells.initialize(repeating: 0, count: doubles - 2 * rowCapacity)
    lower.initialize(repeating: -.infinity, count: rowCapacity)
    upper.initialize(repeating: .infinity, count: rowCapacity)
    movable.initialize(repeating: 0, count: (stride + 63) >> 6)
    basic.initialize(repeating: -1, count: rowCapacity + stride)
  }

  /// Buffers for so much, with nothing in them yet.
  private init(reserving rows: Int, stride: Int, slots: Int) {
    rowCapacity = rows
    self.stride = stride
    slotCapacity = slots
    let doubles = Tableau.doubles(rows, stride, slots)
    let words = (stride + 63) >> 6
    let labels = rows + stride
    byteCount = (doubles + words) * 8 + labels * 4
    block = .allocate(byteCount: byteCount, alignment: 64)
    cells = block.bindMemory(to: Double.self, capacity: doubles)
    objective = cells + rows * stride
    constants = objective + slots * stride
    lower = constants + rows
    upper = lower + rows
    movable = (block + doubles * 8).bindMemory(to: UInt64.self, capacity: words)
    basic = (block + (doubles + words) * 8).bindMemory(to: Int32.self, capacity: labels)
    nonbasic = basic + rows
  }

  private static func doubles(_ rows: Int, _ stride: Int, _ slots: Int) -> Int {
    (rows + slots) * stride + 3 * rows
  }

  deinit { block.deallocate() }

  private static func padded(_ count: Int) -> Int { max(8, (count + 7) & ~7) }

  @inline(__always) func row(_ index: Int) -> UnsafeMutablePointer<Double> {
    assert(index >= 0 && index < rowCapacity)
    return cells + index * stride
  }

  @inline(__always) func objectiveRow(_ slot: Int) -> UnsafeMutablePointer<Double> {
    assert(slot >= 0 && slot < slotCapacity)
    return objective + slot * stride
  }

  @inline(__always) private var vectors: Int { (columnCount + 7) >> 3 }

  // MARK: Growth

  /// Makes room for at least so many rows, columns and objective rows.
  mutating func reserve(rows: Int, columns: Int, slots: Int) {
    guard rows > rowCapacity || columns > stride || slots > slotCapacity else { return }
    var larger = Tableau(
      rows: rows > rowCapacity ? max(rows, rowCapacity * 2) : rowCapacity,
      columns: columns > stride ? max(columns, stride * 2) : stride,
      slots: slots > slotCapacity ? max(slots, slotCapacity * 2) : slotCapacity)
    larger.copyContents(of: self)
    larger.growthCount = growthCount + 1
    self = larger
  }

  /// An independent tableau of the same contents.
  func copy() -> Tableau {
    var other = Tableau(reserving: rowCapacity, stride: stride, slots: slotCapacity)
    other.block.copyMemory(from: block, byteCount: byteCount)
    other.rowCount = rowCount
    other.columnCount = columnCount
    other.tolerance = tolerance
    other.violations = violations
    return other
  }

  private mutating func copyContents(of other: borrowing Tableau) {
    rowCount = other.rowCount
    columnCount = other.columnCount
    tolerance = other.tolerance
    violations = other.violations
    if stride == other.stride {
      cells.update(from: other.cells, count: rowCount * stride)
      objective.update(from: other.objective, count: other.slotCapacity * stride)
    } else {
      for index in 0..<rowCount {
        row(index).update(from: other.row(index), count: columnCount)
      }
      for slot in 0..<other.slotCapacity {
        objectiveRow(slot).update(from: other.objectiveRow(slot), count: columnCount)
      }
    }
    constants.update(from: other.constants, count: rowCount)
    lower.update(from: other.lower, count: rowCount)
    upper.update(from: other.upper, count: rowCount)
    basic.update(from: other.basic, count: rowCount)
    nonbasic.update(from: other.nonbasic, count: columnCount)
    movable.update(from: other.movable, count: (columnCount + 63) >> 6)
  }

  /// Forgets all rows and columns, keeping the buffers.
  mutating func removeAll() {
    cells.update(repeating: 0, count: rowCount * stride)
    objective.update(repeating: 0, count: slotCapacity * stride)
    constants.update(repeating: 0, count: rowCount)
    lower.update(repeating: -.infinity, count: rowCount)
    upper.update(repeating: .infinity, count: rowCount)
    movable.update(repeating: 0, count: (stride + 63) >> 6)
    rowCount = 0
    columnCount = 0
    violations = Violations()
  }

  // MARK: Rows and columns

  /// A new zero column for `symbol`, which may move; room for it was reserved.
  mutating func appendColumn(_ symbol: Int32) -> Int {
    assert(columnCount < stride)
    nonbasic[columnCount] = symbol
    columnCount += 1
    setMovable(columnCount - 1, true)
    return columnCount - 1
  }

  /// A new zero row for `symbol`, unbounded; room for it was reserved.
  mutating func appendRow(_ symbol: Int32) -> Int {
    assert(rowCount < rowCapacity)
    basic[rowCount] = symbol
    rowCount += 1
    return rowCount - 1
  }

  /// Removes a row by moving the last one into its place. Returns the symbol that moved, or -1.
  mutating func removeRow(_ index: Int) -> Int32 {
    let last = rowCount - 1
    let moved: Int32
    violations.removed(index, movedLast: last)
    if index != last {
      row(index).update(from: row(last), count: stride)
      constants[index] = constants[last]
      lower[index] = lower[last]
      upper[index] = upper[last]
      basic[index] = basic[last]
      moved = basic[index]
    } else {
      moved = -1
    }
    row(last).update(repeating: 0, count: stride)
    constants[last] = 0
    lower[last] = -.infinity
    upper[last] = .infinity
    rowCount = last
    return moved
  }

  /// Removes a column by moving the last one into its place. Returns the symbol that moved, or -1.
  mutating func removeColumn(_ index: Int) -> Int32 {
    let last = columnCount - 1
    for line in 0..<rowCount {
      row(line)[index] = row(line)[last]
      row(line)[last] = 0
    }
    for slot in 0..<slotCapacity {
      objectiveRow(slot)[index] = objectiveRow(slot)[last]
      objectiveRow(slot)[last] = 0
    }
    nonbasic[index] = nonbasic[last]
    setMovable(index, isMovable(last))
    setMovable(last, false)
    columnCount = last
    return index == last ? -1 : nonbasic[index]
  }

  // MARK: Movable columns

  @inline(__always) func isMovable(_ column: Int) -> Bool {
    movable[column >> 6] & (1 << UInt64(column & 63)) != 0
  }

  @inline(__always) mutating func setMovable(_ column: Int, _ isMovable: Bool) {
    let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: column & 63)
    if isMovable { movable[column >> 6] |= bit } else { movable[column >> 6] &= ~bit }
  }

  /// The columns that may move, from left to right.
  @inline(__always) var movableColumns: MovableColumns {
    MovableColumns(words: UnsafePointer(movable), end: UnsafePointer(movable) + (stride + 63) >> 6)
  }

  struct MovableColumns: Sequence, IteratorProtocol {
    private var words: UnsafePointer<UInt64>
    private let end: UnsafePointer<UInt64>
    private var bits: UInt64
    private var first = 0

    @inline(__always)
    fileprivate init(words: UnsafePointer<UInt64>, end: UnsafePointer<UInt64>) {
      self.words = words
      self.end = end
      bits = words.pointee
    }

    @inline(__always) mutating func next() -> Int? {
      while bits == 0 {
        words += 1
        if words == end { return nil }
        first &+= 64
        bits = words.pointee
      }
      let column = first &+ bits.trailingZeroBitCount
      bits &= bits &- 1
      return column
    }
  }

  // MARK: Kernels

  /// target += factor · source over all columns.
  @inline(__always)
  func accumulate(
    _ target: UnsafeMutablePointer<Double>, _ factor: Double, _ source: UnsafePointer<Double>
  ) {
    let to = UnsafeMutableRawPointer(target).assumingMemoryBound(to: SIMD8<Double>.self)
    let from = UnsafeRawPointer(source).assumingMemoryBound(to: SIMD8<Double>.self)
    let factors = SIMD8<Double>(repeating: factor)
    for index in 0..<vectors { to[index] += factors * from[index] }
  }

  /// Row += factor · other row, `b` included.
  @inline(__always)
  func accumulate(row target: Int, _ factor: Double, row source: Int) {
    accumulate(row(target), factor, row(source))
    constants[target] += factor * constants[source]
  }

  /// Exchanges the basic symbol of `pivotRow` and the non-basic one of `column`, labels apart.
  ///
  /// - Parameter isFresh: the column is zero in every other row and price.
  mutating func pivot(row pivotRow: Int, column: Int, isFresh: Bool = false) {
    let line = row(pivotRow)
    assert(line[column] != 0)
    let inverse = -1 / line[column]
    let vector = UnsafeMutableRawPointer(line).assumingMemoryBound(to: SIMD8<Double>.self)
    let inverses = SIMD8<Double>(repeating: inverse)
    for index in 0..<vectors { vector[index] *= inverses }
    let constant = constants[pivotRow] * inverse
    constants[pivotRow] = constant
    // At the column the line is -1 by now, so that other rows become 0 there. The true cells are
    // written behind the vectors: to read a vector just after one of its cells was written is slow.
    if !isFresh {
      var out = Violations.Found()
      eliminate(0..<pivotRow, pivotRow, column, inverse, &out)
      eliminate((pivotRow + 1)..<rowCount, pivotRow, column, inverse, &out)
      violations.note(out)
      var other = objective
      for _ in 0..<slotCapacity {
        if Tableau.isNotZero(other + column) {
          let factor = other[column]
          accumulate(other, factor, line)
          other[column] = factor * -inverse
        }
        other += stride
      }
    }
    line[column] = -inverse
  }

  /// Puts the pivot row's equation, scaled by now, into so many others.
  @inline(__always)
  private func eliminate(
    _ rows: Range<Int>, _ pivotRow: Int, _ column: Int, _ inverse: Double,
    _ out: inout Violations.Found
  ) {
    let line = UnsafePointer(row(pivotRow))
    let step = stride
    let values = constants
    let constant = constants[pivotRow]
    var other = cells + rows.lowerBound &* step
    for index in rows {
      if Tableau.isNotZero(other + column) {
        let factor = other[column]
        if abs(factor) >= Tableau.negligible {
          accumulate(other, factor, line)
          other[column] = factor * -inverse
          let moved = values[index] + factor * constant
          values[index] = moved
          if isOut(index, moved) { out.insert(index) }
        } else {
          other[column] = 0
        }
      }
      other += step
    }
  }

  /// Cheaper than a comparison of numbers.
  @inline(__always) static func isNotZero(_ cell: UnsafePointer<Double>) -> Bool {
    UnsafeRawPointer(cell).load(as: UInt64.self) << 1 != 0
  }

  /// Adds `change` times the column to `b`.
  @inline(__always) mutating func shift(column: Int, by change: Double) {
    var cell = UnsafePointer(cells + column)
    let step = stride
    let values = constants
    var out = Violations.Found()
    for row in 0..<rowCount {
      if Tableau.isNotZero(cell) {
        let moved = values[row] + change * cell.pointee
        values[row] = moved
        if isOut(row, moved) { out.insert(row) }
      }
      cell += step
    }
    violations.note(out)
  }

  /// Remains of cancelled terms are taken for zero below this.
  static var negligible: Double { 1e-13 }
}
