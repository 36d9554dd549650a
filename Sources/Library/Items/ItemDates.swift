/// The dates by which the items of a document are sorted.
///
/// 1. An item is sorted by its own date, or by the time at which it was first seen if that is
///    earlier, so that no item with a date in the future stays on top.
/// 2. An item without a date gets the time at which it was first seen; in the first document of a
///    feed, it gets the date of its neighbour: the newer one, or else the older one.
/// 3. Items with the same date keep the order of the document, which is newest first unless most of
///    its dates ascend.
struct ItemDates {
  /// In milliseconds since 1970, for each item.
  let dates: [Int64]
  /// Whether the document is newest first.
  let isDescending: Bool

  /// - Parameters:
  ///   - published: the items' own dates, in milliseconds since 1970; `nil` for none.
  ///   - now: the time at which the items are first seen, in milliseconds since 1970.
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
