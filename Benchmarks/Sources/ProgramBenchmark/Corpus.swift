import TerminalSession

/// The files of one timeline: the same posts as JSON Lines and, for programs that show lines, as
/// text.
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
    let pictures = Array(pictures.utf8)
    var jsonLines = try OutputFile(path: feed)
    var plainText = try OutputFile(path: text)
    var generator = PostGenerator(count: count, seed: seed)
    var post = GeneratedPost()
    while generator.next(into: &post) {
      jsonLines.appendJSON(post, pictures: pictures)
      plainText.appendText(post, pictures: pictures)
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
}

extension OutputFile {
  /// One line of JSON Feed items.
  fileprivate mutating func appendJSON(_ post: GeneratedPost, pictures: [UInt8]) {
    append("{\"id\":\"")
    append(post.number)
    append("\",\"url\":\"https://tide.example/p/")
    append(post.number)
    append("\",\"title\":\"")
    append(post.title)
    append("\",\"content_text\":\"")
    for (index, paragraph) in post.paragraphs.enumerated() {
      if index > 0 { append("\\n\\n") }
      append(paragraph)
    }
    append("\",\"date_published\":\"")
    append(civilTimeOfMinute: post.minute, separator: "T")
    append(":00Z\",\"authors\":[{\"name\":\"")
    append(Vocabulary.authors[post.author])
    append("\",\"avatar\":\"")
    append(pictures)
    append("/author/")
    append(post.author)
    append(".png\"}]")
    if let picture = post.picture {
      append(",\"image\":\"")
      append(pictures)
      append("/post/")
      append(picture)
      append(".png\"")
    }
    append("}\n")
  }

  /// No line begins with a date: `lnav` would take it for a log, and sort it.
  fileprivate mutating func appendText(_ post: GeneratedPost, pictures: [UInt8]) {
    append(post.title)
    append("\n")
    append(Vocabulary.authors[post.author])
    append(" · ")
    append(civilTimeOfMinute: post.minute, separator: " ")
    append("\n")
    for paragraph in post.paragraphs {
      append("\n")
      append(paragraph)
      append("\n")
    }
    append("\nhttps://tide.example/p/")
    append(post.number)
    append("\n")
    if let picture = post.picture {
      append(pictures)
      append("/post/")
      append(picture)
      append(".png\n")
    }
    append("\n")
  }

  /// "2025-09-16T07:20"; the civil date of a day number is Howard Hinnant's `civil_from_days`.
  private mutating func append(civilTimeOfMinute minute: Int, separator: StaticString) {
    let days = minute / 1_440 + 719_468
    let dayOfEra = days % 146_097
    let year = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    append(year + days / 146_097 * 400 + (month <= 2 ? 1 : 0))
    append("-")
    append(month, digits: 2)
    append("-")
    append(dayOfYear - (153 * marchMonth + 2) / 5 + 1, digits: 2)
    append(separator)
    append(minute % 1_440 / 60, digits: 2)
    append(":")
    append(minute % 60, digits: 2)
  }
}
