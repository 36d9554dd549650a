/// What a timeline can be written in. The raw values are the names `--format` takes.
public enum FeedFormat: String, CaseIterable, Hashable, Sendable {
  /// One item a line: of JSON Feed, or a Mastodon status, an activity, a Bluesky post.
  case jsonl
  /// JSON Feed 1.0 and 1.1, a bare array of its items, and RSS written in JSON.
  case jsonfeed
  /// RSS 0.9x, 1.0 and 2.0.
  case rss
  /// Atom 1.0, and what is left of 0.3.
  case atom
  /// Statuses of Mastodon's API: an array of them, one alone, a thread's context, search results.
  case mastodon
  /// A collection of ActivityPub or a page of one, such as the outbox of an archive.
  case activitypub
  /// Posts of Bluesky's API: `feed` with a cursor, `posts`, one alone.
  case bluesky
  /// Anything else that is text: a paragraph a row.
  case text

  /// Whether its rows are lines and paragraphs, which are found from any place on and come one by
  /// one.
  public var isLines: Bool { self == .jsonl || self == .text }

  /// Whether it is a document of XML.
  package var isXML: Bool { self == .rss || self == .atom }

  /// Whether it is one document of JSON with a list of items.
  public var isJSONDocument: Bool {
    switch self {
    case .jsonfeed, .mastodon, .activitypub, .bluesky: true
    case .jsonl, .rss, .atom, .text: false
    }
  }
}
