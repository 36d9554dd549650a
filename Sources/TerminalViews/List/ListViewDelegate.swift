/// Receives a list's events.
@MainActor public protocol ListViewDelegate: AnyObject {
  /// Called when the cell comes onto the screen.
  func listView(
    _ listView: ListView, willDisplay cell: ListViewCell, forRowAt indexPath: IndexPath)

  /// Called when the cell has left the screen; the row may keep it, ready to be shown again.
  func listView(
    _ listView: ListView, didEndDisplaying cell: ListViewCell, forRowAt indexPath: IndexPath)

  /// Called when the selection has moved to the row by a key or a click; not by `selectRow(at:)`.
  func listView(_ listView: ListView, didSelectRowAt indexPath: IndexPath)

  /// A row's height in lines; if `nil`, the default, the list measures the row's cell.
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
