import Library
import Subscriptions
import System
import TimelineStore

/// Finds and follows the feeds that the user names in the list of feeds.
@MainActor final class ScreenFollower: FeedFollower {
  private let library: FeedLibrary
  private let finder: FeedFinder
  private let isOffline: Bool
  /// Called with the feed after each success, even if it was followed before.
  private let onFollow: (FeedID) -> Void
  /// The feeds of the last search, and whether they were fetched and can be read.
  private var last: (feeds: [FoundFeed], areConfirmed: Bool) = ([], true)
  private static let thread = WorkerThreads(limit: 1)

  init(
    _ library: FeedLibrary, finder: FeedFinder, isOffline: Bool,
    onFollow: @escaping (FeedID) -> Void
  ) {
    (self.library, self.finder) = (library, finder)
    (self.isOffline, self.onFollow) = (isOffline, onFollow)
  }

  func find(_ name: String) async -> FeedSearchResult {
    guard !isOffline else { return .failed("offline: nothing is fetched") }
    do throws(FeedFindingError) {
      switch try await finder.find(name) {
      case .feed(let feed):
        last = ([feed], true)
        return .feed(Self.offer(feed))
      case .choice(let feeds):
        last = (feeds, false)
        return .choice(feeds.map(Self.offer), page: feeds.first?.namedBy ?? name)
      case .list: return .failed("\(name): a list of feeds; tideline add follows all of them")
      }
    } catch {
      return .failed(error.message)
    }
  }

  private static func offer(_ feed: FoundFeed) -> FeedOffer {
    FeedOffer(address: feed.address, title: feed.title)
  }

  func follow(_ offer: FeedOffer) async -> FollowOutcome {
    guard let found = last.feeds.first(where: { $0.address == offer.address }) else {
      return .failed("\(offer.address): not followed")
    }
    do throws(FeedFindingError) {
      return await follow(last.areConfirmed ? found : try await finder.confirmed(found))
    } catch {
      return .failed(error.message)
    }
  }

  private func follow(_ feed: FoundFeed) async -> FollowOutcome {
    let library = library
    let result = await Self.thread.value {
      Result { () throws(LibraryError) in
        try library.follow(feed.address, title: feed.title, at: SystemClock.wallTime)
      }
    }
    switch result {
    case .success(let (id, isNew)):
      onFollow(id)
      let name = feed.title.isEmpty ? feed.address : feed.title
      return .followed("\(isNew ? "following" : "already following") \(name)")
    case .failure(let error): return .failed("not followed: \(error)")
    }
  }
}
