import TestSupport

/// A post of the soak's timelines, determined by its number and the seed.
///
/// Every few words there is a unique one such as `p12w3`, by which a line is recognized.
struct SoakPost {
  let number: Int
  let title: String
  let text: String
  /// Paths on the server; `nil` if the post has none.
  let picture: String?
  let avatar: String?
  let hasWarning: Bool

  static let pictureCount = 61

  private static let vocabulary = [
    "harbour", "tide", "gauge", "water", "潮位は午後", "三时涨潮", "🚢", "👩‍👩‍👧‍👦", "⚓️", "🇯🇵", "e\u{301}te\u{301}",
    "المد", "הגאות", "a-word-that-is-longer-than-narrow-screens-are-wide", "fog", "buoy", "만조가",
    "x\u{300}\u{301}\u{302}\u{303}", "1️⃣", "क्षत्रिय", "—", "«quay»", "W", "pier", "low",
  ]

  init(_ number: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed ^ UInt64(number) &* 0x9E37_79B9)
    self.number = number
    title = Int.random(in: 0..<5, using: &random) == 0 ? "" : "p\(number)t0 harbour \(number)"
    let count = [3, 8, 20, 60, 200].randomElement(using: &random) ?? 8
    text = (0..<count).map { index in
      index % 3 == 0
        ? "p\(number)w\(index)" : Self.vocabulary.randomElement(using: &random) ?? "sea"
    }.joined(separator: " ")
    let chosen = Int.random(in: 0..<Self.pictureCount, using: &random)
    picture = Int.random(in: 0..<5, using: &random) < 2 ? "/p/\(chosen)" : nil
    avatar = Int.random(in: 0..<4, using: &random) == 0 ? nil : "/a/\(number % 12)"
    hasWarning = Int.random(in: 0..<12, using: &random) == 0
  }

  /// An item of JSON Feed on one line; some are damaged or have the picture in their text.
  func json(_ url: (String) -> String) -> String {
    if number % 41 == 40 { return "{\"id\":\"\(number)\",\"title\":\"cut in the middle" }
    var fields = ["\"id\":\"\(number)\"", "\"title\":\(Self.quoted(title))"]
    if number % 4 == 1, let picture {
      let html =
        "<p>\(text)</p><img src=\"\(url(picture))\" alt=\"p\(number)alt\"><p>p\(number)w999 after</p>"
      fields.append("\"content_html\":\(Self.quoted(html))")
    } else {
      fields.append("\"content_text\":\(Self.quoted(text))")
      if let picture { fields.append("\"image\":\"\(url(picture))\"") }
    }
    let face = avatar.map { ",\"avatar\":\"\(url($0))\"" } ?? ""
    fields.append("\"authors\":[{\"name\":\"Gauge \(number % 12)\"\(face)}]")
    if hasWarning { fields.append("\"_content_warning\":\"storm\"") }
    fields.append("\"tags\":[\"tide\",\"潮\"]")
    return "{" + fields.joined(separator: ",") + "}"
  }

  /// An item of RSS 2.0.
  func rss(_ url: (String) -> String) -> String {
    let image = picture.map { "&lt;p&gt;&lt;img src=&quot;\(url($0))&quot;&gt;&lt;/p&gt;" } ?? ""
    // Damage as found in feeds: an extra closing tag, a bare ampersand.
    let stray = number % 97 == 3 ? "</p></div>" : ""
    let bare = number % 13 == 5 ? " Tom & Jerry" : ""
    return "<item><guid>p\(number)</guid><title>\(title)</title><description>"
      + "&lt;p&gt;\(text)\(bare)&lt;/p&gt;\(image)</description>\(stray)</item>\n"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// The post that a word like `p12w3` belongs to.
  static func number(ofToken token: some StringProtocol) -> Int? {
    Int(token.dropFirst().prefix { $0.isASCII && $0.isNumber })
  }
}
