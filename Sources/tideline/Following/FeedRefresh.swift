import Library
import Subscriptions
import Synchronization
import System
import TextLayout

/// `tideline refresh`: fetches feeds and reports those that failed.
@MainActor struct FeedRefresh {
  let library: FeedLibrary
  let fetch: FeedFetch
  /// The minutes between two requests of a feed; `nil` for the usual number.
  let minutes: Int?

  /// - Returns: the exit status: 69 if all feeds failed, 74 if an answer could not be written.
  func perform(_ demand: RefreshDemand) async throws -> Int32 {
    if let obstacle = library.obstacle { throw obstacle }
    let feeds = try FollowedFeeds(of: library).feeds
    let names = Dictionary(feeds.map { ($0.id, Self.name(of: $0)) }) { first, _ in first }
    let unwritten = UnwrittenAnswers()
    let policy = minutes.map { RefreshPolicy(interval: Double($0) * 60) } ?? RefreshPolicy()
    let refresher = FeedRefresher(
      library: library, fetch: fetch, policy: policy, clock: .system()
    ) { event in
      switch event {
      case .failed(let failure):
        let end = failure.isPaused ? Self.pauseNotice : ""
        Program.tell("\(names[failure.feed] ?? failure.feed.description): \(failure.message)\(end)")
      case .postponed(let feed, let seconds):
        let name = names[feed] ?? feed.description
        Program.tell("\(name): its server wants no requests for \(Self.duration(seconds))")
      case .fetched(let changes, let omission?):
        Program.tell("\(names[changes.feed] ?? changes.feed.description): \(omission)")
      case .moved(let feed, let address, _):
        Program.tell("\(names[feed] ?? feed.description): has moved to \(address)")
      case .libraryFailed(let error): unwritten.note(error)
      case .fetched, .began, .named, .progressed, .deleted, .noticed, .ended: break
      }
    }
    let summary = await refresher.refresh(demand)
    if let error = unwritten.first { throw error }
    if isatty(STDOUT_FILENO) == 1 { _ = try PlainOutput.write(Self.line(of: summary) + "\n") }
    return summary.asked > 0 && summary.failed == summary.asked ? Program.Status.unavailable : 0
  }

  private nonisolated static let pauseNotice =
    "; it is asked again only by its name: tideline refresh NAME"

  private nonisolated static func line(of summary: RefreshProgress) -> String {
    summary.asked == 0
      ? "no feed is due"
      : "\(summary.added.counted("new item")) in \(summary.asked.counted("feed"))"
  }

  /// The name and the address of a feed.
  nonisolated static func name(of feed: Feed) -> String {
    feed.name == feed.address ? feed.address : "\(feed.name) (\(feed.address))"
  }

  private nonisolated static func duration(_ seconds: Double) -> String {
    let minutes = Int((min(max(0, seconds), 1e9) / 60).rounded(.up))
    return minutes < 120 ? minutes.counted("minute") : (minutes / 60).counted("hour")
  }

  /// The first answer that could not be written, noted on any thread.
  private final class UnwrittenAnswers: Sendable {
    private let error = Mutex<LibraryError?>(nil)

    var first: LibraryError? { error.withLock { $0 } }

    func note(_ new: LibraryError) { error.withLock { $0 = $0 ?? new } }
  }
}
