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
  public var isJSONDocument: Bool { !isLines && !isXML }
}

/// How a format is recognized, divided into rows, read and searched.
enum FormatDescriptor {
  /// Lines, each of which is an item in any of the JSON formats.
  case lines
  /// Text in paragraphs.
  case paragraphs
  /// An XML document with one of these root elements; an item may stand alone.
  case xml(roots: [String])
  /// A JSON document.
  case json(JSONFormat)
}

extension FeedFormat {
  /// The table of all formats. A new network needs a case above, an entry in each of the two lists
  /// below, and a ``JSONFormat``. If the items of two networks share signs, the first case wins.
  var descriptor: FormatDescriptor {
    switch self {
    case .jsonl: .lines
    case .jsonfeed: .json(.feed)
    case .rss: .xml(roots: ["rss", "rdf", "channel", "item"])
    case .atom: .xml(roots: ["feed", "entry"])
    case .mastodon: .json(.mastodon)
    case .activitypub: .json(.activityPub)
    case .bluesky: .json(.bluesky)
    case .text: .paragraphs
    }
  }

  /// The supported networks, separated by commas, for the help.
  package static let networks = "Mastodon, ActivityPub, Bluesky"

  /// The formats of JSON documents.
  static let ofJSON = allCases.filter(\.isJSONDocument)

  /// How its JSON is read; ``JSONFormat/feed`` for formats other than JSON documents.
  var json: JSONFormat {
    if case .json(let format) = descriptor { format } else { .feed }
  }

  /// Whether an XML document with this root is in the format.
  func hasRoot(_ name: String) -> Bool {
    if case .xml(let roots) = descriptor { roots.contains(name) } else { false }
  }
}
