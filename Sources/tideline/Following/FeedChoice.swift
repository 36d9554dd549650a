import Subscriptions
import System
import Terminal
import TextLayout
import TimelineStore

/// The choice of one of several feeds: on a screen, or else a list on standard error.
@MainActor struct FeedChoice {
  let display: DisplayRequest
  let finder: FeedFinder
  /// What to type to name one feed.
  let advice: String

  /// The user has left the choice.
  struct Left: Error {
    let status: Int32
  }

  /// The feed that the user chooses, confirmed to be a feed.
  ///
  /// - Throws: `Left`; `Failure` with status 65 if there is no terminal to choose on;
  ///   `FeedFindingError` if the feed cannot be read.
  func chosen(of feeds: [FoundFeed], named name: String) async throws -> FoundFeed {
    let page = feeds.first?.namedBy ?? name
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw failure(of: feeds, page: page, named: name)
    }
    try ResourceRequirements.screen.check()
    let choice: (feed: FoundFeed?, status: Int32)
    do {
      choice = try await Session(display: display, trace: nil).chooseFeed(of: feeds, namedBy: page)
    } catch is TerminalError {
      throw failure(of: feeds, page: page, named: name)
    }
    guard let feed = choice.feed else { throw Left(status: choice.status) }
    return try await finder.confirmed(feed)
  }

  /// Lists the feeds on standard error; returns the failure.
  private func failure(of feeds: [FoundFeed], page: String, named name: String) -> Failure {
    Program.tell("\(page) names \(feeds.count.counted("feed")):")
    for (index, feed) in feeds.enumerated() {
      let title = feed.title.isEmpty ? "" : "  \(feed.title)"
      let line = "  " + Sanitizer.line("\(index + 1)  \(feed.address)\(title)") + "\n"
      try? Output.write(line.utf8, to: STDERR_FILENO)
    }
    return Failure(
      message: "\(name): name one of them: \(advice)", status: Program.Status.dataError)
  }
}
