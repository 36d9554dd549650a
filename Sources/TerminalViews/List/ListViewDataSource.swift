import VirtualList

/// Gives a list its rows.
@MainActor public protocol ListViewDataSource: AnyObject {
  /// Rows there are.
  func numberOfRows(in listView: ListView) -> Int

  /// A cell for a row: dequeue one, configure it, return it.
  func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell

  /// A row's identity, stable while other rows come and go.
  func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID

  /// A row's estimate class, `0..<16`: rows of one class are expected to be about as high. 0 by
  /// default.
  func listView(_ listView: ListView, kindForRowAt indexPath: IndexPath) -> Int

  /// Cells that the text of rows takes together, or a number in proportion to it, as the bytes they
  /// are in: their heights are guessed by it. nil, the default, where that is not known without
  /// reading them. Asked for few ranges, which may be long.
  func listView(_ listView: ListView, textLengthOfRows rows: Range<Int>) -> Int?

  /// Lines that a row has at most, at the list's present width (`rowWidth`), where it is certain
  /// and told faster than by measuring that it has at least one and no more than these. nil, the
  /// default, where it is not.
  func listView(_ listView: ListView, heightBoundForRowAt indexPath: IndexPath) -> Int?

  /// Where a row with an identity is now; nil, the default, lets the list search near where it was.
  func listView(_ listView: ListView, indexPathFor id: RowID) -> IndexPath?
}

extension ListViewDataSource {
  public func listView(_ listView: ListView, kindForRowAt indexPath: IndexPath) -> Int { 0 }
  public func listView(_ listView: ListView, textLengthOfRows rows: Range<Int>) -> Int? { nil }
  public func listView(_ listView: ListView, heightBoundForRowAt indexPath: IndexPath) -> Int? {
    nil
  }
  public func listView(_ listView: ListView, indexPathFor id: RowID) -> IndexPath? { nil }
}
