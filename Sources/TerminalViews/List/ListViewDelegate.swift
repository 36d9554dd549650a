/// Hears what happens in a list.
@MainActor public protocol ListViewDelegate: AnyObject {
  /// The cell comes onto the screen.
  func listView(
    _ listView: ListView, willDisplay cell: ListViewCell, forRowAt indexPath: IndexPath)

  /// The cell has left the screen; it may stay ready beside it.
  func listView(
    _ listView: ListView, didEndDisplaying cell: ListViewCell, forRowAt indexPath: IndexPath)

  /// The user selected the row, by a press or a click; `selectRow(at:)` does not say so.
  func listView(_ listView: ListView, didSelectRowAt indexPath: IndexPath)

  /// A row's height in lines; nil, the default, asks its cell.
  func listView(_ listView: ListView, heightForRowAt indexPath: IndexPath) -> Int?
}

extension ListViewDelegate {
  public func listView(
    _ listView: ListView, willDisplay cell: ListViewCell, forRowAt indexPath: IndexPath
  ) {}
  public func listView(
    _ listView: ListView, didEndDisplaying cell: ListViewCell, forRowAt indexPath: IndexPath
  ) {}
  public func listView(_ listView: ListView, didSelectRowAt indexPath: IndexPath) {}
  public func listView(_ listView: ListView, heightForRowAt indexPath: IndexPath) -> Int? {
    ListView.automaticDimension
  }
}
