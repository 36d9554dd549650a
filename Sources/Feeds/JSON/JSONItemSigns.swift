/// What the names of an object's members tell about it, gathered one by one: a few suffice.
struct JSONItemSigns {
  /// An item of JSON Feed.
  private var feedItem = 0
  /// A status of Mastodon's API, or an event of its streams that carries one.
  private var status = 0
  /// An activity or object of ActivityPub.
  private var activity = 0
  /// A post of Bluesky's API, or an element of its feeds.
  private var bluesky = 0
  private var hasActivityType = false

  init() {}

  /// The signs of the members of `value`, if it is an object.
  init(of value: JSONValue) {
    guard case .object(let members) = value else { return }
    for member in members where !member.value.isNull {
      var isObject = false
      if case .object = member.value { isObject = true }
      add(member.key, text: member.value.text, isObject: isObject)
    }
  }

  /// - Parameters:
  ///   - text: the value where it is a string; its beginning is enough.
  ///   - isObject: the value is an object.
  mutating func add(_ name: String, text: String?, isObject: Bool) {
    switch name {
    case "content_text", "content_html", "date_published", "date_modified", "external_url":
      feedItem += 1
    case "account", "quoted_status", "reblog", "status": if isObject { status += 1 }
    case "content": if text != nil { status += 1 }
    case "spoiler_text", "visibility", "favourites_count", "reblogs_count", "replies_count",
      "in_reply_to_account_id", "in_reply_to_id", "media_attachments", "edited_at":
      status += 1
    // Events of a stream have their status in a string.
    case "payload": if text?.hasPrefix("{") == true { status += 1 }
    case "event": if text == "update" || text == "status.update" { status += 1 }
    case "state": if text == "accepted" { status += 1 }
    case "actor", "object", "attributedTo", "to", "cc", "@context", "inReplyTo": activity += 1
    case "type":
      hasActivityType = text.map(Self.activityTypes.contains) ?? false
      if let text, StatusReader.notifications[text] != nil { status += 1 }
    case "post": if isObject { bluesky += 2 }
    case "uri": if text?.hasPrefix("at://") == true { bluesky += 1 }
    case "record", "author", "value": if isObject { bluesky += 1 }
    default: break
    }
  }

  /// The format of a document of such objects; nil where it is not clear.
  var format: FeedFormat? {
    if feedItem > 0 { return .jsonfeed }
    if status >= 2 { return .mastodon }
    if hasActivityType, activity > 0 { return .activitypub }
    return bluesky >= 2 ? .bluesky : nil
  }

  private static let activityTypes: Set<String> = [
    "Create", "Announce", "Update", "Add", "Like", "Delete", "Undo", "Note", "Article", "Page",
    "Question", "Image", "Video", "Audio", "Event", "Document",
  ]
}
