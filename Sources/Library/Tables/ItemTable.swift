/// The rows of `item` and `body`, for reading.
struct ItemTable {
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) { self.connection = connection }

  /// At most `count` places after `place`, or from the start, newest first.
  ///
  /// - Complexity: O(count); for `saved`, O(n log n) in the saved items, which are sorted first.
  func places(
    in scope: FeedScope, after place: ItemPlace?, count: Int
  ) throws(LibraryError) -> [ItemPlace] {
    guard let place else { return try places(in: scope, count: count) }
    // Two queries that the index answers: a single condition with OR would be tested on each row.
    let sameDate = try places(
      in: scope, "AND item.date = ? AND item.id > ?",
      [.integer(place.date), SQLiteValue(place.item)], count: count)
    let older = try places(
      in: scope, "AND item.date < ?", [.integer(place.date)], count: count - sameDate.count)
    return sameDate + older
  }

  private func places(
    in scope: FeedScope, _ after: String = "", _ values: [SQLiteValue] = [], count: Int
  ) throws(LibraryError) -> [ItemPlace] {
    guard count > 0 else { return [] }
    let (condition, scopeValues) = Self.condition(scope)
    var places: [ItemPlace] = []
    try connection.forEachRow(
      """
      SELECT item.id, item.date FROM \(condition) \(after)
      ORDER BY item.date DESC, item.id LIMIT ?
      """, scopeValues + values + [SQLiteValue(count)]
    ) { (row) throws(LibraryError) in
      places.append(ItemPlace(row.item(0), date: row.integer(1)))
    }
    return places
  }

  private static func condition(_ scope: FeedScope) -> (text: String, values: [SQLiteValue]) {
    switch scope {
    case .everything: return ("item INDEXED BY item_by_date WHERE true", [])
    case .feed(let feed):
      return ("item INDEXED BY item_of_feed WHERE item.feed = ?", [SQLiteValue(feed)])
    case .saved: return ("saved JOIN item ON item.id = saved.item WHERE true", [])
    }
  }

  /// The item of a feed with the identity `uid`.
  func item(_ uid: [UInt8], of feed: FeedID) throws(LibraryError) -> KnownItem? {
    try connection.row(
      "SELECT id, hash, is_held, title, link FROM item WHERE feed = ? AND uid = ?",
      SQLiteValue(feed), .bytes(uid)
    ) { KnownItem($0) }
  }

  /// The feed and the body of an item.
  func entry(of item: ItemID) throws(LibraryError) -> LibraryEntry? {
    try connection.row(
      "SELECT item.feed, body.content FROM item JOIN body ON body.item = item.id WHERE item.id = ?",
      SQLiteValue(item)
    ) { LibraryEntry(feed: $0.feed(0), body: ItemBody($0, column: 1)) }
  }

  /// The feed that an item belongs to.
  func feed(of item: ItemID) throws(LibraryError) -> FeedID? {
    try connection.row("SELECT feed FROM item WHERE id = ?", SQLiteValue(item)) { $0.feed(0) }
  }

  /// The highest key; 0 if there is no item.
  func latest() throws(LibraryError) -> ItemID {
    ItemID(try connection.number("SELECT max(id) FROM item"))
  }
}

/// An item in the library, with the columns that a new document is compared with.
struct KnownItem {
  let id: ItemID
  let hash: UInt64
  let isHeld: Bool
  let title: String
  let link: String?

  /// The item of a row that begins with its id, hash, `is_held`, title and link.
  init(_ row: SQLiteStatement) {
    id = row.item(0)
    hash = UInt64(bitPattern: row.integer(1))
    isHeld = row.integer(2) != 0
    title = row.text(3)
    link = row.textOrNil(4)
  }
}
