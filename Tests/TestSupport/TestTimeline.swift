/// Timelines in JSON Lines for the tests.
public enum TestTimeline {
  /// A JSON Lines timeline of `count` posts; post i begins with `#i`, and its text has i % 7 + 1
  /// sentences, so that rows differ in height.
  public static func lines(_ count: Int) -> String {
    (0..<count).map { index in
      let text = (0...index % 7).map { "Sentence \($0) of post \(index) at the tide gauge." }
      return json(
        [
          "id": "\(index)", "title": "#\(index) harbour",
          "content_text": text.joined(separator: " "),
        ])
    }.joined(separator: "\n") + "\n"
  }

  /// Posts with every kind of character width.
  public static let wide: [(title: String, text: String)] = [
    ("plain", "A line of ASCII that is longer than the narrow screen on which it is shown here."),
    ("日本語", "潮位は午後三時に最大となります。港の入口では注意してください。"),
    ("中文", "今天下午三点涨潮，请船只注意航道安全。"),
    ("한국어", "오늘 오후 세 시에 만조가 됩니다. 항구 입구를 조심하세요."),
    ("emoji", "Ships 🚢 and anchors ⚓️, a family 👩‍👩‍👧‍👦, a flag 🇯🇵, a thumb 👍🏽, a key 1️⃣."),
    ("combining", "e\u{301}te\u{301} n\u{303} Z\u{310}\u{311}"),
    ("العربية", "المد العالي في الثالثة مساء"),
    ("עברית", "הגאות בשעה שלוש"),
  ]

  public static var wideLines: String {
    wide.map { json(["title": $0.title, "content_text": $0.text]) }.joined(separator: "\n") + "\n"
  }

  /// One object on one line, its keys in order.
  public static func json(_ fields: [String: String]) -> String {
    let inside = fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\(quoted($0.value))" }
    return "{" + inside.joined(separator: ",") + "}"
  }

  public static func quoted(_ text: String) -> String {
    // Long timelines consist of plain text.
    guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x5C || $0 == 0x0A }) else {
      return "\"\(text)\""
    }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
