/// Idle cells by reuse identifier, a bounded number of each, and a count of what was made and
/// reused.
///
/// It never holds a cell in use: whoever takes one out owns it until it is put back.
@MainActor final class CellPool {
  /// The idle cells of one identifier. A class, since an array in a dictionary is taken out and put
  /// back for each cell.
  @MainActor private final class Shelf {
    let make: () -> ListViewCell
    var cells: [ListViewCell] = []

    init(make: @escaping () -> ListViewCell) { self.make = make }
  }

  /// Idle cells kept of each identifier; more are let go. `16` by default.
  var capacity: Int {
    didSet { for shelf in shelves.values { trim(shelf) } }
  }
  /// Cells made so far.
  private(set) var createdCount = 0
  /// Cells taken out of the pool so far.
  private(set) var reusedCount = 0
  private var shelves: [String: Shelf] = [:]
  private var idle: Set<ObjectIdentifier> = []

  init(capacity: Int = 16) { self.capacity = max(0, capacity) }

  /// Cells waiting to be used again. - Complexity: O(1)
  var idleCount: Int { idle.count }

  /// - Complexity: O(1)
  func contains(_ cell: ListViewCell) -> Bool { idle.contains(ObjectIdentifier(cell)) }

  /// How cells of `identifier` are made; replaces an earlier way and lets its idle cells go.
  func register(_ identifier: String, make: @escaping () -> ListViewCell) {
    let old = shelves.updateValue(Shelf(make: make), forKey: identifier)
    for cell in old?.cells ?? [] { idle.remove(ObjectIdentifier(cell)) }
  }

  /// An idle cell, or a new one; nil for an identifier that is not registered. - Complexity: O(1)
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

  /// Puts a cell back; one beyond the capacity, already here or of no known identifier is not kept.
  /// - Complexity: O(1); O(capacity) where one is let go
  func put(_ cell: ListViewCell) {
    guard let shelf = shelves[cell.reuseIdentifier],
      idle.insert(ObjectIdentifier(cell)).inserted
    else { return }
    shelf.cells.append(cell)
    trim(shelf)
  }

  /// The idle cells. - Complexity: O(cells)
  var idleCells: [ListViewCell] { shelves.values.flatMap(\.cells) }

  private func trim(_ shelf: Shelf) {
    let extra = shelf.cells.count - capacity
    guard extra > 0 else { return }
    for cell in shelf.cells.prefix(extra) { idle.remove(ObjectIdentifier(cell)) }
    shelf.cells.removeFirst(extra)
  }

  /// Everything that must hold at all times, in words; empty where it does. - Complexity: O(cells)
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
