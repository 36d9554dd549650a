import Testing

@testable import Feeds

@Suite struct FeedListWriterTests {
  @Test func aListIsReadBack() {
    let entries = [
      FeedList.Entry(address: "https://tide.example/a?x=1&y=\"2\"", title: "Ebb & <flood>"),
      FeedList.Entry(address: "https://tide.example/b", title: "", tags: []),
      FeedList.Entry(
        address: "https://tide.example/c", title: "C", ownName: "Own", tags: ["North"]),
      FeedList.Entry(address: "https://tide.example/d", title: "D", tags: ["North", "Two words"]),
    ]
    let text = FeedListWriter.opml(entries, title: "Feeds \u{1B}[2J")
    #expect(!text.unicodeScalars.contains("\u{1B}"))
    let read = FeedList(Array(text.utf8))
    #expect(read.entries.map(\.address).count == 4)
    #expect(read.entries[0].title == "Ebb & <flood>")
    #expect(read.entries[1].title == "https://tide.example/b")
    #expect(read.entries.map(\.tags) == [[], [], ["North"], ["North", "Two words"]])
    #expect(read.entries.map(\.ownName) == [nil, nil, "Own", nil])
    #expect(read.entries[2].title == "C")
    #expect(read.unusableCount == 0)
    #expect(
      FeedListWriter.opml(read.entries, title: "Feeds")
        == FeedListWriter.opml(
          FeedList(Array(FeedListWriter.opml(read.entries, title: "Feeds").utf8)).entries,
          title: "Feeds"))
  }

  /// Commas separate categories, and slashes their levels.
  @Test func tagsWithCommasAndSlashesAreReadBack() {
    let list = FeedList(
      Array(
        """
        <opml><body><outline text="Science, Nature/Sea"><outline xmlUrl="https://t.example/1" \
        text="One" category="daily"/></outline></body></opml>
        """.utf8))
    let tags = ["Science Nature Sea", "daily"]
    #expect(list.entries.map(\.tags) == [tags])
    let entry = FeedList.Entry(
      address: "https://t.example/1", tags: ["Science, Nature/Sea", "daily", "daily,", "/"])
    #expect(entry.tags == tags)
    let text = FeedListWriter.opml([entry], title: "Feeds")
    #expect(FeedList(Array(text.utf8)).entries.map(\.tags) == [tags])
  }

  @Test func spellingsOfAnAddressAreOneFeed() {
    let outlines = [
      "http://t.example/x", "HTTP://T.example:80/x", "http://t.example/x#y", "http://t.example/X",
    ].map { "<outline xmlUrl=\"\($0)\"/>" }
    let list = FeedList(Array("<opml><body>\(outlines.joined())</body></opml>".utf8))
    #expect(list.addresses == ["http://t.example/x", "http://t.example/X"])
    #expect(list.unusableCount == 0)
  }

  @Test func foldersNestAndDoublesAreOne() {
    let list = FeedList(
      Array(
        """
        <opml><body><outline text="A"><outline text="B"><outline xmlUrl="https://t.example/1" text="One"/>
        </outline><outline xmlUrl="https://t.example/1"/></outline>
        <outline xmlUrl="https://t.example/2" title="Two" category="A,/A/C"/></body></opml>
        """.utf8))
    #expect(list.entries.map(\.tags) == [["A", "B"], ["A", "C"]])
    #expect(list.addresses == list.entries.map(\.address))
  }
}
