/// The rows of `unread` and `saved`, the log of markings, and visits.
struct MarkTable {
  private let connection: SQLiteConnection

  /// The maximum number of markings that can be undone.
  static let maximumMarkings = 100
  /// The maximum bytes of all logged markings except the last. A marking of a million items without
  /// neighbours takes two million bytes.
  static let maximumBytes = 8_000_000

  init(_ connection: SQLiteConnection) { self.connection = connection }

  // MARK: Reading

  func saved() throws(LibraryError) -> ItemRanges {
    try ranges("SELECT item FROM saved ORDER BY item")
  }

  private func ranges(_ text: String, _ values: [SQLiteValue] = []) throws(LibraryError)
    -> ItemRanges
  {
    var ranges = ItemRanges()
    try connection.forEachRow(text, values) { (row) throws(LibraryError) in
      ranges.append(row.integer(0)...row.integer(0))
    }
    return ranges
  }

  // MARK: Marking

  /// Sets a mark and logs the change.
  func mark(_ items: ItemRanges, as mark: Mark, at now: Double) throws(LibraryError) -> Marking {
    let marking = Marking(mark, try set(mark, of: items, at: now), time: now)
    guard !marking.items.isEmpty else { return marking }
    try connection.run(
      "INSERT INTO marking (mark, time, items) VALUES (?, ?, ?)", SQLiteValue(mark.rawValue),
      SQLiteValue(time: now), .bytes(marking.items.bytes))
    try limitLog()
    return marking
  }

  private func limitLog() throws(LibraryError) {
    let sizes = try connection.rows("SELECT id, length(items) FROM marking ORDER BY id DESC") {
      (id: $0.integer(0), bytes: Int($0.integer(1)))
    }
    var bytes = 0
    for (index, marking) in sizes.enumerated() {
      bytes += index == 0 ? 0 : marking.bytes
      guard index >= Self.maximumMarkings || bytes > Self.maximumBytes else { continue }
      try connection.run("DELETE FROM marking WHERE id <= ?", .integer(marking.id))
      return
    }
  }

  func undo(at now: Double) throws(LibraryError) -> Marking? {
    let last = try connection.row("SELECT id, mark, items FROM marking ORDER BY id DESC LIMIT 1") {
      (id: $0.integer(0), mark: Mark(rawValue: Int($0.integer(1))), bytes: $0.bytes(2))
    }
    guard let last else { return nil }
    try connection.run("DELETE FROM marking WHERE id = ?", .integer(last.id))
    // A later version of the program may have logged a mark that is unknown here.
    guard let mark = last.mark?.inverse else { return nil }
    return Marking(mark, try set(mark, of: ItemRanges(bytes: last.bytes), at: now), time: now)
  }

  /// Sets a mark for those of the items that exist.
  ///
  /// - Returns: the items that did not have it.
  /// - Complexity: O(n) in the items of the ranges.
  private func set(_ mark: Mark, of items: ItemRanges, at now: Double) throws(LibraryError)
    -> ItemRanges
  {
    switch mark {
    case .read: try UnreadTable(connection).remove(items)
    case .unread: try UnreadTable(connection).add(items)
    case .saved:
      try change(
        items,
        """
        SELECT id FROM item WHERE id BETWEEN ? AND ? AND id NOT IN (SELECT item FROM saved)
        ORDER BY id
        """
      ) { (range) throws(LibraryError) in
        try connection.run(
          """
          INSERT OR IGNORE INTO saved (item, time) SELECT id, ? FROM item WHERE id BETWEEN ? AND ?
          """, SQLiteValue(time: now), .integer(range.lowerBound), .integer(range.upperBound))
      }
    case .unsaved:
      try change(items, "SELECT item FROM saved WHERE item BETWEEN ? AND ? ORDER BY item") {
        (range) throws(LibraryError) in
        try connection.run(
          "DELETE FROM saved WHERE item BETWEEN ? AND ?", .integer(range.lowerBound),
          .integer(range.upperBound))
      }
    }
  }

  /// Calls `change` with the ranges of the items that the query `text` selects from `items`.
  ///
  /// - Returns: those ranges.
  private func change(
    _ items: ItemRanges, _ text: String,
    _ change: (ClosedRange<Int64>) throws(LibraryError) -> Void
  ) throws(LibraryError) -> ItemRanges {
    var changed = ItemRanges()
    for range in items.ranges {
      for selected in try ranges(text, [.integer(range.lowerBound), .integer(range.upperBound)])
        .ranges
      {
        changed.append(selected)
      }
    }
    for range in changed.ranges { try change(range) }
    return changed
  }

  // MARK: Visits

  func visit(of timeline: String) throws(LibraryError) -> TimelineVisit? {
    try connection.row(
      "SELECT latest_item, time FROM visit WHERE timeline = ?", .text(timeline)
    ) { TimelineVisit(latestItem: $0.item(0), time: $0.time(1) ?? 0) }
  }

  func recordVisit(_ visit: TimelineVisit, of timeline: String) throws(LibraryError) {
    try connection.run(
      "INSERT OR REPLACE INTO visit (timeline, latest_item, time) VALUES (?, ?, ?)",
      .text(timeline), SQLiteValue(visit.latestItem), SQLiteValue(time: visit.time))
  }
}
