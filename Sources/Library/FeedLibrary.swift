import Synchronization

/// The feeds that are followed, their items, and the marks of the items, in one SQLite file.
///
/// 1. Every method may be called on any thread. Those of “The screen” never wait for a writer; the
///    others, except `takeOtherChanges`, may wait for the disk or another program and do not belong
///    on the main actor.
/// 2. Each method that writes is one transaction: all of it is written, or it throws and nothing
///    is.
/// 3. Other programs may read and write the same file at the same time.
/// 4. A temporary library (`path` is empty) is a private file that is deleted with its object.
/// 5. Times are in seconds since 1970; the caller passes the current time.
package final class FeedLibrary: Sendable {
  private let connections: LibraryConnections
  private let limit: Mutex<Int?>

  /// The default of ``keepDays``: 180 days.
  package static let defaultKeepDays = 180

  /// Opens a library; creates it, and its folder, if there is none.
  ///
  /// - Parameters:
  ///   - path: empty for a temporary library.
  ///   - isReadOnly: opens without writing. The file must exist.
  ///   - keepDays: the age limit: older items are deleted, and those of a new feed arrive read.
  ///     `nil` keeps all items.
  /// - Throws: `LibraryError` if the file cannot be opened or is no library; if `isReadOnly`, also
  ///   if it is missing or was written by an earlier version.
  package convenience init(
    path: String, isReadOnly: Bool = false, keepDays: Int? = defaultKeepDays
  ) throws(LibraryError) {
    try self.init(path: path, isReadOnly: isReadOnly, keepDays: keepDays, schema: .current)
  }

  /// - Parameter patience: the milliseconds that a writer waits for a lock.
  init(
    path: String, isReadOnly: Bool = false, keepDays: Int? = defaultKeepDays,
    schema: LibrarySchema, patience: Int32 = LibraryFile.usualPatience
  ) throws(LibraryError) {
    connections = try LibraryConnections(
      path: path, isReadOnly: isReadOnly, schema: schema, patience: patience)
    limit = Mutex(keepDays)
  }

  /// The days after which items that were read and are gone from their feed are deleted, from the
  /// next fetch on; `nil` keeps all.
  package var keepDays: Int? {
    get { limit.withLock { $0 } }
    set { limit.withLock { $0 = newValue } }
  }

  /// The path of the file; empty for a temporary library.
  package var path: String { connections.file.path }
  package var isTemporary: Bool { path.isEmpty }
  /// Whether nothing is written, because it was opened as read-only, or because the file, its
  /// folder or the disk cannot be written.
  package var isReadOnly: Bool { connections.file.refusal != nil }
  /// Why nothing can be written to a library that was not opened as read-only; `nil` if it can, or
  /// if it was opened so.
  package var obstacle: LibraryError? {
    connections.file.obstacle == nil ? nil : connections.file.refusal
  }

  private func write<Value: Sendable>(
    _ body: (SQLiteConnection) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    try connections.write(body)
  }

  private func changeFeeds<Value: Sendable>(
    _ body: (FeedTable) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    try write { (connection) throws(LibraryError) in
      try body(FeedTable(connection, file: path))
    }
  }

  private func readFeeds<Value: Sendable>(
    _ body: (FeedTable) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    try connections.inBackground { (connection) throws(LibraryError) in
      try body(FeedTable(connection, file: path))
    }
  }

  // MARK: Feeds

  /// Follows a feed. A feed that was left and still has items continues with them.
  ///
  /// - Returns: its key, and whether it was not followed already.
  package func follow(
    _ address: String, title: String = "", ownName: String? = nil, tags: [String] = [],
    at now: Double
  ) throws(LibraryError) -> (id: FeedID, isNew: Bool) {
    try changeFeeds { (feeds) throws(LibraryError) in
      try feeds.follow(address, title: title, ownName: ownName, tags: tags, at: now)
    }
  }

  /// Leaves a feed. Its items stay until they age.
  ///
  /// - Parameter purge: deletes its items, their marks and the feed itself.
  package func leave(_ feed: FeedID, purge: Bool) throws(LibraryError) {
    try changeFeeds { (feeds) throws(LibraryError) in
      if purge { try feeds.purge(feed) } else { try feeds.leave(feed) }
    }
  }

  /// - Parameter name: `nil` to show the feed's own title again.
  package func rename(_ feed: FeedID, to name: String?) throws(LibraryError) {
    try changeFeeds { (feeds) throws(LibraryError) in try feeds.rename(feed, to: name) }
  }

  /// Replaces the tags of a feed.
  package func tag(_ feed: FeedID, with tags: [String]) throws(LibraryError) {
    try changeFeeds { (feeds) throws(LibraryError) in try feeds.tag(feed, with: tags) }
  }

  /// Changes the address of a feed. If another feed has that address already, both become one, with
  /// the items, marks and tags of both.
  ///
  /// - Returns: the key of the feed with that address.
  package func move(_ feed: FeedID, to address: String) throws(LibraryError) -> FeedID {
    try changeFeeds { (feeds) throws(LibraryError) in try feeds.move(feed, to: address) }
  }

  /// Pauses a feed, or resumes it with `nil`.
  package func pause(_ feed: FeedID, because reason: String?) throws(LibraryError) {
    try changeFeeds { (feeds) throws(LibraryError) in try feeds.pause(feed, because: reason) }
  }

  /// All feeds that are followed, in the order in which the user followed them.
  ///
  /// - Parameter includeLeft: also those that were left and still have items.
  /// - Complexity: O(n) in feeds.
  package func feeds(includeLeft: Bool = false) throws(LibraryError) -> [Feed] {
    try readFeeds { (feeds) throws(LibraryError) in try feeds.all(includeLeft: includeLeft) }
  }

  package func feed(_ id: FeedID) throws(LibraryError) -> Feed? {
    try readFeeds { (feeds) throws(LibraryError) in try feeds.feed(id) }
  }

  // MARK: Fetching

  /// The feeds that are due at a time, the longest due first. A feed whose last attempt lies in the
  /// future is due as well: the clock was set back.
  package func dueFeeds(at now: Double) throws(LibraryError) -> [Feed] {
    try readFeeds { (feeds) throws(LibraryError) in try feeds.due(at: now) }
  }

  /// The earliest time at which a feed is due; `nil` if none ever is.
  package func nextDueTime() throws(LibraryError) -> Double? {
    try readFeeds { (feeds) throws(LibraryError) in try feeds.nextDueTime() }
  }

  /// Postpones feeds until `time`, unless they are due later anyway.
  package func postpone(_ feeds: [FeedID], until time: Double) throws(LibraryError) {
    try changeFeeds { (table) throws(LibraryError) in try table.postpone(feeds, until: time) }
  }

  /// Records a fetch: the items that are new or changed, and when the feed is due again. If nothing
  /// changed, no item is written.
  ///
  /// - Complexity: O(n log m) for n items in a library of m.
  package func recordFetch(
    _ record: FetchRecord, of feed: FeedID, at now: Double
  ) throws(LibraryError) -> FetchChanges {
    let now = Milliseconds.of(now)
    return try write { (connection) throws(LibraryError) in
      var recorder = FetchRecorder(
        connection, feed: feed, now: now,
        oldestUnread: ItemAgeing.limit(now: now, keepDays: keepDays))
      return try recorder.record(record, file: path)
    }
  }

  // MARK: Merged sources

  /// Begins to read a source into a temporary library.
  package func beginReading(of feed: FeedID) throws(LibraryError) {
    try changeItems(of: feed, at: 0) { (source) throws(LibraryError) in try source.begin() }
  }

  /// Records items of a source that is being read. None of them is marked unread.
  ///
  /// - Parameter title: the source's title; empty if it is not known.
  /// - Complexity: O(n log m) for n items in a library of m.
  package func record(
    _ items: [SourceItem], title: String, of feed: FeedID, at now: Double
  ) throws(LibraryError) -> FetchChanges {
    try changeItems(of: feed, at: now) { (source) throws(LibraryError) in
      try source.setTitle(title)
      return try source.record(items)
    }
  }

  /// Ends the reading of a source.
  ///
  /// - Parameters:
  ///   - failure: why it failed, in a clause; `nil` if it did not.
  ///   - dropsGoneItems: deletes the items that this reading did not meet, and all without an
  ///     identity.
  /// - Returns: whether items were deleted.
  package func endReading(
    of feed: FeedID, title: String, failure: String?, dropsGoneItems: Bool, at now: Double
  ) throws(LibraryError) -> Bool {
    try changeItems(of: feed, at: now) { (source) throws(LibraryError) in
      try source.end(title: title, failure: failure, dropsGoneItems: dropsGoneItems)
    }
  }

  /// Deletes all items of a source.
  package func removeItems(of feed: FeedID) throws(LibraryError) {
    try changeItems(of: feed, at: 0) { (source) throws(LibraryError) in try source.removeAll() }
  }

  private func changeItems<Value: Sendable>(
    of feed: FeedID, at now: Double, _ body: (SourceRecorder) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    try write { (connection) throws(LibraryError) in
      try body(SourceRecorder(connection, feed: feed, now: Milliseconds.of(now)))
    }
  }

  // MARK: The screen

  /// The first `count` places of a timeline, newest first.
  package func newestPlaces(
    _ count: Int, in scope: FeedScope = .everything
  ) throws(LibraryError) -> [ItemPlace] {
    try connections.onScreen { (connection) throws(LibraryError) in
      try ItemTable(connection).places(in: scope, after: nil, count: count)
    }
  }

  /// The feed and the body of an item; `nil` if it was deleted.
  package func entry(of item: ItemID) throws(LibraryError) -> LibraryEntry? {
    try connections.onScreen { (connection) throws(LibraryError) in
      try ItemTable(connection).entry(of: item)
    }
  }

  // MARK: Reading in the background

  /// At most `count` places of a timeline after `place`, or from its start, newest first.
  package func places(
    in scope: FeedScope = .everything, after place: ItemPlace?, count: Int
  ) throws(LibraryError) -> [ItemPlace] {
    try connections.inBackground { (connection) throws(LibraryError) in
      try ItemTable(connection).places(in: scope, after: place, count: count)
    }
  }

  /// Calls `read` for each item, in their order.
  private func readEach<Value: Sendable>(
    of items: [ItemID], _ read: (ItemTable, ItemID) throws(LibraryError) -> Value
  ) throws(LibraryError) -> [Value] {
    try connections.inBackground { (connection) throws(LibraryError) in
      let table = ItemTable(connection)
      var values: [Value] = []
      values.reserveCapacity(items.count)
      for item in items { values.append(try read(table, item)) }
      return values
    }
  }

  /// The feeds and bodies of items, in their order; `nil` for those that were deleted.
  package func entries(of items: [ItemID]) throws(LibraryError) -> [LibraryEntry?] {
    try readEach(of: items) { (table, item) throws(LibraryError) in try table.entry(of: item) }
  }

  /// The feeds of items, in their order; `nil` for those that were deleted.
  package func feeds(of items: [ItemID]) throws(LibraryError) -> [FeedID?] {
    try readEach(of: items) { (table, item) throws(LibraryError) in try table.feed(of: item) }
  }

  /// The latest item of the library: its key is the highest. 0 if there is none.
  package func latestItem() throws(LibraryError) -> ItemID {
    try connections.inBackground { (connection) throws(LibraryError) in
      try ItemTable(connection).latest()
    }
  }

  /// All unread items.
  package func unreadItems() throws(LibraryError) -> ItemRanges {
    try connections.inBackground { (connection) throws(LibraryError) in
      try UnreadTable(connection).items()
    }
  }
  /// All saved items.
  package func savedItems() throws(LibraryError) -> ItemRanges {
    try connections.inBackground { (connection) throws(LibraryError) in
      try MarkTable(connection).saved()
    }
  }

  /// The number of items whose bodies are read at a time.
  private static let chunk = 500

  /// Calls `body` with every item's body, newest first, until it returns false. Items that other
  /// threads write meanwhile may be missing.
  package func forEachBody(
    in scope: FeedScope = .everything, _ body: (ItemID, ItemBody) -> Bool
  ) throws(LibraryError) {
    var last: ItemPlace?
    while true {
      let chunk = try places(in: scope, after: last, count: Self.chunk)
      let entries = try entries(of: chunk.map(\.item))
      for (place, entry) in zip(chunk, entries) {
        if let entry, !body(place.item, entry.body) { return }
      }
      guard chunk.count == Self.chunk else { return }
      last = chunk.last
    }
  }

  // MARK: Marks

  /// Marks items and remembers the change for ``undoMarking(at:)``.
  ///
  /// - Returns: the items that did not have the mark before.
  package func mark(
    _ items: ItemRanges, as mark: Mark, at now: Double
  ) throws(LibraryError) -> Marking {
    try write { (connection) throws(LibraryError) in
      try MarkTable(connection).mark(items, as: mark, at: now)
    }
  }

  /// Undoes the last marking, even if it was made in an earlier run.
  ///
  /// - Returns: the change that undoing made; `nil` if no marking is left.
  package func undoMarking(at now: Double) throws(LibraryError) -> Marking? {
    try write { (connection) throws(LibraryError) in
      try MarkTable(connection).undo(at: now)
    }
  }

  /// The last visit at the top of a timeline; `nil` before the first one.
  package func visit(of timeline: String) throws(LibraryError) -> TimelineVisit? {
    try connections.inBackground { (connection) throws(LibraryError) in
      try MarkTable(connection).visit(of: timeline)
    }
  }

  /// The last visit at the top of a timeline. If the library has items but no visit yet, records
  /// one now, so that only items that arrive later are new.
  ///
  /// - Returns: `nil` if there is no visit and the library is empty or read-only.
  package func visit(of timeline: String, orNow now: Double) throws(LibraryError) -> TimelineVisit?
  {
    if let visit = try visit(of: timeline) { return visit }
    let latest = try latestItem()
    guard !isReadOnly, latest.rawValue > 0 else { return nil }
    return try recordVisit(of: timeline, upTo: latest, at: now)
  }

  /// Records that the user was at the top of a timeline now: items that have arrived so far are no
  /// longer new.
  ///
  /// - Parameter latestItem: the last item to arrive in the timeline that was shown, since others
  ///   may have arrived in the library meanwhile. `nil` stands for the last item of the library.
  package func recordVisit(
    of timeline: String, upTo latestItem: ItemID? = nil, at now: Double
  ) throws(LibraryError) -> TimelineVisit {
    try write { (connection) throws(LibraryError) in
      let latest: ItemID
      if let latestItem { latest = latestItem } else { latest = try ItemTable(connection).latest() }
      let visit = TimelineVisit(latestItem: latest, time: now)
      try MarkTable(connection).recordVisit(visit, of: timeline)
      return visit
    }
  }

  // MARK: Ageing

  /// Deletes items that are older than the limit, gone from their feed, not saved, and were read or
  /// are older than twice the limit. Their marks are kept for another year.
  ///
  /// - Parameter count: the maximum to delete; call again if that many were deleted.
  package func deleteAgedItems(at now: Double, count: Int = 2_000) throws(LibraryError) -> [ItemID]
  {
    guard let keepDays else { return [] }
    return try write { (connection) throws(LibraryError) in
      try ItemAgeing(connection, now: Milliseconds.of(now), keepDays: keepDays).delete(
        count: count)
    }
  }

  // MARK: The log

  /// Checkpoints and truncates the WAL, so that the next program that opens the library has no WAL
  /// to read, which takes 3 ms for each 10 MB. Does not wait for other connections; while they read
  /// or write, the WAL may stay.
  ///
  /// - Complexity: O(n) in the pages of the WAL.
  package func emptyLog() throws(LibraryError) { try connections.emptyLog() }

  // MARK: Checks

  /// Contradictions between the tables, and damage to the file; empty if there are none.
  ///
  /// - Complexity: O(n) in the file.
  package func brokenInvariants() throws(LibraryError) -> [String] {
    try connections.inBackground { (connection) throws(LibraryError) in
      try LibraryInvariants(connection).broken()
    }
  }

  // MARK: Other programs

  /// Whether another program has written since the last call. Does not wait; false while this one
  /// writes.
  package func takeOtherChanges() -> Bool { connections.takeOtherChanges() }
}
