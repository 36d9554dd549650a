/// The feeds that are followed, their items, and what was read: one file of SQLite's.
///
/// 1. Every method may be called on any thread. Those of “The screen” never wait for a writer; the
///    others may wait for a disk or another program and do not belong on the main actor.
/// 2. Each method that writes is one transaction: all of it is written, or it throws and nothing is.
/// 3. Other programs may read and write the same file at the same time.
/// 4. A temporary library (`path` is empty) is a private file that is gone with its object.
/// 5. Times are in seconds since 1970; the caller gives the present one.
package final class FeedLibrary: Sendable {
  /// The path of the file; empty for a temporary library.
  package let path: String
  /// Whether nothing is written.
  package let isReadOnly: Bool

  /// The days after which items that were read and are gone from their feed are deleted. `180`
  package static let defaultKeepDays = 180

  /// Opens a library; creates it, and its folder, if there is none.
  ///
  /// - Parameters:
  ///   - path: empty for a temporary library.
  ///   - isReadOnly: opens without writing. The file must exist.
  ///   - keepDays: the limit for deleting items and for those that arrive read; `nil` keeps all.
  package init(
    path: String, isReadOnly: Bool = false, keepDays: Int? = defaultKeepDays
  ) throws(LibraryError) {
    self.path = path
    self.isReadOnly = isReadOnly
  }

  private func todo() -> LibraryError { LibraryError(.noSQLite, file: path) }

  // MARK: Feeds

  /// Follows a feed. One that was left, and still has items, continues with them.
  ///
  /// - Returns: its key, and whether it was not followed before.
  package func follow(
    _ address: String, title: String = "", ownName: String? = nil, tags: [String] = [],
    at now: Double
  ) throws(LibraryError) -> (id: FeedID, isNew: Bool) { throw todo() }

  /// Leaves a feed. Its items stay until they age.
  ///
  /// - Parameter purge: deletes its items, their marks and the feed itself.
  package func leave(_ feed: FeedID, purge: Bool) throws(LibraryError) { throw todo() }

  /// - Parameter name: `nil` to show the feed's own title again.
  package func rename(_ feed: FeedID, to name: String?) throws(LibraryError) { throw todo() }

  /// Replaces the tags of a feed.
  package func tag(_ feed: FeedID, with tags: [String]) throws(LibraryError) { throw todo() }

  /// Changes the address of a feed. If another feed has that address already, both become one, with
  /// the items, marks and tags of both.
  ///
  /// - Returns: the key of the feed with that address.
  package func move(_ feed: FeedID, to address: String) throws(LibraryError) -> FeedID {
    throw todo()
  }

  /// Pauses a feed, or resumes it with `nil`.
  package func pause(_ feed: FeedID, because reason: String?) throws(LibraryError) { throw todo() }

  /// All feeds that are followed, in the order in which they were.
  ///
  /// - Parameter includeLeft: also those that were left and still have items.
  /// - Complexity: O(n) in feeds.
  package func feeds(includeLeft: Bool = false) throws(LibraryError) -> [Feed] { throw todo() }

  package func feed(_ id: FeedID) throws(LibraryError) -> Feed? { throw todo() }
  package func feed(at address: String) throws(LibraryError) -> Feed? { throw todo() }

  // MARK: Fetching

  /// The feeds that are due at a time, the longest due first. A feed whose last attempt lies in the
  /// future is due as well: the clock was set back.
  package func dueFeeds(at now: Double) throws(LibraryError) -> [Feed] { throw todo() }

  /// The earliest time at which a feed is due; `nil` if none ever is.
  package func nextDueTime() throws(LibraryError) -> Double? { throw todo() }

  /// Makes feeds wait at least until a time, such as those of a host that asked for it.
  package func postpone(_ feeds: [FeedID], until time: Double) throws(LibraryError) {
    throw todo()
  }

  /// Records a fetch: the items that are new or changed, and when the feed is due again. If nothing
  /// changed, no item is written.
  ///
  /// - Complexity: O(n log m) for n items in a library of m.
  package func recordFetch(
    _ record: FetchRecord, of feed: FeedID, at now: Double
  ) throws(LibraryError) -> FetchChanges { throw todo() }

  // MARK: The screen

  /// The first places of a timeline, newest first.
  package func newestPlaces(
    _ count: Int, in scope: FeedScope = .everything
  ) throws(LibraryError) -> [ItemPlace] { throw todo() }

  /// The body of an item; `nil` if it was deleted.
  package func body(of item: ItemID) throws(LibraryError) -> ItemBody? { throw todo() }

  // MARK: Reading in the background

  /// The places of a timeline after another one, newest first, at most `count`.
  package func places(
    in scope: FeedScope = .everything, after place: ItemPlace?, count: Int
  ) throws(LibraryError) -> [ItemPlace] { throw todo() }

  /// The bodies of items, in their order; `nil` for those that were deleted.
  package func bodies(of items: [ItemID]) throws(LibraryError) -> [ItemBody?] { throw todo() }

  /// All unread items.
  package func unreadItems() throws(LibraryError) -> ItemRanges { throw todo() }
  /// All saved items.
  package func savedItems() throws(LibraryError) -> ItemRanges { throw todo() }
  /// All items of some feeds.
  package func items(of feeds: Set<FeedID>) throws(LibraryError) -> ItemRanges { throw todo() }

  /// Calls `body` with every item's body, newest first, until it returns false. Items that other
  /// threads write meanwhile may be missing.
  package func forEachBody(
    in scope: FeedScope = .everything, _ body: (ItemID, ItemBody) -> Bool
  ) throws(LibraryError) { throw todo() }

  // MARK: Marks

  /// Marks items and remembers the change for ``undoMarking()``.
  ///
  /// - Returns: the items that did not have the mark before.
  package func mark(
    _ items: ItemRanges, as mark: Mark, at now: Double
  ) throws(LibraryError) -> Marking { throw todo() }

  /// Takes the last marking back, also one of an earlier run.
  ///
  /// - Returns: the change that this made; `nil` if no marking is left.
  package func undoMarking(at now: Double) throws(LibraryError) -> Marking? { throw todo() }

  /// The last visit at the top of a timeline; `nil` before the first one.
  package func visit(of timeline: String) throws(LibraryError) -> TimelineVisit? { throw todo() }

  /// Remembers that one was at the top of a timeline now: no item is new any more.
  package func recordVisit(of timeline: String, at now: Double) throws(LibraryError)
    -> TimelineVisit
  { throw todo() }

  // MARK: Ageing

  /// Deletes items that are older than the limit, gone from their feed, not saved, and were read or
  /// are older than twice the limit. Their marks are kept for another year.
  ///
  /// - Parameter count: the maximum to delete; call again if that many were.
  package func deleteAgedItems(at now: Double, count: Int = 2_000) throws(LibraryError) -> [ItemID]
  {
    throw todo()
  }

  // MARK: Other programs

  /// Whether another program has written since the last call. Does not wait; false while this one
  /// writes.
  package func hasOtherChanges() -> Bool { false }
}
