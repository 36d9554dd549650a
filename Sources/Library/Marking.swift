/// A mark of an item.
package enum Mark: Int, Hashable, Sendable, CaseIterable {
  case read, unread, saved, unsaved

  /// The mark that takes this one back.
  package var inverse: Mark {
    switch self {
    case .read: .unread
    case .unread: .read
    case .saved: .unsaved
    case .unsaved: .saved
    }
  }
}

/// A change of marks that was written.
package struct Marking: Hashable, Sendable {
  package var mark: Mark
  /// The items that the marking changed; those that had the mark before do not count.
  package var items: ItemRanges
  /// Seconds since 1970.
  package var time: Double

  package init(_ mark: Mark, _ items: ItemRanges, time: Double) {
    self.mark = mark
    self.items = items
    self.time = time
  }
}

/// The last moment at which one was at the top of a timeline: later items are new.
package struct TimelineVisit: Hashable, Sendable {
  /// The latest item of the library then. Items with higher keys are new.
  package var latestItem: ItemID
  /// Seconds since 1970.
  package var time: Double
}
