/// The key of a feed in its library. It outlives a change of the address and is never used again.
package struct FeedID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }

  package static func < (a: FeedID, b: FeedID) -> Bool { a.rawValue < b.rawValue }
  package var description: String { "feed \(rawValue)" }
}

/// The key of an item in its library: the higher, the later the library received it. It is never
/// used for another item; one that was deleted and comes back has its former key.
package struct ItemID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }

  package static func < (a: ItemID, b: ItemID) -> Bool { a.rawValue < b.rawValue }
  package var description: String { "item \(rawValue)" }
}

/// The place of an item in a timeline: 16 bytes.
///
/// Places compare as timelines show them: newer ones first, those of one date by their keys.
package struct ItemPlace: Hashable, Comparable, Sendable {
  package let item: ItemID
  /// The date by which it is sorted, in milliseconds since 1970.
  package let date: Int64

  package init(_ item: ItemID, date: Int64) {
    self.item = item
    self.date = date
  }

  package static func < (a: ItemPlace, b: ItemPlace) -> Bool {
    a.date == b.date ? a.item < b.item : a.date > b.date
  }
}
