import ArgumentParser
import Feeds
import Library
import Subscriptions
import System
import TerminalApp

/// Performs the commands for feeds that are followed; each returns its exit status.
@MainActor enum Following {
  /// The settings of the user's configuration file.
  private static var settings: LibrarySettings { LibrarySettings(in: configuration) }
  private static var configuration: ConfigurationFile? { DisplayRequest().configuration }

  static func perform(_ command: AddCommand) async throws -> Int32 {
    try ResourceRequirements.following.check()
    let library = try LibraryLocation.open(command.options, settings)
    let finder = FeedFinder(transport: Network(configuredBy: configuration).transport())
    return try await FeedAddition(library: library, finder: finder).perform(command.what)
  }

  static func perform(_ command: RemoveCommand) throws -> Int32 {
    let library = try LibraryLocation.openExisting(command.options, settings)
    let feeds = try command.what.map { try FollowedFeeds(of: library).feed(called: $0) }
    for feed in feeds {
      try library?.leave(feed.id, purge: command.purge)
      _ = try PlainOutput.write("left \(FeedRefresh.name(of: feed))\n")
    }
    return 0
  }

  static func perform(_ command: FeedsCommand) throws -> Int32 {
    try PlainOutput.check()
    guard let library = try LibraryLocation.openExisting(command.options) else { return 0 }
    let feeds = try FollowedFeeds(of: library).feeds
    _ = try PlainOutput.write(command.json ? FeedListing.json(feeds) : FeedListing.text(feeds))
    return 0
  }

  static func perform(_ command: RefreshCommand) async throws -> Int32 {
    try ResourceRequirements.following.check()
    let settings = settings
    let library = try LibraryLocation.openExisting(command.options, settings)
    let followed = try FollowedFeeds(of: library)
    let demand: RefreshDemand =
      if command.what.isEmpty {
        command.all ? .all : .due
      } else {
        .feeds(try command.what.map { try followed.feed(called: $0).id })
      }
    guard let library, !followed.feeds.isEmpty else {
      Program.tell("you follow no feeds yet; tideline add NAME follows one")
      return 0
    }
    let fetch = FeedFetch(transport: Network(configuredBy: configuration).transport())
    return try await FeedRefresh(library: library, fetch: fetch, minutes: settings.refreshMinutes)
      .perform(demand)
  }

  static func perform(_ command: ExportCommand) throws -> Int32 {
    try PlainOutput.check()
    let library = try LibraryLocation.openExisting(command.options)
    if command.json {
      if let library { try FeedListing.printItems(of: library) }
    } else {
      let feeds = try library.map { try FollowedFeeds(of: $0).feeds } ?? []
      _ = try PlainOutput.write(FeedListing.opml(feeds))
    }
    return 0
  }
}
