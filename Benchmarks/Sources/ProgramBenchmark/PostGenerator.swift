/// A post before it is written in one form or another.
struct GeneratedPost {
  var number = 0
  var title: [UInt8] = []
  var paragraphs: [[UInt8]] = []
  /// Index in `Vocabulary.authors`.
  var author = 0
  /// Minutes since 1970.
  var minute = 0
  /// Number of its picture; nil where it has none.
  var picture: Int?
}

/// Makes a timeline's posts, newest first: English, Japanese and Chinese with emoji, links and
/// tags, most of them short and a few very long, a third with a picture.
struct PostGenerator {
  /// Pictures a timeline has; they come again in turn.
  static let pictureCount = 997
  /// The text that only the first and only the last post have: seen on the terminal, they tell what
  /// is shown. No neighbouring characters are alike, so that they are never sent abbreviated.
  static let firstMark = "«¤§¤»"
  static let lastMark = "‹±¶±›"

  let count: Int
  private var random: SeededRandom
  private var number = 0
  private var minute = 29_300_000

  init(count: Int, seed: UInt64) {
    self.count = count
    random = SeededRandom(seed: seed)
  }

  /// Puts the next post into `post`; false after the last.
  mutating func next(into post: inout GeneratedPost) -> Bool {
    guard number < count else { return false }
    post.number = number
    post.author = random.next(below: Vocabulary.authors.count)
    // One a minute: ten million are nineteen years.
    minute -= random.next(below: 3)
    post.minute = minute
    post.picture = number % 3 == 0 ? number % Self.pictureCount : nil
    fillTitle(&post)
    fillParagraphs(&post)
    number += 1
    return true
  }

  private mutating func fillTitle(_ post: inout GeneratedPost) {
    post.title.removeAll(keepingCapacity: true)
    post.title.append(contentsOf: "#\(number) ".utf8)
    appendWords(columns: 24, to: &post.title)
    if number == 0 { post.title.append(contentsOf: " \(Self.firstMark)".utf8) }
  }

  private mutating func fillParagraphs(_ post: inout GeneratedPost) {
    // Half of the posts have up to 80 columns of text, one in thirty more than 700.
    let columns = 45 * 1_000 / (1_035 - random.next(below: 1_000))
    let paragraphs = columns > 120 ? 1 + random.next(below: 3) : 1
    if post.paragraphs.count > paragraphs {
      post.paragraphs.removeLast(post.paragraphs.count - paragraphs)
    }
    while post.paragraphs.count < paragraphs { post.paragraphs.append([]) }
    for index in 0..<paragraphs {
      post.paragraphs[index].removeAll(keepingCapacity: true)
      appendWords(columns: columns / paragraphs, to: &post.paragraphs[index])
    }
    let last = paragraphs - 1
    if random.happens(percent: 15) {
      let link = " https://news.example/\(random.next(below: 1_000_000))"
      post.paragraphs[last].append(contentsOf: link.utf8)
    }
    if random.happens(percent: 20) {
      post.paragraphs[last].append(UInt8(ascii: " "))
      let tag = random.next(below: Vocabulary.tags.count)
      post.paragraphs[last].append(contentsOf: Vocabulary.tags[tag])
    }
    if number == count - 1 { post.paragraphs[last].append(contentsOf: " \(Self.lastMark)".utf8) }
  }

  /// About so many columns of one language.
  private mutating func appendWords(columns: Int, to text: inout [UInt8]) {
    let vocabulary =
      switch random.next(below: 100) {
      case ..<50: Vocabulary.english
      case ..<77: Vocabulary.japanese
      default: Vocabulary.chinese
      }
    let words = max(1, columns / vocabulary.columns)
    let emoji = random.happens(percent: 30) ? random.next(below: words) : -1
    for index in 0..<words {
      if index > 0 { text.append(contentsOf: vocabulary.glue) }
      text.append(contentsOf: vocabulary.words[random.next(below: vocabulary.words.count)])
      guard index == emoji else { continue }
      text.append(UInt8(ascii: " "))
      text.append(contentsOf: Vocabulary.emoji[random.next(below: Vocabulary.emoji.count)])
    }
  }
}
