/// Formats of JSON.
extension HostileFormat {
  static let ofJSON = [jsonFeed, jsonLines, mastodon, activityPub, bluesky]

  // MARK: JSON Feed

  private static let feedFields = [
    HostileField("id", #"{"id":"{n}{}","content_text":"x"}"#),
    HostileField("url", #"{"id":"{n}","url":"https://t.example/{}","content_text":"x"}"#),
    HostileField(
      "external_url", #"{"id":"{n}","external_url":"https://t.example/{}","title":"x"}"#),
    HostileField("title", #"{"id":"{n}","title":"{}"}"#),
    HostileField("content_text", #"{"id":"{n}","content_text":"{}"}"#),
    HostileField("content_html", #"{"id":"{n}","content_html":"<p>{}</p>"}"#),
    HostileField("summary", #"{"id":"{n}","summary":"{}"}"#),
    HostileField("image", #"{"id":"{n}","image":"https://t.example/{}.png","title":"x"}"#),
    HostileField(
      "banner_image", #"{"id":"{n}","banner_image":"https://t.example/{}","title":"x"}"#),
    HostileField("date_published", #"{"id":"{n}","date_published":"{}","title":"x"}"#),
    HostileField("date_modified", #"{"id":"{n}","date_modified":"{}","title":"x"}"#),
    HostileField("authors.name", #"{"id":"{n}","authors":[{"name":"{}"}],"title":"x"}"#),
    HostileField(
      "authors.url",
      #"{"id":"{n}","authors":[{"name":"a","url":"https://t.example/{}"}],"title":"x"}"#),
    HostileField(
      "authors.avatar",
      #"{"id":"{n}","authors":[{"name":"a","avatar":"https://t.example/{}"}],"title":"x"}"#),
    HostileField("author.name", #"{"id":"{n}","author":{"name":"{}"},"title":"x"}"#),
    HostileField("tags", #"{"id":"{n}","tags":["{}"],"title":"x"}"#),
    HostileField("language", #"{"id":"{n}","language":"{}","title":"x"}"#),
    HostileField(
      "attachments.url",
      #"{"id":"{n}","attachments":[{"url":"https://t.example/{}","mime_type":"a/b"}],"title":"x"}"#),
    HostileField(
      "attachments.mime_type",
      #"{"id":"{n}","attachments":[{"url":"https://t.example/","mime_type":"{}"}],"title":"x"}"#),
    HostileField(
      "attachments.title",
      #"{"id":"{n}","attachments":[{"url":"https://t.example/","mime_type":"a/b","title":"{}"}],"title":"x"}"#
    ),
    HostileField(
      "img alt", #"{"id":"{n}","content_html":"<img src='https://t.example/' alt='{}'>"}"#),
    HostileField("img src", #"{"id":"{n}","content_html":"<img src='https://t.example/{}'>"}"#),
    HostileField("a href", #"{"id":"{n}","content_html":"<a href='https://t.example/{}'>x</a>"}"#),
    HostileField("a name", #"{"id":"{n}","content_html":"<a name='{}'>x</a>"}"#),
    HostileField("pre", #"{"id":"{n}","content_html":"<pre>{}</pre>"}"#),
    HostileField(
      "figcaption", #"{"id":"{n}","content_html":"<figure><figcaption>{}</figcaption></figure>"}"#),
    HostileField(
      "iframe title",
      #"{"id":"{n}","content_html":"<iframe src='https://t.example/{}' title='{}'></iframe>"}"#),
    HostileField(
      "video", #"{"id":"{n}","content_html":"<video src='https://t.example/{}'></video>x"}"#),
    HostileField("an element", #"{"id":"{n}","content_html":"<x{}>words</x>"}"#),
    HostileField("a comment", #"{"id":"{n}","content_html":"<!--{}-->words"}"#),
    HostileField("a name of a field", #"{"id":"{n}","title":"x","{}":"y"}"#),
    HostileField("a field of another type", #"{"id":"{n}","title":"x","tags":{"{}":1}}"#),
    HostileField("_tideline.warning", #"{"id":"{n}","title":"x","_tideline":{"warning":"{}"}}"#),
    HostileField("_tideline.filter", #"{"id":"{n}","title":"x","_tideline":{"filter":"{}"}}"#),
    HostileField("_tideline.error", #"{"id":"{n}","title":"x","_tideline":{"error":"{}"}}"#),
    HostileField(
      "_tideline.in_reply_to", #"{"id":"{n}","title":"x","_tideline":{"in_reply_to":"{}"}}"#),
    HostileField(
      "_tideline.handle",
      #"{"id":"{n}","title":"x","authors":[{"name":"a","_tideline":{"handle":"{}"}}]}"#),
    HostileField(
      "_tideline.reposted_by",
      #"{"id":"{n}","title":"x","_tideline":{"reposted_by":{"name":"{}"}}}"#),
    HostileField(
      "_tideline.poll",
      #"{"id":"{n}","title":"x","_tideline":{"poll":{"options":[{"title":"{}","votes":1}],"closes":"{}"}}}"#
    ),
    HostileField(
      "_tideline.card.title",
      #"{"id":"{n}","title":"x","_tideline":{"card":{"url":"https://t.example/","title":"{}"}}}"#),
    HostileField(
      "_tideline.card.url",
      #"{"id":"{n}","title":"x","_tideline":{"card":{"url":"https://t.example/{}"}}}"#),
    HostileField(
      "_tideline.quotes",
      #"{"id":"{n}","title":"x","_tideline":{"quotes":[{"id":"q","title":"{}"}]}}"#),
  ]

  static let jsonFeed = json(
    "JSON Feed", "jsonfeed",
    head: #"{"version":"https://jsonfeed.org/version/1.1","title":"T","items":["#, foot: "]}",
    feedFields)

  static let jsonLines = json(
    "JSON Lines", "jsonl", head: "", separator: "\n", foot: "\n",
    feedFields + [HostileField("a line that is no JSON", "{n} {}")])

  // MARK: Social networks

  static let mastodon = json(
    "Mastodon", "mastodon", head: "[", foot: "]",
    [
      HostileField("id", status(#""id":"{n}{}""#)),
      HostileField("uri", status(#""uri":"https://t.example/{}""#)),
      HostileField("url", status(#""url":"https://t.example/{}""#)),
      HostileField("content", status(#""content":"<p>{}</p>""#)),
      HostileField("created_at", status(#""created_at":"{}""#)),
      HostileField("edited_at", status(#""edited_at":"{}""#)),
      HostileField("language", status(#""language":"{}""#)),
      HostileField("in_reply_to_id", status(#""in_reply_to_id":"{}""#)),
      HostileField("spoiler_text", status(#""spoiler_text":"{}""#)),
      HostileField("tags", status(#""tags":[{"name":"{}"}]"#)),
      HostileField("display_name", account(#""display_name":"{}""#)),
      HostileField("acct", account(#""acct":"{}""#)),
      HostileField("username", account(#""username":"{}","acct":"""#)),
      HostileField("account.url", account(#""url":"https://t.example/{}""#)),
      HostileField("avatar_static", account(#""avatar_static":"https://t.example/{}""#)),
      HostileField(
        "emojis", status(#""emojis":[{"shortcode":"{}","static_url":"https://t.example/{}"}]"#)),
      HostileField(
        "media.url", status(#""media_attachments":[{"type":"image","url":"https://t.example/{}"}]"#)
      ),
      HostileField(
        "media.description",
        status(
          #""media_attachments":[{"type":"image","url":"https://t.example/","description":"{}"}]"#)),
      HostileField(
        "media.type", status(#""media_attachments":[{"type":"{}","url":"https://t.example/"}]"#)),
      HostileField(
        "poll.options", status(#""poll":{"options":[{"title":"{}","votes_count":1}]}"#)),
      HostileField("poll.expires_at", status(#""poll":{"options":[],"expires_at":"{}"}"#)),
      HostileField("card.title", status(#""card":{"url":"https://t.example/","title":"{}"}"#)),
      HostileField("card.url", status(#""card":{"url":"https://t.example/{}","title":"t"}"#)),
      HostileField(
        "filtered", status(#""filtered":[{"filter":{"title":"{}","filter_action":"warn"}}]"#)),
      HostileField(
        "filtered, hidden",
        status(#""filtered":[{"filter":{"title":"{}","filter_action":"hide"}}]"#)),
      HostileField("quote.state", status(#""quote":{"state":"{}"}"#)),
      HostileField(
        "quoted_status_id", status(#""quote":{"state":"accepted","quoted_status_id":"{}"}"#)),
      HostileField(
        "quoted_status",
        status(#""quote":{"quoted_status":{"content":"{}","account":{"acct":"q"}}}"#)),
      HostileField(
        "reblog",
        #"{"id":"{n}","account":{"display_name":"{}"},"reblog":{"content":"x","account":{"acct":"a"}}}"#
      ),
      HostileField("a name of a field", status(#""{}":1"#)),
    ])

  private static func status(_ field: String) -> String {
    #"{"id":"{n}","content":"words","account":{"acct":"a"},\#(field)}"#
  }

  private static func account(_ field: String) -> String {
    #"{"id":"{n}","content":"words","account":{"acct":"a",\#(field)}}"#
  }

  static let activityPub = json(
    "ActivityPub", "activitypub",
    head:
      #"{"@context":"https://www.w3.org/ns/activitystreams","type":"OrderedCollection","orderedItems":["#,
    foot: "]}",
    [
      HostileField("id", note(#""id":"https://t.example/{}""#)),
      HostileField("url", note(#""url":"https://t.example/{}""#)),
      HostileField("content", note(#""content":"{}""#)),
      HostileField("contentMap", note(#""content":"","contentMap":{"{}":"{}"}"#)),
      HostileField("summary", note(#""summary":"{}""#)),
      HostileField("published", note(#""published":"{}""#)),
      HostileField("updated", note(#""updated":"{}""#)),
      HostileField("inReplyTo", note(#""inReplyTo":"https://t.example/{}""#)),
      HostileField("attributedTo", note(#""attributedTo":"https://t.example/users/{}""#)),
      HostileField(
        "actor",
        #"{"type":"Create","actor":"https://t.example/@{}","object":{"type":"Note","content":"{n}"}}"#
      ),
      HostileField("actor.name", note(#""attributedTo":{"id":"https://t.example/u","name":"{}"}"#)),
      HostileField(
        "preferredUsername",
        note(#""attributedTo":{"id":"https://t.example/u","preferredUsername":"{}"}"#)),
      HostileField(
        "icon",
        note(
          #""attributedTo":{"id":"https://t.example/u","name":"n","icon":{"url":"https://t.example/{}"}}"#
        )),
      HostileField("tag.name", note(##""tag":[{"type":"Hashtag","name":"#{}"}]"##)),
      HostileField(
        "attachment.name",
        note(#""attachment":[{"mediaType":"image/png","url":"https://t.example/","name":"{}"}]"#)),
      HostileField(
        "attachment.url",
        note(#""attachment":[{"mediaType":"image/png","url":"https://t.example/{}"}]"#)),
      HostileField(
        "attachment.mediaType",
        note(#""attachment":[{"mediaType":"{}","url":"https://t.example/"}]"#)),
      HostileField("name", #"{"type":"Article","name":"{}","content":"{n}"}"#),
      HostileField(
        "oneOf", #"{"type":"Question","content":"{n}","oneOf":[{"name":"{}"}],"endTime":"{}"}"#),
      HostileField("quoteUrl", note(#""quoteUrl":"https://t.example/{}""#)),
      HostileField("object", #"{"type":"Announce","object":"https://t.example/{n}{}"}"#),
      HostileField("type", #"{"type":"{}","object":"https://t.example/{n}"}"#),
      HostileField("type of an object", #"{"type":"{}","content":"{n}"}"#),
    ])

  private static func note(_ field: String) -> String {
    #"{"type":"Create","object":{"type":"Note","content":"words {n}",\#(field)}}"#
  }

  static let bluesky = json(
    "Bluesky", "bluesky", head: #"{"feed":["#, foot: "]}",
    [
      HostileField(
        "uri", #"{"post":{"uri":"at://d/app.bsky.feed.post/{n}{}","record":{"text":"x"}}}"#),
      HostileField("text", skeet("", record: #""text":"{}""#)),
      HostileField("createdAt", skeet("", record: #""text":"x","createdAt":"{}""#)),
      HostileField("langs", skeet("", record: #""text":"x","langs":["{}"]"#)),
      HostileField("tags", skeet("", record: #""text":"x","tags":["{}"]"#)),
      HostileField("reply", skeet("", record: #""text":"x","reply":{"parent":{"uri":"{}"}}"#)),
      HostileField(
        "facet link",
        skeet(
          "",
          record:
            #""text":"words","facets":[{"index":{"byteStart":0,"byteEnd":5},"features":[{"$type":"app.bsky.richtext.facet#link","uri":"https://t.example/{}"}]}]"#
        )),
      HostileField(
        "facet tag",
        skeet(
          "",
          record:
            #""text":"words","facets":[{"index":{"byteStart":0,"byteEnd":5},"features":[{"$type":"app.bsky.richtext.facet#tag","tag":"{}"}]}]"#
        )),
      HostileField(
        "self label", skeet("", record: #""text":"x","labels":{"values":[{"val":"{}"}]}"#)),
      HostileField("label", skeet(#""labels":[{"val":"{}"}],"#)),
      HostileField("handle", skeet(#""author":{"did":"d","handle":"{}"},"#)),
      HostileField("did", skeet(#""author":{"did":"{}"},"#)),
      HostileField("displayName", skeet(#""author":{"handle":"h","displayName":"{}"},"#)),
      HostileField("avatar", skeet(#""author":{"handle":"h","avatar":"https://t.example/{}"},"#)),
      HostileField(
        "image alt", skeet(#""embed":{"images":[{"fullsize":"https://t.example/","alt":"{}"}]},"#)),
      HostileField(
        "image url", skeet(#""embed":{"images":[{"fullsize":"https://t.example/{}"}]},"#)),
      HostileField(
        "video",
        skeet(
          #""embed":{"playlist":"https://t.example/{}","thumbnail":"https://t.example/{}","alt":"{}"},"#
        )),
      HostileField(
        "card title", skeet(#""embed":{"external":{"uri":"https://t.example/","title":"{}"}},"#)),
      HostileField("card url", skeet(#""embed":{"external":{"uri":"https://t.example/{}"}},"#)),
      HostileField(
        "quote", skeet(#""embed":{"record":{"uri":"at://q/{}","value":{"text":"{}"}}},"#)),
      HostileField(
        "a quoted list", skeet(#""embed":{"record":{"uri":"at://q/{}","displayName":"{}"}},"#)),
      HostileField(
        "reason",
        #"{"post":{"uri":"at://d/p/{n}","record":{"text":"x"}},"reason":{"$type":"app.bsky.feed.defs#reasonRepost","by":{"handle":"h","displayName":"{}"}}}"#
      ),
    ])

  private static func skeet(_ field: String, record: String = #""text":"words {n}""#) -> String {
    #"{"post":{"uri":"at://d/app.bsky.feed.post/{n}",\#(field)"record":{\#(record)}}}"#
  }
}
