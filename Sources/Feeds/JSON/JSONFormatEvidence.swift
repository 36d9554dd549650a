/// Evidence for the format of a JSON object, collected from the names of its members: a few
/// suffice.
struct JSONFormatEvidence {
  /// Members of an item of JSON Feed.
  private var feedItem = 0
  /// Members of a status of Mastodon's API, or of a streaming event that carries one.
  private var status = 0
  /// Members of an activity or object of ActivityPub.
  private var activity = 0
  /// Members of a post of Bluesky's API, or of an element of its feeds.
  private var bluesky = 0
  private var hasActivityType = false

  init() {}

  /// The evidence in the members of `value`, if it is an object.
  init(of value: JSONValue) {
    guard case .object(let members) = value else { return }
    for member in members where !member.value.isNull {
      var isObject = false
      if case .object = member.value { isObject = true }
      add(member.key, text: member.value.text, isObject: isObject)
    }
  }

  /// - Parameters:
  ///   - text: the value if it is a string; its beginning suffices.
  ///   - isObject: whether the value is an object.
  mutating func add(_ name: String, text: String?, isObject: Bool) {
    switch name {
    case "content_text", "content_html", "date_published", "date_modified", "external_url":
      feedItem += 1
    case "account", "quoted_status", "reblog", "status": if isObject { status += 1 }
    case "content": if text != nil { status += 1 }
    case "spoiler_text", "visibility", "favourites_count", "reblogs_count", "replies_count",
      "in_reply_to_account_id", "in_reply_to_id", "media_attachments", "edited_at":
      status += 1
    // Streaming events contain their status as a string.
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

  /// The format of a document of such objects; `nil` if it is unclear.
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
