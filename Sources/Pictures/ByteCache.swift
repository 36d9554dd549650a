/// Values by key, the least recently used of which are dropped when all together cost too much.
struct ByteCache<Key: Hashable, Value> {
  private struct Entry {
    var value: Value
    var bytes: Int
    var age: UInt64
  }

  private var entries: [Key: Entry] = [:]
  private var clock: UInt64 = 0
  /// The most that may be kept, in bytes.
  let limit: Int
  /// What is kept, in bytes.
  private(set) var bytes = 0

  init(limit: Int) { self.limit = limit }

  /// - Complexity: O(1).
  subscript(key: Key) -> Value? {
    mutating get {
      guard let index = entries.index(forKey: key) else { return nil }
      clock += 1
      entries.values[index].age = clock
      return entries.values[index].value
    }
  }

  /// Keeps `value`, which costs `bytes`; a value larger than the whole limit is not kept.
  ///
  /// - Complexity: O(1), and O(n log n) in the entries when some must go: a quarter of the bytes goes at
  ///   once, so that it is rare.
  mutating func insert(_ value: Value, for key: Key, bytes cost: Int) {
    clock += 1
    if let old = entries.removeValue(forKey: key) { bytes -= old.bytes }
    guard cost <= limit else { return }
    if bytes + cost > limit { evict(downTo: limit - max(cost, limit / 4)) }
    entries[key] = Entry(value: value, bytes: cost, age: clock)
    bytes += cost
  }

  private mutating func evict(downTo target: Int) {
    for (key, entry) in entries.sorted(by: { $0.value.age < $1.value.age }) {
      guard bytes > target else { return }
      entries.removeValue(forKey: key)
      bytes -= entry.bytes
    }
  }
}
