/// Checks the state of a ``CellStore`` against its rules.
@MainActor struct CellStoreCheck {
  let owner: CellBinder?
  let pool: CellPool
  let entries: [Int: ListViewCell]
  let pins: Set<Int>
  let changedRows: Set<Int>
  let width: Int
  let screenHeight: Int
  let hiddenCount: Int

  /// The rules that are broken, in words.
  /// - Complexity: O(cells)
  func broken() -> [String] {
    var broken = entries.flatMap { brokenRules(row: $0, $1) }
    for row in changedRows where entries[row]?.slot.isBound != true {
      broken.append("row \(row) is changed and has no cell")
    }
    let departed = entries.values.map(\.slot).filter { $0.state == .departed }
    let lines = departed.reduce(0) { $0 + $1.height }
    if max(departed.count, lines) > 4 * screenHeight {
      broken.append("\(departed.count) departed cells of \(lines) lines")
    }
    return broken
  }

  private func brokenRules(row: Int, _ cell: ListViewCell) -> [String] {
    var broken: [String] = []
    let entry = cell.slot
    let name = "the cell of row \(row), \(entry.state.map { "\($0)" } ?? "in no state"),"
    if entry.row != row { broken.append("\(name) has another row, or none") }
    if pool.contains(cell) { broken.append("\(name) is in the pool") }
    if cell.owner !== owner { broken.append("\(name) has another owner") }
    if entry.height < 0 { broken.append("\(name) has the height \(entry.height)") }
    if entry.hiddenAt < 0 || entry.hiddenAt > hiddenCount {
      broken.append("\(name) was hidden at \(entry.hiddenAt) of \(hiddenCount)")
    }
    switch entry.state {
    case .visible: break
    case .overscan: if pins.contains(row) { broken.append("\(name) is of a pinned row") }
    case .pinned: if !pins.contains(row) { broken.append("\(name) is of a row not pinned") }
    case .prefetched, .departed:
      if cell.isSelected { broken.append("\(name) is selected") }
      if entry.width != width { broken.append("\(name) is laid out for \(entry.width) columns") }
    case .idle, nil: broken.append("\(name) has a row")
    }
    return broken
  }
}
