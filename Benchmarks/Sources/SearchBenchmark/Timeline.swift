import Glibc
import TerminalSession

/// A file whose last post alone shows the needles, many of which stand in the markup of all.
struct Timeline {
  /// What its posts are written in.
  enum Text: String, CaseIterable {
    /// Plain text in ASCII.
    case ascii
    /// Plain text, half of it Japanese, with emoji and typographic marks.
    case mixed
    /// Mixed text that is in no format, a paragraph each.
    case text
    /// HTML with tags, references and escapes.
    case html
    /// The same HTML in a document of JSON Feed.
    case jsonfeed
    /// The same in statuses of Mastodon.
    case mastodon
    /// The same in what an account created, as its archive has it beside a file of the account.
    case archive
    /// The same HTML in a document of RSS, in sections of it.
    case rss
    /// The same in a document of Atom, escaped.
    case atom

    fileprivate var beginning: String {
      switch self {
      case .ascii, .mixed, .text, .html: ""
      case .jsonfeed:
        "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"Tides\",\"items\":["
      case .mastodon: "["
      case .archive:
        "{\"@context\":\"https://www.w3.org/ns/activitystreams\",\"id\":\"outbox.json\","
          + "\"type\":\"OrderedCollection\",\"orderedItems\":["
      case .rss: "<rss version=\"2.0\"><channel><title>Tides</title>\n"
      case .atom: "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Tides</title>\n"
      }
    }

    fileprivate var end: String {
      switch self {
      case .ascii, .mixed, .text, .html: ""
      case .jsonfeed, .archive: "]}\n"
      case .mastodon: "]\n"
      case .rss: "</channel></rss>\n"
      case .atom: "</feed>\n"
      }
    }

    /// A post as it is written, of plain text or HTML.
    fileprivate func row(_ number: Int, _ content: String) -> String {
      let address = "https://tide.example/\(number)"
      switch self {
      case .ascii, .mixed:
        return "{\"id\":\"\(number)\",\"url\":\"\(address)\",\"content_text\":\"\(content)\"}\n"
      case .text: return content + "\n\n"
      case .html, .jsonfeed:
        let comma = self == .jsonfeed && number > 0 ? "," : ""
        return comma + "{\"id\":\"\(number)\",\"url\":\"\(address)\",\"content_html\":\""
          + Self.quoted(content) + "\"}\n"
      case .mastodon:
        return (number > 0 ? "," : "")
          + "{\"id\":\"\(number)\",\"created_at\":\"2024-03-02T08:05:00Z\",\"url\":\"\(address)\","
          + "\"uri\":\"\(address)\",\"visibility\":\"public\","
          + "\"account\":{\"id\":\"1\",\"acct\":\"tide\",\"display_name\":\"Gauge\",\"url\":\"https://tide.example/@tide\","
          + "\"avatar\":\"https://tide.example/a.png\",\"note\":\"<p>class</p>\"},\"content\":\""
          + Self.quoted(content) + "\"}\n"
      case .archive:
        let account = "https://tide.example/users/tide"
        let readers =
          "\"to\":[\"https://www.w3.org/ns/activitystreams#Public\"],"
          + "\"cc\":[\"\(account)/followers\"],"
        return (number > 0 ? "," : "")
          + "{\"id\":\"\(address)/activity\",\"type\":\"Create\",\"actor\":\"\(account)\","
          + "\"published\":\"2024-03-02T08:05:00Z\",\(readers)\"object\":{\"id\":\"\(address)\","
          + "\"type\":\"Note\",\"published\":\"2024-03-02T08:05:00Z\",\"url\":\"\(address)\","
          + "\"attributedTo\":\"\(account)\",\(readers)\"sensitive\":false,\"content\":\""
          + Self.quoted(content) + "\"}}\n"
      case .rss:
        return "<item><guid>\(address)</guid><link>\(address)</link><description><![CDATA["
          + content + "]]></description></item>\n"
      case .atom:
        let escaped = content.split(separator: "&", omittingEmptySubsequences: false)
          .joined(separator: "&amp;").split(separator: "<", omittingEmptySubsequences: false)
          .joined(separator: "&lt;")
        return "<entry><id>\(address)</id><link href=\"\(address)\"/><content type=\"html\">"
          + escaped + "</content></entry>\n"
      }
    }

    private static func quoted(_ text: String) -> String {
      text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
    }
  }

  /// A word that stands nowhere else, words of markup, one with an accent, one of another script,
  /// and a phrase of words that stand everywhere.
  static let needles = ["zephyrine", "class", "href", "https", "crème", "灯台守", "gauge tide"]
  /// Stands beside the needle, and nowhere else: seen on the screen it tells that the post shows.
  static let mark = "quincunx"
  /// A word that every tenth post has.
  static let frequent = "lodestar"

  let path: String
  let byteCount: Int

  /// - Parameter pieces: words and tags of each post.
  init(_ text: Text, posts: Int, pieces: Int, folder: String) throws(BenchmarkError) {
    if text == .archive {
      try Self.writeAccount(folder)
      path = "\(folder)/outbox.json"
    } else {
      path = "\(folder)/\(text.rawValue)-\(posts)"
    }
    guard let file = fopen(path, "w") else {
      throw .system(call: "fopen", subject: path, code: errno)
    }
    let words = Self.words(text)
    var random: UInt64 = 1
    var count = 0
    func write(_ text: String) {
      count += text.utf8.count
      fputs(text, file)
    }
    write(text.beginning)
    for number in 0..<posts {
      var content = ""
      for _ in 0..<pieces {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        content += words[Int(random >> 33) % words.count]
      }
      if number % 10 == 0 { content += " " + Self.frequent }
      if number == posts - 1 { content += " \(Self.mark) " + Self.needles.joined(separator: ", ") }
      write(text.row(number, content))
    }
    write(text.end)
    guard fclose(file) == 0 else {
      throw .system(call: "fclose", subject: path, code: errno)
    }
    byteCount = count
  }

  /// Whose archive it is.
  private static func writeAccount(_ folder: String) throws(BenchmarkError) {
    let path = folder + "/actor.json"
    let account =
      "{\"id\":\"https://tide.example/users/tide\",\"type\":\"Person\",\"name\":\"Gauge\","
      + "\"preferredUsername\":\"tide\"}"
    guard let file = fopen(path, "w") else {
      throw .system(call: "fopen", subject: path, code: errno)
    }
    fputs(account, file)
    guard fclose(file) == 0 else {
      throw .system(call: "fclose", subject: path, code: errno)
    }
  }

  private static func words(_ text: Text) -> [String] {
    let plain = [
      "The ", "harbour ", "gauge ", "reads ", "low ", "water ", "at ", "dusk, ", "and the tide ",
    ]
    return switch text {
    case .ascii: plain
    case .mixed, .text: plain + ["潮位は", "午後三時に", "最大となります。", "it’s ", "café — ", "🌊 ", "灯台の光が"]
    case .html, .jsonfeed, .mastodon, .archive, .rss, .atom:
      plain + [
        "<p class=\"entry\">", "</p>", "<a href=\"https://tide.example/a?b=1&amp;c=2\">", "</a>",
        "&amp; ", "&#8217;", "&nbsp;", "café ", "<b>", "</b> ",
        "<span class=\"note\">", "</span>", "<em>rise with</em> ",
        "<p><img src=\"https://tide.example/a.jpg\" alt=\"At the pier\" class=\"wide\"></p>",
      ]
    }
  }
}
