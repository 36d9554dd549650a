import Feeds
import Library

/// The posts of a library in their order, for printing.
package actor LibraryReader: PostReader {
  private nonisolated let library: FeedLibrary
  private nonisolated let scope: FeedScope
  private nonisolated let key: String
  private nonisolated let form: ContentForm
  private nonisolated let contents: MergedContents?
  private var state: (posts: LibraryPostReader, marks: MarkSnapshot)?
  private var matcher: PostMatcher?
  private var last: ItemPlace?
  private var isAtEnd = false

  /// The posts of a batch.
  private static let postsAtOnce = 1_000

  /// - Parameters:
  ///   - timeline: the key of a timeline; posts that arrived after the last visit there are new.
  ///   - query: `nil` for all posts.
  ///   - contents: what belongs to the posts of merged sources besides their library.
  package init(
    _ library: FeedLibrary, scope: FeedScope, timeline: String, as form: ContentForm,
    fitting query: PostQuery?, contents: MergedContents? = nil
  ) {
    (self.library, self.scope, self.form) = (library, scope, form)
    self.contents = contents
    key = timeline
    matcher = query.map { PostMatcher($0) }
  }

  package func next() async throws(SourceError) -> SourceReader.Batch? {
    guard !isAtEnd else { return nil }
    do throws(LibraryError) {
      return try read()
    } catch {
      isAtEnd = true
      throw SourceError(error)
    }
  }

  private func read() throws(LibraryError) -> SourceReader.Batch? {
    let (reader, marks) = try opened()
    let places = try library.places(in: scope, after: last, count: Self.postsAtOnce)
    last = places.last
    isAtEnd = places.count < Self.postsAtOnce
    let entries = try library.entries(of: places.map(\.item))
    var posts: [Post] = []
    for (place, entry) in zip(places, entries) {
      guard let entry else { continue }
      let post = reader.post(entry, item: place.item)
      let context = MatchContext(
        marks: marks.marks(of: place.item), feedNames: reader.names(of: entry.feed))
      if matcher?.fits(post, in: context) ?? true { posts.append(post) }
    }
    return SourceReader.Batch(info: TimelineInfo(), posts: posts)
  }

  private func opened() throws(LibraryError) -> (LibraryPostReader, MarkSnapshot) {
    if let state { return state }
    let latest = try library.visit(of: key)?.latestItem
    let opened = (
      posts: try LibraryPostReader(of: library, as: form, contents: contents),
      marks: try MarkSnapshot(of: library, latestItem: latest)
    )
    state = opened
    return opened
  }
}
