import Feeds
import TerminalViews
import TextLayout
import TimelineStore

/// The texts of a post in its cell.
enum PostText {
  /// `"↻ Buoy boosted"`.
  static func repost(of post: Post) -> StyledText {
    guard let author = post.repostedBy else { return StyledText() }
    return StyledText("↻ \(Sanitizer.line(author.shownName)) boosted", style: .secondary)
  }

  /// The author's name, or in its place the source or the timeline's title. It is what stands out
  /// of a post, unless that has a title.
  static func name(of post: Post, in info: TimelineInfo) -> StyledText {
    let name = post.author?.shownName ?? post.source ?? info.title
    return StyledText(
      Sanitizer.line(name), style: post.title.isEmpty ? TextStyle(traits: .bold) : .secondary)
  }

  /// The title, which readers look for first: bold, regardless of emphasis in the source.
  static func title(of post: Post) -> StyledText {
    guard !post.title.isEmpty else { return post.title }
    var paragraphs = post.title.paragraphs
    for index in paragraphs.indices {
      paragraphs[index].restyle { style in
        style.traits.insert(.bold)
        if style.role == .body { style.role = .title }
      }
    }
    return post.title.with(paragraphs: paragraphs)
  }

  /// The author's handle, and in a merged timeline the source, unless the name contains it.
  static func handle(of post: Post) -> StyledText {
    guard post.author != nil else { return StyledText() }
    let byline = post.byline
    let parts = [byline.name == nil ? nil : byline.handle, byline.source].compactMap { $0 }
    return StyledText(Sanitizer.line(parts.joined(separator: " · ")), style: .secondary)
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
    return StyledText(isAlone ? time : "· \(time)", style: .secondary)
  }

  /// The post's warning, and a line about content that could not be read.
  ///
  /// - Parameter hidesMatch: whether hidden content contains a match of the search.
  static func damage(
    of post: Post, cover: PostCover?, isRevealed: Bool, hidesMatch: Bool = false
  ) -> StyledText {
    var text = StyledText()
    if let cover, cover.extent != .quotes {
      text.beginParagraph(.tight)
      cover.addReason(to: &text, isRevealed: isRevealed)
    } else if let warning = post.contentWarning {
      text.beginParagraph(.tight)
      text.append("⚠ \(Sanitizer.line(warning))", style: TextStyle(role: .warning))
    }
    if hidesMatch {
      if text.isEmpty { text.beginParagraph(.tight) } else { text.append(" · ", style: .secondary) }
      text.append("a match is in what is hidden", style: TextStyle(traits: .marked))
      if cover?.extent == .quotes { text.append(" · x shows it", style: .secondary) }
    }
    if let damage = post.damage {
      text.beginParagraph(.tight)
      // A quiet line: what can be read stands around it.
      text.append("⚠ ", style: TextStyle(role: .warning))
      text.append(Sanitizer.line(damage), style: .secondary)
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
    text.append(words, style: .secondary)
    if let failure {
      text.append(
        "\(words.isEmpty ? "" : " · ")✕ \(Sanitizer.line(failure))", style: .secondary)
    }
    return text
  }

  static func mark(of picture: Post.Picture) -> String {
    "▣ "
      + Sanitizer.line(
        picture.alternativeText.isEmpty ? picture.displayURL : picture.alternativeText)
  }

  // MARK: The text around pictures

  /// The texts before each of the first `count` pictures, and the text after the last of them:
  /// always `count + 1` texts, some of which may be empty. Pictures without a place come after the
  /// text.
  ///
  /// - Parameter named: further pictures; those with a place in the text are named in a line there.
  /// - Complexity: O(n) in paragraphs.
  static func texts(
    of post: Post, around count: Int, naming named: ArraySlice<Post.Picture>
  ) -> [StyledText] {
    let all = post.body.paragraphs
    var texts: [StyledText] = []
    var start = 0
    for picture in post.pictures.prefix(count) {
      let end = max(start, min(picture.place ?? all.count, all.count))
      texts.append(post.body.with(paragraphs: Array(all[start..<end])))
      start = end
    }
    let rest = body(of: post, from: start, naming: named)
    texts.append(rest)
    while texts.count <= count { texts.append(StyledText()) }
    return texts
  }

  /// The text from a paragraph on, with a line for each of `named` that has a place in it.
  static func body(
    of post: Post, from start: Int = 0, naming named: ArraySlice<Post.Picture>
  ) -> StyledText {
    let all = post.body.paragraphs
    var placed = named.filter { $0.place != nil }[...]
    if placed.isEmpty {
      return start == 0 ? post.body : post.body.with(paragraphs: Array(all[start...]))
    }
    var paragraphs: [StyledText.Paragraph] = []
    /// Whether the last paragraph names a picture.
    var isNamed = false
    func name(upTo place: Int) {
      while let picture = placed.first, (picture.place ?? 0) <= place {
        placed.removeFirst()
        let style = isNamed ? .tight : StyledText.ParagraphStyle()
        paragraphs += paragraph(mark(of: picture), style)
        isNamed = true
      }
    }
    for index in all.indices.dropFirst(start) {
      name(upTo: index)
      var next = all[index]
      if isNamed, !isCaption(next) { next.style.spacingBefore = max(1, next.style.spacingBefore) }
      paragraphs.append(next)
      isNamed = false
    }
    name(upTo: .max)
    return post.body.with(paragraphs: paragraphs)
  }

  private static func paragraph(
    _ string: String, _ style: StyledText.ParagraphStyle
  ) -> [StyledText.Paragraph] {
    var text = StyledText()
    text.beginParagraph(style)
    text.append(string, style: .secondary)
    return text.paragraphs
  }

  /// Whether a paragraph after a picture describes it: secondary text directly below it.
  static func isCaption(_ paragraph: StyledText.Paragraph) -> Bool {
    paragraph.style.spacingBefore == 0
      && paragraph.runs.contains { $0.style.role == .secondary }
      && paragraph.runs.allSatisfy { $0.style.role == .secondary || $0.style.role == .link }
  }
}

extension TextStyle {
  static var secondary: TextStyle { TextStyle(role: .secondary) }
}

extension StyledText.ParagraphStyle {
  /// No blank line above.
  static var tight: StyledText.ParagraphStyle {
    var style = StyledText.ParagraphStyle()
    style.spacingBefore = 0
    return style
  }
}
