import Feeds
import Library

/// The posts of a library in their order, for printing.
package actor LibraryReader: PostReader {
  private nonisolated let library: FeedLibrary
  private nonisolated let scope: FeedScope
  private nonisolated let form: ContentForm
  private var reader: LibraryPostReader?
  private var last: ItemPlace?
  private var isAtEnd = false

  /// The posts of a batch.
  private static let postsAtOnce = 1_000

  package init(_ library: FeedLibrary, scope: FeedScope, as form: ContentForm) {
    (self.library, self.scope, self.form) = (library, scope, form)
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
    if reader == nil { reader = try LibraryPostReader(of: library, as: form) }
    guard let reader else { return nil }
    let places = try library.places(in: scope, after: last, count: Self.postsAtOnce)
    last = places.last
    isAtEnd = places.count < Self.postsAtOnce
    let entries = try library.entries(of: places.map(\.item))
    let posts = zip(places, entries).compactMap { place, entry in
      entry.map { reader.post($0, item: place.item) }
    }
    return SourceReader.Batch(info: TimelineInfo(), posts: posts)
  }
}
