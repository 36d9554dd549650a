/// An item of a source that is merged with others in a temporary library.
package struct SourceItem: Sendable {
  /// The order among the items of its source: its key is made of the feed's and this number.
  package var number: Int64
  /// Recognizes it in another reading of the source; `nil` if its number does.
  package var identity: [UInt8]?
  /// Milliseconds since 1970.
  package var date: Int64
  package var body: ItemBody
  /// Stands for the content: an item is changed if its hash is.
  package var hash: UInt64

  package init(
    number: Int64, identity: [UInt8]?, date: Int64, body: ItemBody, hash: UInt64
  ) {
    self.number = number
    self.identity = identity
    self.date = date
    self.body = body
    self.hash = hash
  }

  /// Numbers are less than this.
  package static let numbers: Int64 = 1 << 44

  /// The key of an item; `nil` if one of the numbers is too large.
  package static func key(feed: FeedID, number: Int64) -> ItemID? {
    guard (0..<numbers).contains(number), (0..<(1 << 18)).contains(feed.rawValue) else {
      return nil
    }
    return ItemID(feed.rawValue << 44 | number)
  }
}
