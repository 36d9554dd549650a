/// The unread items, as runs: consecutive keys of one feed.
///
/// 1. Runs do not overlap. Neighbours of one feed may be two runs.
/// 2. The items of a run exist, and belong to its feed.
/// 3. `feed.unread_count` is the sum of the feed's runs.
///
/// A fetch makes one run for each unbroken sequence of unread items, usually one, however many
/// items it brings, and marking a million items read deletes as many rows as there are runs.
struct UnreadTable {
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) { self.connection = connection }

  private struct Run {
    var keys: ClosedRange<Int64>
    var feed: Int64
  }

  /// All unread items.
  ///
  /// - Complexity: O(n) in runs.
  func items() throws(LibraryError) -> ItemRanges {
    var items = ItemRanges()
    try connection.forEachRow("SELECT first, last FROM unread ORDER BY first", []) {
      (row) throws(LibraryError) in
      items.append(row.integer(0)...max(row.integer(0), row.integer(1)))
    }
    return items
  }

  /// Condition that an item, the row of `item`, is unread.
  static let isUnread = """
    coalesce((SELECT last FROM unread WHERE first <= item.id ORDER BY first DESC LIMIT 1), 0)
    >= item.id
    """

  /// Adds items of a feed, none of which is unread.
  func insert(_ items: ItemRanges, of feed: FeedID) throws(LibraryError) {
    guard !items.isEmpty else { return }
    try insert(items.ranges.map { Run(keys: $0, feed: feed.rawValue) })
    try add(items.count, to: feed.rawValue)
  }

  private func insert(_ runs: [Run]) throws(LibraryError) {
    guard !runs.isEmpty else { return }
    let statement = try connection.statement(
      "INSERT INTO unread (first, last, feed) VALUES (?, ?, ?)")
    for run in runs {
      try statement.run(run.keys.lowerBound, run.keys.upperBound, run.feed)
    }
  }

  private func add(_ count: Int, to feed: Int64) throws(LibraryError) {
    try connection.run(
      "UPDATE feed SET unread_count = unread_count + ? WHERE id = ?", SQLiteValue(count),
      .integer(feed))
  }

  /// Removes items.
  ///
  /// - Returns: those that were unread.
  /// - Complexity: O(n) in `items`' ranges and the runs between the first and last of them.
  func remove(_ items: ItemRanges) throws(LibraryError) -> ItemRanges {
    guard let first = items.ranges.first, let last = items.ranges.last else { return items }
    var removed = ItemRanges()
    var counts: [Int64: Int] = [:]
    var ranges = items.ranges[...]
    let deletion = try connection.statement("DELETE FROM unread WHERE first = ?")
    var parts: [Run] = []
    for run in try runs(in: first.lowerBound...last.upperBound) {
      while let next = ranges.first, next.upperBound < run.keys.lowerBound { ranges.removeFirst() }
      guard let next = ranges.first else { break }
      guard next.lowerBound <= run.keys.upperBound else { continue }
      try deletion.run(run.keys.lowerBound)
      var start = run.keys.lowerBound
      // The parts between the ranges stay.
      for range in ranges.prefix(while: { $0.lowerBound <= run.keys.upperBound }) {
        let part = range.clamped(to: run.keys)
        if start < part.lowerBound {
          parts.append(Run(keys: start...part.lowerBound - 1, feed: run.feed))
        }
        removed.append(part)
        counts[run.feed, default: 0] += part.count
        start = part.upperBound + 1
      }
      if start <= run.keys.upperBound {
        parts.append(Run(keys: start...run.keys.upperBound, feed: run.feed))
      }
      // The last of these ranges may reach into the next run.
      while let next = ranges.first, next.upperBound <= run.keys.upperBound {
        ranges.removeFirst()
      }
    }
    try insert(parts)
    for (feed, count) in counts { try add(-count, to: feed) }
    return removed
  }

  /// The runs that have keys of `range`.
  private func runs(in range: ClosedRange<Int64>) throws(LibraryError) -> [Run] {
    try connection.rows(
      """
      SELECT first, last, feed FROM unread
      WHERE first >= coalesce((SELECT max(first) FROM unread WHERE first <= ?1), ?1)
      AND first <= ?2 AND last >= ?1 ORDER BY first
      """, .integer(range.lowerBound), .integer(range.upperBound)
    ) { row in
      Run(keys: row.integer(0)...max(row.integer(0), row.integer(1)), feed: row.integer(2))
    }
  }

  /// Adds those of `items` that exist and are not unread.
  ///
  /// - Returns: the items that were added.
  /// - Complexity: O(n) in items.
  func add(_ items: ItemRanges) throws(LibraryError) -> ItemRanges {
    guard let first = items.ranges.first, let last = items.ranges.last else { return items }
    var unread = try runs(in: first.lowerBound...last.upperBound)[...]
    var runs: [Run] = []
    for range in items.ranges {
      try connection.forEachRow(
        "SELECT id, feed FROM item WHERE id BETWEEN ? AND ? ORDER BY id",
        [.integer(range.lowerBound), .integer(range.upperBound)]
      ) { (row) throws(LibraryError) in
        let (key, feed) = (row.integer(0), row.integer(1))
        while let next = unread.first, next.keys.upperBound < key { unread.removeFirst() }
        if let next = unread.first, next.keys.contains(key) { return }
        if let last = runs.last, last.feed == feed, last.keys.upperBound + 1 == key {
          runs[runs.count - 1].keys = last.keys.lowerBound...key
        } else {
          runs.append(Run(keys: key...key, feed: feed))
        }
      }
    }
    var added = ItemRanges()
    var counts: [Int64: Int] = [:]
    try insert(runs)
    for run in runs {
      added.append(run.keys)
      counts[run.feed, default: 0] += run.keys.count
    }
    for (feed, count) in counts { try add(count, to: feed) }
    return added
  }

  /// Removes all runs of a feed; does not update `unread_count`.
  func removeAll(of feed: FeedID) throws(LibraryError) {
    try connection.run("DELETE FROM unread WHERE feed = ?", SQLiteValue(feed))
  }

  /// Moves all runs of a feed to another one, and updates only that one's `unread_count`.
  func move(_ feed: FeedID, to other: FeedID) throws(LibraryError) {
    try connection.run(
      "UPDATE unread SET feed = ? WHERE feed = ?", SQLiteValue(other), SQLiteValue(feed))
    try connection.run(
      """
      UPDATE feed SET unread_count =
      (SELECT coalesce(sum(last - first + 1), 0) FROM unread WHERE feed = ?1) WHERE id = ?1
      """, SQLiteValue(other))
  }
}
