/// A dictionary of bounded cost and count that evicts the least recently used entries.
///
/// Entries form a doubly linked list threaded through one array, most recently used first; free
/// slots are reused.
///
/// Its code is inlinable, so that the compiler specializes it in the modules that use it: as
/// unspecialized generic code, a look-up takes ten times as long.
@usableFromInline package struct LRUCache<Key: Hashable, Value> {
  @usableFromInline struct Slot {
    @usableFromInline var key: Key
    @usableFromInline var value: Value
    @usableFromInline var cost: Int
    @usableFromInline var newer: Int
    @usableFromInline var older: Int

    @inlinable init(key: Key, value: Value, cost: Int, newer: Int, older: Int) {
      self.key = key
      self.value = value
      self.cost = cost
      self.newer = newer
      self.older = older
    }
  }

  @inlinable static var none: Int { -1 }

  @usableFromInline package let maximumCost: Int
  @usableFromInline package let maximumCount: Int
  @usableFromInline let evictionBatch: Int
  @usableFromInline package internal(set) var totalCost = 0
  @usableFromInline var index: [Key: Int] = [:]
  @usableFromInline var slots: [Slot?] = []
  @usableFromInline var free: [Int] = []
  @usableFromInline var newest = -1
  @usableFromInline var oldest = -1

  /// - Parameter evictionBatch: the minimum number of entries to evict at a time.
  @inlinable package init(maximumCost: Int = .max, maximumCount: Int = .max, evictionBatch: Int = 1)
  {
    self.maximumCost = maximumCost
    self.maximumCount = maximumCount
    self.evictionBatch = max(1, evictionBatch)
  }

  @inlinable package var count: Int { index.count }

  /// Keys from the most to the least recently used.
  ///
  /// - Complexity: O(n).
  package var keysByRecency: [Key] {
    var keys: [Key] = []
    var place = newest
    while place != Self.none, let slot = slots[place] {
      keys.append(slot.key)
      place = slot.older
    }
    return keys
  }

  /// Returns the value, which becomes the most recently used.
  ///
  /// - Complexity: O(1).
  @inlinable package mutating func value(for key: Key) -> Value? {
    guard let place = index[key], let slot = slots[place] else { return nil }
    unlink(place)
    link(place)
    return slot.value
  }

  /// Returns the value without changing its recency.
  @inlinable package func peek(_ key: Key) -> Value? {
    index[key].flatMap { slots[$0]?.value }
  }

  /// Stores the value as the most recently used, in place of the key's former one, and evicts
  /// others until it fits. A value that alone exceeds the maximum cost is not stored, but still
  /// removes the former one.
  ///
  /// - Parameter cost: at least 0.
  /// - Complexity: O(1) amortized.
  @inlinable package mutating func insert(_ value: Value, for key: Key, cost: Int = 1) {
    remove(key)
    guard cost <= maximumCost, maximumCount > 0 else { return }
    if totalCost > maximumCost - cost || count >= maximumCount {
      var evicted = 0
      while oldest != Self.none,
        totalCost > maximumCost - cost || count >= maximumCount || evicted < evictionBatch
      {
        guard let key = slots[oldest]?.key else { break }
        remove(key)
        evicted += 1
      }
    }
    let slot = Slot(key: key, value: value, cost: cost, newer: Self.none, older: Self.none)
    let place: Int
    if let reused = free.popLast() {
      place = reused
      slots[place] = slot
    } else {
      place = slots.count
      slots.append(slot)
    }
    index[key] = place
    totalCost += cost
    link(place)
  }

  /// - Complexity: O(1).
  @inlinable package mutating func remove(_ key: Key) {
    guard let place = index.removeValue(forKey: key) else { return }
    unlink(place)
    totalCost -= slots[place]?.cost ?? 0
    slots[place] = nil
    free.append(place)
  }

  @inlinable package mutating func removeAll() {
    self = LRUCache(
      maximumCost: maximumCost, maximumCount: maximumCount, evictionBatch: evictionBatch)
  }

  @inlinable mutating func link(_ place: Int) {
    slots[place]?.newer = Self.none
    slots[place]?.older = newest
    if newest != Self.none { slots[newest]?.newer = place }
    newest = place
    if oldest == Self.none { oldest = place }
  }

  @inlinable mutating func unlink(_ place: Int) {
    guard let newer = slots[place]?.newer, let older = slots[place]?.older else { return }
    if newer != Self.none { slots[newer]?.older = older } else { newest = older }
    if older != Self.none { slots[older]?.newer = newer } else { oldest = newer }
  }
}
