import TerminalApp
import TextLayout
import TimelineStore

/// Asks for a feed to follow, and lets the user choose if a page offers several.
@MainActor struct FollowPrompt {
  let follower: any FeedFollower
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
      switch await follower.find(name) {
      case .feed(let feed): await follow(feed)
      case .choice(let feeds, let page): choose(from: feeds, of: page)
      case .failed(let problem): application.tell(problem, .failure)
      }
    }
  }

  private func choose(from feeds: [FeedOffer], of page: String) {
    let menu = FeedMenu(feeds, of: page, placement: .panel) { menu, feed in
      application.window.dismiss(menu)
      guard let feed else { return application.tell("no feed was chosen", .hint) }
      Task { await follow(feed) }
    }
    application.window.present(menu)
  }

  private func follow(_ feed: FeedOffer) async {
    switch await follower.follow(feed) {
    case .followed(let message): application.tell(message)
    case .failed(let problem): application.tell(problem, .failure)
    }
  }
}
