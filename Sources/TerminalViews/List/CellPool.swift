/// Idle cells by reuse identifier, a bounded number of each, and a count of what was made and reused.
///
/// It never holds a cell in use: whoever takes one out owns it until it is put back.
@MainActor final class CellPool {
  /// Idle cells kept of each identifier; more are let go. `16` by default.
  var capacity: Int {
    didSet { for identifier in shelves.keys { trim(identifier) } }
  }
  /// Cells made so far.
  private(set) var createdCount = 0
  /// Cells taken out of the pool so far.
  private(set) var reusedCount = 0
  private var makers: [String: () -> ListViewCell] = [:]
  private var shelves: [String: [ListViewCell]] = [:]
  private var idle: Set<ObjectIdentifier> = []

  init(capacity: Int = 16) { self.capacity = max(0, capacity) }

  /// Cells waiting to be used again. - Complexity: O(1)
  var idleCount: Int { idle.count }

  /// - Complexity: O(1)
  func contains(_ cell: ListViewCell) -> Bool { idle.contains(ObjectIdentifier(cell)) }

  /// How cells of `identifier` are made; replaces an earlier way and lets its idle cells go.
  func register(_ identifier: String, make: @escaping () -> ListViewCell) {
    makers[identifier] = make
    for cell in shelves.removeValue(forKey: identifier) ?? [] {
      idle.remove(ObjectIdentifier(cell))
    }
  }

  /// An idle cell, or a new one; nil for an identifier that is not registered. - Complexity: O(1)
  func take(_ identifier: String) -> ListViewCell? {
    if let cell = shelves[identifier]?.popLast() {
      idle.remove(ObjectIdentifier(cell))
      reusedCount += 1
      return cell
    }
    guard let make = makers[identifier] else { return nil }
    createdCount += 1
    let cell = make()
    cell.reuseIdentifier = identifier
    return cell
  }

  /// Puts a cell back; one beyond the capacity, or already here, is not kept.
  /// - Complexity: O(1); O(capacity) where one is let go
  func put(_ cell: ListViewCell) {
    guard idle.insert(ObjectIdentifier(cell)).inserted else { return }
    shelves[cell.reuseIdentifier, default: []].append(cell)
    trim(cell.reuseIdentifier)
  }

  private func trim(_ identifier: String) {
    guard let shelf = shelves[identifier], shelf.count > capacity else { return }
    let extra = shelf.count - capacity
    for cell in shelf.prefix(extra) { idle.remove(ObjectIdentifier(cell)) }
    shelves[identifier]?.removeFirst(extra)
  }

  /// Everything that must hold at all times, in words; empty where it does. - Complexity: O(cells)
  func brokenInvariants() -> [String] {
    var broken: [String] = []
    let cells = shelves.values.joined()
    if Set(cells.map { ObjectIdentifier($0) }) != idle || cells.count != idle.count {
      broken.append("\(cells.count) cells on shelves, \(idle.count) known to be idle")
    }
    for (identifier, shelf) in shelves {
      if shelf.count > capacity { broken.append("\(shelf.count) idle cells of \(identifier)") }
      for cell in shelf where cell.reuseIdentifier != identifier {
        broken.append("a cell of \(cell.reuseIdentifier) among those of \(identifier)")
      }
    }
    for cell in cells where cell.owner != nil || cell.isSelected {
      broken.append("an idle cell is selected or has an owner")
    }
    return broken
  }
}
