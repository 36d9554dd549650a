import Library
import TerminalApp
import TerminalViews
import TextLayout
import TimelineStore

/// What can be done with a timeline of a library besides reading it: marking posts, fetching feeds,
/// and looking at the list of feeds.
@MainActor package final class LibraryActions {
  /// The feeds of the timeline.
  enum FeedSelection {
    /// The source is no library.
    case none
    /// All feeds that are followed.
    case all(any FeedDirectory, RefreshMonitor)
    /// One of them, shown from the list of feeds.
    case one(FeedID, RefreshMonitor)
  }

  let marker: PostMarker
  private(set) var feeds: FeedSelection
  /// When posts become read; the same on all screens.
  let markRead: MarkReadChoice
  private let clock: PostClock
  /// Makes the content for the timeline of a feed.
  private var makeContent: (Feed, TimelineStore, LibraryActions) -> OpenedPost? = { _, _, _ in nil }
  /// `nil` before a list shows the timeline.
  private var onEffect: ((ListEffect) -> Void)?

  /// The timeline of all feeds of a directory, or of a source that is no library.
  convenience init(of store: TimelineStore, directory: (any FeedDirectory)?, clock: PostClock) {
    let feeds = directory.map { FeedSelection.all($0, RefreshMonitor(of: $0.refresher)) }
    self.init(of: store, feeds: feeds ?? .none, clock: clock, markRead: MarkReadChoice())
  }

  private init(
    of store: TimelineStore, feeds: FeedSelection, clock: PostClock, markRead: MarkReadChoice
  ) {
    (self.feeds, self.clock, self.markRead) = (feeds, clock, markRead)
    marker = PostMarker(of: store, clock: clock, choice: markRead)
  }

  /// The timeline of one of the feeds alone.
  func open(_ feed: Feed) -> OpenedPost? {
    guard case .all(let directory, let monitor) = feeds else { return nil }
    let store = directory.timeline(of: feed.id)
    let library = LibraryActions(
      of: store, feeds: .one(feed.id, monitor), clock: clock, markRead: markRead)
    return makeContent(feed, store, library)
  }

  /// Call this once the list shows the timeline's rows.
  ///
  /// - Parameter makeContent: makes the content for the timeline of a feed.
  func attach(
    to list: ListView, onEffect: @escaping (ListEffect) -> Void,
    makeContent: @escaping (Feed, TimelineStore, LibraryActions) -> OpenedPost?
  ) {
    self.makeContent = makeContent
    self.onEffect = onEffect
    marker.attach(to: list, onEffect: onEffect)
    observeFeeds(onEffect)
  }

  /// Shows the feeds of a source that turned out to be a list of them.
  func adopt(_ directory: any FeedDirectory) {
    guard case .none = feeds else { return }
    feeds = .all(directory, RefreshMonitor(of: directory.refresher))
    if let onEffect { observeFeeds(onEffect) }
  }

  private func observeFeeds(_ onEffect: @escaping (ListEffect) -> Void) {
    guard case .all(let directory, let monitor) = feeds else { return }
    monitor.onChange = { message in
      if let message { onEffect(.tell(message)) }
      onEffect(.changed)
    }
    directory.onChange = { [weak self] in
      self?.directoryRevision &+= 1
      onEffect(.changed)
    }
  }

  /// Counts the changes of the directory.
  private(set) var directoryRevision = 0

  // MARK: Fetching

  /// Fetches the feeds of the timeline that are due; one that is shown alone, in any case.
  ///
  /// - Returns: `.passed` if the source is no library.
  func refresh() -> CommandOutcome {
    switch feeds {
    case .none: return .passed
    case .all(_, let monitor): return monitor.refresh(.due).map { .refused($0) } ?? .done
    case .one(let feed, let monitor):
      return monitor.refresh(.feeds([feed])).map { .refused($0) } ?? .done
    }
  }

  var hasUnread: Bool { marker.store.marks.map { $0.unreadCount > 0 } ?? false }
  /// Whether there is a list of feeds.
  var hasFeeds: Bool { if case .none = feeds { false } else { true } }

  /// Whether there may be anything to say in the status line.
  var hasStatus: Bool {
    hasFeeds || marker.keepsMarks
  }

  /// The counts of unread and new posts and the progress of fetching, for the status line.
  ///
  /// - Parameters:
  ///   - listKey: the key that shows the list of feeds.
  ///   - errors: the rows that are no posts, which are not counted.
  func status(listKey: String, errors: ErrorRows?) -> String {
    var parts: [String] = []
    if let marks = marker.store.marks {
      let uncounted = errors?.marked ?? (unread: 0, new: 0)
      let (unread, new) = (
        marks.unreadCount - uncounted.unread, marks.newCount - uncounted.new
      )
      if unread > 0 { parts.append("\(unread) unread") }
      if new > 0 { parts.append("\(new) new") }
    }
    switch feeds {
    case .none: break
    case .all(_, let monitor): parts.append(monitor.words(key: listKey))
    // The failures of other feeds are not those of this one.
    case .one(let feed, let monitor):
      parts.append(monitor.isActive(feed) ? "asking …" : monitor.trouble)
    }
    return parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
