/// Writes the items of a source that is read in parts, into a temporary library.
///
/// 1. The key of an item is made of its feed's key and its number, so the order of items with the
///    same date does not depend on which source is read first.
/// 2. An item whose identity the library has is the same item, and keeps its key; but if the
///    present reading has met that identity already, it is a repetition, and an item of its own.
/// 3. Items that were read and have an identity are held. The others are deleted at the end of the
///    reading if the caller asks for it.
/// 4. No item is marked unread: marks are only for permanent libraries.
struct SourceRecorder {
  private let connection: SQLiteConnection
  private let feed: FeedID
  /// In milliseconds since 1970.
  private let now: Int64

  init(_ connection: SQLiteConnection, feed: FeedID, now: Int64) {
    self.connection = connection
    self.feed = feed
    self.now = now
  }

  /// The maximum number of items of one identity in a source; further ones are left out.
  private static let repetitions = 1_000_000

  func begin() throws(LibraryError) {
    try connection.run("UPDATE item SET is_held = 0 WHERE feed = ? AND is_held", SQLiteValue(feed))
  }

  func record(_ items: [SourceItem]) throws(LibraryError) -> FetchChanges {
    var changes = FetchChanges(feed: feed)
    for item in items {
      if item.identity == nil {
        try record(item, uid: Self.bytes(item.number), isHeld: false, in: &changes)
      } else {
        try recordIdentified(item, in: &changes)
      }
    }
    changes.added.sort { $0.item < $1.item }
    return changes
  }

  private static func bytes(_ number: Int64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private func known(_ uid: [UInt8]) throws(LibraryError) -> KnownItem? {
    try ItemTable(connection).item(uid, of: feed)
  }

  private func recordIdentified(
    _ item: SourceItem, in changes: inout FetchChanges
  ) throws(LibraryError) {
    guard let identity = item.identity else { return }
    guard let first = try known(identity) else {
      return try insert(item, uid: identity, isHeld: true, in: &changes)
    }
    if !first.isHeld { return try update(first, to: item, isHeld: true, in: &changes) }
    // Repetitions are numbered without gaps: a binary search finds the first free number.
    let uid = { (number: Int) in identity + Self.bytes(Int64(number)) }
    var (low, high) = (1, 2)
    while high < Self.repetitions, try known(uid(high))?.isHeld == true {
      (low, high) = (high, high * 2)
    }
    while low < high {
      let middle = (low + high) / 2
      if try known(uid(middle))?.isHeld == true { low = middle + 1 } else { high = middle }
    }
    guard low < Self.repetitions else { return }
    try record(item, uid: uid(low), isHeld: true, in: &changes)
  }

  private func record(
    _ item: SourceItem, uid: [UInt8], isHeld: Bool, in changes: inout FetchChanges
  ) throws(LibraryError) {
    if let known = try known(uid) {
      try update(known, to: item, isHeld: isHeld, in: &changes)
    } else {
      try insert(item, uid: uid, isHeld: isHeld, in: &changes)
    }
  }

  private func update(
    _ known: KnownItem, to item: SourceItem, isHeld: Bool, in changes: inout FetchChanges
  ) throws(LibraryError) {
    if isHeld != known.isHeld {
      try connection.run(
        "UPDATE item SET is_held = ? WHERE id = ?", .integer(isHeld ? 1 : 0),
        SQLiteValue(known.id))
    }
    guard known.hash != item.hash else { return }
    try connection.run(
      "UPDATE item SET hash = ? WHERE id = ?", .integer(Int64(bitPattern: item.hash)),
      SQLiteValue(known.id))
    try connection.run(
      "UPDATE body SET content = ? WHERE item = ?", item.body.column, SQLiteValue(known.id))
    changes.changed.append(known.id)
  }

  private func insert(
    _ item: SourceItem, uid: [UInt8], isHeld: Bool, in changes: inout FetchChanges
  ) throws(LibraryError) {
    let key = SourceItem.key(feed: feed, number: item.number)
    // An item with a later date would stay on top.
    let date = min(item.date, now)
    guard let key else { return }
    let inserted = try connection.run(
      """
      INSERT OR IGNORE INTO item (id, feed, uid, hash, first_seen, date, is_held, title)
      VALUES (?, ?, ?, ?, ?, ?, ?, '')
      """, SQLiteValue(key), SQLiteValue(feed), .bytes(uid),
      .integer(Int64(bitPattern: item.hash)), .integer(now), .integer(date),
      .integer(isHeld ? 1 : 0))
    guard inserted > 0 else { return }
    try connection.run(
      "INSERT INTO body (item, content) VALUES (?, ?)", SQLiteValue(key), item.body.column)
    changes.added.append(ItemPlace(key, date: date))
  }

  /// Ends a reading.
  ///
  /// - Parameters:
  ///   - failure: why it failed, in a clause; `nil` if it did not.
  ///   - dropsGoneItems: deletes the items that are not held; see rule 3.
  /// - Returns: whether items were deleted.
  func end(title: String, failure: String?, dropsGoneItems: Bool) throws(LibraryError) -> Bool {
    if let failure {
      try connection.run(
        """
        UPDATE feed SET last_attempt = ?, last_error = ?, failures = failures + 1 WHERE id = ?
        """, .integer(now), .text(failure), SQLiteValue(feed))
    } else {
      try connection.run(
        """
        UPDATE feed SET last_attempt = ?1, last_success = ?1, last_error = NULL, failures = 0
        WHERE id = ?2
        """, .integer(now), SQLiteValue(feed))
    }
    try setTitle(title)
    guard dropsGoneItems else { return false }
    return try connection.run(
      "DELETE FROM item WHERE feed = ? AND NOT is_held", SQLiteValue(feed)) > 0
  }

  func setTitle(_ title: String) throws(LibraryError) {
    try connection.run(
      "UPDATE feed SET title = ?1 WHERE id = ?2 AND title <> ?1 AND ?1 <> ''", .text(title),
      SQLiteValue(feed))
  }

  func removeAll() throws(LibraryError) {
    try connection.run("DELETE FROM item WHERE feed = ?", SQLiteValue(feed))
  }
}
