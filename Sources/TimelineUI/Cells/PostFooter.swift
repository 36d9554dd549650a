import Feeds
import TextLayout

/// Everything below a post's text: pictures that are only named, its poll, the posts it quotes, its
/// link, files, tags and counts.
///
/// The poll and each quote have a blank line around them; other lines stand together.
struct PostFooter {
  private static let barWidth = 10

  private(set) var text = StyledText()
  private let isRevealed: Bool
  private let now: Double
  /// The paragraphs with a blank line above.
  private var stretches: [Int] = []

  /// - Parameters:
  ///   - namedPictures: those that have no place in the text are named here.
  ///   - hidden: the cover of content that is not shown.
  ///   - isRevealed: whether content that the post or a quoted post hides is shown.
  ///   - now: in seconds since 1970.
  init(
    of post: Post, namedPictures: ArraySlice<Post.Picture>, hidden: PostCover?, isRevealed: Bool,
    now: Double
  ) {
    self.isRevealed = isRevealed
    self.now = now
    if hidden?.hides(.pictures) != true {
      for picture in namedPictures where picture.place == nil {
        addLine(PostText.mark(of: picture))
      }
    }
    if hidden?.hides(.content) != true {
      if let poll = post.poll {
        beginStretch()
        add(poll)
      }
      for quote in post.quotes {
        beginStretch()
        add(quote)
      }
      if post.poll != nil || !post.quotes.isEmpty { beginStretch() }
      if let card = post.card { add(card) }
      for attachment in post.attachments { add(attachment, in: .tight) }
      addTags(of: post)
    }
    addCounts(of: post)
    guard !stretches.isEmpty else { return }
    var paragraphs = text.paragraphs
    for index in stretches where paragraphs.indices.contains(index) {
      paragraphs[index].style.spacingBefore = 1
    }
    text = text.with(paragraphs: paragraphs)
  }

  private mutating func beginStretch() {
    if !text.paragraphs.isEmpty { stretches.append(text.paragraphs.count) }
  }

  private mutating func addLine(_ string: String) {
    text.beginParagraph(.tight)
    text.append(Sanitizer.line(string), style: .secondary)
  }

  /// Adds a line for each option, with a bar for its share of the votes.
  private mutating func add(_ poll: Post.Poll) {
    for option in poll.options {
      text.beginParagraph(.tight)
      if let share = poll.share(of: option) {
        let filled = Int((share * Double(Self.barWidth)).rounded())
        let percent = "\(Int((share * 100).rounded()))%"
        text.append(String(repeating: "█", count: filled), style: TextStyle(role: .tag))
        text.append(String(repeating: "░", count: Self.barWidth - filled), style: .secondary)
        text.append(" " + String(repeating: " ", count: max(0, 4 - percent.count)) + percent + "  ")
      } else {
        text.append("○  ", style: .secondary)
      }
      text.append(Sanitizer.line(option.title))
    }
    let votes = poll.voters ?? poll.options.reduce(0) { $0.addingClamped($1.votes ?? 0) }
    var parts = [votes.counted("vote")]
    if let end = poll.closes {
      let time = RelativeTime.string(from: end, now: now, style: .reader)
      parts.append(end <= now ? "closed" : "closes \(time)")
    }
    addLine(parts.joined(separator: " · "))
  }

  // MARK: Quotes

  /// Adds a post within another: its author and its text, behind a bar.
  private mutating func add(_ quote: Post, depth: Int = 1) {
    var style = StyledText.ParagraphStyle()
    style.quoteDepth = min(depth, 8)
    text.beginParagraph(style)
    style.spacingBefore = 0
    if let author = quote.author {
      text.append(Sanitizer.line(author.shownName), style: TextStyle(traits: .bold))
      if !author.handle.isEmpty, !author.name.isEmpty {
        text.append(" \(Sanitizer.line(author.handle))", style: .secondary)
      }
      if let published = quote.published {
        let time = RelativeTime.string(
          from: published, now: now, hasZone: quote.hasZone, style: .reader)
        text.append(" · \(time)", style: .secondary)
      }
    }
    let cover = PostCover(of: quote)
    if let cover, cover.extent != .quotes {
      text.beginParagraph(style)
      cover.addReason(to: &text, isRevealed: isRevealed)
    }
    let hidden = isRevealed ? nil : cover
    guard hidden?.hides(.content) != true else { return }
    if !quote.title.isEmpty { append(PostText.title(of: quote), in: style) }
    let showsPictures = hidden?.hides(.pictures) != true
    append(PostText.body(of: quote, naming: showsPictures ? quote.pictures[...] : []), in: style)
    if showsPictures {
      for picture in quote.pictures where picture.place == nil {
        text.beginParagraph(style)
        text.append(PostText.mark(of: picture), style: .secondary)
      }
    }
    for file in quote.attachments { add(file, in: style) }
    for inner in quote.quotes { add(inner, depth: depth + 1) }
  }

  private mutating func append(_ other: StyledText, in style: StyledText.ParagraphStyle) {
    for (index, paragraph) in other.paragraphs.enumerated() {
      var own = paragraph.style
      own.quoteDepth = min(own.quoteDepth + style.quoteDepth, 8)
      if index == 0 { own.spacingBefore = 0 }
      text.beginParagraph(own)
      for run in paragraph.runs {
        var runStyle = run.style
        runStyle.link = run.style.link.map { text.addLink(other.links[$0]) }
        text.append(String(paragraph.string.slice(utf8: run.range)), style: runStyle)
      }
    }
  }

  // MARK: Links, files, tags and counts

  /// Adds the title and address of the page that the post links to.
  private mutating func add(_ card: Post.Card) {
    text.beginParagraph(.tight)
    text.append(
      card.title.isEmpty ? "↗ " : "↗ \(Sanitizer.line(card.title)) · ", style: .secondary)
    let link = text.addLink(card.url)
    text.append(Sanitizer.line(card.url), style: TextStyle(role: .secondary, link: link))
  }

  /// Adds a file: its name, which is a link, its type and its duration or size.
  private mutating func add(_ attachment: Post.Attachment, in style: StyledText.ParagraphStyle) {
    text.beginParagraph(style)
    text.append("→ ", style: .secondary)
    let isNamed = !attachment.title.isEmpty
    let link = text.addLink(attachment.url)
    text.append(
      attachment.shownName,
      // An address that stands for a name is not searched.
      style: TextStyle(role: isNamed ? .link : .secondary, link: link))
    let rest = Self.details(of: attachment)
    if !rest.isEmpty { text.append(" · " + Sanitizer.line(rest), style: .secondary) }
  }

  private static func details(of attachment: Post.Attachment) -> String {
    var parts: [String] = []
    if !attachment.mediaType.isEmpty { parts.append(attachment.mediaType) }
    if let seconds = attachment.duration, seconds.isFinite, seconds > 0, seconds < 1e7 {
      let total = Int(seconds)
      let rest = total % 3600
      let minutes = total >= 3600 ? padded(rest / 60) : String(rest / 60)
      let hours = total >= 3600 ? "\(total / 3600):" : ""
      parts.append("\(hours)\(minutes):\(padded(total % 60))")
    }
    if let bytes = attachment.byteCount, bytes > 0 {
      parts.append(bytes >= 1_000_000 ? "\(bytes / 1_000_000) MB" : "\(max(1, bytes / 1_000)) kB")
    }
    return parts.joined(separator: " · ")
  }

  private static func padded(_ number: Int) -> String {
    number < 10 ? "0\(number)" : String(number)
  }

  /// Adds the tags that do not occur in the text.
  private mutating func addTags(of post: Post) {
    guard !post.tags.isEmpty else { return }
    let shown = Set(post.tagsInText.map { tag in tag.drop { $0 == "#" }.lowercased() })
    let names = post.tags.map(Sanitizer.line).filter { !shown.contains($0.lowercased()) }
    guard !names.isEmpty else { return }
    text.beginParagraph(.tight)
    for (index, name) in names.enumerated() {
      if index > 0 { text.append("  ") }
      // A tag of several words is not wrapped: its second line would look like text.
      let whole = name.replacing(" ", with: "\u{A0}")
      text.append(whole.hasPrefix("#") ? whole : "#\(whole)", style: TextStyle(role: .tag))
    }
  }

  /// Adds `"↩ 3   ↻ 12   ★ 40"`, without zero counts.
  private mutating func addCounts(of post: Post) {
    guard let counts = post.counts else { return }
    let parts = [("↩", counts.replies), ("↻", counts.reposts), ("★", counts.likes)]
      .compactMap { sign, count in count.flatMap { $0 > 0 ? "\(sign) \($0)" : nil } }
    if !parts.isEmpty { addLine(parts.joined(separator: "   ")) }
  }
}

extension Int {
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}
