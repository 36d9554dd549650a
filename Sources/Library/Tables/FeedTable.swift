/// The rows of `feed` and `tag`.
struct FeedTable {
  private let connection: SQLiteConnection
  private let file: String

  init(_ connection: SQLiteConnection, file: String) {
    self.connection = connection
    self.file = file
  }

  // MARK: Reading

  private static let columns = """
    id, address, title, own_name, followed_since, validated_address, entity_tag, last_modified,
    validated_at, redirect_target, redirect_count, redirect_since, next_time, last_attempt, hint,
    pause_reason, last_success, last_error, failures, unread_count,
    (SELECT max(date) FROM item WHERE feed = feed.id)
    """

  /// The feeds that a condition selects, in an order.
  ///
  /// - Parameter condition: what follows `SELECT … FROM feed`.
  private func feeds(
    _ condition: String, _ values: [SQLiteValue] = []
  ) throws(LibraryError) -> [Feed] {
    var feeds: [Feed] = []
    try connection.forEachRow("SELECT \(Self.columns) FROM feed \(condition)", values) {
      (row) throws(LibraryError) in
      feeds.append(Self.feed(of: row))
    }
    guard !feeds.isEmpty else { return [] }
    var tags: [FeedID: [String]] = [:]
    let chosen = "SELECT id FROM feed \(condition)"
    try connection.forEachRow(
      "SELECT feed, name FROM tag WHERE feed IN (\(chosen)) ORDER BY feed, name", values
    ) { (row) throws(LibraryError) in
      tags[row.feed(0), default: []].append(row.text(1))
    }
    for index in feeds.indices { feeds[index].tags = tags[feeds[index].id] ?? [] }
    return feeds
  }

  private static func feed(of row: SQLiteStatement) -> Feed {
    var schedule = Feed.Schedule()
    schedule.nextTime = row.time(12) ?? 0
    schedule.lastAttempt = row.time(13)
    schedule.hint = row.text(14)
    schedule.pauseReason = row.textOrNil(15)
    var health = Feed.Health()
    health.lastSuccess = row.time(16)
    health.failures = Int(row.integer(18))
    if health.failures > 0 {
      health.lastError = row.textOrNil(17)
    } else {
      health.omission = row.textOrNil(17)
    }
    return Feed(
      id: row.feed(0), address: row.text(1), title: row.text(2), ownName: row.textOrNil(3),
      tags: [], followedSince: row.time(4), validators: validators(of: row),
      redirect: redirect(of: row), schedule: schedule, health: health,
      unreadCount: Int(row.integer(19)), newestDate: row.integerOrNil(20))
  }

  private static func validators(of row: SQLiteStatement) -> Feed.Validators? {
    guard let address = row.textOrNil(5) else { return nil }
    return Feed.Validators(
      address: address, entityTag: row.textOrNil(6), lastModified: row.textOrNil(7),
      time: row.time(8) ?? 0)
  }

  private static func redirect(of row: SQLiteStatement) -> Feed.Redirect? {
    guard let target = row.textOrNil(9) else { return nil }
    return Feed.Redirect(
      target: target, count: Int(row.integer(10)), since: row.time(11) ?? 0)
  }

  func all(includeLeft: Bool) throws(LibraryError) -> [Feed] {
    try feeds((includeLeft ? "" : "WHERE followed_since NOT NULL ") + "ORDER BY followed_since, id")
  }

  func feed(_ id: FeedID) throws(LibraryError) -> Feed? {
    try feeds("WHERE id = ?", [SQLiteValue(id)]).first
  }

  func due(at now: Double) throws(LibraryError) -> [Feed] {
    let now = SQLiteValue(time: now)
    return try feeds(
      """
      WHERE followed_since NOT NULL AND pause_reason IS NULL
      AND (next_time <= ? OR last_attempt > ?) ORDER BY next_time, id
      """, [now, now])
  }

  func nextDueTime() throws(LibraryError) -> Double? {
    let time = try connection.row(
      """
      SELECT min(next_time) FROM feed WHERE followed_since NOT NULL AND pause_reason IS NULL
      """
    ) { $0.time(0) }
    return time ?? nil
  }

  /// The key of a feed by its address, followed or left.
  private func key(at address: String) throws(LibraryError) -> FeedID? {
    try connection.row("SELECT id FROM feed WHERE address = ?", .text(address)) { $0.feed(0) }
  }

  // MARK: Following

  func follow(
    _ address: String, title: String, ownName: String?, tags: [String], at now: Double
  ) throws(LibraryError) -> (id: FeedID, isNew: Bool) {
    guard let known = try key(at: address) else {
      try connection.run(
        "INSERT INTO feed (address, title, own_name, followed_since) VALUES (?, ?, ?, ?)",
        .text(address), .text(title), SQLiteValue(ownName), SQLiteValue(time: now))
      let id = FeedID(connection.lastInsertedKey)
      try addTags(tags, to: id)
      return (id, true)
    }
    let isNew =
      try connection.run(
        """
        UPDATE feed SET followed_since = ?, next_time = 0, pause_reason = NULL
        WHERE id = ? AND followed_since IS NULL
        """, SQLiteValue(time: now), SQLiteValue(known)) > 0
    if let ownName { try rename(known, to: ownName) }
    try addTags(tags, to: known)
    return (known, isNew)
  }

  private func addTags(_ tags: [String], to feed: FeedID) throws(LibraryError) {
    for tag in tags {
      try connection.run(
        "INSERT OR IGNORE INTO tag (feed, name) VALUES (?, ?)", SQLiteValue(feed), .text(tag))
    }
  }

  /// Stops following; the items are no longer held by a document.
  func leave(_ feed: FeedID) throws(LibraryError) {
    try require(
      feed,
      try connection.run(
        """
        UPDATE feed SET followed_since = NULL, validated_address = NULL, entity_tag = NULL,
        last_modified = NULL, validated_at = NULL, redirect_target = NULL WHERE id = ?
        """, SQLiteValue(feed)))
    try connection.run(
      "UPDATE item SET is_held = 0 WHERE feed = ? AND is_held", SQLiteValue(feed))
  }

  /// Deletes a feed with all that belongs to it.
  func purge(_ feed: FeedID) throws(LibraryError) {
    // The bodies and saved marks go with their items, the tags and states with the feed.
    try UnreadTable(connection).removeAll(of: feed)
    try connection.run("DELETE FROM item WHERE feed = ?", SQLiteValue(feed))
    try require(feed, try connection.run("DELETE FROM feed WHERE id = ?", SQLiteValue(feed)))
  }

  func rename(_ feed: FeedID, to name: String?) throws(LibraryError) {
    try require(
      feed,
      try connection.run(
        "UPDATE feed SET own_name = ? WHERE id = ?", SQLiteValue(name), SQLiteValue(feed)))
  }

  func tag(_ feed: FeedID, with tags: [String]) throws(LibraryError) {
    try require(
      feed, Int(try connection.number("SELECT 1 FROM feed WHERE id = ?", SQLiteValue(feed))))
    try connection.run("DELETE FROM tag WHERE feed = ?", SQLiteValue(feed))
    try addTags(tags, to: feed)
  }

  func pause(_ feed: FeedID, because reason: String?) throws(LibraryError) {
    try require(
      feed,
      try connection.run(
        "UPDATE feed SET pause_reason = ? WHERE id = ?", SQLiteValue(reason), SQLiteValue(feed)))
  }

  func postpone(_ feeds: [FeedID], until time: Double) throws(LibraryError) {
    for feed in feeds {
      try connection.run(
        "UPDATE feed SET next_time = max(next_time, ?) WHERE id = ?", SQLiteValue(time: time),
        SQLiteValue(feed))
    }
  }

  private func require(_ feed: FeedID, _ changes: Int) throws(LibraryError) {
    guard changes > 0 else { throw LibraryError(.noSuchFeed(feed.description), file: file) }
  }

  // MARK: Moving

  /// Changes the address; two feeds with one address become one.
  func move(_ feed: FeedID, to address: String) throws(LibraryError) -> FeedID {
    guard let other = try key(at: address), other != feed else {
      try require(
        feed,
        try connection.run(
          """
          UPDATE feed SET address = ?, validated_address = NULL, redirect_target = NULL
          WHERE id = ?
          """, .text(address), SQLiteValue(feed)))
      return feed
    }
    try merge(feed, into: other)
    return other
  }

  /// Moves items, marks, states and tags of a feed to another one, and deletes it. An item that
  /// both have is read or saved if it was in either. The other one is fetched again if it was
  /// paused: its address has just answered.
  private func merge(_ feed: FeedID, into other: FeedID) throws(LibraryError) {
    let (old, new) = (SQLiteValue(feed), SQLiteValue(other))
    try require(
      feed,
      try connection.run(
        """
        UPDATE feed SET own_name = coalesce(feed.own_name, moved.own_name),
        followed_since = coalesce(min(feed.followed_since, moved.followed_since),
          feed.followed_since, moved.followed_since),
        has_doubles = max(feed.has_doubles, moved.has_doubles), pause_reason = NULL
        FROM (SELECT own_name, followed_since, has_doubles FROM feed WHERE id = ?1) AS moved
        WHERE feed.id = ?2
        """, old, new))
    let doubles = """
      FROM item AS old JOIN item AS new ON new.feed = ?2 AND new.uid = old.uid WHERE old.feed = ?1
      """
    let pairs = try connection.rows("SELECT old.id, new.id \(doubles)", old, new) {
      (old: $0.item(0), new: $0.item(1))
    }
    let unread = try UnreadTable(connection).items()
    let read = pairs.filter { !unread.contains($0.old) }.map(\.new) + pairs.map(\.old)
    _ = try UnreadTable(connection).remove(ItemRanges(read))
    try connection.run(
      """
      INSERT OR IGNORE INTO saved (item, time) SELECT new.id, saved.time \(
        doubles.replacing("WHERE", with: "JOIN saved ON saved.item = old.id WHERE"))
      """, old, new)
    try connection.run("DELETE FROM item WHERE id IN (SELECT old.id \(doubles))", old, new)
    try connection.run("UPDATE item SET feed = ?2 WHERE feed = ?1", old, new)
    try connection.run("UPDATE OR IGNORE state SET feed = ?2 WHERE feed = ?1", old, new)
    // An item exists or is deleted, not both.
    try connection.run(
      """
      DELETE FROM state WHERE feed = ? AND uid IN (SELECT uid FROM item WHERE feed = state.feed)
      """, new)
    try connection.run("UPDATE OR IGNORE tag SET feed = ?2 WHERE feed = ?1", old, new)
    try UnreadTable(connection).move(feed, to: other)
    try connection.run("DELETE FROM feed WHERE id = ?", old)
  }
}
