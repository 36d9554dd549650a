/// Deletes items that are too old, and keeps their keys and whether they were read.
struct ItemAgeing {
  private let connection: SQLiteConnection
  /// In milliseconds since 1970.
  private let now: Int64
  private let keepDays: Int

  /// A day in milliseconds.
  private static let day: Int64 = 86_400_000
  /// How long the state of a deleted item is kept, in milliseconds: a year.
  private static let stateAge = 365 * day

  init(_ connection: SQLiteConnection, now: Int64, keepDays: Int) {
    self.connection = connection
    self.now = now
    self.keepDays = keepDays
  }

  /// The date before which items are older than `keepDays` multiplied by `times`; without
  /// `keepDays` no item is.
  static func limit(now: Int64, keepDays: Int?, times: Int64 = 1) -> Int64 {
    guard let keepDays else { return .min }
    return now - min(Int64(clamping: keepDays), 1_000_000) * day * times
  }

  private struct Aged {
    var id: ItemID
    var feed: FeedID
    var uid: [UInt8]
    var firstSeen: Int64
    var isRead: Bool
  }

  /// Deletes at most `count` items, the newest first: read ones older than `keepDays`, and unread
  /// ones older than twice that. Items that are saved, or in their feed's last document, stay.
  func delete(count: Int) throws(LibraryError) -> [ItemID] {
    let aged = try connection.rows(
      """
      SELECT id, feed, uid, first_seen, NOT (\(UnreadTable.isUnread))
      FROM item INDEXED BY item_by_date
      WHERE date < ?1 AND NOT is_held AND NOT EXISTS (SELECT 1 FROM saved WHERE item = id)
      AND (date < ?2 OR NOT (\(UnreadTable.isUnread)))
      ORDER BY date DESC LIMIT ?3
      """, .integer(Self.limit(now: now, keepDays: keepDays)),
      .integer(Self.limit(now: now, keepDays: keepDays, times: 2)), SQLiteValue(count)
    ) { row in
      Aged(
        id: row.item(0), feed: row.feed(1), uid: row.bytes(2), firstSeen: row.integer(3),
        isRead: row.integer(4) != 0)
    }
    _ = try UnreadTable(connection).remove(ItemRanges(aged.map(\.id)))
    for item in aged { try delete(item) }
    if aged.count < count { try forgetStates() }
    return aged.map(\.id).sorted()
  }

  private func delete(_ item: Aged) throws(LibraryError) {
    try connection.run(
      """
      INSERT OR REPLACE INTO state (feed, uid, item, first_seen, is_read, time)
      VALUES (?, ?, ?, ?, ?, ?)
      """, SQLiteValue(item.feed), .bytes(item.uid), SQLiteValue(item.id),
      .integer(item.firstSeen), .integer(item.isRead ? 1 : 0), .integer(now))
    // Deletes its body as well (`ON DELETE CASCADE`).
    try connection.run("DELETE FROM item WHERE id = ?", SQLiteValue(item.id))
  }

  /// Deletes states that are too old, and feeds that are no longer followed and have neither items
  /// nor states.
  private func forgetStates() throws(LibraryError) {
    try connection.run("DELETE FROM state WHERE time < ?", .integer(now - Self.stateAge))
    try connection.run(
      """
      DELETE FROM feed WHERE followed_since IS NULL
      AND NOT EXISTS (SELECT 1 FROM item WHERE feed = feed.id)
      AND NOT EXISTS (SELECT 1 FROM state WHERE feed = feed.id)
      """)
  }
}
