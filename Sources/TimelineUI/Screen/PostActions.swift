import Feeds
import Pictures
import TerminalApp
import TerminalViews

/// What can be done with the posts of a list. Rows are those of the list.
@MainActor package protocol PostActions: AnyObject {
  /// The pictures of the posts.
  var pictures: PictureStore { get }
  /// The largest width of text.
  var reading: ReadingWidth { get }
  /// The clock for the ages of the posts.
  var clock: PostClock { get }

  /// The post that keys act on in this row; `nil` if there is none.
  func post(ofRow row: Int) -> Post?

  /// Whether the reader has revealed the content that the row's post hides behind a warning.
  func isRevealed(row: Int) -> Bool

  /// Reveals content that a row hides behind a warning, or hides it again.
  ///
  /// - Returns: the rows whose cells are to be configured again; none if the row hides nothing.
  func toggleCover(ofRow row: Int) -> [Int]

  /// The program that prints articles.
  var article: ArticleReader { get }

  /// Has the program print the article of the post that the whole screen is about: starts it, stops
  /// it, or goes to the article if it is there.
  func readArticle() -> CommandOutcome

  /// The post that marks are given to in this row; `nil` if its timeline keeps no marks.
  func markTarget(ofRow row: Int) -> MarkTarget?

  /// Opens the post of a row on a screen of its own; `nil` if there is nothing more to show.
  func open(row: Int) -> OpenedPost?

  /// The timeline as a whole; `nil` if the posts are only a part of one.
  var timeline: PostListContent? { get }
}

/// A post that can be marked, in the timeline that keeps the marks.
package struct MarkTarget {
  let marker: PostMarker
  /// The row in that timeline.
  let row: Int
}

/// A post, or a feed's timeline, whose screen is to be shown.
package struct OpenedPost {
  let content: any ListContent
  /// The row to begin with.
  let row: Int
  /// Cancels pending work; to be called when the screen is closed.
  let close: @MainActor () -> Void
}

/// Contents whose rows are posts.
extension ListContent where Self: PostActions {
  package var posts: (any PostActions)? { self }

  package func retryPictures(in cell: ListViewCell) -> Bool {
    (cell as? PostCell)?.retryPictures() ?? false
  }

  package func listView(
    _ listView: ListView, willDisplay cell: ListViewCell, forRowAt indexPath: IndexPath
  ) {
    (cell as? PostCell)?.picturePriority = .visible
  }

  package func listView(
    _ listView: ListView, didEndDisplaying cell: ListViewCell, forRowAt indexPath: IndexPath
  ) {
    (cell as? PostCell)?.picturePriority = .near
  }
}
