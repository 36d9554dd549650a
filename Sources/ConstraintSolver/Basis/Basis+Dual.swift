/// The dual simplex: prices right, rows made right. It also lets an optional constraint's marker
/// cross 0 without a pivot, where that costs less than any move which would hold it there.
extension Basis {
  enum DualOutcome {
    case solved
    /// No column may move this row into its bounds: its required constraints clash.
    case stuck(row: Int)
    /// As `stuck`, but columns of removed constraints could move it.
    case blockedByDropped
    /// Out of steps, or with numbers that are not to be relied on.
    case stalled
  }

  /// Steps after which a simplex, this or the primal, is to go on with fresh numbers.
  var stepLimit: Int { 200 + 2 * tableau.columnCount }
  /// Steps that gain nothing, after which a simplex takes least indices.
  var idleLimit: Int { 20 + tableau.columnCount / 2 }

  /// - Complexity: O(variables · constraints) a step.
  mutating func runDual() -> DualOutcome {
    var steps = 0
    var idleSteps = 0
    let (stepLimit, idleLimit) = (stepLimit, idleLimit)
    while true {
      // Steps that gain nothing could repeat for ever; Bland's rule of least indices cannot.
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

  /// Moving a column's symbol away from 0, to move a row.
  private struct Move {
    var column: Int
    /// Side of 0 to which the symbol moves.
    var side: Double
    /// Of the row's cell in the column.
    var magnitude: Double
    /// The objective row in which the symbol's own cost counts, or -1, and that cost.
    var slot: Int32
    var weight: Double
  }

  private struct Choice {
    var move: Move?
    /// True where moving costs nothing at any priority.
    var isFree = true
    /// True where its cell is not small beside its row.
    var isSound = true
    var sawDropped = false
  }

  /// The column that moves the row in the direction `need` at the least cost a unit, priorities
  /// compared in their order.
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

  /// What it is to move a column's symbol so that a row moves up, in which its cell is this.
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

  /// What moving by one costs at the priority of `slot`.
  @inline(__always)
  private func cost(_ move: Move, _ slot: Int32) -> Double {
    var cost = tableau.price(move.column, slot) * move.side
    if move.slot == slot { cost += move.weight }
    return abs(cost) < priceTolerance ? 0 : cost
  }

  /// -1 where the first move costs less than the second for the same change of the row, 1 where
  /// more.
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
  /// it.
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
