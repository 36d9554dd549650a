import Feeds

let feed = """
  <rss version="2.0"><channel><title>Harbour gauge</title>
    <item>
      <title>High water</title>
      <description>&lt;p&gt;&lt;b&gt;4.1 m&lt;/b&gt; at dusk&lt;/p&gt;</description>
      <link>https://tideline.example/1</link>
    </item>
  </channel></rss>
  """

let document = try FeedReader.read(Array(feed.utf8))
print(document.format, document.info.title)
for post in document.posts { print(PostWriter.plainText(post)) }
