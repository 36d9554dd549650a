/// Formats of XML, and plain text.
extension HostileFormat {
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
