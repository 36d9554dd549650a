/// Idle cells by reuse identifier, a bounded number of each, and a count of what was made and
/// reused.
///
/// The pool never holds a cell in use: whoever takes one out owns it until it is put back.
public final class ReusePool<Cell: AnyObject> {
  /// Idle cells kept of each identifier; more are let go. `16` by default.
  public var capacity: Int {
    didSet { for identifier in idle.keys { trim(identifier) } }
  }
  /// Cells made by a factory so far.
  public private(set) var createdCount = 0
  /// Cells taken out of the pool so far.
  public private(set) var reusedCount = 0
  private var makers: [String: () -> Cell] = [:]
  private var idle: [String: [Cell]] = [:]

  public init(capacity: Int = 16) { self.capacity = max(0, capacity) }

  /// Cells waiting to be used again. - Complexity: O(identifiers)
  public var idleCount: Int { idle.values.reduce(0) { $0 + $1.count } }

  /// Idle cells of one identifier. - Complexity: O(1)
  public func idleCount(of identifier: String) -> Int { idle[identifier]?.count ?? 0 }

  /// How cells of `identifier` are made; replaces an earlier way and lets its idle cells go.
  public func register(_ identifier: String, make: @escaping () -> Cell) {
    makers[identifier] = make
    idle[identifier] = nil
  }

  /// An idle cell, or a new one; nil for an identifier that is not registered. - Complexity: O(1)
  public func take(_ identifier: String) -> (cell: Cell, isReused: Bool)? {
    if let cell = idle[identifier]?.popLast() {
      reusedCount += 1
      return (cell, true)
    }
    guard let make = makers[identifier] else { return nil }
    createdCount += 1
    return (make(), false)
  }

  /// Puts a cell back; one beyond the capacity, or already here, is not kept.
  /// - Complexity: O(capacity)
  public func put(_ cell: Cell, _ identifier: String) {
    guard !(idle[identifier] ?? []).contains(where: { $0 === cell }) else { return }
    idle[identifier, default: []].append(cell)
    trim(identifier)
  }

  private func trim(_ identifier: String) {
    let extra = idleCount(of: identifier) - capacity
    if extra > 0 { idle[identifier]?.removeFirst(extra) }
  }
}
