/// The dates by which the items of a document are sorted.
///
/// 1. A date counts, unless it is later than the moment at which the item was first seen: then that
///    moment does. So no item stands on top for ever.
/// 2. An item without a date counts as of the moment it was first seen; in the first document of a
///    feed it stands with its neighbour: the newer one, or else the older one.
/// 3. Items with the same date stand as in the document, which is newest first unless most of its
///    dates ascend.
struct ItemDates {
  /// In milliseconds since 1970, for each item.
  let dates: [Int64]
  /// Whether the document is newest first.
  let isDescending: Bool

  /// - Parameters:
  ///   - now: when items without a `firstSeen` are first seen, in milliseconds since 1970.
  ///   - isFirst: whether it is the first document of the feed.
  /// - Complexity: O(n).
  init(published: [Int64?], now: Int64, isFirst: Bool) {
    let known = published.compactMap { $0 }
    var rises = 0
    for (date, next) in zip(known, known.dropFirst()) {
      rises += next > date ? 1 : next < date ? -1 : 0
    }
    isDescending = rises <= 0
    var dates = published.map { $0.map { min($0, now) } }
    if isFirst {
      let order = isDescending ? Array(dates.indices) : dates.indices.reversed()
      var neighbour: Int64? = known.isEmpty ? nil : order.lazy.compactMap { dates[$0] }.first
      for index in order {
        if let date = dates[index] { neighbour = date } else { dates[index] = neighbour }
      }
    }
    self.dates = dates.map { $0 ?? now }
  }

  /// The indices of the document's items in the order in which they get their keys: newest first.
  var order: [Int] { isDescending ? Array(dates.indices) : dates.indices.reversed() }
}
