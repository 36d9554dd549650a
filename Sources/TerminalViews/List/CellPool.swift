/// Idle cells by reuse identifier, a bounded number of each, and counts of the cells that were
/// created and reused.
///
/// It never holds a cell in use: a caller that takes a cell out owns it until it is put back.
@MainActor final class CellPool {
  /// The idle cells of one identifier. A class, because an array in a dictionary would be taken out
  /// and put back for each cell.
  @MainActor private final class Shelf {
    let make: () -> ListViewCell
    var cells: [ListViewCell] = []

    init(make: @escaping () -> ListViewCell) { self.make = make }
  }

  /// The most idle cells of each identifier; further ones are released. `16` by default.
  var capacity: Int {
    didSet { for shelf in shelves.values { trim(shelf) } }
  }
  /// Cells created so far.
  private(set) var createdCount = 0
  /// Cells taken out of the pool so far.
  private(set) var reusedCount = 0
  private var shelves: [String: Shelf] = [:]
  private var idle: Set<ObjectIdentifier> = []

  init(capacity: Int = 16) { self.capacity = max(0, capacity) }

  /// Cells waiting to be reused. - Complexity: O(1)
  var idleCount: Int { idle.count }

  /// - Complexity: O(1)
  func contains(_ cell: ListViewCell) -> Bool { idle.contains(ObjectIdentifier(cell)) }

  /// Sets the function that creates cells of `identifier`; replaces an earlier one and releases its
  /// idle cells.
  func register(_ identifier: String, make: @escaping () -> ListViewCell) {
    let old = shelves.updateValue(Shelf(make: make), forKey: identifier)
    for cell in old?.cells ?? [] { idle.remove(ObjectIdentifier(cell)) }
  }

  /// An idle cell, or a new one; `nil` for an identifier that is not registered. - Complexity: O(1)
  func take(_ identifier: String) -> ListViewCell? {
    guard let shelf = shelves[identifier] else { return nil }
    if let cell = shelf.cells.popLast() {
      idle.remove(ObjectIdentifier(cell))
      reusedCount += 1
      return cell
    }
    createdCount += 1
    let cell = shelf.make()
    cell.reuseIdentifier = identifier
    return cell
  }

  /// Puts a cell back, unless it is here already or its identifier is unknown. Beyond the capacity
  /// the cell that has been idle longest is released.
  /// - Complexity: O(1); O(capacity) if one is released
  func put(_ cell: ListViewCell) {
    guard let shelf = shelves[cell.reuseIdentifier],
      idle.insert(ObjectIdentifier(cell)).inserted
    else { return }
    shelf.cells.append(cell)
    trim(shelf)
  }

  /// Releases all idle cells.
  func removeAll() {
    for shelf in shelves.values { shelf.cells = [] }
    idle = []
  }

  /// The idle cells. - Complexity: O(cells)
  var idleCells: [ListViewCell] { shelves.values.flatMap(\.cells) }

  private func trim(_ shelf: Shelf) {
    let extra = shelf.cells.count - capacity
    guard extra > 0 else { return }
    for cell in shelf.cells.prefix(extra) { idle.remove(ObjectIdentifier(cell)) }
    shelf.cells.removeFirst(extra)
  }

  /// The invariants that do not hold, in words. - Complexity: O(cells)
  func brokenInvariants() -> [String] {
    var broken: [String] = []
    let cells = shelves.values.flatMap(\.cells)
    if Set(cells.map { ObjectIdentifier($0) }) != idle || cells.count != idle.count {
      broken.append("\(cells.count) cells on shelves, \(idle.count) known to be idle")
    }
    for (identifier, shelf) in shelves {
      if shelf.cells.count > capacity {
        broken.append("\(shelf.cells.count) idle cells of \(identifier)")
      }
      for cell in shelf.cells where cell.reuseIdentifier != identifier {
        broken.append("a cell of \(cell.reuseIdentifier) among those of \(identifier)")
      }
    }
    for cell in cells where cell.owner != nil || cell.isSelected {
      broken.append("an idle cell is selected or has an owner")
    }
    return broken
  }
}
