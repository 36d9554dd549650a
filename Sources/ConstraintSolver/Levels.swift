/// Which objective row serves which priority, and in what order rows are compared.
///
/// A priority keeps its row while optional constraints use it, and after that until another priority
/// needs a row, so that a constraint which comes and goes moves nothing.
struct Levels {
  /// Rows in falling order of their priorities.
  private(set) var order: [Int32] = []
  private var priorities: [Int32] = []
  private var users: [Int32] = []

  /// Rows ever handed out.
  var rowCount: Int { priorities.count }

  func priority(of slot: Int32) -> Int32 { priorities[Int(slot)] }
  func users(of slot: Int32) -> Int32 { users[Int(slot)] }

  /// The row for `priority`, counted once more; `isNew` where it served none or another before, and
  /// is to be cleared.
  mutating func take(_ priority: Int32) -> (slot: Int32, isNew: Bool) {
    for slot in order where priorities[Int(slot)] == priority {
      users[Int(slot)] += 1
      return (slot, false)
    }
    let slot: Int32
    if let idle = order.firstIndex(where: { users[Int($0)] == 0 }) {
      slot = order.remove(at: idle)
      priorities[Int(slot)] = priority
      users[Int(slot)] = 1
    } else {
      slot = Int32(priorities.count)
      priorities.append(priority)
      users.append(1)
    }
    let place = order.firstIndex { priorities[Int($0)] < priority } ?? order.endIndex
    order.insert(slot, at: place)
    return (slot, true)
  }

  mutating func release(_ slot: Int32) { users[Int(slot)] -= 1 }
}
