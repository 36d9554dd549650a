/// The files of one timeline: the same posts as JSON Lines and, for programs that show lines, as text.
struct Corpus {
  let count: Int
  let feed: String
  let text: String
  /// Of both files.
  let feedBytes: Int
  let textBytes: Int

  /// Writes the files into `folder`. `pictures` is the address that pictures are numbered under.
  init(count: Int, seed: UInt64, pictures: String, folder: String) throws(BenchmarkError) {
    self.count = count
    feed = "\(folder)/\(count).jsonl"
    text = "\(folder)/\(count).txt"
    var jsonLines = try OutputFile(path: feed)
    var plainText = try OutputFile(path: text)
    var generator = PostGenerator(count: count, seed: seed)
    var post = GeneratedPost()
    while generator.next(into: &post) {
      Self.append(post, pictures: pictures, toJSONLines: &jsonLines)
      Self.append(post, pictures: pictures, toText: &plainText)
      guard post.number % 1_000 == 0 else { continue }
      try jsonLines.flush()
      try plainText.flush()
      try Interruption.check()
    }
    try jsonLines.flush(isLast: true)
    try plainText.flush(isLast: true)
    feedBytes = jsonLines.byteCount
    textBytes = plainText.byteCount
  }

  private static func append(
    _ post: GeneratedPost, pictures: String, toJSONLines file: inout OutputFile
  ) {
    file.append("{\"id\":\"\(post.number)\",\"url\":\"https://tide.example/p/\(post.number)".utf8)
    file.append("\",\"title\":\"")
    file.append(post.title)
    file.append("\",\"content_text\":\"")
    for (index, paragraph) in post.paragraphs.enumerated() {
      if index > 0 { file.append("\\n\\n") }
      file.append(paragraph)
    }
    file.append("\",\"date_published\":\"")
    file.append(date(ofMinute: post.minute, separator: "T").utf8)
    file.append(":00Z\",\"authors\":[{\"name\":\"")
    file.append(Vocabulary.authors[post.author])
    file.append("\",\"avatar\":\"\(pictures)/author/\(post.author).png\"}]".utf8)
    if let picture = post.picture {
      file.append(",\"image\":\"\(pictures)/post/\(picture).png\"".utf8)
    }
    file.append("}\n")
  }

  /// No line begins with a date: `lnav` would take it for a log, and sort it.
  private static func append(
    _ post: GeneratedPost, pictures: String, toText file: inout OutputFile
  ) {
    file.append(post.title)
    file.append("\n")
    file.append(Vocabulary.authors[post.author])
    file.append(" · \(date(ofMinute: post.minute, separator: " "))\n".utf8)
    for (index, paragraph) in post.paragraphs.enumerated() {
      file.append(index > 0 ? "\n\n" : "\n")
      file.append(paragraph)
    }
    file.append("\n\nhttps://tide.example/p/\(post.number)\n".utf8)
    if let picture = post.picture { file.append("[\(pictures)/post/\(picture).png]\n".utf8) }
    file.append("\n")
  }

  /// "2025-09-16T07:20"; the civil date of a day number is Howard Hinnant's `civil_from_days`.
  private static func date(ofMinute minute: Int, separator: String) -> String {
    let days = minute / 1_440 + 719_468
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let year = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year + era * 400 + (month <= 2 ? 1 : 0))-\(two(month))-\(two(day))\(separator)"
      + "\(two(minute % 1_440 / 60)):\(two(minute % 60))"
  }
}
