import TerminalViews
import TimelineStore
import TimelineUI
import VirtualList

/// The posts of a timeline, with a note of the way on which they are asked for.
@MainActor final class RecordedContent: ListContent {
  private let timeline: PostListContent
  private let record: PathRecord

  init(_ timeline: PostListContent, _ record: PathRecord) {
    self.timeline = timeline
    self.record = record
  }

  var title: String { timeline.title }
  var rowName: String { timeline.rowName }
  var isComplete: Bool { timeline.isComplete }
  var activity: String { timeline.activity }
  var message: (text: String, isError: Bool)? { timeline.message }
  var notes: [String] { timeline.notes }
  func hint(forRow row: Int) -> String { "" }
  var posts: (any PostActions)? { nil }
  func retryPictures(in cell: ListViewCell) -> Bool { timeline.retryPictures(in: cell) }

  func attach(to list: ListView, onEffect: @escaping (ListEffect) -> Void) {
    timeline.attach(to: list, onEffect: onEffect)
  }

  func didShow(rows: Range<Int>) {
    record.note("rows show")
    timeline.didShow(rows: rows)
  }

  func listView(
    _ listView: ListView, willDisplay cell: ListViewCell, forRowAt indexPath: IndexPath
  ) {
    timeline.listView(listView, willDisplay: cell, forRowAt: indexPath)
  }

  func listView(
    _ listView: ListView, didEndDisplaying cell: ListViewCell, forRowAt indexPath: IndexPath
  ) {
    timeline.listView(listView, didEndDisplaying: cell, forRowAt: indexPath)
  }

  func numberOfRows(in listView: ListView) -> Int { timeline.numberOfRows(in: listView) }

  func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
    record.note("identity")
    return timeline.listView(listView, rowIDForRowAt: indexPath)
  }

  func listView(_ listView: ListView, indexPathFor id: RowID) -> IndexPath? {
    timeline.listView(listView, indexPathFor: id)
  }

  func listView(_ listView: ListView, kindForRowAt indexPath: IndexPath) -> Int? {
    timeline.listView(listView, kindForRowAt: indexPath)
  }

  func listView(_ listView: ListView, textLengthOfRows rows: Range<Int>) -> Int? {
    timeline.listView(listView, textLengthOfRows: rows)
  }

  func listView(_ listView: ListView, heightForRowAt indexPath: IndexPath) -> Int? {
    record.note("height")
    return timeline.listView(listView, heightForRowAt: indexPath)
  }

  func listView(_ listView: ListView, heightBoundForRowAt indexPath: IndexPath) -> Int? {
    timeline.listView(listView, heightBoundForRowAt: indexPath)
  }

  func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    record.note("cell")
    return timeline.listView(listView, cellForRowAt: indexPath)
  }
}
