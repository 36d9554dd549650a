import Testing
import TimelineStore

@Suite struct TimelineSourceTests {
  @Test func argumentsAreParsed() {
    #expect(TimelineSource(argument: "-") == .standardInput)
    #expect(
      TimelineSource(argument: "HTTPS://tide.example/feed") == .url("HTTPS://tide.example/feed"))
    #expect(TimelineSource(argument: "http://a") == .url("http://a"))
    for address in ["feed://a/b", "Feed:http://a/b", "feed:http://a/b"] {
      #expect(TimelineSource(argument: address) == .url("http://a/b"), "\(address)")
    }
    #expect(TimelineSource(argument: "feed:https://a") == .url("https://a"))
    #expect(TimelineSource(argument: "feed:me") == .file("feed:me"))
    #expect(TimelineSource(argument: "httpd.log") == .file("httpd.log"))
    #expect(TimelineSource(argument: "http:") == .url("http:"))
    #expect(TimelineSource(argument: "ftp://a") == .url("ftp://a"))
    #expect(TimelineSource(argument: "notes:today") == .file("notes:today"))
    #expect(TimelineSource(argument: "file:///a%20b/c") == .file("/a b/c"))
    #expect(TimelineSource(argument: "FILE://localhost/a") == .file("/a"))
    #expect(TimelineSource(argument: "file://elsewhere/a") == .url("file://elsewhere/a"))
  }

  @Test func shortNamesFitAStatusLine() {
    #expect(TimelineSource.file("/a/b/c.rss").shortName == "c.rss")
    #expect(TimelineSource.url("https://tide.example/").shortName == "tide.example")
    #expect(TimelineSource.url("https://tide.example/feed?x=1").shortName == "tide.example/feed")
    #expect(TimelineSource.url("https://tide.example/a/b/feed").shortName == "tide.example/…/feed")
  }
}
