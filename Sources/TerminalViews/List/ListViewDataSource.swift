import VirtualList

/// Provides the rows of a list.
@MainActor public protocol ListViewDataSource: AnyObject {
  /// The number of rows.
  func numberOfRows(in listView: ListView) -> Int

  /// A cell for a row: dequeue one, configure it, return it.
  func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell

  /// A row's identity, stable while other rows come and go.
  func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID

  /// A row's estimate class, `0..<16`: rows of one class are expected to have similar heights.
  /// `nil`, the default, for each row if there is only one class.
  func listView(_ listView: ListView, kindForRowAt indexPath: IndexPath) -> Int?

  /// The total length of these rows' text, in cells or in a proportional unit such as bytes, from
  /// which their heights are estimated. `nil`, the default, if it is unknown without reading the
  /// rows. Called for few ranges, which may be long.
  func listView(_ listView: ListView, textLengthOfRows rows: Range<Int>) -> Int?

  /// An upper bound of a row's height in lines, at the list's present width (`rowWidth`). Return
  /// one only if the row certainly has at least one line and no more than the bound, and if this
  /// takes less time than measuring the row; `nil`, the default, otherwise.
  func listView(_ listView: ListView, heightBoundForRowAt indexPath: IndexPath) -> Int?

  /// The present index path of the row with an identity; if `nil`, the default, the list searches
  /// near the row's former position.
  func listView(_ listView: ListView, indexPathFor id: RowID) -> IndexPath?
}

extension ListViewDataSource {
  public func listView(_ listView: ListView, kindForRowAt indexPath: IndexPath) -> Int? { nil }
  public func listView(_ listView: ListView, textLengthOfRows rows: Range<Int>) -> Int? { nil }
  public func listView(_ listView: ListView, heightBoundForRowAt indexPath: IndexPath) -> Int? {
    nil
  }
  public func listView(_ listView: ListView, indexPathFor id: RowID) -> IndexPath? { nil }
}
