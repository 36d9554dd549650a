import TerminalViews
import TimelineStore
import TimelineUI
import VirtualList

/// The posts of a timeline, with a note of the way on which they are asked for.
@MainActor final class RecordedContent: ListContent {
  private let posts: PostListContent
  private let record: PathRecord

  init(_ posts: PostListContent, _ record: PathRecord) {
    self.posts = posts
    self.record = record
  }

  var title: String { posts.title }
  var rowName: String { posts.rowName }
  var isComplete: Bool { posts.isComplete }
  var activity: String { posts.activity }
  var message: (text: String, isError: Bool)? { posts.message }
  var notes: [String] { posts.notes }
  func attach(to screen: ListScreen) { posts.attach(to: screen) }

  func didShow(rows: Range<Int>) {
    record.note("rows show")
    posts.didShow(rows: rows)
  }

  func visibilityChanged(of cell: ListViewCell, isVisible: Bool) {
    posts.visibilityChanged(of: cell, isVisible: isVisible)
  }

  func numberOfRows(in listView: ListView) -> Int { posts.numberOfRows(in: listView) }

  func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
    record.note("identity")
    return posts.listView(listView, rowIDForRowAt: indexPath)
  }

  func listView(_ listView: ListView, indexPathFor id: RowID) -> IndexPath? {
    posts.listView(listView, indexPathFor: id)
  }

  func listView(_ listView: ListView, kindForRowAt indexPath: IndexPath) -> Int {
    posts.listView(listView, kindForRowAt: indexPath)
  }

  func listView(_ listView: ListView, textLengthOfRows rows: Range<Int>) -> Int? {
    posts.listView(listView, textLengthOfRows: rows)
  }

  func listView(_ listView: ListView, heightForRowAt indexPath: IndexPath) -> Int? {
    record.note("height")
    return posts.listView(listView, heightForRowAt: indexPath)
  }

  func listView(_ listView: ListView, heightBoundForRowAt indexPath: IndexPath) -> Int? {
    posts.listView(listView, heightBoundForRowAt: indexPath)
  }

  func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    record.note("cell")
    return posts.listView(listView, cellForRowAt: indexPath)
  }
}
