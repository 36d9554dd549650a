/// A field of a format, in an item that holds nothing else worth reading.
public struct HostileField: Sendable {
  public let name: String
  /// The item; `{}` stands for the field's value.
  let template: String

  init(_ name: String, _ template: String) {
    (self.name, self.template) = (name, template)
  }
}

/// A format with all fields that a reader looks at.
public struct HostileFormat: Sendable, CustomStringConvertible {
  public let description: String
  /// The name that `--format` knows.
  public let option: String
  public let fields: [HostileField]
  let head: String
  let separator: String
  let foot: String
  /// How values can be written into it.
  public let writings: [HostileText.Writing]

  /// A document with one item a value, each in its field.
  public func document(_ items: [(field: HostileField, value: [UInt8])]) -> [UInt8] {
    var bytes = Array(head.utf8)
    // Often the same in all fields.
    var last: (value: [UInt8], escaped: [UInt8]) = ([], [])
    for (index, item) in items.enumerated() {
      if index > 0 { bytes += separator.utf8 }
      if item.value != last.value { last = (item.value, escaped(item.value)) }
      let value = last.escaped
      let parts = item.field.template.replacing("{n}", with: "\(index)").split(
        separator: "{}", omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        if index > 0 { bytes += value }
        bytes += Array(part.utf8)
      }
    }
    return bytes + Array(foot.utf8)
  }

  /// A backslash of a terminator is none of JSON's.
  private func escaped(_ value: [UInt8]) -> [UInt8] {
    guard writings.contains(.escapes) else { return value }
    var result: [UInt8] = []
    for (index, byte) in value.enumerated() {
      let beginsEscape = byte == 0x5C && index + 1 < value.count && value[index + 1] == 0x75
      result += byte == 0x5C && !beginsEscape ? [0x5C, 0x5C] : [byte]
    }
    return result
  }

  private static func json(
    _ name: String, _ option: String, head: String, separator: String = ",\n", foot: String,
    _ fields: [HostileField]
  ) -> HostileFormat {
    HostileFormat(
      description: name, option: option, fields: fields, head: head, separator: separator,
      foot: foot, writings: [.raw, .escapes, .references])
  }

  public static let all = [
    jsonFeed, jsonLines, mastodon, activityPub, bluesky, rss, atom, text,
  ]

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

  // MARK: XML and text

  static let rss = HostileFormat(
    description: "RSS", option: "rss",
    fields: [
      HostileField("title", "<item><title>{}</title></item>"),
      HostileField("link", "<item><title>x</title><link>https://t.example/{}</link></item>"),
      HostileField("description", "<item><description>{}</description></item>"),
      HostileField("a title in CDATA", "<item><title><![CDATA[{}]]></title></item>"),
      HostileField(
        "content:encoded", "<item><content:encoded><![CDATA[<p>{}</p>]]></content:encoded></item>"),
      HostileField("author", "<item><title>x</title><author>{}</author></item>"),
      HostileField(
        "an author's mail", "<item><title>x</title><author>a@t.example ({})</author></item>"),
      HostileField("dc:creator", "<item><title>x</title><dc:creator>{}</dc:creator></item>"),
      HostileField("guid", "<item><title>x</title><guid>{}</guid></item>"),
      HostileField("pubDate", "<item><title>x</title><pubDate>{}</pubDate></item>"),
      HostileField("category", "<item><title>x</title><category>{}</category></item>"),
      HostileField(
        "enclosure url",
        "<item><title>x</title><enclosure url=\"https://t.example/{}\" type=\"a/b\"/></item>"),
      HostileField(
        "enclosure type",
        "<item><title>x</title><enclosure url=\"https://t.example/\" type=\"{}\"/></item>"),
      HostileField(
        "media:content url",
        "<item><title>x</title><media:content url=\"https://t.example/{}\" medium=\"image\"/></item>"
      ),
      HostileField(
        "media:title",
        "<item><title>x</title><media:content url=\"https://t.example/\" medium=\"image\"><media:title>{}</media:title></media:content></item>"
      ),
      HostileField(
        "media:description",
        "<item><title>x</title><media:content url=\"https://t.example/\" medium=\"image\"><media:description>{}</media:description></media:content></item>"
      ),
      HostileField(
        "media:thumbnail",
        "<item><title>x</title><media:thumbnail url=\"https://t.example/{}\"/></item>"),
      HostileField(
        "a film's title",
        "<item><title>x</title><media:content url=\"https://t.example/f.mp4\" medium=\"video\"><media:title>{}</media:title></media:content></item>"
      ),
      HostileField("media:rating", "<item><title>x</title><media:rating>{}</media:rating></item>"),
      HostileField("an element's name", "<item><title>x</title><x{}>y</item>"),
      HostileField("a stray closing tag", "<item><title>x</title></y{}></item>"),
      HostileField("an entity", "<item><title>x &y{}; z</title></item>"),
      HostileField(
        "source", "<item><title>x</title><source url=\"https://t.example/{}\">{}</source></item>"),
    ],
    head: """
      <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" \
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">\
      <channel><title>T</title>
      """, separator: "\n", foot: "</channel></rss>",
    writings: [.raw, .references, .escapedReferences])

  static let atom = HostileFormat(
    description: "Atom", option: "atom",
    fields: [
      HostileField("id", "<entry><id>{n}{}</id><title>words</title></entry>"),
      HostileField("title", "<entry><id>i{n}</id><title>{}</title></entry>"),
      HostileField("title in HTML", "<entry><id>i{n}</id><title type=\"html\">{}</title></entry>"),
      HostileField(
        "title in XHTML", "<entry><id>i{n}</id><title type=\"xhtml\"><div>{}</div></title></entry>"),
      HostileField("title's type", "<entry><id>i{n}</id><title type=\"{}\">words</title></entry>"),
      HostileField("updated", entry("<updated>{}</updated>")),
      HostileField("published", entry("<published>{}</published>")),
      HostileField("author name", entry("<author><name>{}</name></author>")),
      HostileField(
        "author uri", entry("<author><name>n</name><uri>https://t.example/{}</uri></author>")),
      HostileField("author email", entry("<author><email>{}</email></author>")),
      HostileField("link", entry("<link href=\"https://t.example/{}\"/>")),
      HostileField(
        "enclosure",
        entry("<link rel=\"enclosure\" href=\"https://t.example/{}\" type=\"a/b\" title=\"{}\"/>")),
      HostileField(
        "enclosure type", entry("<link rel=\"enclosure\" href=\"https://t.example/\" type=\"{}\"/>")
      ),
      HostileField(
        "enclosure title",
        entry("<link rel=\"enclosure\" href=\"https://t.example/\" type=\"a/b\" title=\"{}\"/>")),
      HostileField("content", entry("<content>{}</content>")),
      HostileField("content in HTML", entry("<content type=\"html\">{}</content>")),
      HostileField(
        "content in XHTML", entry("<content type=\"xhtml\"><div>{}<b>{}</b></div></content>")),
      HostileField("content src", entry("<content src=\"https://t.example/{}\" type=\"a/{}\"/>")),
      HostileField("summary", entry("<summary>{}</summary>")),
      HostileField("category term", entry("<category term=\"{}\"/>")),
      HostileField("category label", entry("<category label=\"{}\"/>")),
      HostileField(
        "xml:base",
        entry(
          "<content xml:base=\"https://t.example/{}/\" type=\"html\">&lt;img src=\"p.png\"&gt;</content>"
        )),
      HostileField("xml:lang", "<entry xml:lang=\"{}\"><id>{n}</id><title>x</title></entry>"),
      HostileField("in-reply-to", entry("<thr:in-reply-to ref=\"{}\"/>")),
    ],
    head: """
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:thr="http://purl.org/syndication/thread/1.0">\
      <title>T</title>
      """, separator: "\n", foot: "</feed>",
    writings: [.raw, .references, .escapedReferences])

  private static func entry(_ field: String) -> String {
    "<entry><id>i{n}</id><title>words</title>\(field)</entry>"
  }

  static let text = HostileFormat(
    description: "text", option: "text",
    fields: [
      HostileField("a paragraph", "{n} {}"), HostileField("an address", "{n} https://t.example/{}"),
    ],
    head: "Words first.\n\n", separator: "\n\n", foot: "\n", writings: [.raw])
}
