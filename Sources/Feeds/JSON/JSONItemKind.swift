/// What an object of JSON is, among those that make posts.
enum JSONItemKind: Hashable, Sendable {
  case feedItem
  /// A status of Mastodon's API, or an event of its streams that carries one.
  case status
  /// An activity or object of ActivityPub.
  case activity
  /// A post of Bluesky's API, or an element of its feeds.
  case blueskyPost

  /// What the items of a document of `format` are; nil where each is told apart by itself.
  init?(itemsOf format: FeedFormat) {
    switch format {
    case .jsonfeed: self = .feedItem
    case .mastodon: self = .status
    case .activitypub: self = .activity
    case .bluesky: self = .blueskyPost
    case .jsonl, .rss, .atom, .text: return nil
    }
  }

  /// The format of a document of such items.
  var documentFormat: FeedFormat {
    switch self {
    case .feedItem: .jsonfeed
    case .status: .mastodon
    case .activity: .activitypub
    case .blueskyPost: .bluesky
    }
  }

  /// What `value` looks like; nil where it looks like none of them.
  init?(of value: JSONValue) {
    guard case .object(let members) = value else { return nil }
    var signs = JSONItemSigns()
    for member in members where !member.value.isNull {
      var isObject = false
      if case .object = member.value { isObject = true }
      signs.add(member.key, text: member.value.text, isObject: isObject)
    }
    guard let kind = signs.kind else { return nil }
    self = kind
  }
}

/// What the names of an object's members tell about it, gathered one by one: a few suffice.
struct JSONItemSigns {
  private var feedItem = 0
  private var status = 0
  private var activity = 0
  private var bluesky = 0
  private var hasActivityType = false

  /// - Parameters:
  ///   - text: the value where it is a string; its beginning is enough.
  ///   - isObject: the value is an object.
  mutating func add(_ name: String, text: String?, isObject: Bool) {
    switch name {
    case "content_text", "content_html", "date_published", "date_modified", "external_url":
      feedItem += 1
    case "account", "quoted_status", "reblog": if isObject { status += 1 }
    case "content": if text != nil { status += 1 }
    case "spoiler_text", "visibility", "favourites_count", "reblogs_count", "replies_count",
      "in_reply_to_account_id", "in_reply_to_id", "media_attachments", "edited_at":
      status += 1
    // Events of a stream have their status in a string.
    case "payload": if text?.hasPrefix("{") == true { status += 1 }
    case "event": if text == "update" || text == "status.update" { status += 1 }
    case "state": if text == "accepted" { status += 1 }
    case "actor", "object", "attributedTo", "to", "cc", "@context", "inReplyTo": activity += 1
    case "type": hasActivityType = text.map(Self.activityTypes.contains) ?? false
    case "post": if isObject { bluesky += 2 }
    case "uri": if text?.hasPrefix("at://") == true { bluesky += 1 }
    case "record", "author", "value": if isObject { bluesky += 1 }
    default: break
    }
  }

  /// Nil where it is not clear.
  var kind: JSONItemKind? {
    if feedItem > 0 { return .feedItem }
    if status >= 2 { return .status }
    if hasActivityType, activity > 0 { return .activity }
    return bluesky >= 2 ? .blueskyPost : nil
  }

  private static let activityTypes: Set<String> = [
    "Create", "Announce", "Update", "Add", "Like", "Delete", "Undo", "Note", "Article", "Page",
    "Question", "Image", "Video", "Audio", "Event", "Document",
  ]
}
