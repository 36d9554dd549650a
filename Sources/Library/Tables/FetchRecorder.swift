import System

/// Writes the result of a fetch: the feed's row, and items that are new, changed or gone.
struct FetchRecorder {
  private let connection: SQLiteConnection
  private let feed: FeedID
  /// In milliseconds since 1970.
  private let now: Int64
  /// Items of a new subscription that are older arrive read; in milliseconds since 1970.
  private let oldestUnread: Int64
  private var changes: FetchChanges
  /// The added items that are unread.
  private var unread: [ItemID] = []

  init(
    _ connection: SQLiteConnection, feed: FeedID, now: Int64, oldestUnread: Int64
  ) {
    self.connection = connection
    self.feed = feed
    self.now = now
    self.oldestUnread = oldestUnread
    changes = FetchChanges(feed: feed)
  }

  /// The columns of the feed that decide how its items are taken.
  private struct History {
    var isNewSubscription: Bool
    var hasDoubles: Bool
    var hasItems: Bool
    var hasStates: Bool
    var isFollowed: Bool
  }

  /// - Throws: `LibraryError.noSuchFeed` if the feed was deleted.
  mutating func record(_ record: FetchRecord, file: String) throws(LibraryError) -> FetchChanges {
    guard let history = try history() else {
      throw LibraryError(.noSuchFeed(feed.description), file: file)
    }
    try updateSchedule(record)
    switch record.outcome {
    case .failed(let reason):
      try connection.run(
        "UPDATE feed SET last_error = ?, failures = failures + 1 WHERE id = ?", .text(reason),
        SQLiteValue(feed))
    case .notModified:
      // An omission stays with the document that has it.
      try succeed(record, note: "CASE WHEN failures = 0 THEN last_error END")
    case .document(let title, let items):
      try succeed(record, note: "NULL")
      if let omission = record.omission {
        try connection.run(
          "UPDATE feed SET last_error = ? WHERE id = ?", .text(omission), SQLiteValue(feed))
      }
      try connection.run(
        "UPDATE feed SET title = ?1 WHERE id = ?2 AND title <> ?1 AND ?1 <> ''", .text(title),
        SQLiteValue(feed))
      try take(items, history, isWhole: record.isWhole)
    }
    return changes
  }

  private func history() throws(LibraryError) -> History? {
    try connection.row(
      """
      SELECT last_success IS NULL, has_doubles, EXISTS (SELECT 1 FROM item WHERE feed = feed.id),
      EXISTS (SELECT 1 FROM state WHERE feed = feed.id), followed_since NOT NULL FROM feed WHERE id = ?
      """, SQLiteValue(feed)
    ) { row in
      History(
        isNewSubscription: row.integer(0) != 0, hasDoubles: row.integer(1) != 0,
        hasItems: row.integer(2) != 0, hasStates: row.integer(3) != 0,
        isFollowed: row.integer(4) != 0)
    }
  }

  private func updateSchedule(_ record: FetchRecord) throws(LibraryError) {
    try connection.run(
      """
      UPDATE feed SET next_time = ?, last_attempt = ?, hint = coalesce(?, hint), pause_reason = ?,
      redirect_target = ?, redirect_count = ?, redirect_since = ? WHERE id = ?
      """, SQLiteValue(time: record.nextTime), .integer(now), SQLiteValue(record.hint),
      SQLiteValue(record.pauseReason), SQLiteValue(record.redirect?.target),
      SQLiteValue((record.redirect?.count).map(Int64.init)),
      SQLiteValue(time: record.redirect?.since), SQLiteValue(feed))
  }

  /// - Parameter note: the expression for the column `last_error`, which without failures has the
  ///   omission of the last document.
  private func succeed(_ record: FetchRecord, note: StaticString) throws(LibraryError) {
    let validators = record.validators
    try connection.run(
      """
      UPDATE feed SET last_success = ?, last_error = \(note), failures = 0, validated_address = ?,
      entity_tag = ?, last_modified = ?, validated_at = ? WHERE id = ?
      """, .integer(now), SQLiteValue(validators?.address), SQLiteValue(validators?.entityTag),
      SQLiteValue(validators?.lastModified), SQLiteValue(time: validators?.time),
      SQLiteValue(feed))
  }

  // MARK: Items

  private mutating func take(
    _ items: [NewItem], _ history: History, isWhole: Bool
  ) throws(LibraryError) {
    guard !items.isEmpty else { return }
    let keys = ItemIdentity.keys(of: items)
    let dates = ItemDates(
      published: items.map { $0.published.map(Milliseconds.of) }, now: now,
      isFirst: !isWhole || history.isNewSubscription && !history.hasItems)
    let hasDoubles = history.hasDoubles || keys.contains { ($0?.chosen ?? 0) > 0 }
    if hasDoubles != history.hasDoubles {
      try connection.run("UPDATE feed SET has_doubles = 1 WHERE id = ?", SQLiteValue(feed))
    }
    let known =
      history.hasItems
      ? try known(items, keys, dates.order, hasDoubles, isWhole: isWhole) : [:]
    var present = Set(known.values.map(\.id))
    for index in dates.order {
      guard let keys = keys[index] else { continue }
      WorkerThreads.yield()
      let item = items[index]
      if let known = known[index] {
        try update(known, to: item, isHeld: history.isFollowed)
      } else {
        let former = history.hasStates ? try takeState(keys, hasDoubles) : nil
        let isOld = history.isNewSubscription && dates.dates[index] < oldestUnread
        present.insert(
          try insert(
            item, uid: keys.uid, date: dates.dates[index], isHeld: history.isFollowed,
            isRead: isOld, former: former))
      }
    }
    changes.added.sort { $0.item < $1.item }
    changes.unread = ItemRanges(unread)
    if isWhole, history.hasItems { try release(except: present) }
    try UnreadTable(connection).insert(changes.unread, of: feed)
  }

  private func item(_ uid: [UInt8]) throws(LibraryError) -> KnownItem? {
    try ItemTable(connection).item(uid, of: feed)
  }

  /// The item with these keys.
  ///
  /// A guid that is double in one document and single in the next would otherwise make one item
  /// two. So a longer key counts first, and in the end a shorter one, if the link is the same too,
  /// or without links the title.
  private func known(
    _ item: NewItem, _ keys: ItemIdentity.Keys, _ hasDoubles: Bool, except present: Set<ItemID>
  ) throws(LibraryError) -> KnownItem? {
    if hasDoubles {
      for key in keys.all[(keys.chosen + 1)...] {
        if let known = try self.item(key), !present.contains(known.id) { return known }
      }
    }
    if let known = try self.item(keys.uid), !present.contains(known.id) { return known }
    for key in keys.all[..<keys.chosen].reversed() {
      guard let known = try self.item(key), !present.contains(known.id) else { continue }
      if known.link == item.link, item.link != nil || known.title == item.title { return known }
    }
    return nil
  }

  /// The items of a document that are in the library, by their indices. Those with another guid get
  /// their new key.
  private func known(
    _ items: [NewItem], _ keys: [ItemIdentity.Keys?], _ order: [Int], _ hasDoubles: Bool,
    isWhole: Bool
  ) throws(LibraryError) -> [Int: KnownItem] {
    var found: [Int: KnownItem] = [:]
    var present: Set<ItemID> = []
    for index in order {
      guard let own = keys[index],
        let known = try known(items[index], own, hasDoubles, except: present)
      else { continue }
      found[index] = known
      present.insert(known.id)
    }
    guard isWhole, found.count < items.count else { return found }
    var renamed = try goneItems(except: present)
    for index in order where found[index] == nil && !renamed.isEmpty {
      guard let own = keys[index],
        let description = Description(items[index], isAlone: items.count == 1),
        let known = renamed.removeValue(forKey: description)
          ?? description.at(items[index].link).flatMap({ renamed.removeValue(forKey: $0) })
      else { continue }
      try connection.run(
        "UPDATE item SET uid = ? WHERE id = ?", .bytes(own.uid), SQLiteValue(known.id))
      found[index] = known
    }
    return found
  }

  /// What makes an item likely to be the same as one with another guid. The link counts only
  /// without a title or a date, since links and guids change together when a site moves.
  private enum Description: Hashable {
    case dated(title: String, time: Int64)
    /// Where several items have one title and date.
    case listed(title: String, time: Int64, link: String)
    case linked(link: String, title: String)

    /// - Parameter isAlone: whether its document has no other item. Then one without a date may be
    ///   the next one at an address that never changes, such as a forecast.
    /// - Returns: `nil` if too little is known of the item.
    init?(_ item: NewItem, isAlone: Bool) {
      self.init(
        link: isAlone ? nil : item.link, title: item.title,
        time: item.published.map(Milliseconds.of))
    }

    init?(link: String?, title: String, time: Int64?) {
      if !title.isEmpty, let time {
        self = .dated(title: title, time: time)
      } else if let link, !link.isEmpty {
        self = .linked(link: link, title: title)
      } else {
        return nil
      }
    }

    /// A dated description with its link.
    func at(_ link: String?) -> Description? {
      guard case .dated(let title, let time) = self, let link, !link.isEmpty else { return nil }
      return .listed(title: title, time: time, link: link)
    }
  }

  /// The items of the last document that are not in `present`, by their descriptions: with the link
  /// if several have one title and date. Items with equal descriptions are left out.
  ///
  /// This document may have them with other guids: some feeds make new ones for every answer.
  ///
  /// - Complexity: O(n) in the items of the last document.
  private func goneItems(
    except present: Set<ItemID>
  ) throws(LibraryError) -> [Description: KnownItem] {
    var found: [Description: [KnownItem]] = [:]
    try connection.forEachRow(
      """
      SELECT id, hash, is_held, title, link, published FROM item INDEXED BY item_held
      WHERE feed = ? AND is_held
      """, [SQLiteValue(feed)]
    ) { row in
      let known = KnownItem(row)
      guard !present.contains(known.id),
        let description = Description(
          link: known.link, title: known.title, time: row.integerOrNil(5))
      else { return }
      found[description, default: []].append(known)
    }
    var gone: [Description: KnownItem] = [:]
    for (description, items) in found {
      guard items.count > 1 else {
        gone[description] = items.first
        continue
      }
      for (place, items) in Dictionary(grouping: items, by: { description.at($0.link) })
      where items.count == 1 {
        if let place { gone[place] = items[0] }
      }
    }
    return gone
  }

  private mutating func update(
    _ known: KnownItem, to item: NewItem, isHeld: Bool
  ) throws(LibraryError) {
    if isHeld, !known.isHeld {
      try connection.run("UPDATE item SET is_held = 1 WHERE id = ?", SQLiteValue(known.id))
    }
    guard known.hash != item.hash else { return }
    try connection.run(
      "UPDATE item SET hash = ?, published = ?, title = ?, link = ? WHERE id = ?",
      .integer(Int64(bitPattern: item.hash)), SQLiteValue(time: item.published),
      .text(item.title), SQLiteValue(item.link), SQLiteValue(known.id))
    try connection.run(
      "UPDATE body SET content = ? WHERE item = ?", item.body.column, SQLiteValue(known.id))
    changes.changed.append(known.id)
  }

  /// An item that was deleted and comes back.
  private struct Former {
    var id: ItemID
    var firstSeen: Int64
    var isRead: Bool
  }

  /// The state of a deleted item, which ends with its return.
  private func takeState(
    _ keys: ItemIdentity.Keys, _ hasDoubles: Bool
  ) throws(LibraryError) -> Former? {
    for key in hasDoubles ? keys.all[keys.chosen...] : keys.all[keys.chosen...keys.chosen] {
      let former = try connection.row(
        "SELECT item, first_seen, is_read FROM state WHERE feed = ? AND uid = ?",
        SQLiteValue(feed), .bytes(key)
      ) { Former(id: $0.item(0), firstSeen: $0.integer(1), isRead: $0.integer(2) != 0) }
      guard let former else { continue }
      try connection.run(
        "DELETE FROM state WHERE feed = ? AND uid = ?", SQLiteValue(feed), .bytes(key))
      return former
    }
    return nil
  }

  private mutating func insert(
    _ item: NewItem, uid: [UInt8], date: Int64, isHeld: Bool, isRead: Bool, former: Former?
  ) throws(LibraryError) -> ItemID {
    let date = former.map { min(date, $0.firstSeen) } ?? date
    try connection.run(
      """
      INSERT INTO item (id, feed, uid, hash, published, first_seen, date, is_held, title, link)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, SQLiteValue(former?.id.rawValue), SQLiteValue(feed), .bytes(uid),
      .integer(Int64(bitPattern: item.hash)), SQLiteValue(time: item.published),
      .integer(former?.firstSeen ?? now), .integer(date), .integer(isHeld ? 1 : 0),
      .text(item.title), SQLiteValue(item.link))
    let id = ItemID(connection.lastInsertedKey)
    try connection.run(
      "INSERT INTO body (item, content) VALUES (?, ?)", SQLiteValue(id), item.body.column)
    if !(former?.isRead ?? isRead) {
      unread.append(id)
    }
    changes.added.append(ItemPlace(id, date: date))
    return id
  }

  /// Notes that the document no longer has the other items.
  private func release(except present: Set<ItemID>) throws(LibraryError) {
    let held = try connection.rows(
      "SELECT id FROM item INDEXED BY item_held WHERE feed = ? AND is_held", SQLiteValue(feed)
    ) { $0.item(0) }
    for item in held where !present.contains(item) {
      try connection.run("UPDATE item SET is_held = 0 WHERE id = ?", SQLiteValue(item))
    }
  }
}
