/// Idle cells by reuse identifier, a bounded number of each, and a count of what was made and
/// reused.
///
/// The pool never holds a cell in use: whoever takes one out owns it until it is put back.
public final class ReusePool<Cell: AnyObject> {
  /// Idle cells kept of each identifier; more are let go. `16` by default.
  public var capacity: Int {
    didSet { for shelf in shelves.values { trim(shelf) } }
  }
  /// Cells made by a factory so far.
  public private(set) var createdCount = 0
  /// Cells taken out of the pool so far.
  public private(set) var reusedCount = 0
  private var makers: [String: () -> Cell] = [:]
  private var shelves: [String: ReuseShelf] = [:]
  private var idleCells: Set<ObjectIdentifier> = []

  public init(capacity: Int = 16) { self.capacity = max(0, capacity) }

  /// Cells waiting to be used again. - Complexity: O(1)
  public var idleCount: Int { idleCells.count }

  /// Idle cells of one identifier. - Complexity: O(1)
  public func idleCount(of identifier: String) -> Int { shelves[identifier]?.cells.count ?? 0 }

  /// How cells of `identifier` are made; replaces an earlier way and lets its idle cells go.
  public func register(_ identifier: String, make: @escaping () -> Cell) {
    makers[identifier] = make
    for cell in shelves.removeValue(forKey: identifier)?.cells ?? [] {
      idleCells.remove(ObjectIdentifier(cell))
    }
  }

  /// An idle cell, or a new one; nil for an identifier that is not registered. - Complexity: O(1)
  public func take(_ identifier: String) -> (cell: Cell, isReused: Bool)? {
    if let object = shelves[identifier]?.cells.popLast() {
      idleCells.remove(ObjectIdentifier(object))
      reusedCount += 1
      // `put` takes nothing else.
      return (unsafeDowncast(object, to: Cell.self), true)
    }
    guard let make = makers[identifier] else { return nil }
    createdCount += 1
    return (make(), false)
  }

  /// Puts a cell back; one beyond the capacity, or already here, is not kept.
  /// - Complexity: O(1); O(capacity) where one is let go
  public func put(_ cell: Cell, _ identifier: String) {
    guard idleCells.insert(ObjectIdentifier(cell)).inserted else { return }
    let shelf = shelves[identifier] ?? ReuseShelf()
    shelves[identifier] = shelf
    shelf.cells.append(cell)
    trim(shelf)
  }

  private func trim(_ shelf: ReuseShelf) {
    let extra = shelf.cells.count - capacity
    guard extra > 0 else { return }
    for cell in shelf.cells.prefix(extra) { idleCells.remove(ObjectIdentifier(cell)) }
    shelf.cells.removeFirst(extra)
  }
}

/// Idle cells of one identifier. A class, since an array in a dictionary is moved out and in again for each
/// cell; and of objects, since what is generic looks its types up each time.
private final class ReuseShelf { var cells: [AnyObject] = [] }
