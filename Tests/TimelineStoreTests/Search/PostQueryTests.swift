import Feeds
import Testing
import TextLayout

@testable import TimelineStore

/// Queries and the errors of invalid ones.
@Suite struct PostQueryTests {
  private func post(
    _ text: String, title: String = "", author: String = "Marit Sørlie", tags: [String] = [],
    published: Double? = nil, pictures: Int = 0
  ) -> Post {
    var post = Post(id: "1")
    post.title = StyledText(title)
    post.body = StyledText(text)
    post.author = Post.Author(name: author, handle: "@marit@tide.example")
    post.tags = tags
    post.published = published
    post.pictures = (0..<pictures).map { Post.Picture(url: "https://tide.example/\($0).png") }
    return post
  }

  private func fits(_ query: String, _ post: Post) throws -> Bool {
    var matcher = PostMatcher(try PostQuery(query))
    return matcher.fits(post)
  }

  @Test(arguments: [
    "tide", "Tide", "High", "high tide", "tide high", "\"high tide\"", "storm or tide", "-storm",
    "tide -storm", "author:marit", "author:sorlie", "author:@marit", "author:\"Marit Sørlie\"",
    "tag:harbour", "tag:#Harbour", "has:picture", "-has:link", "after:2024-04", "since:2024-05",
    "before:2024-06", "before:2025", "after:2024-05-30 before:2024-06-01", "harbour wall",
    "storm tag:x or tide author:marit", "\"or\" or tide", "https://tide.example or tide",
  ])
  func fitting(_ query: String) throws {
    let day = 1_717_113_600.0  // 2024-05-31
    let post = post(
      "High Tide at the wall, 4.1 m", title: "Dusk", tags: ["harbour"], published: day, pictures: 1)
    #expect(try fits(query, post))
  }

  @Test(arguments: [
    "Tides", "storm", "\"tide high\"", "-tide", "tide -wall", "author:olga", "tag:harb", "tag:wall",
    "has:link", "-has:picture", "after:2024-05", "before:2024-05-31", "since:2024-06",
    "news.example",
    "TIDE",
    "storm or rain", "picture",
  ])
  func notFitting(_ query: String) throws {
    let day = 1_717_113_600.0
    let post = post(
      "High tide at the wall, 4.1 m", tags: ["harbour"], published: day, pictures: 1)
    #expect(try !fits(query, post))
  }

  @Test func undatedPostsDoNotFit() throws {
    let undated = post("tide")
    #expect(try !fits("before:2030", undated))
    #expect(try !fits("after:1990", undated))
    #expect(try fits("-after:1990", undated))
  }

  @Test(arguments: [
    ("", "empty"), ("   ", "empty"), ("or tide", "'or'"), ("tide or", "nothing follows 'or'"),
    ("tide or or rope", "'or'"), ("\"high tide", "'high tide'"), ("-", "'-'"), ("tide -", "'-'"),
    ("author:", "'author:'"), ("has:video", "'has:video'"), ("before:soon", "'before:soon'"),
    ("before:2024-13", "'before:2024-13'"), ("after:99", "'after:99'"),
    ("auhtor:marit", "'auhtor:'"),
    ("\u{200D}", "nothing to look for"), ("after:9999999999999999999999", "no date"),
    (String(repeating: "x", count: 2_000), "1000 characters"),
    (String(repeating: "x ", count: 100), "64 words"),
  ])
  func errorsNameTheWord(_ query: String, _ part: String) {
    do throws(PostQueryError) {
      _ = try PostQuery(query)
      Issue.record("'\(query.prefix(40))' is taken for a query")
    } catch {
      #expect(error.description.contains(part), "\(error.description.prefix(200))")
      #expect(!error.description.contains("\n"))
    }
  }

  @Test(arguments: [
    "\u{1B}[31mtide", "\u{202E}edit", "\"\"", "''", ":::", "a:b:c", "---tide", "\"a\"\"b\"", "-\"a",
    "has:\"picture\"", "\u{0}", "-author:\"x", "tag:-", "author:\"\"",
  ])
  func hostileQueriesAreSafe(_ query: String) throws {
    do throws(PostQueryError) {
      var matcher = PostMatcher(try PostQuery(query))
      _ = matcher.fits(post("tide"))
    } catch {
      #expect(!error.description.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
    }
  }

  /// The texts that matching posts must contain, for each group.
  @Test(arguments: [
    ("high harbour", [["high", "harbour"]]),
    ("\"at the Wall\" or rope", [["at the Wall"], ["rope"]]),
    ("tide or has:picture", [["tide"], []]), ("-tide", [[]]), ("author:sørlie -tide", [["sørlie"]]),
  ])
  func groupsOfNeedles(_ query: String, _ groups: [[String]]) throws {
    #expect(try PostQuery(query).groupsOfNeedles.map { $0.map(\.query) } == groups)
  }

  @Test func warnedTextIsSearchedAndFilteredTextIsNot() throws {
    var warned = post("a storm")
    warned.contentWarning = "weather"
    #expect(try fits("weather", warned))
    #expect(try fits("storm", warned))
    #expect(warned.anyHiddenText { $0 == "a storm" } && !warned.anyHiddenText { $0 == "weather" })
    warned.contentWarning = nil
    #expect(!warned.anyHiddenText { _ in true })
    warned.isSensitive = true
    warned.pictures = [Post.Picture(url: "https://sea.example/1.png", alternativeText: "kelp")]
    #expect(try fits("kelp", warned))
    #expect(warned.anyHiddenText { $0 == "kelp" } && !warned.anyHiddenText { $0 == "a storm" })
    var filtered = post("a storm")
    filtered.filter = "noise"
    #expect(try fits("noise", filtered))
    #expect(try !fits("marit", filtered))
  }
}
