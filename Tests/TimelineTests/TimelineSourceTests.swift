import Testing
import Timeline

@Suite struct TimelineSourceTests {
  @Test func argumentsAreToldApart() {
    #expect(TimelineSource(argument: "-") == .standardInput)
    #expect(
      TimelineSource(argument: "HTTPS://tide.example/feed") == .url("HTTPS://tide.example/feed"))
    #expect(TimelineSource(argument: "http://a") == .url("http://a"))
    #expect(TimelineSource(argument: "httpd.log") == .file("httpd.log"))
    #expect(TimelineSource(argument: "ftp://a") == .file("ftp://a"))
  }

  @Test func shortNamesFitAStatusLine() {
    #expect(TimelineSource.file("/a/b/c.rss").shortName == "c.rss")
    #expect(TimelineSource.url("https://tide.example/").shortName == "tide.example")
    #expect(TimelineSource.url("https://tide.example/feed?x=1").shortName == "tide.example/feed")
    #expect(TimelineSource.url("https://tide.example/a/b/feed").shortName == "tide.example/…/feed")
  }
}
