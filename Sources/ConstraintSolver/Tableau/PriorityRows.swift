/// Assigns objective rows to priorities, and orders them by priority.
///
/// A priority keeps its row while optional constraints use it, and after that until another
/// priority needs a row, so removing a constraint and adding it again moves no rows.
struct PriorityRows: ~Copyable {
  /// The priority of an objective row and the number of constraints that use it.
  private struct Row {
    var priority: Float
    var users: Int32
  }

  /// All rows handed out so far, highest priority first.
  struct Order: Sequence, IteratorProtocol {
    fileprivate var position: UnsafePointer<Int32>
    fileprivate let end: UnsafePointer<Int32>

    @inline(__always) mutating func next() -> Int32? {
      if position == end { return nil }
      defer { position += 1 }
      return position.pointee
    }
  }

  private(set) var rowCount = 0
  private(set) var growthCount = 0
  private let capacity: Int
  private let block: UnsafeMutableRawPointer
  private let rows: UnsafeMutablePointer<Row>
  private let sorted: UnsafeMutablePointer<Int32>

  init(capacity: Int = 8) {
    self.capacity = capacity
    let rowBytes = capacity * MemoryLayout<Row>.stride
    block = .allocate(byteCount: rowBytes + capacity * MemoryLayout<Int32>.stride, alignment: 8)
    rows = block.bindMemory(to: Row.self, capacity: capacity)
    sorted = (block + rowBytes).bindMemory(to: Int32.self, capacity: capacity)
  }

  deinit { block.deallocate() }

  func copy() -> PriorityRows {
    var other = PriorityRows(capacity: capacity)
    other.copyContents(of: self)
    return other
  }

  private mutating func copyContents(of other: borrowing PriorityRows) {
    rows.update(from: other.rows, count: other.rowCount)
    sorted.update(from: other.sorted, count: other.rowCount)
    rowCount = other.rowCount
  }

  @inline(__always) var order: Order {
    Order(position: UnsafePointer(sorted), end: UnsafePointer(sorted + rowCount))
  }

  func priority(of slot: Int32) -> Float { rows[Int(slot)].priority }

  /// Returns the row for `priority`, and counts one more user of it. If `isNew`, the row is unused
  /// or belonged to another priority, and the caller must clear it.
  mutating func take(_ priority: Float) -> (slot: Int32, isNew: Bool) {
    for slot in order where rows[Int(slot)].priority == priority {
      rows[Int(slot)].users += 1
      return (slot, false)
    }
    let slot: Int32
    var place: Int
    if let idle = (0..<rowCount).first(where: { rows[Int(sorted[$0])].users == 0 }) {
      slot = sorted[idle]
      for index in idle..<(rowCount - 1) { sorted[index] = sorted[index + 1] }
      place = rowCount - 1
    } else {
      if rowCount == capacity {
        var larger = PriorityRows(capacity: capacity * 2)
        larger.copyContents(of: self)
        larger.growthCount = growthCount + 1
        self = larger
      }
      slot = Int32(rowCount)
      place = rowCount
      rowCount += 1
    }
    rows[Int(slot)] = Row(priority: priority, users: 1)
    while place > 0, rows[Int(sorted[place - 1])].priority < priority {
      sorted[place] = sorted[place - 1]
      place -= 1
    }
    sorted[place] = slot
    return (slot, true)
  }

  mutating func release(_ slot: Int32) { rows[Int(slot)].users -= 1 }
}
