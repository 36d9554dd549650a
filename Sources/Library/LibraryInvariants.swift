/// The rules that hold between the tables after each transaction.
struct LibraryInvariants {
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) { self.connection = connection }

  /// Each rule, and a statement that counts its exceptions.
  private static let rules = [
    (
      "a feed counts its unread items",
      """
      SELECT count(*) FROM feed WHERE unread_count <>
      (SELECT coalesce(sum(last - first + 1), 0) FROM unread WHERE unread.feed = feed.id)
      """
    ),
    (
      "runs of unread items do not overlap",
      """
      SELECT count(*) FROM
      (SELECT first, last, lag(last, 1, 0) OVER (ORDER BY first) AS previous FROM unread)
      WHERE first <= previous OR last < first
      """
    ),
    (
      "unread items exist, and belong to the feed of their run",
      """
      SELECT coalesce(sum(last - first + 1), 0) - (SELECT count(*) FROM unread JOIN item
      ON id BETWEEN first AND last AND item.feed = unread.feed) FROM unread
      """
    ),
    (
      "an item has a body, and a body an item",
      """
      SELECT (SELECT count(*) FROM item WHERE NOT EXISTS (SELECT 1 FROM body WHERE item = id))
      + (SELECT count(*) FROM body WHERE NOT EXISTS (SELECT 1 FROM item WHERE id = body.item))
      """
    ),
    (
      "no item is sorted by a date after it was first seen",
      """
      SELECT count(*) FROM item WHERE date > first_seen
      """
    ),
    (
      "an item exists or is deleted, not both",
      """
      SELECT count(*) FROM state JOIN item ON item.feed = state.feed AND item.uid = state.uid
      """
    ),
    (
      "a key is used once",
      "SELECT count(*) FROM state JOIN item ON item.id = state.item"
    ),
    (
      "only items of feeds that are followed are held",
      """
      SELECT count(*) FROM item JOIN feed ON feed.id = item.feed
      WHERE is_held AND followed_since IS NULL
      """
    ),
  ]

  /// The broken rules with the number of exceptions, and damage that SQLite reports.
  func broken() throws(LibraryError) -> [String] {
    var broken: [String] = []
    for (rule, exceptions) in Self.rules {
      let count = try connection.number(exceptions)
      if count != 0 { broken.append("\(rule): \(count) exceptions") }
    }
    broken += try connection.rows("PRAGMA foreign_key_check") { "no parent in \($0.text(2))" }
    let report = try connection.rows("PRAGMA integrity_check") { $0.text(0) }
    return broken + report.filter { $0 != "ok" }
  }
}
