/// The dual simplex: with right prices, it brings the rows into their bounds. It also lets an
/// optional constraint's marker cross 0 without a pivot if no move would hold it at less cost.
extension Basis {
  enum DualOutcome {
    case solved
    /// No column can move this row into its bounds: its required constraints clash.
    case stuck(row: Int)
    /// As `stuck`, but columns of removed constraints could move the row.
    case blockedByDropped
    /// The step limit was reached, or the numbers are no longer reliable.
    case stalled
  }

  /// The most steps of a simplex, dual or primal, before the numbers are recomputed.
  var stepLimit: Int { 200 + 2 * tableau.columnCount }
  /// Steps without gain after which a simplex takes least indices.
  var idleLimit: Int { 20 + tableau.columnCount / 2 }

  /// - Complexity: O(variables · constraints) a step.
  mutating func runDual() -> DualOutcome {
    var steps = 0
    var idleSteps = 0
    let (stepLimit, idleLimit) = (stepLimit, idleLimit)
    while true {
      // Steps without gain could cycle for ever; Bland's rule of least indices prevents that.
      let isCareful = idleSteps > idleLimit
      let row = takeViolatedRow(isCareful: isCareful)
      if row < 0 { return .solved }
      steps &+= 1
      if steps > stepLimit {
        giveBackViolatedRow()
        return .stalled
      }

      let id = tableau.basic(row)
      let isPriced = pricing != .forgotten
      if droppedCount > 0 && isPriced && symbols[id].slope == 0 {
        let column = droppedColumnToTake(row)
        if column >= 0 {
          exchange(row: row, column: column, side: 1)
          continue
        }
      }
      let need: Double = tableau.values[row] < tableau.values.bounds(row).lower ? 1 : -1
      let choice = cheapestColumn(row: row, need: need, isCareful: isCareful)
      if isPriced && symbols[id].isSoft && crossing(id, need, isCheaperThan: choice.move) {
        cross(row, to: need > 0 ? -1 : 1)
        continue
      }
      guard let move = choice.move else {
        if !choice.sawDropped && proof(ofClashAt: row) == .rounding {
          moveIntoBounds(row)
          continue
        }
        giveBackViolatedRow()
        return choice.sawDropped ? .blockedByDropped : .stuck(row: row)
      }
      if !choice.isSound && numbers.mayHaveDrifted() {
        giveBackViolatedRow()
        return .stalled
      }
      idleSteps = choice.isFree ? idleSteps + 1 : 0
      exchange(row: row, column: move.column, side: move.side > 0 ? 1 : -1)
    }
  }

  /// A move of a column's symbol away from 0 that moves a row.
  private struct Move {
    var column: Int
    /// The side of 0 to which the symbol moves.
    var side: Double
    /// The magnitude of the row's cell in the column.
    var magnitude: Double
    /// The objective row that has the symbol's own cost, or -1; `weight` is that cost.
    var slot: Int32
    var weight: Double
  }

  private struct Choice {
    var move: Move?
    /// True if the move costs nothing at any priority.
    var isFree = true
    /// True if the move's cell is not small relative to its row.
    var isSound = true
    var sawDropped = false
  }

  /// The column that moves the row in the direction `need` at the least cost per unit, compared
  /// priority by priority.
  private mutating func cheapestColumn(row: Int, need: Double, isCareful: Bool) -> Choice {
    var best = Move(column: -1, side: 0, magnitude: 0, slot: -1, weight: 0)
    var sawDropped = false
    let line = tableau.row(row)
    let isPriced = pricing != .forgotten
    let smallest = tableau.smallestPivot(row)
    for column in tableau.movable {
      let cell = line[column] * need
      if abs(cell) <= smallest { continue }
      let kind = symbols[tableau.nonbasic(column)].kind
      if cell < 0 && (kind == .inequality || kind == .nonnegative) { continue }
      if kind == .dropped && isPriced {
        sawDropped = true
        continue
      }
      let move = move(column, cell)
      if best.column >= 0 {
        let order = isPriced ? compareCosts(move, best) : 0
        if order > 0 { continue }
        if order == 0 {
          let isPreferred =
            isCareful
            ? tableau.nonbasic(column) < tableau.nonbasic(best.column)
            : move.magnitude > best.magnitude
          if !isPreferred { continue }
        }
      }
      best = move
    }
    guard best.column >= 0 else { return Choice(sawDropped: sawDropped) }
    var isFree = true
    if isPriced {
      for slot in priorityRows.order where cost(best, slot) > priceTolerance {
        isFree = false
        break
      }
    }
    let isSound = best.magnitude >= Numbers.soundShare * 1e11 * smallest
    return Choice(move: best, isFree: isFree, isSound: isSound, sawDropped: sawDropped)
  }

  /// The move of a column's symbol for a row's `cell`, whose sign is that of the wanted direction.
  @inline(__always) private func move(_ column: Int, _ cell: Double) -> Move {
    let symbol = symbols[tableau.nonbasic(column)]
    var move = Move(
      column: column, side: cell > 0 ? 1 : -1, magnitude: abs(cell), slot: -1, weight: 0)
    if symbol.isSoft {
      move.slot = symbol.slot
      move.weight = symbol.weight(cell > 0 ? 1 : -1)
    }
    return move
  }

  /// The cost per unit of the move at the priority of `slot`.
  @inline(__always)
  private func cost(_ move: Move, _ slot: Int32) -> Double {
    var cost = tableau.price(move.column, slot) * move.side
    if move.slot == slot { cost += move.weight }
    return abs(cost) < priceTolerance ? 0 : cost
  }

  /// -1 if the first move costs less than the second for the same change of the row, 1 if it costs
  /// more, 0 if neither.
  @inline(__always)
  private func compareCosts(_ first: Move, _ second: Move) -> Int {
    let tolerance = priceTolerance * max(first.magnitude, second.magnitude)
    for slot in priorityRows.order {
      let left = cost(first, slot) * second.magnitude
      let right = cost(second, slot) * first.magnitude
      if left < right - tolerance { return -1 }
      if left > right + tolerance { return 1 }
    }
    return 0
  }

  /// Whether letting an optional basic marker cross 0, against `need`, costs no more than holding
  /// it by `move`.
  @inline(__always)
  private func crossing(_ id: Int32, _ need: Double, isCheaperThan move: Move?) -> Bool {
    guard let move else { return true }
    let price = abs(symbols[id].slope(on: need > 0 ? -1 : 1) - symbols[id].slope)
    let ownSlot = symbols[id].slot
    for slot in priorityRows.order {
      let hold = cost(move, slot) / move.magnitude
      let cross = slot == ownSlot ? price : 0
      if cross < hold - priceTolerance { return true }
      if cross > hold + priceTolerance { return false }
    }
    return true
  }
}
