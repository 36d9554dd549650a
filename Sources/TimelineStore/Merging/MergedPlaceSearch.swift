import Feeds
import Library
import System

/// Looks for the post of a remembered place among the items of merged sources, in the background.
///
/// 1. The id of such a post begins with the address of its source, so only the items of that source
///    are read, newest first, in pieces.
/// 2. A post is parsed only if the bytes of its item contain a stretch of the id. Ids that the
///    reader makes itself stand in no item: if none is found, some items are parsed all the same.
@MainActor final class MergedPlaceSearch {
  private enum State {
    case idle
    case running(StoredPostIdentity, Task<Void, Never>)
    /// The item; `nil` if there is none.
    case ended(StoredPostIdentity, ItemPlace?)
  }

  private var state = State.idle

  isolated deinit { cancel() }

  /// The item of a post, once it was looked for; `.some(nil)` if there is none.
  func result(for post: StoredPostIdentity) -> ItemPlace?? {
    if case .ended(post, let item) = state { item } else { nil }
  }

  /// Looks for a post, unless it is being looked for.
  ///
  /// - Parameter onEnd: called when the result is known.
  func start(
    _ post: StoredPostIdentity, in library: FeedLibrary, by reader: LibraryPostReader,
    onEnd: @escaping () -> Void
  ) {
    if case .running(post, _) = state { return }
    cancel()
    let scan = Scan(post, in: library, by: reader)
    let task = Task { [weak self] in
      let item = await withTaskExecutorPreference(WorkerThreads.pages) { await scan.run() }
      guard let self, !Task.isCancelled else { return }
      state = .ended(post, item)
      onEnd()
    }
    state = .running(post, task)
  }

  func cancel() {
    if case .running(_, let task) = state { task.cancel() }
    state = .idle
  }

  private struct Scan: Sendable {
    let library: FeedLibrary
    let reader: LibraryPostReader
    let mark: StoredPostIdentity
    /// The sources that the post may belong to, and the pattern of its id in each.
    let sources: [(feed: FeedID, pattern: PostIDPattern?)]

    /// The items that are read at once.
    private static let pieceCount = 1_000
    /// The items of a source that are parsed although they do not contain the id.
    private static let parsedCount = 20_000

    init(_ mark: StoredPostIdentity, in library: FeedLibrary, by reader: LibraryPostReader) {
      (self.library, self.reader, self.mark) = (library, reader, mark)
      sources = reader.feeds.values.sorted { $0.id < $1.id }.compactMap { feed in
        guard let id = mark.id else { return (feed.id, nil) }
        guard id.hasPrefix("\(feed.address)#") else { return nil }
        let own = id.dropFirst(feed.address.count + 1)
        // The id is a position.
        return (feed.id, own.hasPrefix("byte ") ? nil : PostIDPattern(id: own))
      }
    }

    func run() async -> ItemPlace? {
      for (feed, pattern) in sources {
        if let pattern, let item = await item(of: feed, atMost: .max, pattern) { return item }
        if let item = await item(of: feed, atMost: Self.parsedCount, nil) { return item }
      }
      return nil
    }

    private func item(
      of feed: FeedID, atMost limit: Int, _ pattern: PostIDPattern?
    ) async -> ItemPlace? {
      var last: ItemPlace?
      var left = limit
      while left > 0, !Task.isCancelled {
        guard
          let places = try? library.places(in: .feed(feed), after: last, count: Self.pieceCount),
          let entries = try? library.entries(of: places.map(\.item))
        else { return nil }
        for (place, entry) in zip(places, entries) where isPost(entry, place.item, pattern) {
          return place
        }
        guard places.count == Self.pieceCount else { return nil }
        (last, left) = (places.last, left - places.count)
        // Other requests have their turns.
        await WorkerThreads.pages.value {}
      }
      return nil
    }

    private func isPost(
      _ entry: LibraryEntry?, _ item: ItemID, _ pattern: PostIDPattern?
    ) -> Bool {
      guard let entry, pattern.map({ reader.contains($0, in: entry) }) ?? true else { return false }
      return mark.isMarkOf(reader.post(entry, item: item))
    }
  }
}
