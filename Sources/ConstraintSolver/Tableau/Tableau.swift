/// The dictionary x_B = b + A·x_N in flat buffers: rows of doubles at a stride that is a multiple
/// of eight, `b` and the rows' bounds apart, one objective row per priority in use.
///
/// Rules:
/// 1. Labels (`basic`, `nonbasic`) are symbol ids; a pivot swaps one pair and moves no other.
/// 2. Cells past `columnCount` of rows in use, and objective rows not in use, are zero, so that
///    kernels run over whole vectors of eight. Rows past `rowCount` are undefined.
/// 3. The tableau does not know the meaning of symbols; the basis sets costs and chooses bounds.
/// 4. `movable` holds the columns that may move. Most columns of a layout are markers of required
///    equations, which stay 0: a search for a column to move skips them.
/// 5. A cell that is small relative to its row counts as zero: it is the remainder of cancelled
///    terms, and must not be pivoted on (`smallestPivot`).
/// 6. Each label has a weight, which moves with it between row and column. The basis knows in
///    advance the weighted sum of the values and that of each column's cells, and uses them as
///    checksums.
struct Tableau: ~Copyable {
  private(set) var rowCount = 0
  private(set) var columnCount = 0
  private(set) var growthCount = 0
  private(set) var movable: ColumnSet
  var values: RowValues
  var weights: Weights

  private let rowCapacity: Int
  let stride: Int
  private let slotCapacity: Int
  private let block: UnsafeMutableRawPointer
  private let cells: UnsafeMutablePointer<Double>
  private let objective: UnsafeMutablePointer<Double>
  private let basicSymbols: UnsafeMutablePointer<Int32>
  private let nonbasicSymbols: UnsafeMutablePointer<Int32>

  /// Remainders of cancelled terms below this become zero.
  private static var negligible: Double { 1e-13 }

  init(rows: Int, columns: Int, slots: Int) {
    rowCapacity = Tableau.padded(rows)
    stride = Tableau.padded(columns)
    slotCapacity = max(1, slots)
    let doubles =
      (rowCapacity + slotCapacity + 1) * stride + (RowValues.width + 1) * rowCapacity
    let words = ColumnSet.wordCount(stride)
    let labels = rowCapacity + stride
    block = .allocate(byteCount: (doubles + words) * 8 + labels * 4, alignment: 64)
    cells = block.bindMemory(to: Double.self, capacity: doubles)
    objective = cells + rowCapacity * stride
    let behind = objective + slotCapacity * stride
    weights = Weights(memory: behind, rows: rowCapacity, columns: stride)
    values = RowValues(memory: behind + stride + rowCapacity, rows: rowCapacity)
    movable = ColumnSet(
      words: (block + doubles * 8).bindMemory(to: UInt64.self, capacity: words), columns: stride)
    basicSymbols = (block + (doubles + words) * 8).bindMemory(to: Int32.self, capacity: labels)
    nonbasicSymbols = basicSymbols + rowCapacity
    removeAll()
  }

  deinit { block.deallocate() }

  private static func padded(_ count: Int) -> Int { max(8, (count + 7) & ~7) }

  // MARK: Reading

  /// The symbol of a row.
  @inline(__always) func basic(_ row: Int) -> Int32 { basicSymbols[row] }

  /// The symbol of a column.
  @inline(__always) func nonbasic(_ column: Int) -> Int32 { nonbasicSymbols[column] }

  /// A row's cells.
  @inline(__always) func row(_ index: Int) -> UnsafePointer<Double> { UnsafePointer(line(index)) }

  /// An objective row's cells.
  @inline(__always) func prices(_ slot: Int32) -> UnsafePointer<Double> {
    UnsafePointer(priceLine(slot))
  }

  @inline(__always) func price(_ column: Int, _ slot: Int32) -> Double {
    objective[Int(slot) &* stride &+ column]
  }

  /// Tests the bits, which is cheaper than comparing numbers.
  @inline(__always) static func isNotZero(_ cell: UnsafePointer<Double>) -> Bool {
    UnsafeRawPointer(cell).load(as: UInt64.self) << 1 != 0
  }

  @inline(__always) private func line(_ index: Int) -> UnsafeMutablePointer<Double> {
    assert(index >= 0 && index < rowCapacity)
    return cells + index &* stride
  }

  @inline(__always) private func priceLine(_ slot: Int32) -> UnsafeMutablePointer<Double> {
    assert(slot >= 0 && slot < slotCapacity)
    return objective + Int(slot) &* stride
  }

  // MARK: Growth

  /// Makes room for at least the given numbers of rows, columns and objective rows.
  @inline(__always)
  mutating func reserve(rows: Int = 0, columns: Int = 0, slots: Int = 0) {
    if rows > rowCapacity || columns > stride || slots > slotCapacity {
      grow(rows: rows, columns: columns, slots: slots)
    }
  }

  @inline(never) private mutating func grow(rows: Int, columns: Int, slots: Int) {
    var larger = Tableau(
      rows: rows > rowCapacity ? max(rows, rowCapacity * 2) : rowCapacity,
      columns: columns > stride ? max(columns, stride * 2) : stride,
      slots: slots > slotCapacity ? max(slots, slotCapacity * 2) : slotCapacity)
    larger.copyContents(of: self)
    larger.growthCount = growthCount + 1
    self = larger
  }

  /// An independent tableau with the same contents.
  func copy() -> Tableau {
    var other = Tableau(rows: rowCapacity, columns: stride, slots: slotCapacity)
    other.copyContents(of: self)
    return other
  }

  private mutating func copyContents(of other: borrowing Tableau) {
    rowCount = other.rowCount
    columnCount = other.columnCount
    if stride == other.stride {
      cells.update(from: other.cells, count: rowCount * stride)
    } else {
      for index in 0..<rowCount {
        line(index).update(from: other.line(index), count: other.stride)
        (line(index) + other.stride).update(repeating: 0, count: stride - other.stride)
      }
    }
    for slot in 0..<Int32(other.slotCapacity) {
      priceLine(slot).update(from: other.priceLine(slot), count: columnCount)
    }
    weights.copy(other.weights, rows: rowCount, columns: columnCount)
    values.copy(other.values, rows: rowCount)
    basicSymbols.update(from: other.basicSymbols, count: rowCount)
    nonbasicSymbols.update(from: other.nonbasicSymbols, count: columnCount)
    movable.copy(other.movable)
  }

  /// Removes all rows and columns, keeping the buffers.
  mutating func removeAll() {
    objective.update(repeating: 0, count: slotCapacity * stride)
    values.removeAll()
    weights.removeAll()
    movable.removeAll()
    rowCount = 0
    columnCount = 0
  }

  // MARK: Rows and columns

  /// Appends a zero column for `symbol`, marks it movable, and returns its index.
  mutating func appendColumn(_ symbol: Int32) -> Int {
    reserve(columns: columnCount + 1)
    nonbasicSymbols[columnCount] = symbol
    movable.set(columnCount, true)
    columnCount += 1
    return columnCount - 1
  }

  /// Appends a row for `symbol`, unbounded, whose cells are still to be written.
  @inline(__always) mutating func appendRow(_ symbol: Int32, constant: Double) -> Int {
    let row = takeRow(symbol)
    values.append(constant, at: row)
    return row
  }

  /// Sets the cells of a new row to zero.
  @inline(__always) mutating func clear(row: Int) {
    let vector = UnsafeMutableRawPointer(line(row)).assumingMemoryBound(to: SIMD8<Double>.self)
    for index in 0..<(stride >> 3) { vector[index] = .zero }
  }

  @inline(__always) private mutating func takeRow(_ symbol: Int32) -> Int {
    let row = rowCount
    reserve(rows: row + 1)
    basicSymbols[row] = symbol
    rowCount = row + 1
    return row
  }

  /// Removes a row by moving the last one into its place. Returns the symbol that moved, or -1.
  mutating func removeRow(_ index: Int) -> Int32 {
    let last = rowCount - 1
    values.remove(index, last: last)
    weights.remove(row: index, last: last)
    if index != last {
      line(index).update(from: line(last), count: stride)
      basicSymbols[index] = basicSymbols[last]
    }
    rowCount = last
    return index == last ? -1 : basicSymbols[index]
  }

  /// Removes a column by moving the last one into its place. Returns the symbol that moved, or -1.
  mutating func removeColumn(_ index: Int) -> Int32 {
    let last = columnCount - 1
    for row in 0..<rowCount {
      line(row)[index] = line(row)[last]
      line(row)[last] = 0
    }
    for slot in 0..<Int32(slotCapacity) {
      priceLine(slot)[index] = priceLine(slot)[last]
      priceLine(slot)[last] = 0
    }
    weights.remove(column: index, last: last)
    nonbasicSymbols[index] = nonbasicSymbols[last]
    movable.set(index, movable.contains(last))
    movable.set(last, false)
    columnCount = last
    return index == last ? -1 : nonbasicSymbols[index]
  }

  @inline(__always) mutating func setMovable(_ column: Int, _ isMovable: Bool) {
    movable.set(column, isMovable)
  }

  /// Sets a cell to zero, written with its neighbour as in `add`.
  @inline(__always)
  private func clear(_ line: UnsafeMutablePointer<Double>, _ column: Int) {
    let pairs = UnsafeMutableRawPointer(line).assumingMemoryBound(to: SIMD2<Double>.self)
    let pair = pairs[column >> 1]
    pairs[column >> 1] = column & 1 == 0 ? SIMD2(0, pair[1]) : SIMD2(pair[0], 0)
  }

  /// Adds to a cell. It is written with its neighbour, as a vector: reading a vector just after one
  /// of its cells alone was written is slow.
  @inline(__always) mutating func add(_ amount: Double, toRow row: Int, column: Int) {
    let pairs = UnsafeMutableRawPointer(line(row)).assumingMemoryBound(to: SIMD2<Double>.self)
    pairs[column >> 1] += column & 1 == 0 ? SIMD2(amount, 0) : SIMD2(0, amount)
  }

  /// A multiple of a row.
  struct Multiple {
    let factor: Double
    let row: Int
  }

  /// Adds a multiple of another row, `b` included. The cells of an empty row are written, not read.
  @inline(__always) mutating func add(_ one: Multiple, toRow row: Int, isEmpty: Bool) {
    if isEmpty {
      let factors = SIMD8<Double>(repeating: one.factor)
      let to = UnsafeMutableRawPointer(line(row)).assumingMemoryBound(to: SIMD8<Double>.self)
      let from = vector(of: one.row)
      for index in 0..<(stride >> 3) { to[index] = factors * from[index] }
    } else {
      accumulate(line(row), one.factor, line(one.row), vectors: vectors)
    }
    values.insert(values[row] + one.factor * values[one.row], at: row)
  }

  /// Adds multiples of two other rows, `b` included.
  @inline(__always)
  mutating func add(_ one: Multiple, _ other: Multiple, toRow row: Int, isEmpty: Bool) {
    let factors = SIMD8<Double>(repeating: one.factor)
    let otherFactors = SIMD8<Double>(repeating: other.factor)
    let to = UnsafeMutableRawPointer(line(row)).assumingMemoryBound(to: SIMD8<Double>.self)
    let (from, otherFrom) = (vector(of: one.row), vector(of: other.row))
    if isEmpty {
      for index in 0..<(stride >> 3) {
        to[index] = factors * from[index] + otherFactors * otherFrom[index]
      }
    } else {
      for index in 0..<vectors {
        to[index] = to[index] + factors * from[index] + otherFactors * otherFrom[index]
      }
    }
    values.insert(
      values[row] + one.factor * values[one.row] + other.factor * values[other.row], at: row)
  }

  /// A row's cells, eight at a time.
  @inline(__always) func vector(of row: Int) -> UnsafePointer<SIMD8<Double>> {
    UnsafeRawPointer(line(row)).assumingMemoryBound(to: SIMD8<Double>.self)
  }

  // MARK: Prices

  mutating func clearPrices(_ slot: Int32) {
    priceLine(slot).update(repeating: 0, count: stride)
  }

  @inline(__always) mutating func addPrice(_ amount: Double, _ slot: Int32, column: Int) {
    priceLine(slot)[column] += amount
  }

  /// Adds `factor` times a row to an objective row.
  @inline(__always) mutating func addPrices(_ factor: Double, _ slot: Int32, row: Int) {
    accumulate(priceLine(slot), factor, line(row), vectors: vectors)
  }

  // MARK: Moves

  /// target += factor · source over `vectors` vectors of eight.
  @inline(__always)
  private func accumulate(
    _ target: UnsafeMutablePointer<Double>, _ factor: Double, _ source: UnsafePointer<Double>,
    vectors: Int
  ) {
    let to = UnsafeMutableRawPointer(target).assumingMemoryBound(to: SIMD8<Double>.self)
    let from = UnsafeRawPointer(source).assumingMemoryBound(to: SIMD8<Double>.self)
    let factors = SIMD8<Double>(repeating: factor)
    for index in 0..<vectors { to[index] += factors * from[index] }
  }

  @inline(__always) var vectors: Int { (columnCount &+ 7) >> 3 }

  /// Exchanges the basic symbol of `pivotRow` and the non-basic one of `column`.
  ///
  /// - Parameter isFresh: whether the column is zero in every other row and price.
  /// - Returns: how far the column's symbol moves from 0, and by how much that changes the weighted
  ///   sum of all values.
  mutating func pivot(
    row pivotRow: Int, column: Int, isFresh: Bool = false
  ) -> (step: Double, drift: Double) {
    let pivotLine = line(pivotRow)
    assert(pivotLine[column] != 0)
    let inverse = -1 / pivotLine[column]
    var balance = weights.column(column) + weights.row(pivotRow) * pivotLine[column]
    let vector = UnsafeMutableRawPointer(pivotLine).assumingMemoryBound(to: SIMD8<Double>.self)
    let inverses = SIMD8<Double>(repeating: inverse)
    for index in 0..<vectors { vector[index] *= inverses }
    values.scale(pivotRow, by: inverse)
    if !isFresh {
      // The line is 0 at the column meanwhile, so that the kernel leaves that cell of other rows
      // alone. Its true cell is written after the vectors, as in other rows.
      clear(pivotLine, column)
      var room = 0.0
      // Unrolled for the column counts of most list cells.
      switch vectors {
      case 3: eliminate(3, pivotRow, column, inverse, &balance, &room)
      case 4: eliminate(4, pivotRow, column, inverse, &balance, &room)
      default: eliminate(vectors, pivotRow, column, inverse, &balance, &room)
      }
      if room < 0 { values.suspectAll() }
      var other = objective
      for _ in 0..<slotCapacity {
        if Tableau.isNotZero(other + column) {
          let factor = other[column]
          accumulate(other, factor, pivotLine, vectors: vectors)
          other[column] = factor * -inverse
        }
        other += stride
      }
    }
    pivotLine[column] = -inverse
    weights.exchange(row: pivotRow, column: column)
    swap(&basicSymbols[pivotRow], &nonbasicSymbols[column])
    let step = values[pivotRow]
    return (step, step * balance)
  }

  /// Substitutes the pivot row's equation, already scaled, into all other rows.
  @inline(__always)
  private func eliminate(
    _ vectors: Int, _ pivotRow: Int, _ column: Int, _ inverse: Double,
    _ balance: inout Double, _ room: inout Double
  ) {
    let line = row(pivotRow)
    let step = stride
    var values = values
    let constant = values[pivotRow]
    var other = cells
    for index in 0..<rowCount {
      if Tableau.isNotZero(other + column) {
        let factor = other[column]
        if abs(factor) >= Tableau.negligible {
          accumulate(other, factor, line, vectors: vectors)
          other[column] = factor * -inverse
          let left = values.add(factor * constant, to: index)
          room = left < room ? left : room
          balance += factor * weights.row(index)
        } else {
          other[column] = 0
        }
      }
      other += step
    }
  }

  /// Adds `change` to the row's constant.
  @inline(__always) mutating func shift(row: Int, by change: Double) {
    values.insert(values[row] + change, at: row)
    values.noteMoved(row)
  }

  /// Adds `change` times the column to `b`.
  @inline(__always) mutating func shift(column: Int, by change: Double) {
    values.shift(along: UnsafePointer(cells + column), step: stride, by: change, rows: rowCount)
  }
}
