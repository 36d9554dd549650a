import Subscriptions
import TerminalApp
import TextLayout
import TimelineStore

/// Asks for a feed to follow, and lets the user choose if a page offers several.
@MainActor struct FollowPrompt {
  let directory: any FeedDirectory
  let application: TerminalApplication

  func open() {
    let prompt = LinePrompt("follow:")
    prompt.hintText = { "a site, a feed or an account   Enter looks for it   Esc leaves it" }
    prompt.onSubmit = { text, _ in find(String(text.trimmed(where: \.isWhitespace))) }
    prompt.open(in: application.window)
  }

  /// Looks for the feed that a text names, and follows it.
  func find(_ name: String) {
    guard !name.isEmpty else { return }
    application.tell("looking for a feed of \(name) …")
    Task {
      do throws(FeedFindingError) {
        switch try await directory.find(name) {
        case .feed(let feed): await follow(feed, isConfirmed: true)
        case .choice(let feeds): choose(from: feeds, of: feeds.first?.namedBy ?? name)
        case .list:
          application.tell(
            "\(name): a list of feeds; tideline add follows all of them", .failure)
        }
      } catch {
        application.tell(error.message, .failure)
      }
    }
  }

  private func choose(from feeds: [FoundFeed], of page: String) {
    let menu = FeedMenu(feeds, of: page, placement: .panel) { menu, feed in
      application.window.dismiss(menu)
      guard let feed else { return application.tell("no feed was chosen", .hint) }
      Task { await follow(feed, isConfirmed: false) }
    }
    application.window.present(menu)
  }

  private func follow(_ feed: FoundFeed, isConfirmed: Bool) async {
    let (message, isFollowed) = await directory.follow(feed, isConfirmed: isConfirmed)
    application.tell(message, isFollowed ? .information : .failure)
  }
}
