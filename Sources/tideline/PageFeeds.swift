import HTTP
import Subscriptions
import TimelineStore

/// Finds the feeds of web pages among merged sources.
struct PageFeeds: PageFeedFinder {
  let network: Network

  func feed(ofPageAt link: HTTPLink) async -> PageFeed? {
    Self.feed(try? await FeedFinder(transport: network.transport()).firstFeed(at: link))
  }

  func feed(ofPage bytes: [UInt8], named path: String) async -> PageFeed? {
    let finder = FeedFinder(transport: network.transport())
    return Self.feed(await finder.firstFeed(ofPage: bytes, name: path))
  }

  private static func feed(_ found: FoundFeed?) -> PageFeed? {
    found.map { PageFeed(address: $0.address, reach: $0.reach) }
  }
}
