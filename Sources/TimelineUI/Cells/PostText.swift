import Feeds
import TerminalViews
import TextLayout
import TimelineStore

/// The texts of a post in its cell.
enum PostText {
  /// The author's name, or in its place the source or the timeline's title.
  static func name(of post: Post, in info: TimelineInfo) -> StyledText {
    let name = post.author?.shownName ?? post.source ?? info.title
    return StyledText(Sanitizer.line(name), style: TextStyle(traits: .bold))
  }

  /// The title, which readers look for first: bold, regardless of emphasis in the source.
  static func title(of post: Post) -> StyledText {
    guard !post.title.isEmpty else { return post.title }
    var paragraphs = post.title.paragraphs
    for index in paragraphs.indices {
      paragraphs[index].restyle { style in
        style.traits.insert(.bold)
        if style.role == .body { style.role = .heading }
      }
    }
    return post.title.with(paragraphs: paragraphs)
  }

  /// The author's handle, and in a merged timeline the source, unless the name contains it.
  static func handle(of post: Post) -> StyledText {
    guard post.author != nil else { return StyledText() }
    let byline = post.byline
    let parts = [byline.name == nil ? nil : byline.handle, byline.source].compactMap { $0 }
    return StyledText(Sanitizer.line(parts.joined(separator: " · ")), style: secondary)
  }

  /// Edits within this many seconds of publication are not mentioned: few readers have seen the
  /// text before them.
  private static let minimumEditDelay = 300.0

  /// `"· 2 h"`; without the dot if there is nothing before it.
  ///
  /// - Parameter showsEdits: `"· 2 h · edited"` if the post was edited later.
  static func time(of post: Post, isAlone: Bool, showsEdits: Bool, now: Double) -> StyledText {
    guard let published = post.published else { return StyledText() }
    var time = RelativeTime.string(
      from: published, now: now, hasZone: post.hasZone, style: .reader)
    if showsEdits, let modified = post.modified, modified - published >= minimumEditDelay {
      time += " · edited"
    }
    return StyledText(isAlone ? time : "· \(time)", style: TextStyle(role: .secondary))
  }

  /// The post's warning, and a line about content that could not be read.
  ///
  /// - Parameter hidesMatch: whether hidden content contains a match of the search.
  static func damage(
    of post: Post, cover: PostCover?, isRevealed: Bool, hidesMatch: Bool = false
  ) -> StyledText {
    var text = StyledText()
    if let cover, cover.extent != .quotes {
      text.beginParagraph(tight)
      add(cover, isRevealed: isRevealed, to: &text)
    } else if let warning = post.contentWarning {
      text.beginParagraph(tight)
      text.append("⚠ \(Sanitizer.line(warning))", style: TextStyle(role: .warning))
    }
    if hidesMatch {
      if text.isEmpty { text.beginParagraph(tight) } else { text.append(" · ", style: secondary) }
      text.append("a match is in what is hidden", style: Self.match)
      if cover?.extent == .quotes { text.append(" · x shows it", style: secondary) }
    }
    if let damage = post.damage {
      text.beginParagraph(tight)
      text.append("⚠ \(Sanitizer.line(damage))", style: TextStyle(role: .error))
    }
    return text
  }

  /// The description of a picture, or why it is missing: a dim line, since the post itself is
  /// complete.
  ///
  /// - Parameter textBelow: the text after the picture, which may begin with the same description.
  static func caption(
    of picture: Post.Picture, failure: String?, textBelow: StyledText
  ) -> StyledText {
    var words = Sanitizer.line(picture.alternativeText)
    if let below = textBelow.paragraphs.first, isCaption(below), below.string == words {
      words = ""
    }
    var text = StyledText()
    text.append(words, style: secondary)
    if let failure {
      text.append(
        "\(words.isEmpty ? "" : " · ")✕ \(Sanitizer.line(failure))", style: secondary)
    }
    return text
  }

  /// Everything below the text, beginning with those of `namedPictures` that have no place in it.
  ///
  /// - Parameter hidden: the cover of content that is not shown.
  static func footer(
    of post: Post, namedPictures: ArraySlice<Post.Picture>, hidden: PostCover?, isRevealed: Bool,
    now: Double
  ) -> StyledText {
    var text = StyledText()
    // The paragraphs with a blank line above: around polls and quotes. Other lines stand together.
    var stretches: [Int] = []
    func beginStretch() {
      if !text.paragraphs.isEmpty { stretches.append(text.paragraphs.count) }
    }
    if hidden?.hides(.pictures) != true {
      for picture in namedPictures where picture.place == nil {
        line(mark(of: picture), in: &text)
      }
    }
    if hidden?.hides(.content) != true {
      if let poll = post.poll {
        beginStretch()
        add(poll, now: now, to: &text)
      }
      for quote in post.quotes {
        beginStretch()
        add(quote: quote, isRevealed: isRevealed, now: now, to: &text)
      }
      if post.poll != nil || !post.quotes.isEmpty { beginStretch() }
      if let card = post.card { add(card, to: &text) }
      for attachment in post.attachments { add(attachment, in: tight, to: &text) }
      addTags(of: post, to: &text)
    }
    let counts = counts(of: post)
    if !counts.isEmpty { line(counts, in: &text) }
    return stretches.isEmpty ? text : text.separated(before: stretches)
  }

  /// Adds the tags that do not occur in the text.
  private static func addTags(of post: Post, to text: inout StyledText) {
    let shown = tagsInText(of: post)
    let names = post.tags.map(Sanitizer.line).filter { !shown.contains($0.lowercased()) }
    guard !names.isEmpty else { return }
    text.beginParagraph(tight)
    for (index, name) in names.enumerated() {
      if index > 0 { text.append("  ") }
      // A tag of several words is not wrapped: its second line would look like text.
      let whole = name.replacing(" ", with: "\u{A0}")
      text.append(whole.hasPrefix("#") ? whole : "#\(whole)", style: TextStyle(role: .tag))
    }
  }

  private static func tagsInText(of post: Post) -> Set<String> {
    guard !post.tags.isEmpty else { return [] }
    return Set(post.tagsInText.map { tag in tag.drop { $0 == "#" }.lowercased() })
  }

  static func mark(of picture: Post.Picture) -> String {
    "▣ "
      + Sanitizer.line(
        picture.alternativeText.isEmpty ? picture.displayURL : picture.alternativeText)
  }

  static var secondary: TextStyle { TextStyle(role: .secondary) }
  /// The style of the note that stands for a hidden match.
  static var match: TextStyle { TextStyle(traits: .marked) }

  static var tight: StyledText.ParagraphStyle {
    var style = StyledText.ParagraphStyle()
    style.spacingBefore = 0
    return style
  }

  static func line(_ string: String, in text: inout StyledText) {
    text.beginParagraph(tight)
    text.append(Sanitizer.line(string), style: secondary)
  }

  /// Adds a file: its name, which is a link, its type and its duration or size.
  static func add(
    _ attachment: Post.Attachment, in style: StyledText.ParagraphStyle, to text: inout StyledText
  ) {
    text.beginParagraph(style)
    text.append("→ ", style: secondary)
    let isNamed = !attachment.title.isEmpty
    let link = text.addLink(attachment.url)
    text.append(
      attachment.shownName,
      // An address that stands for a name is not searched.
      style: TextStyle(role: isNamed ? .link : .secondary, link: link))
    let rest = details(of: attachment)
    if !rest.isEmpty { text.append(" · " + Sanitizer.line(rest), style: secondary) }
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
      parts.append(bytes >= 1 << 20 ? "\(bytes >> 20) MB" : "\(max(1, bytes >> 10)) kB")
    }
    return parts.joined(separator: " · ")
  }

  private static func padded(_ number: Int) -> String {
    number < 10 ? "0\(number)" : String(number)
  }
}

extension StyledText {
  /// This text with a blank line before these paragraphs.
  fileprivate func separated(before indices: [Int]) -> StyledText {
    var paragraphs = paragraphs
    for index in indices where paragraphs.indices.contains(index) {
      paragraphs[index].style.spacingBefore = 1
    }
    return with(paragraphs: paragraphs)
  }
}
