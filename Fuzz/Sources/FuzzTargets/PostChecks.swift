import TextLayout

@testable import Feeds
@testable import HTTP

/// What holds for every post that a reader makes, whatever it was made of.
enum PostChecks {
  static func check(_ posts: [Post], idsDiffer: Bool) throws(Finding) {
    for post in posts { try check(post) }
    if idsDiffer {
      try require(Set(posts.map(\.id)).count == posts.count, "two posts of one id")
    }
  }

  static func check(_ post: Post) throws(Finding) {
    for text in texts(of: post) { try Unsafe.check(text, "a post") }
    for styled in [post.title, post.body] { try check(styled) }
    var last = 0
    for place in post.pictures.compactMap(\.place) {
      try require(
        (last...max(last, post.body.paragraphs.count)).contains(place), "a place of \(place)")
      last = place
    }
    for picture in post.pictures {
      for side in [picture.width, picture.height].compactMap({ $0 }) {
        try require((0...100_000).contains(side), "a picture's side of \(side)")
      }
    }
    for count in [
      post.counts?.replies, post.counts?.reposts, post.counts?.likes, post.poll?.voters,
    ] {
      try require((count ?? 0) >= 0, "a count of \(count ?? 0)")
    }
    for option in post.poll?.options ?? [] {
      try require((option.votes ?? 0) >= 0, "votes of \(option.votes ?? 0)")
      let share = post.poll?.share(of: option) ?? 0
      try require((0...1).contains(share), "a share of \(share)")
    }
    for time in [post.published, post.modified, post.poll?.closes].compactMap({ $0 }) {
      try require((-62_167_219_200..<253_402_300_800).contains(time), "a time of \(time)")
      _ = RelativeTime.string(from: time, now: 1_700_000_000, style: DateStyle(utcOffset: 3_600))
    }
    try checkWritten(post)
    for quote in post.quotes { try check(quote) }
  }

  /// What is written for a pipe is safe, and for a program valid JSON that is read back.
  private static func checkWritten(_ post: Post) throws(Finding) {
    try Unsafe.check(PostWriter.plainText(post), "the post as text")
    let json = PostWriter.jsonItem(post)
    try Unsafe.check(json, "the post as JSON", allowsLineBreaks: false)
    let again = readRows(Array(json.utf8), format: .jsonl)
    try require(again.count == 1, "\(again.count) posts were read back from \(json)")
    guard let read = again.first else { return }
    try require(read.damage == post.damage, "written, the post is damaged: \(read.damage ?? "")")
    try require(read.published == post.published.map(inMilliseconds), "the time is not read back")
  }

  /// Times are written in milliseconds.
  private static func inMilliseconds(_ seconds: Double) -> Double {
    DateParser.seconds(CivilTime(seconds: seconds).rfc3339) ?? .nan
  }

  /// Runs cover a paragraph without gaps, at the boundaries of characters.
  static func check(_ styled: StyledText) throws(Finding) {
    for paragraph in styled.paragraphs {
      var end = 0
      for run in paragraph.runs {
        try require(run.range.lowerBound == end && !run.range.isEmpty, "runs with a gap")
        end = run.range.upperBound
        if let link = run.style.link {
          try require(styled.links.indices.contains(link), "a link to nowhere")
        }
      }
      try require(end == paragraph.string.utf8.count, "runs that end at \(end)")
    }
  }

  /// Every string of the post that may be shown.
  static func texts(of post: Post) -> [String] {
    var all = post.lines + [post.title.plainText, post.body.plainText]
    all += post.body.links + post.title.links + post.tags
    let accounts = [post.author, post.repostedBy].compactMap { $0 }
    all += accounts.flatMap { [$0.name, $0.handle, $0.url ?? "", $0.avatar ?? ""] }
    all += [post.card?.url, post.card?.title].compactMap { $0 }
    all += post.poll?.options.map(\.title) ?? []
    all += post.pictures.flatMap { [$0.url, $0.alternativeText] }
    all += post.attachments.flatMap { [$0.url, $0.mediaType, $0.title] }
    all += (post.title.paragraphs + post.body.paragraphs).map(\.style.marker)
    return all
  }

  static func check(_ info: TimelineInfo) throws(Finding) {
    let texts = [
      info.title, info.homePage, info.feedURL, info.nextPage, info.nextCursor, info.icon,
      info.language,
    ].compactMap { $0 }
    for text in texts { try Unsafe.check(text, "what the timeline says of itself") }
  }
}
