import Library
import Subscriptions
import System
import TextLayout

/// The feeds of a library, for the list of feeds.
///
/// Reads and writes on a thread of its own, one after the other: a reading contains every earlier
/// change.
@MainActor package final class FeedCatalog: FeedDirectory {
  private let library: FeedLibrary
  private let screen: OpenLibrary
  package let refresher: TimelineRefresher
  private let thread = WorkerThreads(limit: 1)
  package private(set) var feeds: [Feed] = []
  package var onChange: (() -> Void)?
  /// Finds further feeds; `nil` if nothing is fetched.
  package var finder: FeedFinder?
  /// Called with each feed that was found and followed, even if it was followed before; `nil` if
  /// none can be followed here.
  package var onFollow: ((FeedID) -> Void)?
  /// The feed that was left last, until it is followed again.
  private var left: Feed?
  package private(set) var reading = FeedReading.active
  /// Whether the feeds are being read, and have to be read again afterwards.
  private var task = (isActive: false, isAsked: false)
  /// The time of the last reading during a refresh, in microseconds.
  private var lastReading = 0

  /// The time between two readings during a refresh.
  private static let restMicroseconds = 1_000_000

  package init(of screen: OpenLibrary, refresher: TimelineRefresher) {
    (self.screen, self.refresher) = (screen, refresher)
    library = screen.library
    screen.onOtherChanges = { [weak self] in self?.reload() }
    refresher.observe { [weak self] event in
      switch event {
      case .ended, .deleted: self?.reload()
      case .fetched, .failed: self?.reloadWhileFetching()
      case .began, .progressed: self?.onChange?()
      case .named, .postponed, .moved, .noticed, .libraryFailed: break
      }
    }
  }

  /// Reads the feeds again unless they were read just before; they are at the end of the refresh. A
  /// thousand feeds that arrive within seconds would otherwise read all feeds a thousand times.
  private func reloadWhileFetching() {
    let now = SystemClock.monotonic
    guard now - lastReading >= Self.restMicroseconds else { return }
    lastReading = now
    reload()
  }

  package var isKept: Bool { !library.isTemporary }

  package func reload() {
    guard !task.isActive else {
      task.isAsked = true
      return
    }
    task = (true, false)
    let library = library
    Task {
      let result = await thread.value {
        Result { () throws(LibraryError) in Self.sorted(try library.feeds()) }
      }
      task.isActive = false
      switch result {
      case .success(let feeds): adopt(feeds)
      case .failure(let error):
        reading = .failed("\(error)")
        onChange?()
      }
      if task.isAsked { reload() }
    }
  }

  private func adopt(_ new: [Feed]) {
    feeds = new
    reading = .done
    screen.takeNames(of: new)
    onChange?()
  }

  /// - Complexity: O(n log n)
  private nonisolated static func sorted(_ feeds: [Feed]) -> [Feed] {
    feeds.sorted { a, b in
      if NaturalOrder.areInOrder(a.name, b.name) { return true }
      return a.id < b.id && !NaturalOrder.areInOrder(b.name, a.name)
    }
  }

  // MARK: Changes

  /// Writes a change in the background, and reads the feeds again.
  private func write(
    _ completion: @escaping @MainActor (_ problem: String?) -> Void,
    _ change: @escaping @Sendable (FeedLibrary) throws(LibraryError) -> Void
  ) {
    let library = library
    Task {
      let result = await thread.value {
        Result { () throws(LibraryError) -> [Feed] in
          try change(library)
          return Self.sorted(try library.feeds())
        }
      }
      switch result {
      case .success(let feeds):
        adopt(feeds)
        completion(nil)
      case .failure(let error): completion("\(error)")
      }
    }
  }

  package func rename(
    _ feed: FeedID, to name: String, _ completion: @escaping @MainActor (_ problem: String?) -> Void
  ) {
    write(completion) { (library) throws(LibraryError) in
      try library.rename(feed, to: name.isEmpty ? nil : name)
    }
  }

  package func tag(
    _ feed: FeedID, with tags: [String],
    _ completion: @escaping @MainActor (_ problem: String?) -> Void
  ) {
    write(completion) { (library) throws(LibraryError) in try library.tag(feed, with: tags) }
  }

  package func leave(
    _ feed: FeedID, _ completion: @escaping @MainActor (_ problem: String?) -> Void
  ) {
    let leaving = feeds.first { $0.id == feed }
    let left: @MainActor (String?) -> Void = { [weak self] problem in
      if problem == nil { self?.left = leaving }
      completion(problem)
    }
    write(left) { (library) throws(LibraryError) in try library.leave(feed, purge: false) }
  }

  package func undoLeaving(
    _ completion: @escaping @MainActor (_ problem: String?) -> Void
  ) -> Bool {
    guard let feed = left else { return false }
    left = nil
    let now = SystemClock.wallTime
    let followed: @MainActor (String?) -> Void = { [weak self] problem in
      if problem != nil { self?.left = feed }
      completion(problem)
    }
    write(followed) { (library) throws(LibraryError) in
      _ = try library.follow(
        feed.address, title: feed.title, ownName: feed.ownName, tags: feed.tags, at: now)
    }
    return true
  }

  // MARK: Further feeds

  package var canFollow: Bool { onFollow != nil }

  package func find(_ name: String) async throws(FeedFindingError) -> FeedFinding {
    guard let finder else {
      throw FeedFindingError(name: "offline", reason: .unusable("nothing is fetched"))
    }
    return try await finder.find(name)
  }

  package func follow(
    _ feed: FoundFeed, isConfirmed: Bool
  ) async -> (message: String, isFollowed: Bool) {
    var found = feed
    do throws(FeedFindingError) {
      if !isConfirmed, let finder { found = try await finder.confirmed(feed) }
    } catch {
      return (error.message, false)
    }
    let result = await thread.value { [library, found] in
      Result { () throws(LibraryError) in
        try library.follow(found.address, title: found.title, at: SystemClock.wallTime)
      }
    }
    switch result {
    case .success(let (id, isNew)):
      reload()
      onFollow?(id)
      let name = found.title.isEmpty ? found.address : found.title
      return ("\(isNew ? "following" : "already following") \(name)", true)
    case .failure(let error): return ("not followed: \(error)", false)
    }
  }

  package func timeline(of feed: FeedID) -> TimelineStore {
    let known = feeds.first { $0.id == feed }
    return screen.timeline(
      of: .feed(feed), name: known?.name ?? "", key: "feed \(known?.address ?? "")")
  }
}
