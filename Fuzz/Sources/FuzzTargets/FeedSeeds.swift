/// Timelines that readers are attacked with first: a little of everything they know.
enum FeedSeeds {
  static let xml = [
    """
    <?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"
     xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
    <channel><title>Tides &amp; winds</title><link>https://tideline.example/</link><image><url>i.png</url></image>
    <item><title>High <![CDATA[<b>water</b>]]></title><link>/1?a=b&amp;c=d</link><guid>1</guid>
    <pubDate>Mon, 26 Jun 2017 19:40:58 +0200</pubDate><dc:creator>Gauge</dc:creator><category>pier</category>
    <description>&lt;p&gt;At &lt;a href="x"&gt;the pier&lt;/a&gt;&lt;img src="p.jpg" width="640" height="480"&gt;</description>
    <enclosure url="a.mp3" type="audio/mpeg" length="12345"/>
    <media:group><media:content url="a.jpg" width="800" height="600" medium="image"/></media:group></item>
    <item><content:encoded><![CDATA[<ul><li>one<li>two</ul>]]></content:encoded></item></channel></rss>
    """,
    """
    <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://sea.example/" xml:lang="en"><title>Sea</title>
    <link rel="next" href="?page=2"/><entry><id>1</id><title type="html">&lt;i&gt;Ebb&lt;/i&gt;</title>
    <link href="a/b"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>x<b>y</b></p></div></content>
    <updated>2017-06-27T00:54:20.5Z</updated><author><name>Buoy</name><uri>/buoy</uri></author></entry>
    <entry><id>1</id><summary>again</summary></entry></feed>
    """,
    """
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
    <channel><title>RDF</title></channel><item rdf:about="u"><title>T</title><link>u</link></item></rdf:RDF>
    """,
    "<!DOCTYPE rss [<!ENTITY a \"&#38;#27;b\">]><rss><channel><item><title>&a;&eacute;</title></item>",
    "<rss><channel><item><title>cut</title><description>&lt;div",
  ]

  static let json = [
    """
    {"version":"https://jsonfeed.org/version/1.1","title":"Tides","next_url":"?p=2","authors":[{"name":"G"}],
    "items":[{"id":"1","content_html":"<p>x<img src='a.png' width=3></p>","date_published":"2024-03-09T08:05:00Z",
    "authors":[{"name":"A","avatar":"a.png"}],"tags":["t"],"attachments":[{"url":"u","mime_type":"image/png",
    "size_in_bytes":9e18,"duration_in_seconds":-1,"_tideline":{"width":9223372036854775807,"height":-1}}]},
    {"id":2,"content_text":"\\u00e9\\ud83c\\udf0a \\ud800","_tideline":{"counts":{"replies":1e999,"likes":-0},
    "poll":{"options":[{"title":"a","votes":9223372036854775807},{"title":"b","votes":1e18}],"voters":0}}}]}
    """,
    "{\"rss\":{\"channel\":{\"title\":\"T\",\"item\":[{\"title\":\"a\"},{\"description\":\"<b>x\"}]}}}",
    "[{\"id\":\"1\"},{\"id\":\"2\",\"title\":\"cut",
    """
    [{"id":"110","created_at":"2024-04-19T22:14:48.415Z","content":"<p>High <a class=\\"mention\\">@b</a></p>",
    "account":{"acct":"gauge","display_name":"G","url":"https://tideline.example/@gauge"},"spoiler_text":"w",
    "replies_count":9e18,"media_attachments":[{"type":"image","url":"u.jpg","meta":{"original":{"width":1600,"height":0}}}],
    "poll":{"options":[{"title":"Ebb","votes_count":4}],"multiple":true,"voters_count":2},
    "reblog":{"id":"1","content":"x","account":{"acct":"a"}},"filtered":[{"filter":{"title":"t","filter_action":"hide"}}]}]
    """,
    """
    {"type":"OrderedCollection","@context":"c","next":"n","orderedItems":[{"type":"Create","id":"i",
    "actor":"https://tideline.example/users/gauge","object":{"type":"Question","content":"<p>q</p>",
    "oneOf":[{"name":"Ebb","replies":{"totalItems":3}}],"attachment":[{"mediaType":"image/png","url":"/a.png","width":1e5}]}},
    {"type":"Announce","object":"https://sea.example/1"}]}
    """,
    """
    {"cursor":"c","feed":[{"post":{"uri":"at://did:plc:g/app.bsky.feed.post/3k1","author":{"did":"d","handle":"h"},
    "record":{"text":"\\ud83c\\udf0a tides #pier","createdAt":"2024-04-19T10:00:00.000Z","facets":[{"index":
    {"byteStart":5,"byteEnd":10},"features":[{"uri":"https://charts.example/"}]},{"index":{"byteStart":1,
    "byteEnd":9223372036854775807},"features":[{"tag":"t"}]}]},"embed":{"images":[{"fullsize":"https://c.example/f.jpg",
    "alt":"a","aspectRatio":{"width":4,"height":3}}],"record":{"record":{"uri":"u","value":{"text":"q"}}}}}}]}
    """,
  ]

  static let lines = [
    "{\"id\":\"1\",\"content_text\":\"a\"}\n\n{\"title\":\"b\"}\r\ntext #tag https://tideline.example/\n",
    "plain text\nline two\n\nnext @name paragraph\n \t\nthird",
    "{\"id\":\"1\",\"content_text\":\"cut\n{\"id\":\"2\"}\n",
  ]
}
