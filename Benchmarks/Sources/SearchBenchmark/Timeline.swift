import Glibc
import TerminalSession

/// A file of JSON Lines whose last post alone holds the needle.
struct Timeline {
  /// What its posts are written in.
  enum Text: String, CaseIterable {
    /// Plain text in ASCII.
    case ascii
    /// Plain text, half of it Japanese, with emoji and typographic marks.
    case mixed
    /// HTML with tags, references and escapes.
    case html
  }

  static let needle = "zephyrine"
  /// Stands beside the needle, and nowhere else: seen on the screen it tells that the post shows.
  static let mark = "quincunx"
  /// A word that every tenth post has.
  static let frequent = "lodestar"

  let path: String
  let byteCount: Int

  init(_ text: Text, posts: Int, folder: String) throws(BenchmarkError) {
    path = "\(folder)/\(text.rawValue)-\(posts).jsonl"
    guard let file = fopen(path, "w") else {
      throw .system(call: "fopen", subject: path, code: errno)
    }
    let key = text == .html ? "content_html" : "content_text"
    let words = Self.words(text)
    var random: UInt64 = 1
    var count = 0
    for number in 0..<posts {
      var line = "{\"id\":\"\(number)\",\"\(key)\":\""
      for _ in 0..<14 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        line += words[Int(random >> 33) % words.count]
      }
      if number % 10 == 0 { line += " " + Self.frequent }
      if number == posts - 1 { line += " \(Self.needle) \(Self.mark)" }
      line += "\"}\n"
      count += line.utf8.count
      fputs(line, file)
    }
    guard fclose(file) == 0 else {
      throw .system(call: "fclose", subject: path, code: errno)
    }
    byteCount = count
  }

  private static func words(_ text: Text) -> [String] {
    let plain = [
      "The ", "harbour ", "gauge ", "reads ", "low ", "water ", "at ", "dusk, ", "and the ",
    ]
    return switch text {
    case .ascii: plain
    case .mixed: plain + ["潮位は", "午後三時に", "最大となります。", "it’s ", "café — ", "🌊 ", "灯台の光が"]
    case .html:
      plain + [
        "<p>", "</p>", "<a href=\\\"https://tide.example/a?b=1&amp;c=2\\\">", "</a>", "&amp; ",
        "&#8217;", "&nbsp;", "caf\\u00e9 ", "<b>", "</b> ",
      ]
    }
  }
}
