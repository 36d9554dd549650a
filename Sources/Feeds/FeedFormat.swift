/// The format of a timeline. The raw values are the names that `--format` accepts.
public enum FeedFormat: String, CaseIterable, Hashable, Sendable {
  /// One item a line: an item of JSON Feed, a Mastodon status, an activity or a Bluesky post.
  case jsonl
  /// JSON Feed 1.0 and 1.1, a bare array of its items, and RSS written in JSON.
  case jsonfeed
  /// RSS 0.9x, 1.0 and 2.0.
  case rss
  /// Atom 1.0, and 0.3 in feeds that still use it.
  case atom
  /// Statuses of Mastodon's API: an array, a single status, a thread's context, or search results.
  case mastodon
  /// A collection of ActivityPub or one of its pages, such as the outbox of an archive.
  case activitypub
  /// Posts of Bluesky's API: `feed` with a cursor, `posts`, a single post, or a thread.
  case bluesky
  /// Any other text; each paragraph is a row.
  case text

  /// Whether its rows are lines or paragraphs, which can be found from any offset and arrive one by
  /// one.
  public var isLines: Bool { self == .jsonl || self == .text }

  /// Whether it is an XML document.
  package var isXML: Bool { self == .rss || self == .atom }

  /// Whether it is one JSON document with a list of items.
  public var isJSONDocument: Bool {
    switch self {
    case .jsonfeed, .mastodon, .activitypub, .bluesky: true
    case .jsonl, .rss, .atom, .text: false
    }
  }
}
