/// What a timeline can be written in. The raw values are the names `--format` takes.
public enum FeedFormat: String, CaseIterable, Hashable, Sendable {
  /// One JSON Feed item a line.
  case jsonl
  /// JSON Feed 1.0 and 1.1, a bare array of its items, and RSS written in JSON.
  case jsonfeed
  /// RSS 0.9x, 1.0 and 2.0.
  case rss
  case atom
  /// Anything else that is text: a paragraph a row.
  case text
}
